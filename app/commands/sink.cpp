#include "app/commands/sink.h"

#include "app/commands/console.h"
#include "app/formats/output_file.h"

#include <filesystem>

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
    if (!writer_ && !(last && spool_.empty())) return spool_.write(results);
    if (!writer_) {
        if (auto ok = begin(count_); !ok) return ok;
    }
    return write_now(results);
}

Outcome<void> ResultSink::write_now(ConstBytes results) {
    if (auto ok = writer_->write(results); !ok) return tl::unexpected(write_failure(path_, ok.error()));
    return {};
}

Outcome<void> ResultSink::finish() {
    if (!writer_) {
        if (auto ok = begin(count_); !ok) return ok;
        auto ok = spool_.replay(type_.stride, [&](ConstBytes piece) { return write_now(piece); });
        if (!ok) return ok;
    }
    if (auto ok = writer_->finish(); !ok) return tl::unexpected(write_failure(path_, ok.error()));
    return {};
}

}  // namespace upsweep::app
