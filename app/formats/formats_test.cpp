// Round trips through every format, and what the writer does to files.
#include "app/formats/number.h"
#include "app/formats/test_support.h"

#include <cmath>
#include <csignal>
#include <limits>
#include <random>

#include <rapidcheck/gtest.h>

namespace upsweep::app::testing {

namespace {

constexpr const char* built_in_types[] = {"u32",       "i32",       "f32",       "f16",       "u64",
                                          "i64",       "vec2<u32>", "vec2<i32>", "vec2<f32>", "vec2<f16>",
                                          "vec3<u32>", "vec3<i32>", "vec3<f32>", "vec3<f16>", "vec4<u32>",
                                          "vec4<i32>", "vec4<f32>", "vec4<f16>"};
constexpr const char* file_names[] = {"a.npy", "a.bin", "a.txt", "a.csv", "a.tsv"};

bool is_nan(Scalar scalar, std::uint32_t bits) {
    if (scalar == Scalar::f32) return (bits & 0x7fffffff) > 0x7f800000;
    return scalar == Scalar::f16 && ((bits & 0x7fff) > 0x7c00 || (bits >> 16 & 0x7fff) > 0x7c00);
}

/// Elements of any bits, with the padding of a vec3 zeroed and without NaNs, whose payloads text does not
/// keep.
std::string random_elements(const ElementType& type, std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::string bytes;
    while (bytes.size() < count * type.stride) {
        const auto bits = static_cast<std::uint32_t>(random());
        // Small numbers too: text is where long and short ones differ.
        const std::uint32_t word = random() % 2 == 0 ? bits : bits >> random() % 32;
        if (!is_nan(type.scalar, word)) bytes += bytes_of<std::uint32_t>({word});
    }
    bytes.resize(count * type.stride);
    if (type.width == 3) {
        for (std::size_t at = type.size; at < bytes.size(); at += type.stride) {
            bytes.replace(at, type.stride - type.size, type.stride - type.size, '\0');
        }
    }
    return bytes;
}

RC_GTEST_PROP(RoundTrip, GivesBackEveryTypeInEveryFormat, (std::uint32_t seed)) {
    const Directory directory;
    const auto type = type_of(
        *rc::gen::elementOf(std::vector<std::string>(std::begin(built_in_types), std::end(built_in_types))));
    const auto name =
        *rc::gen::elementOf(std::vector<std::string>(std::begin(file_names), std::end(file_names)));
    const auto count = *rc::gen::inRange<std::size_t>(0, 200);
    const std::string elements = random_elements(type, count, seed);
    const std::string path = directory / name;

    const auto written = write_file(path, detect_format(path), type, elements);
    RC_ASSERT(written.has_value());
    auto reader = ArrayReader::open(path, {.type = type, .column = "", .format = {}});
    RC_ASSERT(reader.has_value());
    RC_ASSERT(reader->type() == type);
    RC_ASSERT(reader->count().value_or(count) == count);
    RC_ASSERT(reader->count().has_value() || (name != "a.npy" && name != "a.bin"));
    const auto back = read_all(*reader, *rc::gen::inRange<std::size_t>(1, 300));
    RC_ASSERT(back.has_value());
    RC_ASSERT(*back == elements);
}

/// The number that was printed, parsed again.
std::string reparse(Scalar scalar, std::string_view bytes, std::string* text = nullptr) {
    fmt::memory_buffer out;
    append_number(out, scalar, reinterpret_cast<const std::byte*>(bytes.data()));
    if (text != nullptr) *text = fmt::to_string(out);
    std::string back(bytes.size(), '\0');
    const bool ok = parse_number({out.data(), out.size()}, scalar, reinterpret_cast<std::byte*>(back.data()));
    return ok ? back : "does not parse";
}

RC_GTEST_PROP(Numbers, ReadBackAsPrinted, (std::uint32_t low, std::uint32_t high)) {
    const std::string word = bytes_of<std::uint32_t>({low});
    const std::string wide = bytes_of<std::uint32_t>({low, high});
    RC_ASSERT(reparse(Scalar::u32, word) == word);
    RC_ASSERT(reparse(Scalar::i32, word) == word);
    RC_ASSERT(reparse(Scalar::u64, wide) == wide);
    RC_ASSERT(reparse(Scalar::i64, wide) == wide);
    if (!is_nan(Scalar::f32, low)) RC_ASSERT(reparse(Scalar::f32, word) == word);
}

RC_GTEST_PROP(Numbers, ParseLikeTheStandardLibrary, (std::uint32_t digits, bool negative)) {
    const int exponent = *rc::gen::inRange(-60, 45);
    const std::string text = fmt::format("{}{}e{}", negative ? "-" : "", digits, exponent);
    const float expected = std::strtof(text.c_str(), nullptr);
    float value = 0;
    const bool fits = parse_number(text, Scalar::f32, reinterpret_cast<std::byte*>(&value));
    RC_ASSERT(fits == std::isfinite(expected));
    if (fits) RC_ASSERT(bytes_of<float>({value}) == bytes_of<float>({expected}));
}

TEST(Numbers, PrintEveryHalfInItsShortestForm) {
    std::string text;
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        if (is_nan(Scalar::f16, bits)) continue;
        const std::string half = bytes_of<std::uint16_t>({static_cast<std::uint16_t>(bits)});
        ASSERT_EQ(reparse(Scalar::f16, half, &text), half) << bits;
    }
    for (const auto& [bits, expected] : {std::pair<std::uint16_t, const char*>{0x2e66, "0.1"},
                                         {0x3c00, "1"},
                                         {0x7bff, "65504"},
                                         {0x0001, "6e-08"},
                                         {0x6400, "1024"},
                                         {0x3555, "0.3333"},
                                         {0x8000, "-0"},
                                         {0xfc00, "-inf"},
                                         {0x7e00, "nan"}}) {
        reparse(Scalar::f16, bytes_of<std::uint16_t>({bits}), &text);
        EXPECT_EQ(text, expected);
    }
}

TEST(Writer, WritesTextAndCsvForPeople) {
    const Directory directory;
    const auto written = [&](const char* name, const ElementType& type, std::string_view elements) {
        const auto ok = write_file(directory / name, detect_format(name), type, elements);
        EXPECT_TRUE(ok) << ok.error().message;
        return contents(directory / name);
    };
    const float inf = std::numeric_limits<float>::infinity();
    EXPECT_EQ(written("a.txt", types::f32, bytes_of<float>({0.1F, 1, -0.0F, 1e20F, -inf, std::nanf("")})),
              "0.1\n1\n-0\n1e+20\n-inf\nnan\n");
    EXPECT_EQ(written("a.txt", types::u64, bytes_of<std::uint64_t>({~std::uint64_t{0}, 0})),
              "18446744073709551615\n0\n");
    EXPECT_EQ(written("a.txt", type_of("vec3<i32>"), bytes_of<std::int32_t>({1, -2, 3, 99})), "1,-2,3\n");
    EXPECT_EQ(written("a.csv", types::i64, bytes_of<std::int64_t>({-5})), "value\n-5\n");
    EXPECT_EQ(written("a.csv", type_of("vec3<u32>"), bytes_of<std::uint32_t>({1, 2, 3, 0})),
              "x,y,z\n1,2,3\n");
    EXPECT_EQ(written("a.tsv", type_of("vec2<f16>"), bytes_of<std::uint16_t>({0x3c00, 0x4000})),
              "x\ty\n1\t2\n");
    EXPECT_EQ(written("a.csv", types::u32, ""), "value\n");
    EXPECT_EQ(
        written("a.csv", body_type(), bytes_of<float>({1, 2, 3}) + bytes_of<std::uint32_t>({7, 0, 0, 0, 0})),
        "pos.x,pos.y,pos.z,id,weight\n1,2,3,7,0\n");
}

TEST(Writer, PacksVectorsOfThreeAndKeepsStructsInNpy) {
    const Directory directory;
    const std::string path = directory / "a.npy";
    ASSERT_TRUE(write_file(path, Format::npy, type_of("vec3<f16>"), "abcdef__ghijkl__"));
    EXPECT_TRUE(contents(path).ends_with("\nabcdefghijkl"));
    const std::string bodies = random_elements(body_type(), 5, 1);
    ASSERT_TRUE(write_file(path, Format::npy, body_type(), bodies));
    auto reader = ArrayReader::open(path, {.type = body_type(), .column = "", .format = {}});
    ASSERT_TRUE(reader) << reader.error().message;
    EXPECT_EQ(read_all(*reader).value_or("error"), bodies);
}

TEST(Writer, GivesTheFileItsNameWhenItIsWhole) {
    const Directory directory;
    const std::string path = directory / "a.bin";
    save(path, "old!");
    {
        auto writer = ArrayWriter::create(path, Format::raw, types::u32, 2);
        ASSERT_TRUE(writer) << writer.error().message;
        ASSERT_TRUE(writer->write(std::as_bytes(std::span("new", 4))));
        EXPECT_EQ(contents(path), "old!");
        EXPECT_EQ(
            writer->finish().error().message,
            "'" + path + "' got 1 of the 2 elements that were announced: write the rest before the end.");
    }
    EXPECT_EQ(contents(path), "old!");
    EXPECT_EQ(directory.files(), 1);
    ASSERT_TRUE(write_file(path, Format::raw, types::u32, "newnew!!"));
    EXPECT_EQ(contents(path), "newnew!!");
    EXPECT_EQ(directory.files(), 1);
}

TEST(Writer, FollowsLinksAndKeepsPermissions) {
    const Directory directory;
    const std::string path = directory / "a.bin";
    const std::string link = directory / "link.bin";
    save(path, "old!");
    const auto mode = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
    std::filesystem::permissions(path, mode);
    std::filesystem::create_symlink("a.bin", link);
    ASSERT_TRUE(write_file(link, Format::raw, types::u32, "new!"));
    EXPECT_TRUE(std::filesystem::is_symlink(link));
    EXPECT_EQ(contents(path), "new!");
    EXPECT_EQ(std::filesystem::status(path).permissions(), mode);
}

TEST(Writer, RefusesWhatWasNotAnnounced) {
    const Directory directory;
    const std::string path = directory / "a.bin";
    auto writer = ArrayWriter::create(path, Format::raw, types::u32, 1);
    ASSERT_TRUE(writer);
    EXPECT_EQ(writer->write(std::as_bytes(std::span("1234567", 8))).error().message,
              "8 bytes were given to write to '" + path +
                  "', which takes whole elements of 4 bytes and has room for 1 more of 1: write as many as "
                  "were announced.");
    EXPECT_FALSE(writer->write(std::as_bytes(std::span("ab", 3))));
    EXPECT_TRUE(writer->write({}));
}

TEST(Writer, ReportsAFullDisk) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
    for (const std::size_t bytes : {std::size_t{4}, std::size_t{1} << 20}) {
        const auto result = write_file("/dev/full", Format::raw, types::u32, std::string(bytes, 'x'));
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().message,
                  "Writing '/dev/full' failed after 0 bytes (No space left on device): make room, or write "
                  "to another place.");
    }
}

