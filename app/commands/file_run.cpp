#include "app/commands/file_run.h"

#include "app/commands/console.h"

#include <algorithm>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

std::uint64_t chunk_capacity(const ArrayReader& reader, const DeviceCaps& caps, std::uint64_t bytes,
                             std::uint32_t binding_stride) {
    std::uint64_t most = std::min(bytes, caps.max_buffer_size / 16 * 16) / reader.type().stride;
    if (binding_stride != 0) {
        const std::uint64_t binding = std::min<std::uint64_t>(caps.max_storage_binding_size, 0xFFFFFFFCU);
        most = std::min(most, binding / 16 * 16 / binding_stride);
    }
    most = std::max<std::uint64_t>(most, 1);
    if (!reader.count() || *reader.count() >= most) return most;
    return *reader.count() + 1;
}

std::optional<std::uint64_t> total_bytes(const ArrayReader& reader) {
    if (!reader.count()) return std::nullopt;
    return *reader.count() * reader.type().stride;
}

}  // namespace

FileRun::FileRun(ArrayReader& reader, const Gpu& gpu, const RunSettings& settings,
                 std::uint32_t binding_stride)
    : reader_(reader),
      device_(gpu, settings.time),
      checking_(gpu, false),
      capacity_(chunk_capacity(reader, gpu.caps(), settings.chunk_bytes, binding_stride)),
      progress_(
          settings.progress && (!reader.count() || *reader.count() >= capacity_) && Progress::can_be_seen(),
          total_bytes(reader)) {}

ReadElements FileRun::reading() {
    return [this](Bytes out) -> Result<std::size_t> {
        if (asked_to_end() != 0) return fail(ErrorCode::invalid_argument, "Interrupted.");
        return reader_.read(out);
    };
}

std::unique_ptr<Verifier> FileRun::verifier_of(const ScanDesc& desc) {
    return make_verifier(desc, [this](const ScanDesc& part, ConstBytes input, Bytes output) {
        return checking_.scan(part, input, output);
    });
}

void FileRun::count(std::uint64_t elements, std::uint64_t results) {
    report_.count += elements / reader_.type().stride;
    ++report_.chunks;
    report_.data_bytes += elements + results;
    progress_.add(elements);
}

Outcome<RunReport> FileRun::finish(std::uint64_t not_comparable) {
    if (asked_to_end() != 0) return failed("Interrupted.");
    report_.strategy = device_.strategy();
    report_.dispatches = device_.dispatches();
    report_.gpu_seconds = device_.gpu_seconds();
    report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    report_.not_comparable = not_comparable;
    return report_;
}

std::string verified_text(const RunReport& report, const ElementType& type, const char* against) {
    if (report.not_comparable == 0) return fmt::format("verified against {}", against);
    return fmt::format(
        "verified against {} but for {} numbers, which the range of {} makes depend on the order", against,
        report.not_comparable, to_string(type.scalar));
}

}  // namespace upsweep::app
