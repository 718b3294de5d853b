#include "app/commands/progress.h"

#include "app/commands/quantity.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace upsweep::app {

namespace {

constexpr const char* line_start = "\r\x1b[K";  // Back to the first column, and clear the line.

std::string bar(double part) {
    constexpr double width = 20;
    const std::string filled(static_cast<std::size_t>(part * width), '#');
    return fmt::format("[{:<20}] {:3.0f} %", filled, part * 100);
}

void write_over(const std::string& text) {
    const std::string line = line_start + text;
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fflush(stderr);
}

}  // namespace

std::string progress_line(std::uint64_t done, std::optional<std::uint64_t> total, double seconds) {
    const auto speed =
        seconds > 0 ? static_cast<std::uint64_t>(static_cast<double>(done) / seconds) : std::uint64_t{0};
    if (!total || *total == 0) return fmt::format("{}   {}/s", bytes_text(done), bytes_text(speed));
    const double part = std::min(1.0, static_cast<double>(done) / static_cast<double>(*total));
    return fmt::format("{}   {} of {}   {}/s", bar(part), bytes_text(done), bytes_text(*total),
                       bytes_text(speed));
}

std::string step_line(double part, const std::string& what) {
    return fmt::format("{}   {}", bar(std::clamp(part, 0.0, 1.0)), what);
}

void StepProgress::show(double part, const std::string& what) const {
    if (shown_) write_over(step_line(part, what));
}

StepProgress::~StepProgress() {
    if (shown_) std::fputs(line_start, stderr);
}

bool Progress::can_be_seen() {
    return ::isatty(STDERR_FILENO) == 1;
}

void Progress::add(std::uint64_t bytes) {
    done_ += bytes;
    if (!shown_) return;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start_;
    write_over(progress_line(done_, total_, seconds.count()));
}

Progress::~Progress() {
    if (shown_) std::fputs(line_start, stderr);
}

}  // namespace upsweep::app
