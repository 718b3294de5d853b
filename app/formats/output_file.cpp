#include "app/formats/output_file.h"

#include "app/formats/format.h"

#include <cstdio>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

namespace upsweep::app {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t buffer_bytes = 1 << 18;

tl::unexpected<Error> cannot_create(const std::string& name, int error) {
    return fail(
        ErrorCode::invalid_argument,
        fmt::format(
            "The file {} cannot be created ({}): give a path in a directory that can be written to, or - "
            "for standard output.",
            name, reason(error)));
}

}  // namespace

Result<std::unique_ptr<OutputFile>> OutputFile::create(const std::string& path) {
    const std::string name = display_name(path, "standard output");
    const auto make = [&](Descriptor file, std::string temporary, std::string target) {
        return std::unique_ptr<OutputFile>(
            new OutputFile(std::move(file), name, std::move(temporary), std::move(target)));
    };
    if (path == "-") return make(Descriptor(STDOUT_FILENO), "", "");

    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
        if (!file.is_open()) return cannot_create(name, errno);
        return make(std::move(file), "", "");
    }

    // A link keeps pointing to its file, and a file that exists keeps its permissions.
    std::string target = path;
    if (fs::exists(status)) {
        if (::access(path.c_str(), W_OK) != 0) return cannot_create(name, errno);
        if (const fs::path real = fs::canonical(path, ignored); !real.empty()) target = real.string();
    }
    constexpr int most_tries = 100;
    for (int number = 0; number < most_tries; ++number) {
        std::string temporary = fmt::format("{}.{}-{}.tmp", target, ::getpid(), number);
        Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
        if (!file.is_open() && errno == EEXIST) continue;
        if (!file.is_open()) return cannot_create(name, errno);
        if (fs::exists(status)) ::fchmod(file.get(), static_cast<mode_t>(status.permissions()));
        return make(std::move(file), std::move(temporary), std::move(target));
    }
    return cannot_create(name, EEXIST);
}

OutputFile::OutputFile(Descriptor file, std::string name, std::string temporary, std::string target)
    : file_(std::move(file)),
      name_(std::move(name)),
      temporary_(std::move(temporary)),
      target_(std::move(target)) {
    buffer_.reserve(buffer_bytes);
}

OutputFile::~OutputFile() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Result<void> OutputFile::write(std::span<const std::byte> bytes) {
    if (buffer_.size() + bytes.size() > buffer_bytes) {
        if (auto ok = flush(); !ok) return ok;
    }
    if (bytes.size() > buffer_bytes) return write_directly(bytes);
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    return {};
}

Result<void> OutputFile::commit() {
    if (auto ok = flush(); !ok) return ok;
    if (!file_.close()) return failed(errno);
    if (temporary_.empty()) return {};
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0) return failed(errno);
    temporary_.clear();
    return {};
}

Result<void> OutputFile::flush() {
    auto result = write_directly(buffer_);
    buffer_.clear();
    return result;
}

Result<void> OutputFile::write_directly(std::span<const std::byte> bytes) {
    if (error_) return tl::unexpected(*error_);
    while (!bytes.empty()) {
        const ssize_t put = ::write(file_.get(), bytes.data(), bytes.size());
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return failed(errno);
        written_ += static_cast<std::uint64_t>(put);
        bytes = bytes.subspan(static_cast<std::size_t>(put));
    }
    return {};
}

Result<void> OutputFile::failed(int error) {
    error_ = Error{ErrorCode::invalid_argument,
                   fmt::format("Writing {} failed after {} bytes ({}): make room, or write to another place.",
                               name_, written_, reason(error))};
    return tl::unexpected(*error_);
}

}  // namespace upsweep::app
