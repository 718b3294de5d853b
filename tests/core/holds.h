// RapidCheck inside GoogleTest: EXPECT_TRUE(holds([](std::uint32_t a) { RC_ASSERT(a + 0 == a); }));
#pragma once

#include <sstream>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace upsweep::test {

/// Tries the property with `tries` random inputs. The failure shows the smallest input found and how to
/// repeat it; a property that discards all its inputs fails too, since it has checked nothing.
template <class Property>
::testing::AssertionResult holds(Property&& property, int tries = 100) {
    rc::detail::TestParams params = rc::detail::configuration().testParams;
    params.maxSuccess = tries;
    rc::detail::TestMetadata metadata;
    const ::testing::TestInfo* test = ::testing::UnitTest::GetInstance()->current_test_info();
    metadata.id = std::string(test->test_suite_name()) + "." + test->name();
    const auto result =
        rc::detail::checkTestable(std::forward<Property>(property), std::as_const(metadata), params);
    if (result.template is<rc::detail::SuccessResult>()) return ::testing::AssertionSuccess();
    std::ostringstream text;
    rc::detail::printResultMessage(result, text);
    return ::testing::AssertionFailure() << text.str();
}

}  // namespace upsweep::test
