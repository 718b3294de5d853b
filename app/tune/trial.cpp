#include "app/tune/trial.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

constexpr std::uint64_t total_bytes = 16;

// The first byte that differs, in words for people; empty if there is none.
std::string first_difference(const char* what, ConstBytes got, ConstBytes expected) {
    const auto [at, other] = std::mismatch(expected.begin(), expected.end(), got.begin());
    if (at == expected.end()) return "";
    return fmt::format("byte {} of the {} is {} and not {}", at - expected.begin(), what,
                       std::to_integer<int>(*other), std::to_integer<int>(*at));
}

}  // namespace

Result<Trials> Trials::make(Measure& measure, const TuneCase& of, std::uint32_t log2) {
    Trials trials(measure, of, log2);
    const std::uint64_t count = std::uint64_t{1} << log2;
    const std::uint64_t bytes = count * of.stride;
    auto input = measure.input(bytes);
    if (!input) return tl::unexpected(input.error());
    auto output = measure.output(bytes);
    if (!output) return tl::unexpected(output.error());
    auto total = measure.gpu().buffer(total_bytes);
    if (!total) return tl::unexpected(total.error());
    trials.total_ = std::move(*total);
    trials.slices_ = {.input = {*input}, .output = {*output}, .total = {trials.total_.get()}};
    std::vector<std::byte> elements(bytes);
    if (auto ok = measure.gpu().read(*input, 0, elements); !ok) return tl::unexpected(ok.error());
    auto expected = of.expected(elements, count);
    if (!expected) return tl::unexpected(expected.error());
    trials.expected_ = std::move(*expected);
    trials.got_.resize(trials.expected_.output.size());
    return trials;
}

// An error of a method that could be planned: told, and none of the others', unless the device is gone.
Result<bool> Trials::note(const Error& error, const std::string& method) {
    if (error.code == ErrorCode::device_lost) return tl::unexpected(error);
    problems_.push_back({fmt::format("{}; 2^{}; {}", case_.name, log2_, method), error.message});
    return false;
}

// The outputs are cleared first, since the method before has left the right results there.
Result<void> Trials::run(const Job& job) {
    return measure_.gpu().submit([&](WGPUCommandEncoder encoder) {
        wgpuCommandEncoderClearBuffer(encoder, slices_.output.buffer, 0, (got_.size() + 3) / 4 * 4);
        wgpuCommandEncoderClearBuffer(encoder, total_.get(), 0, total_bytes);
        return job.record(encoder);
    });
}

Result<std::string> Trials::difference() {
    const Gpu& gpu = measure_.gpu();
    if (auto ok = gpu.read(slices_.output.buffer, 0, got_); !ok) return tl::unexpected(ok.error());
    std::vector<std::byte> total(expected_.total.size());
    if (auto ok = gpu.read(total_.get(), 0, total); !ok) return tl::unexpected(ok.error());
    std::string text = first_difference("total", total, expected_.total);
    return text.empty() ? first_difference("output", got_, expected_.output) : text;
}

Result<bool> Trials::prepare(const Method& method) {
    const Gpu& gpu = measure_.gpu();
    DeviceCaps caps = gpu.caps();
    caps.tuning = nullptr;  // What is measured is what the library does by itself.
    auto plan = case_.plan(method, std::uint64_t{1} << log2_, caps);
    if (!plan) return false;
    const auto is_same = [&](const Prepared& each) { return each.plan == *plan; };
    if (std::any_of(prepared_.begin(), prepared_.end(), is_same)) return false;
    const std::string text = method_text(*plan);
    auto job = gpu.context().bind(*plan, slices_);
    if (!job) return note(job.error(), text);
    if (auto ok = run(*job); !ok) return note(ok.error(), text);
    auto fault = difference();
    if (!fault) return note(fault.error(), text);
    if (!fault->empty()) {
        (void)note({ErrorCode::device_error, "The results are wrong: " + *fault + "."}, text);
        problems_.back().wrong = true;
        wrong_.push_back(method);
        return false;
    }
    prepared_.push_back({method, std::move(*plan), std::move(*job)});
    return true;
}

Result<std::vector<Timed>> Trials::times(Effort effort) {
    std::vector<Timed> timed;
    for (const Prepared& each : std::exchange(prepared_, {})) {
        auto seconds = measure_.median_seconds(each.job, effort);
        if (!seconds) return tl::unexpected(seconds.error());
        timed.push_back({each.method, *seconds});
    }
    return timed;
}

}  // namespace upsweep::app
