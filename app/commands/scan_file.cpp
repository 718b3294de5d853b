#include "app/commands/scan_file.h"

#include "app/commands/console.h"
#include "app/commands/verify.h"

#include <memory>

namespace upsweep::app {

namespace {

// An exclusive scan ends before its last element; that one is added by a scan of one element.
Result<std::vector<std::byte>> total_of(ScanDesc desc, const StreamSummary& summary, DeviceRun& device) {
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
                              const RunSettings& settings, bool total_wanted, const TakeResults& take) {
    FileRun run(reader, gpu, settings);
    std::unique_ptr<Verifier> verifier;
    if (settings.verify) verifier = run.verifier_of(desc);
    StreamEnds ends;
    ends.read = run.reading();
    ends.scan = [&](const ScanDesc& part, ConstBytes input, Bytes output) {
        return run.device().scan(part, input, output);
    };
    ends.take = [&](ConstBytes elements, ConstBytes results, bool last) -> Outcome<void> {
        if (asked_to_end() != 0) return failed("Interrupted.");
        if (verifier) {
            if (auto ok = verifier->check(elements, results, run.device().depth()); !ok)
                return tl::unexpected(ok.error());
        }
        run.count(elements.size(), results.size());
        return take(results, last);
    };
    ScanReport report;
    auto summary = scan_stream(desc, run.capacity(), ends);
    if (!summary) return tl::unexpected(summary.error());
    report.summary = std::move(*summary);
    if (total_wanted) {
        auto total = total_of(desc, report.summary, run.checking());
        if (!total) return tl::unexpected(total.error());
        report.total = std::move(*total);
    }
    auto finished = run.finish(verifier ? verifier->not_comparable() : 0);
    if (!finished) return tl::unexpected(finished.error());
    report.run = std::move(*finished);
    return report;
}

}  // namespace upsweep::app
