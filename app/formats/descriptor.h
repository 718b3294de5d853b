// A POSIX file descriptor that closes itself, unless it is one of the standard streams.
#pragma once

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include <unistd.h>

namespace upsweep::app {

class Descriptor {
  public:
    Descriptor() = default;
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor& operator=(Descriptor&&) = delete;
    ~Descriptor() { close(); }

    [[nodiscard]] int get() const { return fd_; }
    [[nodiscard]] bool is_open() const { return fd_ >= 0; }

    /// False, with errno set, if the system could not store what was written.
    bool close() {
        const int fd = std::exchange(fd_, -1);
        return fd <= STDERR_FILENO || ::close(fd) == 0;
    }

  private:
    int fd_ = -1;
};

/// What the system says about an errno: "No such file or directory".
inline std::string reason(int error) {
    return std::generic_category().message(error);
}

}  // namespace upsweep::app