/// Writes one u32 to standard output, which is a pipe meanwhile.
Result<std::string> write_to_pipe(bool open_at_the_other_end) {
    const auto before = std::signal(SIGPIPE, SIG_IGN);
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    const int standard_output = ::dup(STDOUT_FILENO);
    ::dup2(ends[1], STDOUT_FILENO);
    ::close(ends[1]);
    if (!open_at_the_other_end) ::close(ends[0]);
    const auto result = write_file("-", Format::text, types::u32, bytes_of<std::uint32_t>({42}));
    ::dup2(standard_output, STDOUT_FILENO);
    ::close(standard_output);
    std::signal(SIGPIPE, before);
    if (!result) return tl::unexpected(result.error());
    std::string got(16, ' ');
    got.resize(static_cast<std::size_t>(std::max<ssize_t>(::read(ends[0], got.data(), got.size()), 0)));
    ::close(ends[0]);
    return got;
}

TEST(Writer, WritesToStandardOutput) {
    EXPECT_EQ(write_to_pipe(true).value_or("error"), "42\n");
}

TEST(Writer, ReportsAClosedPipe) {
    const auto result = write_to_pipe(false);
    ASSERT_FALSE(result);
    EXPECT_EQ(
        result.error().message,
        "Writing standard output failed after 0 bytes (Broken pipe): make room, or write to another place.");
}

