#include "app/commands/sink.h"

#include "app/commands/console.h"
#include "app/formats/descriptor.h"
#include "app/formats/output_file.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

// Makes the file and drops it again; what is no file (a pipe, a device) is left alone.
Outcome<void> try_to_create(const std::string& path) {
    std::error_code ignored;
    const auto status = std::filesystem::status(path, ignored);
    if (path == "-" || (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)))
        return {};
    if (auto file = OutputFile::create(path); !file) return tl::unexpected(file.error());
    return {};
}

tl::unexpected<Failure> spool_failure(int error) {
    return failed(fmt::format(
        "The results cannot be kept in a temporary file until their number is known ({}): make room in "
        "the folder for temporary files, or give an input that tells its count, such as an npy file.",
        reason(error)));
}

}  // namespace

Outcome<ResultSink> ResultSink::open(std::string path, Format format, ElementType type,
                                     std::optional<std::uint64_t> count) {
    ResultSink sink(std::move(path), format, std::move(type));
    auto ok = count ? sink.begin(*count) : try_to_create(sink.path_);
    if (!ok) return tl::unexpected(ok.error());
    return sink;
}

Outcome<void> ResultSink::begin(std::uint64_t count) {
    auto writer = ArrayWriter::create(path_, format_, type_, count);
    if (!writer) return tl::unexpected(write_failure(path_, writer.error()));
    writer_ = std::move(*writer);
    return {};
}

Outcome<void> ResultSink::write(ConstBytes results, bool last) {
    count_ += results.size() / type_.stride;
    if (!writer_ && !(last && !spool_)) return spool(results);
    if (!writer_) {
        if (auto ok = begin(count_); !ok) return ok;
    }
    if (auto ok = writer_->write(results); !ok) return tl::unexpected(write_failure(path_, ok.error()));
    return {};
}

Outcome<void> ResultSink::spool(ConstBytes results) {
    if (!spool_) spool_.reset(std::tmpfile());
    if (!spool_ || std::fwrite(results.data(), 1, results.size(), spool_.get()) != results.size())
        return spool_failure(errno);
    return {};
}

Outcome<void> ResultSink::unspool() {
    if (auto ok = begin(count_); !ok) return ok;
    if (!spool_) return {};
    if (std::fflush(spool_.get()) != 0) return spool_failure(errno);
    std::rewind(spool_.get());
    constexpr std::size_t piece_bytes = 1 << 20;
    const std::size_t piece_elements = std::max<std::size_t>(piece_bytes / type_.stride, 1);
    std::vector<std::byte> piece(piece_elements * type_.stride);
    for (std::uint64_t left = count_ * type_.stride; left > 0;) {
        const std::size_t size = std::min<std::uint64_t>(left, piece.size());
        if (std::fread(piece.data(), 1, size, spool_.get()) != size) return spool_failure(errno);
        if (auto ok = writer_->write(ConstBytes(piece).first(size)); !ok)
            return tl::unexpected(write_failure(path_, ok.error()));
        left -= size;
    }
    return {};
}

Outcome<void> ResultSink::finish() {
    if (!writer_) {
        if (auto ok = unspool(); !ok) return ok;
    }
    if (auto ok = writer_->finish(); !ok) return tl::unexpected(write_failure(path_, ok.error()));
    return {};
}

}  // namespace upsweep::app
