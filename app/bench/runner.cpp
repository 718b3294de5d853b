#include "app/bench/runner.h"

#include "app/commands/console.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <optional>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

namespace upsweep::app {

namespace {

std::string geometry_text(const Geometry& geometry) {
    std::string text = fmt::format("{}x{}", geometry.block, geometry.rows);
    if (geometry.groups != 0) text += fmt::format(":{}", geometry.groups);
    return text;
}

std::string method_text(const BenchMethod& method) {
    std::string text = method.strategy;
    if (method.block_scan != BlockScan::automatic) text += std::string("/") + to_string(method.block_scan);
    if (!(method.geometry == Geometry{})) text += "/" + geometry_text(method.geometry);
    return text;
}

std::vector<BenchMethod> methods_of(const BenchCase& what, const BenchSettings& settings) {
    std::vector<BenchMethod> methods;
    for (const std::string& strategy : settings.strategies.empty() ? what.strategies : settings.strategies) {
        if (!what.has_strategy(strategy)) continue;
        for (const BlockScan block_scan : settings.block_scans) {
            for (const Geometry& geometry : settings.geometries)
                methods.push_back({strategy, block_scan, geometry});
        }
    }
    return methods;
}

struct Point {
    const BenchCase* what;
    BenchMethod method;
    Measurement row;
};

// Also the reporter, which is told the name of what has ended.
class Runner : public benchmark::BenchmarkReporter {
  public:
    Runner(const Gpu& gpu, const BenchSettings& settings, const Results& rival, const BenchListener& told)
        : measure_(gpu), settings_(settings), rival_(rival), told_(told) {}

    void add(const BenchCase& what) {
        // Methods of one count follow each other: what disturbs one of them disturbs all.
        for (const std::uint64_t count : settings_.sizes) {
            if (count > settings_.most_input_bytes / what.stride) continue;
            for (const BenchMethod& method : methods_of(what, settings_)) {
                Measurement row;
                row.benchmark = what.name;
                row.strategy = method_text(method);
                row.provider = Gpu::provider();
                row.count = count;
                const std::string name = fmt::format("{}/{}/{}", row.benchmark, row.strategy, count);
                if (!names_.try_emplace(name, points_.size()).second) continue;
                points_.push_back({&what, method, std::move(row)});
                Point& point = points_.back();
                benchmark::RegisterBenchmark(name.c_str(),
                                             [this, &point](benchmark::State& state) { run(state, point); })
                    ->Iterations(1)
                    ->Repetitions(settings_.repetitions)
                    ->UseManualTime()
                    ->Unit(benchmark::kMicrosecond);
            }
        }
    }

    Outcome<Results> run_all() {
        if (points_.empty())
            return wrong_usage(
                "There is nothing to measure: no primitive here has a strategy of that name, or "
                "no size is small enough.");
        std::array<std::string, 2> words{"upsweep", "--benchmark_enable_random_interleaving=true"};
        std::array<char*, 3> arguments{words[0].data(), words[1].data(), nullptr};
        int count = settings_.repetitions > 1 ? 2 : 1;
        benchmark::Initialize(&count, arguments.data());
        benchmark::RunSpecifiedBenchmarks(this, "all");
        benchmark::ClearRegisteredBenchmarks();
        Results results;
        for (Point& point : points_) {
            if (settings_.repetitions > 1) tell(point);
            results.rows.push_back(std::move(point.row));
        }
        if (failure_) return tl::unexpected(*failure_);
        return results;
    }

    bool ReportContext(const Context&) override { return true; }

    void ReportRuns(const std::vector<Run>& runs) override {
        // Repetitions end in a random order, and several reports tell about the same.
        if (settings_.repetitions > 1 || runs.empty()) return;
        const auto at = names_.find(runs.front().run_name.function_name);
        if (at != names_.end()) tell(points_[at->second]);
    }

  private:
    void tell(Point& point) {
        if (failure_) return;
        Results one;
        one.rows.push_back(point.row);
        set_rival(one, rival_);
        point.row = std::move(one.rows.front());
        if (auto ok = told_(point.row); !ok) failure_ = ok.error();
    }

    void run(benchmark::State& state, Point& point) {
        auto seconds = failure_ ? fail(ErrorCode::device_error, failure_->message) : measured(point);
        if (!seconds) {
            state.SkipWithError(seconds.error().message.c_str());
            note_failure(point, seconds.error());
            return;
        }
        for (auto _ : state) state.SetIterationTime(*seconds);
        state.counters["GB/s"] = point.row.gb_per_s;
        state.counters["of_copy"] = point.row.of_copy;
    }

    Result<double> measured(Point& point) {
        if (asked_to_end() != 0) {
            failure_ = Failure(Exit::failed, "Interrupted.");
            return fail(ErrorCode::device_error, failure_->message);
        }
        const Gpu& gpu = measure_.gpu();
        auto plan = point.what->plan(point.method, point.row.count, gpu.caps());
        if (!plan) return tl::unexpected(plan.error());
        auto job = measure_.bind(*plan, point.what->data);
        if (!job) return tl::unexpected(job.error());
        auto seconds = measure_.median_seconds(*job, settings_.effort);
        if (!seconds) return seconds;
        if (*seconds <= 0)
            return fail(ErrorCode::device_error,
                        "The device's timestamps are too coarse for so few elements.");
        const double bytes = point.what->bytes_per_element * static_cast<double>(point.row.count);
        const auto copied = std::max<std::uint64_t>(4, static_cast<std::uint64_t>(bytes / 2) / 4 * 4);
        auto copy = measure_.copy_seconds(copied, settings_.effort);
        if (!copy) return copy;
        Measurement& row = point.row;
        if (row.us > 0 && row.us <= *seconds * 1e6) return seconds;
        row.us = *seconds * 1e6;
        row.gb_per_s = bytes / *seconds * 1e-9;
        row.of_copy = *copy / *seconds;
        row.note = plan->strategy;
        return seconds;
    }

    // A method that is not possible is a result; a device that is gone ends everything.
    void note_failure(Point& point, const Error& error) {
        if (point.row.us == 0) point.row.note = error.message;
        if (error.code == ErrorCode::device_lost) failure_ = Failure(error);
    }

    Measure measure_;
    const BenchSettings& settings_;
    const Results& rival_;
    const BenchListener& told_;
    std::deque<Point> points_;                  // Google Benchmark keeps references to them.
    std::map<std::string, std::size_t> names_;  // What it calls them.
    std::optional<Failure> failure_;
};

}  // namespace

Outcome<Results> run_benchmarks(const Gpu& gpu, const std::vector<BenchCase>& cases,
                                const BenchSettings& settings, const Results& rival,
                                const BenchListener& told) {
    Runner runner(gpu, settings, rival, told);
    for (const BenchCase& what : cases) runner.add(what);
    return runner.run_all();
}

}  // namespace upsweep::app
