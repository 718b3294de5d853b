// Raw files: the bytes of a buffer.
#include "app/formats/decoder.h"

#include <algorithm>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

tl::unexpected<Error> not_a_multiple(const Input& input, std::uint64_t bytes, const ElementType& type) {
    return fail(
        ErrorCode::invalid_argument,
        fmt::format(
            "{} has {} bytes, which is not a multiple of the {} bytes of one {}: give the --type that the "
            "file was written with, or the rest of the file.",
            input.name(), bytes, type.stride, type.name));
}

class RawDecoder : public Decoder {
  public:
    using Decoder::Decoder;

    Result<std::size_t> read(std::span<std::byte> out) override {
        // A file that grows while it is read keeps the count that it was opened with.
        if (count_) out = out.first(std::min<std::uint64_t>(out.size(), *count_ * type_.stride - bytes_));
        auto got = input_.read(out);
        if (!got) return got;
        bytes_ += *got;
        if (*got % type_.stride != 0) return not_a_multiple(input_, bytes_, type_);
        if (count_ && *got < out.size()) {
            return fail(
                ErrorCode::invalid_argument,
                fmt::format(
                    "{} had {} bytes when it was opened and ended after {}: do not change the file while "
                    "it is read.",
                    input_.name(), *count_ * type_.stride, bytes_));
        }
        return got;
    }

  private:
    std::uint64_t bytes_ = 0;
};

}  // namespace

Result<std::unique_ptr<Decoder>> decode_raw(Input input, const ReadOptions& options) {
    if (!options.type) {
        return fail(
            ErrorCode::invalid_argument,
            fmt::format(
                "{} is read as raw bytes, which do not tell their type: give it, for instance --type u32.",
                input.name()));
    }
    std::optional<std::uint64_t> count;
    if (const auto bytes = input.size()) {
        if (*bytes % options.type->stride != 0) return not_a_multiple(input, *bytes, *options.type);
        count = *bytes / options.type->stride;
    }
    return std::make_unique<RawDecoder>(std::move(input), *options.type, count);
}

}  // namespace upsweep::app
