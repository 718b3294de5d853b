#include "app/commands/select_file.h"

#include "app/commands/compare.h"
#include "app/commands/console.h"
#include "app/commands/element.h"
#include "app/commands/request.h"
#include "app/formats/bytes.h"
#include "upsweep/compact/flags.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

Result<void> select_on(DeviceRun& device, const CompactDesc& desc, bool partition, ConstBytes input,
                       Selection& out) {
    auto plan =
        partition ? plan_partition(partition_by(desc), device.caps()) : plan_compact(desc, device.caps());
    if (!plan) return tl::unexpected(plan.error());
    if (auto ok = device.run(*plan, input); !ok) return ok;
    std::array<std::byte, 4> total{};
    if (auto ok = device.read(Slot::total, total); !ok) return ok;
    out.kept = load<std::uint32_t>(total.data());
    if (out.kept > desc.count) {
        return fail(ErrorCode::device_error,
                    fmt::format("The device kept {} of {} elements, which cannot be.", out.kept, desc.count));
    }
    // Only what was written comes back.
    out.results.resize((partition ? desc.count : out.kept) * result_type(desc).stride);
    return device.read(desc.indices ? Slot::indices : Slot::output, out.results);
}

// The condition is WGSL, so only the device can tell what it comes to. For the check it does so in a kernel of
// its own, an invocation for each element; all that makes a selection of the flags is done again on the CPU.
Result<void> check_on(DeviceRun& device, const CompactDesc& desc, bool partition, ConstBytes input,
                      const Selection& selected) {
    auto plan = plan_flags(
        {.type = desc.type, .keep = desc.keep, .count = desc.count, .first_index = desc.first_index},
        device.caps());
    if (!plan) return tl::unexpected(plan.error());
    if (auto ok = device.run(*plan, input); !ok) return ok;
    std::vector<std::uint32_t> flags(desc.count);
    if (auto ok = device.read(Slot::output, std::as_writable_bytes(std::span(flags))); !ok) return ok;
    const Selection serial = select_serial(input, flags, desc, partition);
    if (selected.kept != serial.kept) {
        return fail(
            ErrorCode::invalid_argument,
            fmt::format("The results are wrong: of the elements from {} to {} the condition holds "
                        "for {}, and {} were kept.",
                        desc.first_index, desc.first_index + desc.count - 1, serial.kept, selected.kept));
    }
    const ElementType& type = result_type(desc);
    const auto at = first_difference(type, selected.results, serial.results);
    if (!at) return {};
    const auto element = [&](const std::vector<std::byte>& of) {
        return element_text(type, ConstBytes(of).subspan(*at * type.stride, type.stride));
    };
    return fail(ErrorCode::invalid_argument,
                fmt::format("The results are wrong: of the elements from {} to {}, result {} is {}, and the "
                            "serial selection gives {}.",
                            desc.first_index, desc.first_index + desc.count - 1, *at,
                            element(selected.results), element(serial.results)));
}

}  // namespace

const ElementType& result_type(const CompactDesc& desc) {
    return desc.indices ? types::u32 : desc.type;
}

Selection select_serial(ConstBytes elements, std::span<const std::uint32_t> flags, const CompactDesc& desc,
                        bool partition) {
    Selection selection;
    const std::size_t stride = desc.type.stride;
    for (const bool kept : {true, false}) {
        if (!kept && !partition) break;
        for (std::size_t i = 0; i < flags.size(); ++i) {
            if ((flags[i] != 0) != kept) continue;
            const auto index = static_cast<std::uint32_t>(desc.first_index + i);
            const ConstBytes result =
                desc.indices ? std::as_bytes(std::span(&index, 1)) : elements.subspan(i * stride, stride);
            selection.results.insert(selection.results.end(), result.begin(), result.end());
            if (kept) ++selection.kept;
        }
    }
    return selection;
}

Outcome<SelectReport> select_file(ArrayReader& reader, const CompactDesc& request, bool partition,
                                  const Gpu& gpu, const RunSettings& settings, const TakeSelection& take) {
    CompactDesc desc = request;
    // Elements, flags and indices are bound whole.
    FileRun run(reader, gpu, settings, std::max(desc.type.stride, 4U));
    ChunkReader chunks(run.reading(), desc.type.stride, run.capacity());
    SelectReport report;
    Selection selected;
    std::uint64_t done = 0;
    while (chunks.more()) {
        const auto chunk = chunks.next();
        if (!chunk) return tl::unexpected(chunk.error());
        if (chunk->empty()) break;
        if (asked_to_end() != 0) return failed("Interrupted.");
        desc.count = chunk->size() / desc.type.stride;
        desc.first_index = static_cast<std::uint32_t>(done);  // No more than a u32 holds are planned for.
        auto ok = select_on(run.device(), desc, partition, *chunk, selected);
        if (ok && settings.verify) ok = check_on(run.checking(), desc, partition, *chunk, selected);
        if (!ok) return tl::unexpected(error_of_condition(ok.error()));
        run.count(chunk->size(), selected.results.size());
        report.kept += selected.kept;
        done += desc.count;
        const std::uint64_t kept_bytes = selected.kept * result_type(desc).stride;
        if (auto taken = take(selected.results, kept_bytes, !chunks.more()); !taken)
            return tl::unexpected(taken.error());
    }
    auto finished = run.finish(0);
    if (!finished) return tl::unexpected(finished.error());
    report.run = std::move(*finished);
    return report;
}

}  // namespace upsweep::app
