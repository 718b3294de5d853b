#include "app/formats/reader.h"

#include "app/formats/decoder.h"
#include "app/formats/npy_header.h"

#include <fmt/format.h>

namespace upsweep::app {

namespace {

Result<std::unique_ptr<Decoder>> make_decoder(Input input, Format format, const std::string& path,
                                              const ReadOptions& options) {
    if (!options.column.empty() && format != Format::csv) {
        return fail(
            ErrorCode::invalid_argument,
            fmt::format("--column {} was given, but {} is {} and only CSV has columns: leave --column out.",
                        quoted(options.column), input.name(), to_string(format)));
    }
    switch (format) {
        case Format::npy: return decode_npy(std::move(input), options);
        case Format::text: return decode_text(std::move(input), options);
        case Format::csv: return decode_csv(std::move(input), options, csv_delimiter(path));
        case Format::raw: break;
    }
    return decode_raw(std::move(input), options);
}

}  // namespace

Result<ArrayReader> ArrayReader::open(const std::string& path, const ReadOptions& options) {
    auto source = open_source(path);
    if (!source) return tl::unexpected(std::move(source.error()));
    Input input(std::move(*source), path);
    Format format = options.format.value_or(detect_format(path));
    if (path == "-" && !options.format && input.starts_with(npy_magic)) format = Format::npy;
    return make_decoder(std::move(input), format, path, options).map([](std::unique_ptr<Decoder> decoder) {
        return ArrayReader(std::move(decoder));
    });
}

Result<ArrayReader> ArrayReader::from_source(std::unique_ptr<ByteSource> source, Format format,
                                             const std::string& path, const ReadOptions& options) {
    return make_decoder(Input(std::move(source), path), format, path, options)
        .map([](std::unique_ptr<Decoder> decoder) { return ArrayReader(std::move(decoder)); });
}

ArrayReader::ArrayReader(std::unique_ptr<Decoder> decoder) : decoder_(std::move(decoder)) {}
ArrayReader::ArrayReader(ArrayReader&&) noexcept = default;
ArrayReader& ArrayReader::operator=(ArrayReader&&) noexcept = default;
ArrayReader::~ArrayReader() = default;

const ElementType& ArrayReader::type() const {
    return decoder_->type();
}

std::optional<std::uint64_t> ArrayReader::count() const {
    return decoder_->count();
}

Result<std::size_t> ArrayReader::read(std::span<std::byte> out) {
    const std::size_t stride = type().stride;
    if (out.size() < stride) {
        return fail(
            ErrorCode::invalid_argument,
            fmt::format(
                "{} bytes were given to read into, and one {} takes {}: give room for one element at least.",
                out.size(), type().name, stride));
    }
    return decoder_->read(out.first(out.size() / stride * stride));
}

}  // namespace upsweep::app
