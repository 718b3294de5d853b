// Reading npy files: dtypes, shapes, conversions, and headers that are wrong or hostile.
#include "app/formats/npy_header.h"
#include "app/formats/test_support.h"

#include <limits>

namespace upsweep::app::testing {

namespace {

ReadOptions with_type(ElementType type) {
    return {.type = std::move(type), .column = "", .format = {}};
}
ReadOptions with_type(std::string_view name) {
    return with_type(type_of(name));
}

/// The name of the type and the elements, or the message of the error.
std::pair<std::string, std::string> read_npy(std::string_view file, const ReadOptions& options = {}) {
    auto reader = ArrayReader::from_source(memory_source(file), Format::npy, "a.npy", options);
    if (!reader) return {"error", reader.error().message};
    auto bytes = read_all(*reader);
    if (!bytes) return {"error", bytes.error().message};
    EXPECT_EQ(reader->count(), bytes->size() / reader->type().stride);
    return {reader->type().name, *bytes};
}

template <class From, class To>
void expect_conversion(const char* descr, const std::vector<From>& from, const char* type,
                       const std::vector<To>& to, const ReadOptions& options = {}) {
    const std::string shape = "(" + std::to_string(from.size()) + ",)";
    const auto [name, bytes] = read_npy(npy_file(descr, shape, bytes_of(from)), options);
    EXPECT_EQ(name, type) << descr << ": " << bytes;
    EXPECT_EQ(values_of<To>(bytes), to) << descr;
}

TEST(Npy, TakesTheTypesOfKernelsAsTheyAre) {
    expect_conversion<std::uint32_t, std::uint32_t>("'<u4'", {0, 4294967295}, "u32", {0, 4294967295});
    expect_conversion<std::int32_t, std::int32_t>("'=i4'", {-1, 2}, "i32", {-1, 2});
    expect_conversion<float, float>("'f4'", {-1.5, 2}, "f32", {-1.5, 2});
    expect_conversion<std::uint16_t, std::uint16_t>("'<f2'", {0x3c00, 0x7e01}, "f16", {0x3c00, 0x7e01});
    expect_conversion<std::uint64_t, std::uint64_t>("'<u8'", {~std::uint64_t{0}}, "u64", {~std::uint64_t{0}});
    expect_conversion<std::int64_t, std::int64_t>("'<i8'", {-1}, "i64", {-1});
}

TEST(Npy, SwapsBigEndianItems) {
    EXPECT_EQ(read_npy(npy_file("'>u4'", "(2,)", std::string_view("\0\0\0\1\1\0\0\0", 8))),
              (std::pair<std::string, std::string>("u32", bytes_of<std::uint32_t>({1, 0x1000000}))));
    EXPECT_EQ(read_npy(npy_file("'>i2'", "(2,)", std::string_view("\xff\xfe\x01\x00", 4))).second,
              bytes_of<std::int32_t>({-2, 256}));
    EXPECT_EQ(read_npy(npy_file("'>u2'", "(1, 3)", std::string_view("\0\1\0\2\0\3", 6))).second,
              bytes_of<std::uint32_t>({1, 2, 3, 0}));
}

TEST(Npy, ConvertsOtherDtypesToTheNearestType) {
    expect_conversion<double, float>("'<f8'", {1.5, -1e-300, 16777217}, "f32", {1.5, -0.0F, 16777216});
    expect_conversion<std::uint8_t, std::uint32_t>("'|u1'", {0, 255}, "u32", {0, 255});
    expect_conversion<std::uint8_t, std::uint32_t>("'|b1'", {0, 1, 7}, "u32", {0, 1, 1});
    expect_conversion<std::uint16_t, std::uint32_t>("'<u2'", {65535}, "u32", {65535});
    expect_conversion<std::int8_t, std::int32_t>("'|i1'", {-128}, "i32", {-128});
    expect_conversion<std::int16_t, std::int32_t>("'<i2'", {-32768}, "i32", {-32768});
}

TEST(Npy, ConvertsToTheTypeThatIsAskedFor) {
    expect_conversion<std::int64_t, std::uint32_t>("'<i8'", {0, 4294967295}, "u32", {0, 4294967295},
                                                   with_type("u32"));
    expect_conversion<std::uint32_t, std::int64_t>("'<u4'", {4294967295}, "i64", {4294967295},
                                                   with_type("i64"));
    expect_conversion<std::int32_t, float>("'<i4'", {-3, 16777217}, "f32", {-3, 16777216}, with_type("f32"));
    expect_conversion<double, std::uint16_t>("'<f8'", {1, 65519}, "f16", {0x3c00, 0x7bff}, with_type("f16"));
    expect_conversion<std::uint16_t, float>("'<f2'", {0x3c00, 0xfc00}, "f32",
                                            {1, -std::numeric_limits<float>::infinity()}, with_type("f32"));
    EXPECT_EQ(
        read_npy(npy_file("'<i8'", "(3,)", bytes_of<std::int64_t>({1, 2, -3})), with_type("u32")).second,
        "Element 2 of 'a.npy' is -3, which does not fit the type u32: give a wider --type, or change the "
        "value.");
    EXPECT_EQ(read_npy(npy_file("'<f8'", "(1,)", bytes_of<double>({1e300}))).second,
              "Element 0 of 'a.npy' is 1e+300, which does not fit the type f32: give a wider --type, or "
              "change the value.");
    EXPECT_EQ(read_npy(npy_file("'<u4'", "(1,)", bytes_of<std::uint32_t>({65520})), with_type("f16")).first,
              "error");
    EXPECT_EQ(read_npy(npy_file("'<f4'", "(1,)", "abcd"), with_type("u32")).second,
              "'a.npy' has the dtype <f4, and --type u32 would cut off the fractions: give a --type of f32 "
              "or f16, or round "
              "and convert the array first.");
}

TEST(Npy, NamesTheElementThatDoesNotFitInALongFile) {
    std::vector<std::int64_t> values(100000, 5);
    values[70001] = -1;
    const std::string file = npy_file("'<i8'", "(100000,)", bytes_of(values));
    auto reader = ArrayReader::from_source(memory_source(file), Format::npy, "a.npy", with_type("u32"));
    ASSERT_TRUE(reader);
    const auto bytes = read_all(*reader, 60000);
    ASSERT_FALSE(bytes);
    EXPECT_TRUE(bytes.error().message.starts_with("Element 70001 of 'a.npy' is -1")) << bytes.error().message;
}

TEST(Npy, MakesVectorsOfRows) {
    EXPECT_EQ(read_npy(npy_file("'<f4'", "(2, 3)", bytes_of<float>({1, 2, 3, 4, 5, 6}))),
              (std::pair<std::string, std::string>("vec3<f32>", bytes_of<float>({1, 2, 3, 0, 4, 5, 6, 0}))));
    EXPECT_EQ(read_npy(npy_file("'<u4'", "(1, 2)", "abcdefgh")),
              (std::pair<std::string, std::string>("vec2<u32>", "abcdefgh")));
    EXPECT_EQ(read_npy(npy_file("'|i1'", "(1, 4)", "\1\2\3\xff")),
              (std::pair<std::string, std::string>("vec4<i32>", bytes_of<std::int32_t>({1, 2, 3, -1}))));
    EXPECT_EQ(
        read_npy(npy_file("'<i8'", "(1, 2)", bytes_of<std::int64_t>({1, 2})), with_type("vec2<i32>")).second,
        bytes_of<std::int32_t>({1, 2}));
    EXPECT_EQ(read_npy(npy_file("'<i8'", "(1, 2)", bytes_of<std::int64_t>({1, 2}))).second,
              "'a.npy' has the shape (1, 2) and the dtype <i8, and there are no vectors of i64: give --type "
              "vec2<i32> if the "
              "values fit it.");
    EXPECT_EQ(read_npy(npy_file("'<f4'", "(1, 2)", "abcdefgh"), with_type("vec3<f32>")).second,
              "'a.npy' has the shape (1, 2) and the dtype <f4, which is not an array of vec3<f32>: give a "
              "--type with 2 "
              "numbers in an element, or leave --type out.");
}

TEST(Npy, RefusesOtherShapes) {
    EXPECT_EQ(read_npy(npy_file("'<f4'", "()", "abcd")).second,
              "'a.npy' has the shape (), and only (n,), (n, 2), (n, 3) and (n, 4) are arrays of scalars or "
              "vectors: save "
              "array.reshape(-1) for an array of scalars.");
    for (const char* shape : {"(1, 1)", "(1, 5)", "(2, 2, 2)", "(0, 0)"}) {
        EXPECT_EQ(read_npy(npy_file("'<f4'", shape, std::string(32, 'x'))).first, "error") << shape;
    }
    EXPECT_EQ(
        read_npy(npy_file("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2)}", "abcdefgh")).second,
        "'a.npy' has the shape (1, 2) in Fortran order, and vectors must lie one after another: save "
        "numpy.ascontiguousarray(array).");
    EXPECT_EQ(read_npy(npy_file("{'descr': '<f4', 'fortran_order': True, 'shape': (2,)}", "abcdefgh")).second,
              "abcdefgh");
}

TEST(Npy, TakesStructsByteByByte) {
    constexpr const char* descr = "[('pos', '<f4', (3,)), ('id', '<u4'), ('weight', '<f4'), ('', '|V12')]";
    const std::string data(64, 'x');
    EXPECT_EQ(read_npy(npy_file(descr, "(2,)", data), with_type(body_type())).second, data);
    EXPECT_EQ(read_npy(npy_file("'|V32'", "(2,)", data), with_type(body_type())).second, data);
    EXPECT_EQ(read_npy(npy_file("[('a', [('b', '<u4', 2), ('c', '<f8')], (1, 2))]", "(2,)", data),
                       with_type(body_type()))
                  .second,
              data);
    EXPECT_EQ(read_npy(npy_file(descr, "(2,)", data)).second,
              "'a.npy' has the shape (2,) and items of the dtype structured with 32 bytes, and such items "
              "are read from one "
              "dimension with a struct as --type: give a --type of 32 bytes.");
    EXPECT_EQ(read_npy(npy_file("'|V16'", "(2,)", data), with_type(body_type())).second,
              "An item of 'a.npy' has 16 bytes, and the struct Body has 32: make the dtype and the struct "
              "alike, with padding "
              "as in WGSL.");
    EXPECT_EQ(read_npy(npy_file("[('a', '>u4', (8,))]", "(2,)", data), with_type(body_type())).second,
              "The structured dtype of 'a.npy' has a field that is empty, big-endian or of a kind that is "
              "not supported: bool, "
              "integers of 8 to 64 bits and floats of 16 to 64 bits can be read; convert the array first, "
              "for instance with "
              "array.astype(numpy.float32).");
    EXPECT_EQ(read_npy(npy_file("'<f4'", "(16,)", data), with_type(body_type())).first, "error");
}

TEST(Npy, RefusesOtherDtypes) {
    EXPECT_EQ(read_npy(npy_file("'<c16'", "(1,)", std::string(16, 'x'))).second,
              "The dtype '<c16' of 'a.npy' is not supported: bool, integers of 8 to 64 bits and floats of 16 "
              "to 64 bits can be "
              "read; convert the array first, for instance with array.astype(numpy.float32).");
    for (const char* descr : {"'|O'",
                              "'<U4'",
                              "'<M8[ns]'",
                              "'|S4'",
                              "'<f16'",
                              "'|u4'",
                              "'<i3'",
                              "'|V0'",
                              "'<f1'",
                              "'|b2'",
                              "''",
                              "'<'",
                              "'<u'",
                              "'<u-4'",
                              "'<u99999999999'",
                              "7",
                              "None",
                              "[]",
                              "[('a',)]",
                              "('<f4', (2,))",
                              "[('a', '<u4', (99999999999, 99999999999))]",
                              "[('a', '<u4', (-1,))]",
                              "[('a', '|O')]"}) {
        EXPECT_EQ(read_npy(npy_file(descr, "(1,)", std::string(16, 'x'))).first, "error") << descr;
    }
}

TEST(Npy, NamesTheSizesOfATruncatedFile) {
    const std::string file = npy_file("'<u4'", "(3,)", "abcdefgh");
    EXPECT_EQ(read_npy(file).second,
              "'a.npy' is cut off: with the shape (3,) and the dtype <u4 it needs 80 bytes, and it has 76; "
              "save the array again "
              "with numpy.save.");
    EXPECT_EQ(error_of(file, "a.npy", {}, false),
              "'a.npy' is cut off: its header promises 3 elements of 4 bytes, 12 in all, and there are 8; "
              "save the array again "
              "with numpy.save.");
    for (std::size_t size = 0; size < file.size(); ++size) {
        EXPECT_NE(error_of(file.substr(0, size), "a.npy", {}, false), "no error") << size;
        EXPECT_NE(error_of(file.substr(0, size), "a.npy"), "no error") << size;
    }
    EXPECT_EQ(error_of(file.substr(0, 20), "a.npy"),
              "The npy header of 'a.npy' is cut off: save the array again with numpy.save.");
    EXPECT_EQ(error_of("PK\3\4", "a.npy"),
              "'a.npy' does not begin with the six bytes '\\x93NUMPY' of the npy format: give the file an "
              "ending that fits its "
              "contents, or save the array with numpy.save.");
    EXPECT_EQ(read_npy(file + "abcd and more").second, "abcdefghabcd");
}

TEST(Npy, ReadsVersionsOneToThree) {
    std::string file = npy_file("'<u4'", "(1,)", "abcd");
    for (const char version : {'\2', '\3'}) {
        std::string newer = file;
        newer[6] = version;
        newer.insert(10, 2, '\0');
        EXPECT_EQ(read_npy(newer).second, "abcd");
        newer[11] = '\x7f';
        EXPECT_EQ(read_npy(newer).second,
                  "The header of 'a.npy' says that it is 2130706490 bytes long, and 65535 is the limit: save "
                  "the array with "
                  "fewer fields.");
    }
    file[6] = '\4';
    EXPECT_EQ(read_npy(file).second,
              "'a.npy' is of version 4.0 of the npy format, and 1.0 to 3.0 can be read: save the array again "
              "with numpy.save.");
}

TEST(Npy, SurvivesHostileHeaders) {
    EXPECT_EQ(read_npy(npy_file("'<u4'", "(-1,)", "")).second,
              "The shape of 'a.npy' has the extent '-1', which is not a whole number from 0 to "
              "18446744073709551615: save the "
              "array again with numpy.save.");
    EXPECT_EQ(read_npy(npy_file("'<u4'", "(9999999999999999999,)", "")).second,
              "'a.npy' has the shape (9999999999999999999,), which is more than 18446744073709551615 bytes: "
              "save the array "
              "again with numpy.save.");
    EXPECT_EQ(read_npy(npy_file("not a dictionary")).second,
              "The header of 'a.npy' is 'not a dictionary', which is not a dictionary as numpy writes it: "
              "save the array again "
              "with numpy.save.");
    EXPECT_EQ(read_npy(npy_file("{'descr': '<u4', 'shape': (1,)}")).second,
              "The header of 'a.npy' lacks one of the entries 'descr', 'fortran_order' and 'shape', or has "
              "one of the wrong "
              "kind: save the array again with numpy.save.");
    for (const char* shape :
         {"(99999999999999999999999,)", "('1',)", "7", "((1,),)", "(1", "(1,,)", "(True,)"}) {
        EXPECT_EQ(read_npy(npy_file("'<u4'", shape, "abcd")).first, "error") << shape;
    }
    EXPECT_EQ(read_npy(npy_file(std::string(60000, '('))).first, "error");
    EXPECT_EQ(read_npy(npy_file(std::string(60000, '{'))).first, "error");
    std::string dimensions;
    for (int i = 0; i < 20000; ++i) dimensions += "1,";
    EXPECT_EQ(read_npy(npy_file("'<u4'", "(" + dimensions + ")", "abcd")).first, "error");
    EXPECT_EQ(read_npy(npy_file("'<u4'", "(1L,)", "abcd")).second, "abcd");
}

TEST(Npy, WritesHeadersThatAreAlignedAndComplete) {
    const auto text = [](const ElementType& type) {
        const std::string header = make_npy_header(type, 12);
        EXPECT_EQ(header.size() % 64, 0);
        EXPECT_EQ(header.back(), '\n');
        EXPECT_EQ(header.size(),
                  10U + static_cast<unsigned char>(header[8]) + 256U * static_cast<unsigned char>(header[9]));
        return header.substr(10, header.find('}') - 9);
    };
    EXPECT_EQ(text(type_of("f16")), "{'descr': '<f2', 'fortran_order': False, 'shape': (12,), }");
    EXPECT_EQ(text(type_of("vec3<u32>")), "{'descr': '<u4', 'fortran_order': False, 'shape': (12, 3), }");
    EXPECT_EQ(text(body_type()),
              "{'descr': [('pos', '<f4', (3,)), ('id', '<u4'), ('weight', '<f4'), ('', '|V12')], "
              "'fortran_order': False, "
              "'shape': (12,), }");
    ElementType nested = body_type();
    nested.members[0].path = ".rows[1]";
    EXPECT_EQ(text(nested), "{'descr': '|V32', 'fortran_order': False, 'shape': (12,), }");
}

}  // namespace

}  // namespace upsweep::app::testing
