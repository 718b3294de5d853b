#include "app/commands/selftest_slots.h"

#include "app/commands/compare.h"
#include "app/commands/element.h"
#include "app/formats/bytes.h"

#include <algorithm>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

constexpr Slot outputs[] = {Slot::output, Slot::indices, Slot::total};

tl::unexpected<Error> wrong(const std::string& what) {
    return fail(ErrorCode::device_error, what);
}

std::string place(Slot slot) {
    return slot == Slot::output ? "" : fmt::format(" of the {}", to_string(slot));
}

}  // namespace

void SelftestSlots::set_count(std::uint64_t count) {
    std::vector<std::byte>& bytes = contents[Slot::count];
    bytes.resize(4);
    store(bytes.data(), static_cast<std::uint32_t>(count));
}

void SelftestSlots::poison_for(const Plan& plan) {
    const auto set = [&](Slot slot, std::uint64_t bytes, std::size_t tail) {
        if (bytes != 0 && !contents.contains(slot)) contents[slot].assign(bytes + tail, poison);
    };
    set(Slot::output, plan.output_bytes, tail_bytes);
    set(Slot::indices, plan.indices_bytes, tail_bytes);
    set(Slot::total, plan.total_bytes, tail_bytes);
    set(Slot::scratch, plan.scratch_bytes, 0);
}

Result<void> SelftestSlots::make(const Gpu& gpu, std::uint64_t bytes) {
    auto buffer = gpu.buffer(bytes);
    if (!buffer) return tl::unexpected(buffer.error());
    buffers_.push_back(std::move(*buffer));
    return {};
}

Result<void> SelftestSlots::upload(const Gpu& gpu) {
    const std::uint64_t alignment = std::max(256U, gpu.caps().min_storage_offset_alignment);
    std::uint64_t at = one_buffer ? alignment : 0;
    for (const auto& [slot, bytes] : contents) {
        if (bytes.empty()) continue;
        slices_[slot] = {nullptr, at, bytes.size()};
        if (one_buffer) at += (bytes.size() + alignment - 1) / alignment * alignment;
    }
    if (one_buffer) {
        if (auto ok = make(gpu, at); !ok) return ok;
    }
    for (auto& [slot, slice] : slices_) {
        const std::vector<std::byte>& bytes = contents.at(slot);
        if (!one_buffer) {
            if (auto ok = make(gpu, bytes.size()); !ok) return ok;
        }
        slice.buffer = buffers_.back().get();
        if (auto ok = gpu.write(slice.buffer, slice.offset, bytes); !ok) return ok;
    }
    return {};
}

Result<void> SelftestSlots::run(const Gpu& gpu, const Plan& plan) {
    if (auto ok = upload(gpu); !ok) return ok;
    const Slices slices{.input = slices_[in_place ? Slot::output : Slot::input],
                        .output = slices_[Slot::output],
                        .count = slices_[Slot::count],
                        .flags = slices_[Slot::flags],
                        .indices = slices_[Slot::indices],
                        .total = slices_[Slot::total],
                        .scratch = slices_[Slot::scratch]};
    auto job = gpu.context().bind(plan, slices);
    if (!job) return tl::unexpected(job.error());
    auto ok = gpu.submit([&](WGPUCommandEncoder encoder) { return job->record(encoder); });
    for (const Slot slot : outputs) {
        const Slice& slice = slices_[slot];
        if (ok && slice.buffer != nullptr) ok = gpu.read(slice.buffer, slice.offset, contents.at(slot));
    }
    return ok;
}

Result<void> SelftestSlots::check(Slot slot, const ElementType& type, std::uint64_t count,
                                  ConstBytes expected, ConstBytes before) const {
    const ConstBytes got = contents.at(slot);
    const std::uint64_t bytes = count * type.stride;
    if (const auto index = first_difference(type, got.first(bytes), expected.first(bytes))) {
        const auto element = [&](ConstBytes of) {
            return element_text(type, of.subspan(*index * type.stride, type.stride));
        };
        return wrong(fmt::format("of {} elements{}, number {} is {} and not {}", count, place(slot), *index,
                                 element(got), element(expected)));
    }
    for (std::uint64_t at = bytes; at < got.size(); ++at) {
        if (got[at] == (before.empty() ? poison : before[at])) continue;
        return wrong(fmt::format("of {} elements{}, something was written {} bytes behind the last", count,
                                 place(slot), at - bytes));
    }
    return {};
}

}  // namespace upsweep::app