TEST(Writer, ReportsPathsThatCannotBe) {
    const Directory directory;
    const std::string missing = directory / "no/a.bin";
    EXPECT_EQ(write_file(missing, Format::raw, types::u32, "").error().message,
              "The file '" + missing +
                  "' cannot be created (No such file or directory): give a path in a directory that can "
                  "be written to, or - for standard output.");
    EXPECT_FALSE(write_file(directory / "", Format::raw, types::u32, ""));
    EXPECT_FALSE(write_file("", Format::raw, types::u32, ""));
}

TEST(Reader, ReportsFilesThatCannotBeRead) {
    const Directory directory;
    const std::string missing = directory / "a.npy";
    EXPECT_EQ(ArrayReader::open(missing, {}).error().message,
              "The file '" + missing +
                  "' cannot be opened (No such file or directory): give the path of a file that can be "
                  "read, or - for standard input.");
    for (const char* format : {".txt", ".npy", ".csv"}) {
        const std::string path = (directory / "dir") + format;
        std::filesystem::create_directory(path);
        auto reader = ArrayReader::open(path, {});
        const std::string message = reader ? read_all(*reader).error().message : reader.error().message;
        EXPECT_EQ(message, "Reading '" + path + "' failed (Is a directory): give a file that can be read.");
    }
}

