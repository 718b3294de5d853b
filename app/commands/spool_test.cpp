#include "app/commands/spool.h"

#include <gtest/gtest.h>

namespace upsweep::app {
namespace {

TEST(Spool, GivesBackWhatItWasGiven) {
    Spool spool;
    EXPECT_TRUE(spool.empty());
    std::vector<std::byte> all;
    const auto gather = [&](ConstBytes piece) -> Outcome<void> {
        EXPECT_EQ(piece.size() % 12, 0U);
        all.insert(all.end(), piece.begin(), piece.end());
        return {};
    };
    ASSERT_TRUE(spool.replay(12, gather));
    EXPECT_TRUE(all.empty());
    // More than a piece, in steps of other sizes.
    std::vector<std::byte> data(12 * 200000);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::byte>(i * 7919 >> 8U);
    ASSERT_TRUE(spool.write({}));
    EXPECT_TRUE(spool.empty());
    ASSERT_TRUE(spool.write(ConstBytes(data).first(12)));
    ASSERT_TRUE(spool.write(ConstBytes(data).subspan(12)));
    EXPECT_FALSE(spool.empty());
    ASSERT_TRUE(spool.replay(12, gather));
    EXPECT_EQ(all, data);
}

TEST(Spool, WhoTakesCanStop) {
    Spool spool;
    ASSERT_TRUE(spool.write(std::vector<std::byte>(8)));
    const auto stopped = spool.replay(4, [](ConstBytes) -> Outcome<void> { return failed("full"); });
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().message, "full");
}

}  // namespace
}  // namespace upsweep::app
