// npy files: packed rows of any dtype become elements in the stride of WGSL.
#include "app/formats/convert.h"
#include "app/formats/decoder.h"
#include "app/formats/npy_header.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include <fmt/format.h>

namespace upsweep::app {

// Buffers, raw files and '<' dtypes are little-endian, and so is every machine with a WebGPU implementation.
static_assert(std::endian::native == std::endian::little);

namespace {

constexpr std::uint64_t chunk_bytes = 1 << 16;

void swap_items(std::span<std::byte> bytes, std::size_t item_bytes) {
    for (std::size_t at = 0; at + item_bytes <= bytes.size(); at += item_bytes) {
        std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                     bytes.begin() + static_cast<std::ptrdiff_t>(at + item_bytes));
    }
}

/// One row is one element: `width` items of the dtype, or one that is a whole struct.
class NpyDecoder : public Decoder {
  public:
    NpyDecoder(Input input, ElementType type, std::uint64_t count, NpyDtype dtype)
        : Decoder(std::move(input), std::move(type), count),
          dtype_(std::move(dtype)),
          row_items_(type_.is_struct() ? 1 : type_.width),
          row_bytes_(row_items_ * dtype_.bytes),
          same_(type_.is_struct() || is_same(dtype_, type_.scalar)) {}

    Result<std::size_t> read(std::span<std::byte> out) override {
        const std::size_t elements = std::min<std::uint64_t>(out.size() / type_.stride, *count_ - done_);
        out = out.first(elements * type_.stride);
        if (same_ && row_bytes_ == type_.stride) {
            if (auto ok = read_rows(out); !ok) return tl::unexpected(std::move(ok.error()));
            return out.size();
        }
        const std::size_t chunk = std::max<std::uint64_t>(chunk_bytes / row_bytes_, 1);
        for (std::size_t at = 0; at < elements;) {
            const std::size_t rows = std::min(chunk, elements - at);
            rows_.resize(rows * row_bytes_);
            if (auto ok = read_rows(rows_); !ok) return tl::unexpected(std::move(ok.error()));
            for (std::size_t row = 0; row < rows; ++row, ++at) {
                const std::uint64_t index = done_ - rows + row;
                if (auto ok =
                        convert_row(rows_.data() + row * row_bytes_, out.data() + at * type_.stride, index);
                    !ok) {
                    return tl::unexpected(std::move(ok.error()));
                }
            }
        }
        return out.size();
    }

  private:
    /// Fills `rows`, a whole number of rows, with little-endian items.
    Result<void> read_rows(std::span<std::byte> rows) {
        auto got = input_.read(rows);
        if (!got) return tl::unexpected(std::move(got.error()));
        if (*got < rows.size()) {
            return fail(
                ErrorCode::invalid_argument,
                fmt::format(
                    "{} is cut off: its header promises {} elements of {} bytes, {} in all, and there are "
                    "{}; save the array again with numpy.save.",
                    input_.name(), *count_, row_bytes_, *count_ * row_bytes_, done_ * row_bytes_ + *got));
        }
        if (dtype_.swapped) swap_items(rows, dtype_.bytes);
        done_ += rows.size() / row_bytes_;
        return {};
    }

    Result<void> convert_row(const std::byte* row, std::byte* element, std::uint64_t index) {
        std::memset(element, 0, type_.stride);
        if (same_) {
            std::memcpy(element, row, row_bytes_);
            return {};
        }
        for (std::size_t item = 0; item < row_items_; ++item) {
            const Number number = load_number(dtype_, row + item * dtype_.bytes);
            if (store_number(number, type_.scalar, element + item * size_of(type_.scalar))) continue;
            return fail(
                ErrorCode::invalid_argument,
                fmt::format("Element {} of {} is {}, which does not fit the type {}: give a wider --type, or "
                            "change the value.",
                            index, input_.name(), to_string(number), type_.name));
        }
        return {};
    }

