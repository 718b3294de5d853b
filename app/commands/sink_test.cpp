#include "app/commands/sink.h"

#include "app/formats/test_support.h"

#include <gtest/gtest.h>

namespace upsweep::app {
namespace {

TEST(Sink, KnownAndUnknownCountsGiveTheSameFile) {
    const testing::Directory folder;
    const std::vector<std::uint32_t> values{1, 2, 3, 4, 5};
    const auto bytes = std::as_bytes(std::span(values));
    for (const Format format : {Format::npy, Format::raw, Format::text, Format::csv}) {
        std::vector<std::string> contents;
        for (const int way : {0, 1, 2}) {
            const std::string path = folder / (to_string(format) + std::to_string(way));
            auto sink = ResultSink::open(path, format, types::u32,
                                         way == 0 ? std::optional<std::uint64_t>(5) : std::nullopt);
            ASSERT_TRUE(sink);
            if (way == 1) {
                ASSERT_TRUE(sink->write(bytes, true));
            } else {
                ASSERT_TRUE(sink->write(bytes.first(8), false));
                ASSERT_TRUE(sink->write(bytes.subspan(8), way == 2));
            }
            EXPECT_FALSE(std::filesystem::exists(path));
            ASSERT_TRUE(sink->finish());
            contents.push_back(testing::contents(path));
        }
        EXPECT_EQ(contents[0], contents[1]);
        EXPECT_EQ(contents[0], contents[2]);
    }
    EXPECT_EQ(folder.files(), 12U);
}

TEST(Sink, NothingWritten) {
    const testing::Directory folder;
    auto sink = ResultSink::open(folder / "none.npy", Format::npy, types::u32, std::nullopt);
    ASSERT_TRUE(sink);
    ASSERT_TRUE(sink->finish());
    EXPECT_NE(testing::contents(folder / "none.npy").find("(0,)"), std::string::npos);
}

TEST(Sink, LeavesNothingBehind) {
    const testing::Directory folder;
    testing::save(folder / "old.npy", "old");
    {
        auto sink = ResultSink::open(folder / "old.npy", Format::npy, types::u32, 2);
        ASSERT_TRUE(sink);
    }
    EXPECT_EQ(testing::contents(folder / "old.npy"), "old");
    EXPECT_EQ(folder.files(), 1U);
    // A path that cannot be is seen before anything is written, with and without a count.
    EXPECT_FALSE(ResultSink::open(folder / "no/where.npy", Format::npy, types::u32, 2));
    EXPECT_FALSE(ResultSink::open(folder / "no/where.npy", Format::npy, types::u32, std::nullopt));
    EXPECT_EQ(folder.files(), 1U);
}

}  // namespace
}  // namespace upsweep::app
