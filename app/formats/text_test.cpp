// Reading text and CSV.
#include "app/formats/test_support.h"

#include <cmath>
#include <limits>

namespace upsweep::app::testing {

namespace {

using U32s = std::vector<std::uint32_t>;
using F32s = std::vector<float>;

ReadOptions with_type(std::string_view name) {
    return {.type = type_of(name), .column = "", .format = {}};
}
ReadOptions with_column(const std::string& column) {
    return {.type = {}, .column = column, .format = {}};
}

TEST(Text, SeparatesNumbersByBlanksLineEndsAndCommas) {
    EXPECT_EQ(read_values<std::uint32_t>("1 2\t3\r\n4,5 , 6,\n7\n\n", "a.txt"), (U32s{1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(read_values<std::uint32_t>("\xef\xbb\xbf+42", "a.txt"), U32s{42});
    EXPECT_EQ(read_values<std::uint32_t>("", "a.txt"), U32s{});
    EXPECT_EQ(read_values<std::uint32_t>(" \n", "a.txt"), U32s{});
}

TEST(Text, ReadsTheEdgesOfEachType) {
    EXPECT_EQ(read_values<std::uint32_t>("0 4294967295", "a.txt"), (U32s{0, 4294967295}));
    EXPECT_EQ(read_values<std::int32_t>("-2147483648 2147483647", "a.txt", with_type("i32")),
              (std::vector<std::int32_t>{-2147483648, 2147483647}));
    EXPECT_EQ(read_values<std::uint64_t>("18446744073709551615", "a.txt", with_type("u64")),
              std::vector<std::uint64_t>{~std::uint64_t{0}});
    EXPECT_EQ(read_values<std::int64_t>("-9223372036854775808", "a.txt", with_type("i64")),
              std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min()});
    EXPECT_EQ(read_values<float>("3.4028235e38 1e-45 -0 16777217 1e-50 1e-300", "a.txt", with_type("f32")),
              (F32s{std::numeric_limits<float>::max(), std::numeric_limits<float>::denorm_min(), -0.0F,
                    16777216, 0, 0}));
    EXPECT_EQ(read_values<std::uint16_t>("65504 6e-8 0.1 -inf 1e-9", "a.txt", with_type("f16")),
              (std::vector<std::uint16_t>{0x7bff, 0x0001, 0x2e66, 0xfc00, 0}));
}

TEST(Text, ReadsSpecialAndHexadecimalFloats) {
    const auto values =
        read_values<float>("inf -INF Infinity 0x1.8p3 -0X10 +.5 nan -NaN", "a.txt", with_type("f32"));
    ASSERT_EQ(values.size(), 8);
    const float inf = std::numeric_limits<float>::infinity();
    EXPECT_EQ(F32s(values.begin(), values.begin() + 6), (F32s{inf, -inf, inf, 12, -16, 0.5}));
    EXPECT_TRUE(std::isnan(values[6]) && std::isnan(values[7]));
}

TEST(Text, ReadsVectorsAndStructs) {
    EXPECT_EQ(read_values<std::uint32_t>("1,2,3\n4,5,6", "a.txt", with_type("vec3<u32>")),
              (U32s{1, 2, 3, 0, 4, 5, 6, 0}));
    const ReadOptions body{.type = body_type(), .column = "", .format = {}};
    const auto bytes = read_bytes("1 2 3 7 0.5", "a.txt", body);
    ASSERT_TRUE(bytes) << bytes.error().message;
    EXPECT_EQ(*bytes,
              bytes_of<float>({1, 2, 3}) + bytes_of<std::uint32_t>({7}) + bytes_of<float>({0.5, 0, 0, 0}));
    EXPECT_EQ(error_of("1 2 3 -7 0.5", "a.txt", body),
              "Line 1 of 'a.txt' has '-7', which is not of the type u32 (a whole number from 0 to "
              "4294967295): declare that "
              "member of Body as i32.");
}

TEST(Text, SaysWhichTokenIsWrongAndWhichTypeTakesIt) {
    EXPECT_EQ(error_of("1\n2\n-5\n", "a.txt"),
              "Line 3 of 'a.txt' has '-5', which is not of the type u32 (a whole number from 0 to "
              "4294967295): give --type "
              "i32.");
    EXPECT_EQ(error_of("1.5", "-"),
              "Line 1 of standard input has '1.5', which is not of the type u32 (a whole number from 0 to "
              "4294967295): give "
              "--type f32.");
    EXPECT_EQ(error_of("70000", "a.txt", with_type("f16")),
              "Line 1 of 'a.txt' has '70000', which is not of the type f16 (a number up to 65504): give "
              "--type i32.");
    EXPECT_EQ(error_of("abc\x1b[2J", "a.txt"),
              "Line 1 of 'a.txt' has 'abc\\x1b[2J', which is not of the type u32 (a whole number from 0 to "
              "4294967295): "
              "correct it or take it out.");
    const auto ending = [](std::string_view token, std::string_view type) {
        const std::string message = error_of(token, "a.txt", with_type(type));
        return message.substr(message.rfind(": ") + 2);
    };
    EXPECT_EQ(ending("4294967296", "u32"), "give --type i64.");
    EXPECT_EQ(ending("18446744073709551615", "i32"), "give --type u64.");
    EXPECT_EQ(ending("-1", "u64"), "give --type i64.");
    EXPECT_EQ(ending("1e3", "i64"), "give --type f32.");
    EXPECT_EQ(ending("1 -2", "vec2<u32>"), "give --type vec2<i32>.");
    EXPECT_EQ(ending("1 5000000000", "vec2<u32>"), "give --type vec2<f32>.");
    EXPECT_EQ(ending("1e39", "f32"), "correct it or take it out.");
    for (const char* garbage :
         {"+-1", "--1", "0x-1", "0xinf", "0xnan", "0x", "1e", "1f", "+", "infinit", "1_0", "\xc2\xb5"}) {
        EXPECT_EQ(ending(garbage, "f32"), "correct it or take it out.") << garbage;
    }
}

TEST(Text, RefusesMissingNumbers) {
    EXPECT_EQ(error_of("1,\n,2", "a.txt"),
              "Line 2 of 'a.txt' has a comma with no number in front of it: put one comma at most between "
              "two numbers.");
    EXPECT_NE(error_of(",1", "a.txt"), "no error");
    EXPECT_EQ(error_of("1 2 3", "a.txt", with_type("vec2<u32>")),
              "'a.txt' ends within an element: the last vec2<u32> has 1 of its 2 numbers; add the rest or "
              "give another "
              "--type.");
}

TEST(Text, StopsAtATokenThatIsTooLong) {
    EXPECT_EQ(error_of(std::string(1 << 20, '1'), "a.txt", with_type("f32")),
              "Line 1 of 'a.txt' has '1111111111111111111111111111111111111111...', which is not of the type "
              "f32 (a number up "
              "to 3.4028235e+38): correct it or take it out.");
    EXPECT_EQ(read_values<float>("0." + std::string(4000, '1'), "a.txt", with_type("f32")), F32s{1.0F / 9});
}

TEST(Csv, TakesTheFirstColumnAndFindsOutAboutTheHeader) {
    EXPECT_EQ(read_values<std::uint32_t>("1,9\n2,9\n", "a.csv"), (U32s{1, 2}));
    EXPECT_EQ(read_values<std::uint32_t>("value,other\r\n1,9\r\n2,9", "a.CSV"), (U32s{1, 2}));
    EXPECT_EQ(read_values<std::uint32_t>("n\tm\n1\t2\n", "a.tsv", with_column("m")), U32s{2});
    EXPECT_EQ(read_values<std::uint32_t>("", "a.csv", with_column("m")), U32s{});
    EXPECT_EQ(read_values<std::uint32_t>("\xef\xbb\xbf\"n\"\n\n 1 \n\t\n2\n\n", "a.csv"), (U32s{1, 2}));
    EXPECT_EQ(read_values<std::uint32_t>("only a header", "a.csv"), U32s{});
}

TEST(Csv, ChoosesTheColumnByNameOrNumber) {
    constexpr std::string_view file = "id,\"a \"\"b\"\", c\",x\n1,2,3\n\"4\",\"5\",\"6\" \n";
    EXPECT_EQ(read_values<std::uint32_t>(file, "a.csv", with_column("x")), (U32s{3, 6}));
    EXPECT_EQ(read_values<std::uint32_t>(file, "a.csv", with_column("2")), (U32s{3, 6}));
    EXPECT_EQ(read_values<std::uint32_t>(file, "a.csv", with_column("a \"b\", c")), (U32s{2, 5}));
    EXPECT_EQ(read_values<std::uint32_t>("x,y\nq,1\n", "a.csv", with_column("y")), U32s{1});
    EXPECT_EQ(error_of(file, "a.csv", with_column("y")),
              "'a.csv' has no column 'y': give one of 'id', 'a \"b\", c', 'x', or a number from 0 to 2, with "
              "--column.");
    EXPECT_EQ(error_of(file, "a.csv", with_column("3")),
              "Line 1 of 'a.csv' has 3 column(s), numbered from 0, and column 3 is needed for u32: add the "
              "missing cells or "
              "choose with --column and --type.");
    EXPECT_NE(error_of(file, "a.csv", with_column("99999999999999999999")), "no error");
    EXPECT_NE(error_of(file, "a.csv", with_column("18446744073709551615")), "no error");
}

TEST(Csv, TakesNeighbouringColumnsForVectors) {
    EXPECT_EQ(read_values<std::uint32_t>("id,x,y\n9,1,2\n9,3,4\n", "a.csv",
                                         {.type = type_of("vec2<u32>"), .column = "x", .format = {}}),
              (U32s{1, 2, 3, 4}));
    EXPECT_EQ(error_of("1,2,3\n4,5\n", "a.csv", with_type("vec3<u32>")),
              "Line 2 of 'a.csv' has 2 column(s), numbered from 0, and 3 columns from 0 on are needed for "
              "vec3<u32>: add the "
              "missing cells or choose with --column and --type.");
}

TEST(Csv, CountsTheLinesInsideOfQuotes) {
    EXPECT_EQ(error_of("n,text\n1,\"two\nlines\"\n-1,x\n", "a.csv"),
              "Line 4 of 'a.csv' has, in column 0, '-1', which is not of the type u32 (a whole number from 0 "
              "to 4294967295): "
              "give --type i32.");
    EXPECT_EQ(error_of("n,m\n1,2\n,2\n", "a.csv"),
              "Line 3 of 'a.csv' has, in column 0, '', which is not of the type u32 (a whole number from 0 "
              "to 4294967295): "
              "correct it or take it out.");
    EXPECT_NE(error_of("n\n1\n\"\"\n", "a.csv"), "no error");
}

TEST(Csv, RefusesBrokenQuotes) {
    EXPECT_EQ(error_of("1\n\"2\n3", "a.csv"),
              "The row of 'a.csv' that begins in line 2 has a quote that is never closed: close it, as RFC "
              "4180 has it.");
    EXPECT_EQ(error_of("1\n\"2\"3", "a.csv"),
              "The row of 'a.csv' that begins in line 2 has text after a closing quote: double each quote "
              "inside, as RFC 4180 "
              "has it.");
    const std::string message =
        "The row of 'a.csv' that begins in line 1 is longer than the limit of 1048576 bytes: look for a "
        "quote that is never "
        "closed.";
    EXPECT_EQ(error_of("\"" + std::string(2 << 20, 'x'), "a.csv"), message);
    EXPECT_EQ(error_of(std::string(2 << 20, ','), "a.csv"), message);
}

TEST(Reader, RefusesAColumnForOtherFormats) {
    EXPECT_EQ(error_of("1", "a.txt", with_column("x")),
              "--column 'x' was given, but 'a.txt' is text and only CSV has columns: leave --column out.");
}

TEST(Reader, RefusesTextForAStructWithoutMembers) {
    ElementType opaque = body_type();
    opaque.members.clear();
    EXPECT_EQ(error_of("1", "a.txt", {.type = opaque, .column = "", .format = {}}),
              "The struct Body has no members that are numbers, so it cannot be read or written as text or "
              "CSV: use an npy or "
              "a raw file.");
}

}  // namespace

}  // namespace upsweep::app::testing