    NpyDtype dtype_;
    std::size_t row_items_;
    std::size_t row_bytes_;
    bool same_;
    std::uint64_t done_ = 0;
    std::vector<std::byte> rows_;
};

std::string shape_text(const NpyHeader& header) {
    std::string text;
    for (const std::uint64_t extent : header.shape) {
        text += fmt::format("{}{}", text.empty() ? "" : ", ", extent);
        if (text.size() > 80) return "(" + text + ", ...)";
    }
    return "(" + text + (header.shape.size() == 1 ? ",)" : ")");
}

/// How many items of the shape make one element.
Result<std::uint32_t> width_of(const NpyHeader& header, const std::string& name) {
    const auto& shape = header.shape;
    if (shape.size() == 1) return 1;
    if (shape.size() != 2 || shape[1] < 2 || shape[1] > 4) {
        return fail(
            ErrorCode::unsupported,
            fmt::format(
                "{} has the shape {}, and only (n,), (n, 2), (n, 3) and (n, 4) are arrays of scalars or "
                "vectors: save array.reshape(-1) for an array of scalars.",
                name, shape_text(header)));
    }
    if (header.fortran_order) {
        return fail(
            ErrorCode::unsupported,
            fmt::format("{} has the shape {} in Fortran order, and vectors must lie one after another: save "
                        "numpy.ascontiguousarray(array).",
                        name, shape_text(header)));
    }
    return static_cast<std::uint32_t>(shape[1]);
}

/// The type of structured and opaque items: a struct of the user's.
Result<ElementType> struct_type(const NpyHeader& header, const std::string& name,
                                const ReadOptions& options) {
    const std::uint64_t bytes = header.dtype.bytes;
    if (!options.type || !options.type->is_struct() || header.shape.size() != 1) {
        return fail(
            ErrorCode::unsupported,
            fmt::format(
                "{} has the shape {} and items of the dtype {} with {} bytes, and such items are read from "
                "one dimension with a struct as --type: give a --type of {} bytes.",
                name, shape_text(header), header.dtype.text, bytes, bytes));
    }
    if (bytes != options.type->stride && bytes != options.type->size) {
        return fail(
            ErrorCode::invalid_argument,
            fmt::format("An item of {} has {} bytes, and the struct {} has {}: make the dtype and the struct "
                        "alike, with padding as in WGSL.",
                        name, bytes, options.type->name, options.type->stride));
    }
    return *options.type;
}

Result<ElementType> number_type(const NpyHeader& header, std::uint32_t width, const std::string& name,
                                const ReadOptions& options) {
    if (!options.type) {
        const Scalar scalar = natural_scalar(header.dtype);
        if (width > 1 && size_of(scalar) == 8) {
            return fail(
                ErrorCode::unsupported,
                fmt::format(
                    "{} has the shape {} and the dtype {}, and there are no vectors of {}: give --type "
                    "vec{}<{}> if the values fit it.",
                    name, shape_text(header), header.dtype.text, to_string(scalar), width,
                    scalar == Scalar::u64 ? "u32" : "i32"));
        }
        return ElementType::vector(scalar, width);
    }
    if (options.type->width != width) {
        return fail(
            ErrorCode::invalid_argument,
            fmt::format(
                "{} has the shape {} and the dtype {}, which is not an array of {}: give a --type with {} "
                "in an element, or leave --type out.",
                name, shape_text(header), header.dtype.text, options.type->name,
                width == 1 ? "one number" : fmt::format("{} numbers", width)));
    }
    const Scalar scalar = options.type->scalar;
    if (header.dtype.kind == 'f' && scalar != Scalar::f32 && scalar != Scalar::f16) {
        return fail(
            ErrorCode::invalid_argument,
            fmt::format(
                "{} has the dtype {}, and --type {} would cut off the fractions: give a --type of f32 or "
                "f16, or round and convert the array first.",
                name, header.dtype.text, options.type->name));
    }
    return *options.type;
}

}  // namespace

Result<std::unique_ptr<Decoder>> decode_npy(Input input, const ReadOptions& options) {
    auto header = read_npy_header(input);
    if (!header) return tl::unexpected(std::move(header.error()));
    const bool opaque = header->dtype.kind == 'V';
    const auto width = opaque ? Result<std::uint32_t>(1) : width_of(*header, input.name());
    if (!width) return tl::unexpected(width.error());
    auto type = opaque ? struct_type(*header, input.name(), options)
                       : number_type(*header, *width, input.name(), options);
    if (!type) return tl::unexpected(std::move(type.error()));

    const std::uint64_t count = header->shape.front();
    std::uint64_t bytes = 0;
    std::uint64_t in_memory = 0;
    if (__builtin_mul_overflow(count, *width * header->dtype.bytes, &bytes) ||
        __builtin_mul_overflow(count, std::uint64_t{type->stride}, &in_memory) ||
        __builtin_add_overflow(bytes, header->header_bytes, &bytes)) {
        return fail(
            ErrorCode::limit_exceeded,
            fmt::format(
                "{} has the shape {}, which is more than 18446744073709551615 bytes: save the array again "
                "with numpy.save.",
                input.name(), shape_text(*header)));
    }
    if (input.size() && *input.size() < bytes) {
        return fail(
            ErrorCode::invalid_argument,
            fmt::format(
                "{} is cut off: with the shape {} and the dtype {} it needs {} bytes, and it has {}; save "
                "the array again with numpy.save.",
                input.name(), shape_text(*header), header->dtype.text, bytes, *input.size()));
    }
    return std::make_unique<NpyDecoder>(std::move(input), std::move(*type), count, std::move(header->dtype));
}

}  // namespace upsweep::app
