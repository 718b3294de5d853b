#include "app/commands/reduce_file.h"

#include <limits>

#include <gtest/gtest.h>

namespace upsweep::app {
namespace {

template <class T>
std::uint64_t found(const ElementType& type, const Operator& op, const std::vector<T>& values) {
    ArgSearch search(op.cpu(type).value(), sizeof(T));
    for (std::size_t i = 0; i < values.size(); ++i)
        search.show(std::as_bytes(std::span(values).subspan(i, 1)), i);
    return search.index();
}

TEST(ArgSearch, OfEqualsTheFirst) {
    const std::vector<std::uint32_t> x{3, 1, 7, 0, 4, 0, 7};
    EXPECT_EQ(found(types::u32, Operator::min(), x), 3U);
    EXPECT_EQ(found(types::u32, Operator::max(), x), 2U);
    EXPECT_TRUE(ArgSearch(Operator::min().cpu(types::u32).value(), 4).value().empty());
}

// Floats in the total order, as on the device: -0 is before +0, and NaN is at the ends.
TEST(ArgSearch, Floats) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(found<float>(types::f32, Operator::min(), {0.0F, -0.0F, 1}), 1U);
    EXPECT_EQ(found<float>(types::f32, Operator::max(), {1e30F, nan, 2e30F, nan}), 1U);
    EXPECT_EQ(found<float>(types::f32, Operator::min(), {nan, -nan, -1e30F}), 1U);
    EXPECT_EQ(found<float>(types::f32, Operator::min(), {nan}), 0U);
}

}  // namespace
}  // namespace upsweep::app
