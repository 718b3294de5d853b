#include "app/commands/progress.h"

#include "app/commands/quantity.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace upsweep::app {

namespace {

constexpr const char* line_start = "\r\x1b[K";  // Back to the first column, and clear the line.

}  // namespace

std::string progress_line(std::uint64_t done, std::optional<std::uint64_t> total, double seconds) {
    const auto speed =
        seconds > 0 ? static_cast<std::uint64_t>(static_cast<double>(done) / seconds) : std::uint64_t{0};
    if (!total || *total == 0) return fmt::format("{}   {}/s", bytes_text(done), bytes_text(speed));
    constexpr double width = 20;
    const double part = std::min(1.0, static_cast<double>(done) / static_cast<double>(*total));
    const auto filled = static_cast<std::size_t>(part * width);
    return fmt::format("[{:<20}] {:3.0f} %   {} of {}   {}/s", std::string(filled, '#'), part * 100,
                       bytes_text(done), bytes_text(*total), bytes_text(speed));
}

bool Progress::can_be_seen() {
    return ::isatty(STDERR_FILENO) == 1;
}

void Progress::add(std::uint64_t bytes) {
    done_ += bytes;
    if (!shown_) return;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start_;
    const std::string line = line_start + progress_line(done_, total_, seconds.count());
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fflush(stderr);
}

Progress::~Progress() {
    if (shown_) std::fputs(line_start, stderr);
}

}  // namespace upsweep::app
