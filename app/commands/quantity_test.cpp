#include "app/commands/quantity.h"

#include "app/commands/progress.h"

#include <gtest/gtest.h>

namespace upsweep::app {
namespace {

TEST(Quantity, Counts) {
    EXPECT_EQ(parse_count("0").value(), 0U);
    EXPECT_EQ(parse_count("1_000_000").value(), 1000000U);
    EXPECT_EQ(parse_count("1e6").value(), 1000000U);
    EXPECT_EQ(parse_count("2.5e6").value(), 2500000U);
    EXPECT_EQ(parse_count("1.25E2").value(), 125U);
    EXPECT_EQ(parse_count("2^20").value(), 1048576U);
    EXPECT_EQ(parse_count("10^0").value(), 1U);
    EXPECT_EQ(parse_count("0x100").value(), 256U);
    EXPECT_EQ(parse_count("18446744073709551615").value(), 18446744073709551615U);
    EXPECT_EQ(parse_count("2^63").value(), std::uint64_t{1} << 63U);
}

TEST(Quantity, NotCounts) {
    for (const char* text : {"",
                             "_",
                             "-1",
                             "+1",
                             "1.5",
                             "1.25e1",
                             "2^64",
                             "1e20",
                             "18446744073709551616",
                             "2^",
                             "^2",
                             "2^-1",
                             "2^1^1",
                             "e6",
                             "1e",
                             "0x",
                             "1 000",
                             "5K",
                             "1e-3",
                             "a",
                             "2^99999999999999999999",
                             "1e99999999999"})
        EXPECT_FALSE(parse_count(text)) << text;
    // 1^n and 0^n end at once.
    EXPECT_EQ(parse_count("1^18446744073709551615").value(), 1U);
    EXPECT_EQ(parse_count("0^18446744073709551615").value(), 0U);
}

TEST(Quantity, Bytes) {
    EXPECT_EQ(parse_bytes("64").value(), 64U);
    EXPECT_EQ(parse_bytes("1K").value(), 1024U);
    EXPECT_EQ(parse_bytes("256M").value(), 268435456U);
    EXPECT_EQ(parse_bytes("256MiB").value(), 268435456U);
    EXPECT_EQ(parse_bytes("2G").value(), 2147483648U);
    EXPECT_EQ(parse_bytes("2^20").value(), 1048576U);
    for (const char* text :
         {"", "K", "MiB", "1MB", "1iB", "1k", "1T", "-1K", "99999999999999999999G", "2^60G"})
        EXPECT_FALSE(parse_bytes(text)) << text;
}

TEST(Quantity, Texts) {
    EXPECT_EQ(bytes_text(96), "96 B");
    EXPECT_EQ(bytes_text(1536), "1.5 KiB");
    EXPECT_EQ(bytes_text(268435456), "256.0 MiB");
    EXPECT_EQ(seconds_text(8.12e-7), "812 ns");
    EXPECT_EQ(seconds_text(1.53e-5), "15.3 us");
    EXPECT_EQ(seconds_text(1.2e-3), "1.20 ms");
    EXPECT_EQ(seconds_text(3.4), "3.40 s");
}

TEST(Quantity, ProgressLine) {
    EXPECT_EQ(progress_line(1 << 20, 4 << 20, 2),
              "[#####               ]  25 %   1.0 MiB of 4.0 MiB   512.0 KiB/s");
    EXPECT_EQ(progress_line(0, 100, 0), "[                    ]   0 %   0 B of 100 B   0 B/s");
    EXPECT_EQ(progress_line(2048, std::nullopt, 1), "2.0 KiB   2.0 KiB/s");
    EXPECT_EQ(step_line(0.5, "a step"), "[##########          ]  50 %   a step");
    EXPECT_EQ(step_line(2, "the end"), "[####################] 100 %   the end");
}

}  // namespace
}  // namespace upsweep::app
