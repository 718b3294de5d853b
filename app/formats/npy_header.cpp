#include "app/formats/npy_header.h"

#include "app/formats/format.h"
#include "app/formats/python_literal.h"

#include <array>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

// Version 1 cannot have a longer header, and only a dtype with thousands of fields would need one.
constexpr std::uint64_t longest_header = 65535;

constexpr const char* supported =
    "bool, integers of 8 to 64 bits and floats of 16 to 64 bits can be read; convert the array first, for "
    "instance with "
    "array.astype(numpy.float32)";

template <class T>
std::optional<T> whole_number(std::string_view text) {
    T value = 0;
    const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc() || stop != text.data() + text.size()) return std::nullopt;
    return value;
}

/// A dtype in a string, such as "<f4", "|b1" or "|V16"; nothing if its kind or byte order is not supported.
std::optional<NpyDtype> plain_dtype(std::string_view text) {
    NpyDtype dtype{std::string(text), 0, 0, false};
    char order = '=';
    if (!text.empty() && std::string_view("<>=|").find(text.front()) != std::string_view::npos) {
        order = text.front();
        text.remove_prefix(1);
    }
    if (text.empty()) return std::nullopt;
    const auto bytes = whole_number<std::uint32_t>(text.substr(1));
    if (!bytes) return std::nullopt;
    dtype.kind = text.front();
    dtype.bytes = *bytes;
    dtype.swapped = order == '>' && dtype.kind != 'V' && *bytes > 1;

    const bool is_integer_size = *bytes == 1 || *bytes == 2 || *bytes == 4 || *bytes == 8;
    const bool known = (dtype.kind == 'b' && *bytes == 1) || (dtype.kind == 'V' && *bytes > 0) ||
                       ((dtype.kind == 'i' || dtype.kind == 'u') && is_integer_size) ||
                       (dtype.kind == 'f' && is_integer_size && *bytes > 1);
    const bool order_is_missing = order == '|' && dtype.kind != 'V' && *bytes > 1;
    if (!known || order_is_missing) return std::nullopt;
    return dtype;
}

/// The number of items in a shape, a whole number or a tuple of them; nothing if it is none or too large.
std::optional<std::uint64_t> shape_items(const Literal& shape) {
    if (shape.kind == Literal::Kind::integer) return whole_number<std::uint64_t>(shape.text);
    if (shape.kind != Literal::Kind::sequence) return std::nullopt;
    std::uint64_t product = 1;
    for (const Literal& item : shape.items) {
        if (item.kind != Literal::Kind::integer) return std::nullopt;
        const auto factor = whole_number<std::uint64_t>(item.text);
        if (!factor || __builtin_mul_overflow(product, *factor, &product)) return std::nullopt;
    }
    return product;
}

/// The bytes of a dtype inside a structured one: a string, or a list of (name, dtype) or (name, dtype,
/// shape).
std::optional<std::uint64_t> field_bytes(const Literal& descr) {
    if (descr.kind == Literal::Kind::string) {
        const auto dtype = plain_dtype(descr.text);
        if (!dtype || dtype->swapped) return std::nullopt;
        return dtype->bytes;
    }
    if (descr.kind != Literal::Kind::sequence) return std::nullopt;
    std::uint64_t sum = 0;
    for (const Literal& field : descr.items) {
        if (field.kind != Literal::Kind::sequence || field.items.size() < 2 || field.items.size() > 3)
            return std::nullopt;
        const auto item_bytes = field_bytes(field.items[1]);
        const auto items = field.items.size() == 3 ? shape_items(field.items[2]) : 1;
        std::uint64_t bytes = 0;
        if (!item_bytes || !items || __builtin_mul_overflow(*item_bytes, *items, &bytes) ||
            __builtin_add_overflow(sum, bytes, &sum)) {
            return std::nullopt;
        }
    }
    return sum;
}

Result<NpyDtype> parse_dtype(const Literal& descr, const std::string& name) {
    if (descr.kind == Literal::Kind::string) {
        if (auto dtype = plain_dtype(descr.text)) return *dtype;
        return fail(ErrorCode::unsupported, fmt::format("The dtype {} of {} is not supported: {}.",
                                                        quoted(descr.text), name, supported));
    }
    const auto bytes = field_bytes(descr);
    if (!bytes || *bytes == 0) {
        return fail(
            ErrorCode::unsupported,
            fmt::format(
                "The structured dtype of {} has a field that is empty, big-endian or of a kind that is "
                "not supported: {}.",
                name, supported));
    }
    return NpyDtype{"structured", 'V', *bytes, false};
}

Result<NpyHeader> parse_header(std::string_view text, const std::string& name) {
    const auto dictionary = parse_literal(text);
    if (!dictionary || dictionary->kind != Literal::Kind::dictionary) {
        return fail(
            ErrorCode::invalid_argument,
            fmt::format(
                "The header of {} is {}, which is not a dictionary as numpy writes it: save the array "
                "again with numpy.save.",
                name, quoted(text)));
    }
    const Literal* descr = dictionary->find("descr");
    const Literal* order = dictionary->find("fortran_order");
    const Literal* shape = dictionary->find("shape");
    if (descr == nullptr || order == nullptr || order->kind != Literal::Kind::word || shape == nullptr ||
        shape->kind != Literal::Kind::sequence) {
        return fail(
            ErrorCode::invalid_argument,
            fmt::format(
                "The header of {} lacks one of the entries 'descr', 'fortran_order' and 'shape', or has "
                "one of the wrong kind: save the array again with numpy.save.",
                name));
    }
    auto dtype = parse_dtype(*descr, name);
    if (!dtype) return tl::unexpected(std::move(dtype.error()));

    NpyHeader header{std::move(*dtype), order->text == "True", {}, 0};
    for (const Literal& extent : shape->items) {
        const auto value =
            extent.kind == Literal::Kind::integer ? whole_number<std::uint64_t>(extent.text) : std::nullopt;
        if (!value) {
            return fail(
                ErrorCode::invalid_argument,
                fmt::format("The shape of {} has the extent {}, which is not a whole number from 0 to "
                            "18446744073709551615: save the array again with numpy.save.",
                            name, quoted(extent.text)));
        }
        header.shape.push_back(*value);
    }
    return header;
}

