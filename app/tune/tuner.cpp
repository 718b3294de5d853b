#include "app/tune/tuner.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array<std::uint32_t, 4> counts_log2{12, 16, 20, 24};
// The largest input; there is an output beside it, and a copy of both on the host.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 28U;
// Of a count's time: for compiling and checking, and for the first times; the rest is for the last ones.
constexpr double until_checked = 0.45, until_timed = 0.7;
// A count whose share does not hold so many runs of the library's own choice is left out.
constexpr double least_runs = 40;
constexpr std::size_t finalists = 2;

Clock::duration in_clock(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

class Tuner {
  public:
    Tuner(const Gpu& gpu, const TuneCase& of, Measure& measure, const std::function<bool(double)>& go_on)
        : gpu_(gpu), case_(of), measure_(measure), go_on_(go_on) {}

    /// True if a count can be measured at all; else the reason is in left_out.
    bool fits(std::uint32_t log2, double share) {
        const std::uint64_t bytes = (std::uint64_t{1} << log2) * case_.stride;
        const DeviceCaps& caps = gpu_.caps();
        if (bytes > std::min({most_bytes, caps.max_buffer_size, caps.max_storage_binding_size})) {
            tuned.left_out = fmt::format("2^{} is too large for the buffers", log2);
        } else if (!rows().empty()) {
            const double factor = static_cast<double>(std::uint64_t{1} << (log2 - rows().back().log2));
            if (rows().back().automatic_seconds * factor * least_runs > share)
                tuned.left_out = fmt::format("2^{} would take too long; give more --seconds", log2);
        }
        return tuned.left_out.empty();
    }

    /// Measures at one count until `end`.
    Result<void> measure_at(std::uint32_t log2, Clock::time_point end) {
        start_ = Clock::now();
        end_ = end;
        auto trials = Trials::make(measure_, case_, log2);
        if (!trials) return tl::unexpected(trials.error());
        auto ok = first_times(*trials);
        if (ok) ok = final_times(*trials, log2);
        collect(*trials);
        return ok;
    }

    /// Choices for all counts from what was measured.
    Result<void> choose() {
        // A method that was wrong at any count is not taken at another one.
        for (std::size_t i = points_.size(); i-- > 0;) {
            if (!is_wrong(points_[i].chosen.method)) continue;
            rows()[i].chosen += ", but wrong at another count";
            points_.erase(points_.begin() + static_cast<std::ptrdiff_t>(i));
        }
        Result<void> status;
        const auto seconds_at = [&](const Method& method, std::uint32_t log2) -> std::optional<double> {
            auto trials = Trials::make(measure_, case_, log2);
            if (!status || !trials) return std::nullopt;
            auto possible = trials->prepare(method);
            auto times = possible && *possible ? trials->times({.runs = 11, .seconds = 0.2})
                                               : Result<std::vector<Timed>>();
            if (!possible) status = tl::unexpected(possible.error());
            if (!times) status = tl::unexpected(times.error());
            collect(*trials);
            if (!status || times->empty()) return std::nullopt;
            return times->front().seconds;
        };
        const auto possible_at = [&](const Method& method, std::uint64_t count) {
            return plan(method, count).has_value();
        };
        tuned.choices = choices_for(case_.primitive, case_.elements, points_, seconds_at, possible_at);
        return status;
    }

    TunedCase tuned;
    std::vector<Problem> problems;

  private:
    [[nodiscard]] std::vector<TuneRow>& rows() { return tuned.rows; }

    [[nodiscard]] Result<Plan> plan(const Method& method, std::uint64_t count) const {
        DeviceCaps caps = gpu_.caps();
        caps.tuning = nullptr;
        return case_.plan(method, count, caps);
    }

    // The part of the count's time that is over.
    [[nodiscard]] double part() const {
        const std::chrono::duration<double> whole = end_ - start_, done = Clock::now() - start_;
        return whole.count() <= 0 ? 1 : done.count() / whole.count();
    }
    [[nodiscard]] bool time_until(double limit) const {
        return go_on_(std::min(part(), 1.0)) && part() < limit;
    }
    // What is left of the time until a part of it, for each of so many methods.
    [[nodiscard]] Effort share_of(double limit, std::size_t methods, int runs) const {
        const std::chrono::duration<double> whole = end_ - start_;
        const double left = std::max(0.0, limit - part()) * whole.count();
        return {.runs = runs, .seconds = left / static_cast<double>(std::max<std::size_t>(methods, 1))};
    }

    [[nodiscard]] bool is_wrong(const Method& method) const {
        return std::find(wrong_.begin(), wrong_.end(), method) != wrong_.end();
    }

    void collect(const Trials& trials) {
        problems.insert(problems.end(), trials.problems().begin(), trials.problems().end());
        wrong_.insert(wrong_.end(), trials.wrong().begin(), trials.wrong().end());
    }

    // What the library does by itself, then what was best at the count before, then all others.
    [[nodiscard]] std::vector<Method> candidates() const {
        std::vector<Method> all{Method{}};
        for (const Timed& each : timed_) all.push_back(each.method);
        for (const Method& method : methods_for(case_.primitive, case_.elements, gpu_.caps())) {
            if (std::find(all.begin(), all.end(), method) == all.end()) all.push_back(method);
        }
        std::erase_if(all, [&](const Method& method) { return is_wrong(method); });
        return all;
    }

    Result<void> first_times(Trials& trials) {
        std::size_t ready = 0;
        for (const Method& method : candidates()) {
            // Two at least, or there is nothing to choose from.
            if (!time_until(until_checked) && ready >= 2) break;
            auto possible = trials.prepare(method);
            if (!possible) return tl::unexpected(possible.error());
            ready += *possible ? 1 : 0;
        }
        auto times = trials.times(share_of(until_timed, ready, 11));
        if (!times) return tl::unexpected(times.error());
        timed_ = std::move(*times);
        std::stable_sort(timed_.begin(), timed_.end(),
                         [](const Timed& a, const Timed& b) { return a.seconds < b.seconds; });
        return {};
    }

    // What the library does by itself, and the fastest ones. A number of workgroups matters less than a shape, so that
    // others are tried for the best one alone, and only where the tiles are more than the workgroups.
    [[nodiscard]] std::vector<Method> last_candidates(std::uint32_t log2) const {
        std::vector<Method> last{Method{}};
        for (const Timed& each : timed_) {
            if (last.size() <= finalists && each.method != Method{}) last.push_back(each.method);
        }
        if (last.size() == 1 || last[1] != timed_.front().method) return last;
        const auto here = plan(last[1], std::uint64_t{1} << log2);
        const auto beyond = plan(last[1], std::uint64_t{2} << log2);
        if (!here || !beyond || groups_of(*here) == 1 || groups_of(*here) != groups_of(*beyond)) return last;
        for (Method& method : with_other_groups(last[1], groups_of(*here))) last.push_back(std::move(method));
        return last;
    }

    Result<void> final_times(Trials& trials, std::uint32_t log2) {
        std::size_t ready = 0;
        for (const Method& method : last_candidates(log2)) {
            auto possible = trials.prepare(method);
            if (!possible) return tl::unexpected(possible.error());
            ready += *possible ? 1 : 0;
        }
        auto times = trials.times(share_of(1, ready, 31));
        if (!times) return tl::unexpected(times.error());
        const auto chosen = fastest(*times);
        if (!chosen) return {};
        TuneRow row;
        row.log2 = log2;
        row.tried = std::max(timed_.size(), times->size());
        const std::uint64_t count = std::uint64_t{1} << log2;
        row.chosen = method_text(plan(chosen->method, count).value());
        row.chosen_seconds = row.best_seconds = chosen->seconds;
        for (const Timed& each : *times) {
            row.best_seconds = std::min(row.best_seconds, each.seconds);
            if (each.method == Method{}) row.automatic_seconds = each.seconds;
        }
        if (auto automatic = plan({}, count)) row.automatic = method_text(*automatic);
        rows().push_back(row);
        points_.push_back({log2, *chosen, row.automatic_seconds});
        return {};
    }

    const Gpu& gpu_;
    const TuneCase& case_;
    Measure& measure_;
    const std::function<bool(double)>& go_on_;
    Clock::time_point start_, end_;
    std::vector<Timed> timed_;  // At the last count, the fastest first.
    std::vector<TunePoint> points_;
    std::vector<Method> wrong_;
};

}  // namespace

