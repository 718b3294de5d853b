// upsweep demo FILE: three lines about one scan. Not in the help; `./dev run` calls it.
#include "app/commands/commands.h"
#include "app/commands/console.h"
#include "app/commands/device.h"
#include "app/commands/element.h"
#include "app/commands/options.h"
#include "app/commands/provider.h"
#include "app/commands/quantity.h"
#include "app/commands/request.h"
#include "app/commands/scan_file.h"

#include <algorithm>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace upsweep::app {

namespace {

struct DemoOptions {
    std::string input;
    RequestOptions request;
    DeviceOptions device;
};

// Keeps the first and the last few results on their way past.
class Excerpt {
  public:
    explicit Excerpt(const ElementType& type) : type_(type) {}

    void take(ConstBytes results) {
        const std::size_t stride = type_.stride;
        for (std::size_t at = 0; at < results.size() && first_.size() < most; at += stride)
            first_.push_back(element_text(type_, results.subspan(at, stride)));
        count_ += results.size() / stride;
        const std::size_t fresh = std::min(results.size() / stride, most);
        for (std::size_t left = fresh; left > 0; --left)
            last_.push_back(element_text(type_, results.subspan(results.size() - left * stride, stride)));
        if (last_.size() > most) last_.erase(last_.begin(), last_.end() - most);
    }

    [[nodiscard]] std::string text() const {
        if (count_ == 0) return "nothing";
        if (count_ <= 2 * most) {
            const std::size_t rest = count_ - first_.size();
            return fmt::format("{}", fmt::join(first_, " ")) + (rest > 0 ? " " : "") +
                   fmt::format("{}",
                               fmt::join(last_.end() - static_cast<std::ptrdiff_t>(rest), last_.end(), " "));
        }
        return fmt::format("{} ... {}", fmt::join(first_, " "), fmt::join(last_, " "));
    }

  private:
    static constexpr std::size_t most = 4;
    const ElementType& type_;
    std::vector<std::string> first_, last_;
    std::uint64_t count_ = 0;
};

// The first type that all the numbers of a file are of. Standard input can be read only once: it is u32.
Outcome<ElementType> type_of_numbers(const std::string& path, Format format) {
    if (path == "-") return types::u32;
    std::vector<std::byte> piece(1 << 16);
    Result<std::size_t> got = 0U;
    for (const ElementType& type : {types::u32, types::i32, types::f32}) {
        auto reader = ArrayReader::open(path, {type, "", format});
        if (!reader) return tl::unexpected(reader.error());
        do got = reader->read(piece);
        while (got && *got > 0);
        if (got) return type;
    }
    return tl::unexpected(got.error());
}

std::string three_lines(const DemoOptions& options, const ScanDesc& desc, const Gpu& gpu,
                        const ScanReport& report, const Excerpt& excerpt) {
    return fmt::format(
        "Scanned {} numbers ({}) from {}: the {} scan with {}.\n"
        "Result: {}; total {}; {}.\n"
        "Device: {} by {}; {}; {} {}; {}.\n",
        report.run.count, desc.type.name, display_name(options.input, "standard input"), to_string(desc.kind),
        desc.op.name(), excerpt.text(),
        report.total.empty() ? "unknown" : element_text(desc.type, report.total),
        verified_text(report.run, desc.type, "the serial scan"), gpu.adapter_name(), Gpu::provider(),
        report.run.strategy.empty() ? "nothing to do" : report.run.strategy, report.run.dispatches,
        report.run.dispatches == 1 ? "dispatch" : "dispatches",
        report.run.gpu_seconds ? seconds_text(*report.run.gpu_seconds) + " of GPU time" : "GPU time unknown");
}

Outcome<void> run_demo(const DemoOptions& options) {
    if (auto ok = use_provider(options.device.provider); !ok) return ok;
    auto method = requested_scan_method(options.request);
    if (!method) return tl::unexpected(method.error());
    auto type = requested_type(options.request);
    if (!type) return tl::unexpected(type.error());
    const Format format = detect_format(options.input) == Format::csv ? Format::csv : Format::text;
    if (!*type) {
        auto found = type_of_numbers(options.input, format);
        if (!found) return tl::unexpected(found.error());
        *type = std::move(*found);
    }
    auto desc = requested_scan(std::move(*method), options.request, **type);
    if (!desc) return tl::unexpected(desc.error());
    auto reader = ArrayReader::open(options.input, {*type, "", format});
    if (!reader) return tl::unexpected(reader.error());
    auto gpu = open_gpu(options.device);
    if (!gpu) return tl::unexpected(gpu.error());
    RunSettings settings;
    settings.time = settings.verify = settings.progress = true;
    Excerpt excerpt(desc->type);
    auto report = scan_file(*reader, *desc, *gpu, settings, true, [&](ConstBytes results, bool) {
        excerpt.take(results);
        return Outcome<void>();
    });
    if (!report) return tl::unexpected(report.error());
    return print(three_lines(options, *desc, *gpu, *report, excerpt));
}

}  // namespace

void add_demo(CLI::App& app, Run& run) {
    auto options = std::make_shared<DemoOptions>();
    CLI::App* command =
        app.add_subcommand("demo", "Scan the numbers of a text file and tell about it in three lines");
    command->group("");
    command->add_option("FILE", options->input, "Text")->required()->type_name("");
    constexpr Primitive scan[] = {Primitive::scan};
    add_request_options(*command, options->request, scan);
    add_device_options(*command, options->device);
    command->callback([options, &run] { run = [options] { return run_demo(*options); }; });
}

}  // namespace upsweep::app
