#include "app/formats/input.h"

#include "app/formats/descriptor.h"
#include "app/formats/format.h"

#include <algorithm>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

namespace upsweep::app {

namespace {

constexpr std::size_t buffer_bytes = 1 << 16;

class FileSource : public ByteSource {
  public:
    FileSource(Descriptor file, std::string name) : file_(std::move(file)), name_(std::move(name)) {
        struct stat status {};
        if (fstat(file_.get(), &status) != 0 || !S_ISREG(status.st_mode)) return;
        // Standard input may be a file of which a program before this one has read a part.
        const off_t at = lseek(file_.get(), 0, SEEK_CUR);
        if (at >= 0) size_ = static_cast<std::uint64_t>(std::max<off_t>(status.st_size - at, 0));
    }

    Result<std::size_t> read(std::span<std::byte> out) override {
        for (;;) {
            const ssize_t got = ::read(file_.get(), out.data(), out.size());
            if (got >= 0) return static_cast<std::size_t>(got);
            if (errno == EINTR) continue;
            return fail(
                ErrorCode::invalid_argument,
                fmt::format("Reading {} failed ({}): give a file that can be read.", name_, reason(errno)));
        }
    }

    [[nodiscard]] std::optional<std::uint64_t> size() const override { return size_; }

  private:
    Descriptor file_;
    std::string name_;
    std::optional<std::uint64_t> size_;
};

class MemorySource : public ByteSource {
  public:
    MemorySource(std::string_view bytes, bool sized) : bytes_(bytes), sized_(sized) {}

    Result<std::size_t> read(std::span<std::byte> out) override {
        const std::size_t count = std::min(out.size(), bytes_.size() - at_);
        std::copy_n(bytes_.data() + at_, count, reinterpret_cast<char*>(out.data()));
        at_ += count;
        return count;
    }

    [[nodiscard]] std::optional<std::uint64_t> size() const override {
        return sized_ ? std::optional<std::uint64_t>(bytes_.size()) : std::nullopt;
    }

  private:
    std::string bytes_;
    bool sized_;
    std::size_t at_ = 0;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> open_source(const std::string& path) {
    const std::string name = display_name(path, "standard input");
    Descriptor file(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.is_open()) {
        return fail(
            ErrorCode::invalid_argument,
            fmt::format(
                "The file {} cannot be opened ({}): give the path of a file that can be read, or - for "
                "standard input.",
                name, reason(errno)));
    }
    return std::make_unique<FileSource>(std::move(file), name);
}

std::unique_ptr<ByteSource> memory_source(std::string_view bytes, bool sized) {
    return std::make_unique<MemorySource>(bytes, sized);
}

Input::Input(std::unique_ptr<ByteSource> source, std::string_view path)
    : source_(std::move(source)), name_(display_name(path, "standard input")) {}

Result<void> Input::status() const {
    if (error_) return tl::unexpected(*error_);
    return {};
}

// Adds bytes after those that are still unread; false at the end and after a failure.
bool Input::fill() {
    if (error_) return false;
    buffer_.erase(0, at_);
    at_ = 0;
    const std::size_t kept = buffer_.size();
    buffer_.resize(kept + buffer_bytes);
    auto got = source_->read(std::as_writable_bytes(std::span(buffer_)).subspan(kept));
    if (!got) error_ = std::move(got.error());
    buffer_.resize(kept + (got ? *got : 0));
    return buffer_.size() > kept;
}

bool Input::starts_with(std::string_view prefix) {
    while (buffer_.size() - at_ < prefix.size() && fill()) {
    }
    return std::string_view(buffer_).substr(at_).starts_with(prefix);
}

void Input::skip_byte_order_mark() {
    constexpr std::string_view mark = "\xef\xbb\xbf";
    if (starts_with(mark)) at_ += mark.size();
}

Result<std::size_t> Input::read(std::span<std::byte> out) {
    std::size_t done = std::min(out.size(), buffer_.size() - at_);
    std::copy_n(buffer_.data() + at_, done, reinterpret_cast<char*>(out.data()));
    at_ += done;
    while (done < out.size() && !error_) {
        auto got = source_->read(out.subspan(done));
        if (!got) {
            error_ = std::move(got.error());
        } else if (*got == 0) {
            return done;
        } else {
            done += *got;
        }
    }
    if (error_) return tl::unexpected(*error_);
    return done;
}

}  // namespace upsweep::app