std::string letters_of(Scalar scalar) {
    switch (scalar) {
        case Scalar::u32: return "<u4";
        case Scalar::i32: return "<i4";
        case Scalar::f32: return "<f4";
        case Scalar::f16: return "<f2";
        case Scalar::u64: return "<u8";
        case Scalar::i64: return "<i8";
    }
    return "";
}

/// The fields of a struct, with the gaps between them as fields without a name, which numpy takes for
/// padding. Nothing if a member lies deeper than the struct itself: its path would not be a name in Python.
std::optional<std::string> structured_descr(const ElementType& type) {
    constexpr std::string_view word = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    std::string descr;
    std::uint32_t at = 0;
    const auto pad_to = [&](std::uint32_t offset) {
        if (offset > at) descr += fmt::format("('', '|V{}'), ", offset - at);
    };
    for (const Member& member : type.members) {
        const std::string name = member.path.substr(member.path.starts_with('.') ? 1 : 0);
        const bool is_name = !name.empty() && name.find_first_not_of(word) == std::string::npos;
        if (!is_name || member.offset < at) return std::nullopt;
        pad_to(member.offset);
        descr += fmt::format("('{}', '{}'", name, letters_of(member.scalar));
        descr += member.width == 1 ? "), " : fmt::format(", ({},)), ", member.width);
        at = member.offset + member.width * size_of(member.scalar);
    }
    if (descr.empty() || at > type.stride) return std::nullopt;
    pad_to(type.stride);
    descr.resize(descr.size() - 2);
    return "[" + descr + "]";
}

std::string with_prefix(std::string dictionary) {
    constexpr std::size_t prefix_bytes = 10;
    constexpr std::size_t alignment = 64;
    const std::size_t padding = alignment - 1 - (prefix_bytes + dictionary.size()) % alignment;
    dictionary += std::string(padding, ' ') + '\n';
    std::string header(npy_magic);
    header += {'\x01', '\x00', static_cast<char>(dictionary.size() & 0xff),
               static_cast<char>(dictionary.size() >> 8)};
    return header + dictionary;
}

}  // namespace

Result<NpyHeader> read_npy_header(Input& input) {
    std::array<unsigned char, 12> prefix{};
    const auto take = [&](std::size_t at, std::size_t count) -> Result<bool> {
        auto got = input.read(std::as_writable_bytes(std::span(prefix)).subspan(at, count));
        if (!got) return tl::unexpected(std::move(got.error()));
        return *got == count;
    };
    const auto truncated = [&] {
        return fail(ErrorCode::invalid_argument,
                    fmt::format("The npy header of {} is cut off: save the array again with numpy.save.",
                                input.name()));
    };

    if (!input.starts_with(npy_magic)) {
        if (auto status = input.status(); !status) return tl::unexpected(std::move(status.error()));
        return fail(
            ErrorCode::invalid_argument,
            fmt::format(
                "{} does not begin with the six bytes '\\x93NUMPY' of the npy format: give the file an "
                "ending that fits its contents, or save the array with numpy.save.",
                input.name()));
    }
    if (auto whole = take(0, 10); !whole || !*whole)
        return whole ? truncated() : tl::unexpected(whole.error());
    const int version = prefix[6];
    if (version < 1 || version > 3) {
        return fail(
            ErrorCode::unsupported,
            fmt::format(
                "{} is of version {}.{} of the npy format, and 1.0 to 3.0 can be read: save the array "
                "again with numpy.save.",
                input.name(), version, prefix[7]));
    }
    std::uint64_t length = prefix[8] | std::uint64_t{prefix[9]} << 8;
    if (version > 1) {
        if (auto whole = take(10, 2); !whole || !*whole)
            return whole ? truncated() : tl::unexpected(whole.error());
        length |= std::uint64_t{prefix[10]} << 16 | std::uint64_t{prefix[11]} << 24;
    }
    if (length > longest_header) {
        return fail(
            ErrorCode::limit_exceeded,
            fmt::format("The header of {} says that it is {} bytes long, and {} is the limit: save the array "
                        "with fewer fields.",
                        input.name(), length, longest_header));
    }
    std::string text(length, ' ');
    auto got = input.read(std::as_writable_bytes(std::span(text)));
    if (!got) return tl::unexpected(std::move(got.error()));
    if (*got != length) return truncated();

    auto header = parse_header(text, input.name());
    if (header) header->header_bytes = (version > 1 ? 12 : 10) + length;
    return header;
}

std::string make_npy_header(const ElementType& type, std::uint64_t count) {
    const auto dictionary = [](const std::string& descr, const std::string& shape) {
        return fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': {}, }}", descr, shape);
    };
    const std::string flat = fmt::format("({},)", count);
    if (!type.is_struct()) {
        const std::string shape = type.width == 1 ? flat : fmt::format("({}, {})", count, type.width);
        return with_prefix(dictionary("'" + letters_of(type.scalar) + "'", shape));
    }
    if (const auto descr = structured_descr(type)) {
        std::string text = dictionary(*descr, flat);
        constexpr std::size_t most_padding = 64;
        if (text.size() + most_padding <= longest_header) return with_prefix(std::move(text));
    }
    return with_prefix(dictionary(fmt::format("'|V{}'", type.stride), flat));
}

}  // namespace upsweep::app
