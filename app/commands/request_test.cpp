#include "app/commands/request.h"

#include "app/formats/test_support.h"

#include <gtest/gtest.h>

namespace upsweep::app {
namespace {

Outcome<ScanDesc> request(const RequestOptions& options) {
    auto type = requested_type(options);
    if (!type) return tl::unexpected(type.error());
    auto method = requested_method(options);
    if (!method) return tl::unexpected(method.error());
    return requested_scan(std::move(*method), options, type->value_or(types::u32));
}

TEST(Request, Defaults) {
    const auto desc = request({});
    ASSERT_TRUE(desc);
    EXPECT_EQ(desc->type.name, "u32");
    EXPECT_EQ(desc->op.name(), "plus");
    EXPECT_EQ(desc->kind, ScanKind::exclusive);
    EXPECT_TRUE(desc->initial.empty());
}

TEST(Request, WrongNamesAreWrongUsage) {
    for (const RequestOptions& options :
         {RequestOptions{.op = "sum"}, RequestOptions{.strategy = "fast"}, RequestOptions{.block_scan = "x"},
          RequestOptions{.type = "f64"}, RequestOptions{.inclusive = true, .exclusive = true},
          RequestOptions{.initial = "x"}, RequestOptions{.struct_file = "a.wgsl"},
          RequestOptions{.identity = "0u"}, RequestOptions{.commutative = true},
          RequestOptions{.op = "plus", .op_file = "a.wgsl"}}) {
        const auto desc = request(options);
        ASSERT_FALSE(desc);
        EXPECT_EQ(desc.error().exit, Exit::usage) << desc.error().message;
    }
    const auto desc = request({.type = "f32", .op = "bit_and"});
    ASSERT_FALSE(desc);
    EXPECT_EQ(desc.error().exit, Exit::failed);
}

TEST(Request, CustomOperatorsAndStructs) {
    const testing::Directory folder;
    testing::save(folder / "my op\n.wgsl", "fn combine(a: T, b: T) -> T { return a; }");
    testing::save(folder / "mat.wgsl", "struct Mat { a: u32, b: u32 }");
    RequestOptions options;
    options.op_file = folder / "my op\n.wgsl";
    auto desc = request(options);
    ASSERT_FALSE(desc);
    EXPECT_EQ(desc.error().exit, Exit::usage);
    EXPECT_NE(desc.error().message.find("'my_op_.wgsl' has no identity"), std::string::npos);
    options.inclusive = true;
    EXPECT_TRUE(request(options));
    options.inclusive = false;
    options.initial = "5";
    EXPECT_TRUE(request(options));
    options.struct_file = folder / "mat.wgsl";
    options.type = "Mat";
    options.initial = "5,6";
    desc = request(options);
    ASSERT_TRUE(desc);
    EXPECT_EQ(desc->type.stride, 8U);
    EXPECT_EQ(desc->initial.size(), 8U);
    options.type = "Nat";
    EXPECT_FALSE(request(options));
    options.struct_file = folder / "none.wgsl";
    EXPECT_NE(request(options).error().message.find("No such file"), std::string::npos);
    testing::save(folder / "long.wgsl", std::string((1 << 20) + 1, ' '));
    options.struct_file = folder / "long.wgsl";
    EXPECT_NE(request(options).error().message.find("larger than a megabyte"), std::string::npos);
}

}  // namespace
}  // namespace upsweep::app