Result<TuneReport> tune(const Gpu& gpu, const std::vector<TuneCase>& cases, double seconds,
                        const TuneProgress& progress) {
    if (!gpu.caps().timestamp_query) {
        return fail(
            ErrorCode::unsupported,
            "The device has no timestamps (the feature timestamp-query), so nothing can be measured on it.");
    }
    TuneReport report;
    Measure measure(gpu);
    const auto start = Clock::now();
    const auto shares = static_cast<double>(cases.size() * counts_log2.size());
    double share = 0;
    bool stopped = false;
    std::string what;
    const std::function<bool(double)> go_on = [&](double part) {
        stopped = stopped || !progress((share + part) / shares, what);
        return !stopped;
    };
    for (const TuneCase& of : cases) {
        Tuner tuner(gpu, of, measure, go_on);
        tuner.tuned.name = of.name;
        for (const std::uint32_t log2 : counts_log2) {
            what = fmt::format("{}, 2^{}", of.name, log2);
            // What one count leaves of its time is the next ones'; what it takes too much, theirs only in part.
            const auto end = std::max(start + in_clock(seconds * (share + 1) / shares),
                                      Clock::now() + in_clock(seconds / shares / 2));
            const std::chrono::duration<double> own = end - Clock::now();
            if (tuner.tuned.left_out.empty() && tuner.fits(log2, own.count())) {
                if (auto ok = tuner.measure_at(log2, end); !ok) return tl::unexpected(ok.error());
            }
            share += 1;
            if (!go_on(0)) break;
        }
        if (stopped) return fail(ErrorCode::device_error, "Interrupted.");
        if (auto ok = tuner.choose(); !ok) return tl::unexpected(ok.error());
        report.cases.push_back(std::move(tuner.tuned));
        report.problems.insert(report.problems.end(), tuner.problems.begin(), tuner.problems.end());
    }
    return report;
}

}  // namespace upsweep::app
