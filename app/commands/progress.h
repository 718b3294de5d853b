// The progress of long work, for people who watch.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace upsweep::app {

/// "[#########           ]  45 %   1.2 GiB of 2.7 GiB   812.0 MiB/s", or without what the total tells.
std::string progress_line(std::uint64_t done, std::optional<std::uint64_t> total, double seconds);

/// "[#########           ]  45 %   scan of u32, plus, 2^16": `part` is from 0 to 1.
std::string step_line(double part, const std::string& what);

/// The bar of a work whose length is known from the start; as Progress.
class StepProgress {
  public:
    explicit StepProgress(bool shown) : shown_(shown) {}
    StepProgress(const StepProgress&) = delete;
    StepProgress& operator=(const StepProgress&) = delete;
    ~StepProgress();

    void show(double part, const std::string& what) const;

  private:
    bool shown_;
};

/// One line on standard error that is written over; nothing if `shown` is false.
class Progress {
  public:
    Progress(bool shown, std::optional<std::uint64_t> total_bytes)
        : shown_(shown), total_(total_bytes), start_(std::chrono::steady_clock::now()) {}
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();

    /// True if standard error is a terminal.
    static bool can_be_seen();

    /// Tells that so many bytes more are done.
    void add(std::uint64_t bytes);

  private:
    bool shown_;
    std::optional<std::uint64_t> total_;
    std::uint64_t done_ = 0;
    std::chrono::steady_clock::time_point start_;
};

}  // namespace upsweep::app
