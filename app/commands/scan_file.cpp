#include "app/commands/scan_file.h"

#include "app/commands/console.h"
#include "app/commands/device_scan.h"
#include "app/commands/progress.h"
#include "app/commands/verify.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

// One room more than there are elements, so that the only chunk is seen to be the last.
std::uint64_t chunk_capacity(const ArrayReader& reader, const DeviceScan& device, std::uint64_t bytes) {
    const std::uint64_t most = device.capacity(bytes, reader.type().stride);
    if (!reader.count() || *reader.count() >= most) return most;
    return *reader.count() + 1;
}

std::optional<std::uint64_t> total_bytes(const ArrayReader& reader) {
    if (!reader.count()) return std::nullopt;
    return *reader.count() * reader.type().stride;
}

// An exclusive scan ends before its last element; that one is added by a scan of one element.
Result<std::vector<std::byte>> total_of(ScanDesc desc, const StreamSummary& summary, DeviceScan& device) {
    if (summary.count == 0) {
        if (!desc.initial.empty()) return desc.initial;
        return desc.op.cpu_identity(desc.type).value_or(std::vector<std::byte>());
    }
    if (desc.kind == ScanKind::inclusive) return summary.last;
    std::vector<std::byte> total = summary.last_element;
    desc.count = 1;
    desc.kind = ScanKind::inclusive;
    desc.initial = summary.last;
    desc.strategy = Strategy::automatic;
    auto ok = desc.op.cpu(desc.type) ? scan_serial_cpu(desc, total, total) : device.scan(desc, total, total);
    if (!ok) return tl::unexpected(ok.error());
    return total;
}

}  // namespace

Outcome<ScanReport> scan_file(ArrayReader& reader, const ScanDesc& desc, const Gpu& gpu,
                              const ScanSettings& settings, const TakeResults& take) {
    DeviceScan device(gpu, settings.time);
    DeviceScan serial(gpu, false);
    std::unique_ptr<Verifier> verifier;
    if (settings.verify) {
        verifier = make_verifier(desc, [&serial](const ScanDesc& part, ConstBytes input, Bytes output) {
            return serial.scan(part, input, output);
        });
    }
    const std::uint64_t capacity = chunk_capacity(reader, device, settings.chunk_bytes);
    const bool several = !reader.count() || *reader.count() >= capacity;
    const auto start = std::chrono::steady_clock::now();
    ScanReport report;
    {
        Progress progress(settings.progress && several && Progress::can_be_seen(), total_bytes(reader));
        StreamEnds ends;
        ends.read = [&](Bytes out) -> Result<std::size_t> {
            if (asked_to_end() != 0) return fail(ErrorCode::invalid_argument, "Interrupted.");
            return reader.read(out);
        };
        ends.scan = [&](const ScanDesc& part, ConstBytes input, Bytes output) {
            return device.scan(part, input, output);
        };
        ends.take = [&](ConstBytes elements, ConstBytes results, bool last) -> Outcome<void> {
            if (asked_to_end() != 0) return failed("Interrupted.");
            if (verifier) {
                if (auto ok = verifier->check(elements, results, device.depth()); !ok)
                    return tl::unexpected(ok.error());
            }
            progress.add(results.size());
            return take(results, last);
        };
        auto summary = scan_stream(desc, capacity, ends);
        if (!summary) return tl::unexpected(summary.error());
        report.summary = std::move(*summary);
    }
    report.strategy = device.strategy();
    report.dispatches = device.dispatches();
    report.gpu_seconds = device.gpu_seconds();
    report.not_comparable = verifier ? verifier->not_comparable() : 0;
    if (settings.total) {
        auto total = total_of(desc, report.summary, device);
        if (!total) return tl::unexpected(total.error());
        report.total = std::move(*total);
    }
    if (asked_to_end() != 0) return failed("Interrupted.");
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
}

std::string verified_text(const ScanReport& report, const ElementType& type) {
    if (report.not_comparable == 0) return "verified against the serial scan";
    return fmt::format(
        "verified against the serial scan but for {} numbers, which the range of {} makes depend on the "
        "order",
        report.not_comparable, to_string(type.scalar));
}

}  // namespace upsweep::app
