#include "app/commands/console.h"

#include "app/formats/output_file.h"

#include <csignal>
#include <cstdio>
#include <span>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace upsweep::app {

namespace {

volatile std::sig_atomic_t caught_signal = 0;

// Readers go on after an interrupted read(), so standard input becomes empty: whoever waits for it wakes up.
void on_signal(int signal) {
    caught_signal = signal;
    const int empty = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (empty >= 0) ::dup2(empty, STDIN_FILENO);
}

bool nobody_reads_standard_output() {
    pollfd output{STDOUT_FILENO, 0, 0};
    return ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

}  // namespace

Outcome<void> print(std::string_view text) {
    return write_file("-", text);
}

Outcome<void> write_file(const std::string& path, std::string_view text) {
    auto file = OutputFile::create(path);
    if (!file) return tl::unexpected(write_failure(path, file.error()));
    auto ok = (*file)->write(std::as_bytes(std::span(text)));
    if (ok) ok = (*file)->commit();
    if (!ok) return tl::unexpected(write_failure(path, ok.error()));
    return {};
}

void note(std::string_view line) {
    const std::string whole = std::string(line) + "\n";
    std::fwrite(whole.data(), 1, whole.size(), stderr);
}

Failure write_failure(std::string_view path, const Error& error) {
    if (path == "-" && nobody_reads_standard_output()) return {Exit::failed, ""};
    return error;
}

void hold_streams() {
    int fd = ::open("/dev/null", O_RDONLY);
    while (fd >= 0 && fd <= STDERR_FILENO) fd = ::open("/dev/null", O_RDONLY);
    if (fd >= 0) ::close(fd);
}

void take_signals() {
    std::signal(SIGPIPE, SIG_IGN);
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    for (const int signal : {SIGINT, SIGTERM}) {
        struct sigaction before {};
        // A shell starts background jobs with SIGINT ignored; that stays so.
        if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
            ::sigaction(signal, &action, nullptr);
    }
}

int asked_to_end() {
    return caught_signal;
}

}  // namespace upsweep::app
