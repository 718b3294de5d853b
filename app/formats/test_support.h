// What the tests of the formats share.
#pragma once

#include "app/formats/input.h"
#include "app/formats/reader.h"
#include "app/formats/writer.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

namespace upsweep::app::testing {

inline ElementType type_of(std::string_view name) {
    return ElementType::parse(name).value();
}

/// struct Body { pos: vec3<f32>, id: u32, weight: f32 }, with padding at its end.
inline ElementType body_type() {
    ElementType type;
    type.width = 0;
    type.name = "Body";
    type.declaration = "struct Body { pos: vec3<f32>, id: u32, weight: f32 }";
    type.size = type.stride = 32;
    type.members = {
        {".pos", Scalar::f32, 3, 0}, {".id", Scalar::u32, 1, 12}, {".weight", Scalar::f32, 1, 16}};
    return type;
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

template <class T>
std::vector<T> values_of(std::string_view bytes) {
    std::vector<T> values(bytes.size() / sizeof(T));
    std::copy_n(bytes.data(), values.size() * sizeof(T), reinterpret_cast<char*>(values.data()));
    return values;
}

/// All the elements, read in pieces that hold `elements` of them and a bit.
inline Result<std::string> read_all(ArrayReader& reader, std::size_t elements = 3) {
    std::string all;
    std::vector<std::byte> piece(elements * reader.type().stride + 1);
    for (;;) {
        auto got = reader.read(piece);
        if (!got) return tl::unexpected(got.error());
        if (*got == 0) return all;
        all.append(reinterpret_cast<const char*>(piece.data()), *got);
    }
}

inline Result<std::string> read_bytes(std::string_view file, const std::string& path,
                                      const ReadOptions& options = {}, bool sized = true) {
    auto reader = ArrayReader::from_source(memory_source(file, sized),
                                           options.format.value_or(detect_format(path)), path, options);
    if (!reader) return tl::unexpected(reader.error());
    return read_all(*reader);
}

template <class T>
std::vector<T> read_values(std::string_view file, const std::string& path, const ReadOptions& options = {}) {
    auto bytes = read_bytes(file, path, options);
    EXPECT_TRUE(bytes) << bytes.error().message;
    return values_of<T>(bytes.value_or(""));
}

inline std::string error_of(std::string_view file, const std::string& path, const ReadOptions& options = {},
                            bool sized = true) {
    auto bytes = read_bytes(file, path, options, sized);
    return bytes ? "no error" : bytes.error().message;
}

/// An npy file of version 1.0 with any text as its header.
inline std::string npy_file(std::string_view header, std::string_view data = "") {
    std::string file("\x93NUMPY\x01\x00", 8);
    file += static_cast<char>(header.size() & 0xff);
    file += static_cast<char>(header.size() >> 8);
    return file.append(header).append(data);
}

inline std::string npy_file(std::string_view descr, std::string_view shape, std::string_view data) {
    return npy_file("{'descr': " + std::string(descr) +
                        ", 'fortran_order': False, 'shape': " + std::string(shape) + ", }\n",
                    data);
}

/// A directory for one test, removed after it.
class Directory {
  public:
    Directory() {
        std::string pattern = ::testing::TempDir() + "formats-XXXXXX";
        path_ = ::mkdtemp(pattern.data());
    }
    Directory(const Directory&) = delete;
    Directory& operator=(const Directory&) = delete;
    ~Directory() { std::filesystem::remove_all(path_); }

    [[nodiscard]] std::string operator/(std::string_view name) const { return (path_ / name).string(); }
    [[nodiscard]] std::size_t files() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
    }

  private:
    std::filesystem::path path_;
};

inline void save(const std::string& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline Result<void> write_file(const std::string& path, Format format, const ElementType& type,
                               std::string_view elements) {
    auto writer = ArrayWriter::create(path, format, type, elements.size() / type.stride);
    if (!writer) return tl::unexpected(writer.error());
    // In two pieces, so that what is kept between them is tested too.
    const auto bytes = std::as_bytes(std::span(elements));
    const std::size_t half = elements.size() / type.stride / 2 * type.stride;
    if (auto ok = writer->write(bytes.first(half)); !ok) return ok;
    if (auto ok = writer->write(bytes.subspan(half)); !ok) return ok;
    return writer->finish();
}

}  // namespace upsweep::app::testing
