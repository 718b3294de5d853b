#include "app/commands/select_file.h"

#include <gtest/gtest.h>

namespace upsweep::app {
namespace {

using Numbers = std::vector<std::uint32_t>;

Numbers numbers_of(const Selection& selection) {
    Numbers numbers(selection.results.size() / 4);
    std::copy(selection.results.begin(), selection.results.end(),
              std::as_writable_bytes(std::span(numbers)).begin());
    return numbers;
}

TEST(SelectSerial, ElementsIndicesAndOthers) {
    const Numbers x{3, 1, 7, 0, 4, 1, 6, 3}, flags{1, 0, 1, 0, 256, 0, 1, 0xFFFFFFFF};
    CompactDesc desc;
    const auto elements = std::as_bytes(std::span(x));
    Selection selection = select_serial(elements, flags, desc, false);
    EXPECT_EQ(numbers_of(selection), (Numbers{3, 7, 4, 6, 3}));
    EXPECT_EQ(selection.kept, 5U);
    selection = select_serial(elements, flags, desc, true);
    EXPECT_EQ(numbers_of(selection), (Numbers{3, 7, 4, 6, 3, 1, 0, 1}));
    EXPECT_EQ(selection.kept, 5U);
    desc.indices = true;
    desc.first_index = 100;
    EXPECT_EQ(numbers_of(select_serial(elements, flags, desc, false)), (Numbers{100, 102, 104, 106, 107}));
    EXPECT_TRUE(select_serial({}, {}, desc, true).results.empty());
}

TEST(SelectSerial, WideElements) {
    const Numbers x{1, 2, 3, 4, 5, 6}, flags{0, 1, 1};
    CompactDesc desc;
    desc.type = *ElementType::parse("vec2u");
    EXPECT_EQ(numbers_of(select_serial(std::as_bytes(std::span(x)), flags, desc, true)),
              (Numbers{3, 4, 5, 6, 1, 2}));
}

}  // namespace
}  // namespace upsweep::app