TEST(Reader, TakesStandardInputForTextOrNpy) {
    const Directory directory;
    ASSERT_TRUE(write_file(directory / "a.npy", Format::npy, types::f32, bytes_of<float>({1.5})));
    save(directory / "a.txt", "7 8");
    const auto read_from = [&](const std::string& path) {
        const int standard_input = ::dup(STDIN_FILENO);
        EXPECT_NE(std::freopen(path.c_str(), "rb", stdin), nullptr);
        auto reader = ArrayReader::open("-", {});
        const auto bytes = reader ? read_all(*reader) : Result<std::string>(tl::unexpected(reader.error()));
        if (standard_input >= 0) ::dup2(standard_input, STDIN_FILENO);
        return bytes ? *bytes : bytes.error().message;
    };
    EXPECT_EQ(read_from(directory / "a.npy"), bytes_of<float>({1.5}));
    EXPECT_EQ(read_from(directory / "a.txt"), bytes_of<std::uint32_t>({7, 8}));
}

TEST(Raw, NeedsATypeAndWholeElements) {
    EXPECT_EQ(
        error_of("abcd", "a.bin"),
        "'a.bin' is read as raw bytes, which do not tell their type: give it, for instance --type u32.");
    const ReadOptions options{.type = type_of("vec3<f32>"), .column = "", .format = {}};
    const std::string message =
        "'a.bin' has 20 bytes, which is not a multiple of the 16 bytes of one vec3<f32>: give the --type "
        "that the file was "
        "written with, or the rest of the file.";
    EXPECT_EQ(error_of(std::string(20, 'x'), "a.bin", options), message);
    EXPECT_EQ(error_of(std::string(20, 'x'), "a.bin", options, false), message);
    EXPECT_EQ(read_bytes("0123456789abcdef", "a.bin", options, false).value_or("error"), "0123456789abcdef");
    EXPECT_EQ(read_bytes("", "a.bin", options).value_or("error"), "");
}

TEST(Raw, NoticesAFileThatShrinks) {
    const Directory directory;
    const std::string path = directory / "a.bin";
    save(path, "01234567");
    auto reader = ArrayReader::open(path, {.type = types::u32, .column = "", .format = {}});
    ASSERT_TRUE(reader);
    EXPECT_EQ(reader->count(), 2);
    std::filesystem::resize_file(path, 4);
    EXPECT_EQ(
        read_all(*reader).error().message,
        "'" + path +
            "' had 8 bytes when it was opened and ended after 4: do not change the file while it is read.");
}

TEST(Reader, NeedsRoomForOneElement) {
    auto reader = ArrayReader::from_source(memory_source("1 2"), Format::text, "a.txt", {});
    ASSERT_TRUE(reader);
    std::vector<std::byte> out(3);
    EXPECT_EQ(reader->read(out).error().message,
              "3 bytes were given to read into, and one u32 takes 4: give room for one element at least.");
}

TEST(Formats, QuoteWhatComesFromOutside) {
    EXPECT_EQ(quoted("caf\xc3\xa9 \xf0\x9f\x98\x80"), "'caf\xc3\xa9 \xf0\x9f\x98\x80'");
    EXPECT_EQ(quoted("\x1b\x7f\n"), "'\\x1b\\x7f\\x0a'");
    EXPECT_EQ(quoted("\xc3"), "'\\xc3'");                             // Cut off.
    EXPECT_EQ(quoted("\xc0\xaf"), "'\\xc0\\xaf'");                    // Longer than need be.
    EXPECT_EQ(quoted("\xc2\x9b"), "'\\xc2\\x9b'");                    // A control character.
    EXPECT_EQ(quoted("\xed\xa0\x80"), "'\\xed\\xa0\\x80'");           // A surrogate.
    EXPECT_EQ(quoted("\xff\xf8\x88\x80"), "'\\xff\\xf8\\x88\\x80'");  // No lead bytes.
    EXPECT_EQ(quoted("abcdef", 3), "'abc...'");
    EXPECT_EQ(quoted(""), "''");
}

TEST(Formats, AreDetectedByEnding) {
    EXPECT_EQ(detect_format("a/b.npy"), Format::npy);
    EXPECT_EQ(detect_format("b.NPY"), Format::npy);
    EXPECT_EQ(detect_format("b.tsv"), Format::csv);
    EXPECT_EQ(detect_format("b.txt"), Format::text);
    EXPECT_EQ(detect_format("-"), Format::text);
    EXPECT_EQ(detect_format("npy"), Format::raw);
    EXPECT_EQ(detect_format(""), Format::raw);
}

}  // namespace

}  // namespace upsweep::app::testing
