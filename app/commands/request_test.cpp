#include "app/commands/request.h"

#include "app/formats/test_support.h"

#include <gtest/gtest.h>

namespace upsweep::app {
namespace {

Outcome<ScanDesc> request(const RequestOptions& options) {
    auto type = requested_type(options);
    if (!type) return tl::unexpected(type.error());
    auto method = requested_scan_method(options);
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

TEST(Request, Reductions) {
    const auto request_for = [](const RequestOptions& options, const ElementType& type) {
        auto method = requested_reduce_method(options);
        return method ? requested_reduce(std::move(*method), options, type) : method;
    };
    const auto least = request_for({.op = "arg_min", .strategy = "two_pass"}, types::f32);
    ASSERT_TRUE(least);
    EXPECT_EQ(least->form, ReduceForm::arg_min);
    EXPECT_EQ(least->strategy, ReduceStrategy::two_pass);
    EXPECT_EQ(operator_name(*least), "arg_min");
    EXPECT_EQ(operator_name(*request_for({.op = "argmax"}, types::u32)), "arg_max");
    EXPECT_EQ(request_for({.initial = "7"}, types::u32)->initial.size(), 4U);
    // No identity is needed: what begins is the first element.
    for (const RequestOptions& options :
         {RequestOptions{.op = "arg_min", .initial = "1"}, RequestOptions{.strategy = "serial"},
          RequestOptions{.op = "arg_min", .identity = "0u"}, RequestOptions{.block_scan = "x"},
          RequestOptions{.op = "arg_max", .op_file = "a.wgsl"}})
        EXPECT_EQ(request_for(options, types::u32).error().exit, Exit::usage);
    EXPECT_EQ(request_for({.op = "arg_max"}, *ElementType::parse("vec2f")).error().exit, Exit::failed);
}

TEST(Request, Conditions) {
    const auto desc =
        requested_compact({.where = "x > 2u", .indices = true, .strategy = "lookback", .rows = 2});
    ASSERT_TRUE(desc);
    EXPECT_EQ(desc->keep, "fn keep(x: T, i: u32) -> bool { return x > 2u; }");
    EXPECT_TRUE(desc->indices);
    EXPECT_FALSE(desc->elements);
    EXPECT_EQ(desc->strategy, CompactStrategy::lookback);
    EXPECT_EQ(requested_compact({.where = "true", .strategy = "serial"}).error().exit, Exit::usage);
    const PartitionDesc partition = partition_by(*desc);
    EXPECT_EQ(partition.condition, desc->keep);
    EXPECT_EQ(partition.strategy, desc->strategy);
    EXPECT_EQ(partition.geometry, desc->geometry);
    for (const char* wrong : {"", "x > (2u", "true; } fn evil() {", "x > 2u // all of them"})
        EXPECT_EQ(requested_compact({.where = wrong}).error().exit, Exit::usage) << wrong;
    EXPECT_EQ(error_of_condition({ErrorCode::compile_failed, "predicate, line 1: no y"}).message,
              "--where, line 1: no y");
    EXPECT_EQ(error_of_condition({ErrorCode::device_lost, "gone"}).message, "gone");
}

TEST(Request, OptionsOfOtherPrimitivesAreRefused) {
    EXPECT_TRUE(refuse_other_options({.op = "max", .initial = "1"}, Primitive::reduce));
    EXPECT_TRUE(refuse_other_options({.where = "x > 1u"}, Primitive::partition));
    const auto refused = refuse_other_options({.where = "x > 1u"}, Primitive::scan);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "--where belongs to compact or partition, not to scan.");
    EXPECT_FALSE(refuse_other_options({.inclusive = true}, Primitive::reduce));
    EXPECT_FALSE(refuse_other_options({.where = "true", .indices = true}, Primitive::partition));
    EXPECT_EQ(requested_primitive("partition").value(), Primitive::partition);
    EXPECT_EQ(requested_primitive("sort").error().exit, Exit::usage);
}

}  // namespace
}  // namespace upsweep::app
