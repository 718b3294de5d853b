// What `plan --json` and `wgsl` tell must be enough to run the plan elsewhere.
#include "app/commands/replay.h"

#include "app/commands/caps_json.h"
#include "upsweep/compact/compact.h"
#include "upsweep/reduce/reduce.h"
#include "upsweep/scan/scan.h"

#include <gtest/gtest.h>

namespace upsweep::app {
namespace {

Replay replay_of(const ScanDesc& desc, const DeviceCaps& caps, bool in_place = false) {
    auto plan = plan_scan(desc, caps);
    EXPECT_TRUE(plan) << plan.error().message;
    return make_replay(*plan, in_place).value();
}

// Each binding that the JSON names is declared in the kernel's text, with its place, access and type.
void expect_declared(const nlohmann::ordered_json& step) {
    const auto wgsl = step["wgsl"].get<std::string>();
    for (const auto& binding : step["bindings"]) {
        const std::string line = "@group(0) @binding(" + std::to_string(binding["binding"].get<int>()) +
                                 ") var<storage, " + binding["access"].get<std::string>() + "> " +
                                 binding["name"].get<std::string>() + ": " +
                                 binding["type"].get<std::string>() + ";";
        EXPECT_NE(wgsl.find(line), std::string::npos) << line;
    }
    EXPECT_NE(wgsl.find("fn " + step["entry_point"].get<std::string>() + "("), std::string::npos);
    if (step["params_binding"] == "immediates")
        EXPECT_NE(wgsl.find("var<immediate> params"), std::string::npos);
    else
        EXPECT_NE(wgsl.find("@binding(" + step["params_binding"].dump() + ") var<uniform> params"),
                  std::string::npos);
}

TEST(Replay, JsonIsComplete) {
    for (const Strategy strategy : {Strategy::reduce_then_scan, Strategy::multi_level, Strategy::serial}) {
        for (const bool in_place : {false, true}) {
            for (const bool immediates : {false, true}) {
                ScanDesc desc;
                desc.count = 100003;
                desc.strategy = strategy;
                desc.initial.resize(4, std::byte{0x2a});
                DeviceCaps caps;
                caps.immediates = immediates;
                caps.max_storage_binding_size = 65536;  // So that there are chunks, with totals in scratch.
                const auto json = replay_json(replay_of(desc, caps, in_place));
                EXPECT_EQ(json["initial"], "2a2a2a2a");
                EXPECT_EQ(json["needs_immediates"], immediates);
                EXPECT_GT(json["steps"].size(), 2U);
                for (const auto& step : json["steps"]) {
                    expect_declared(step);
                    for (const auto& binding : step["bindings"]) {
                        const auto slot = binding["slot"].get<std::string>();
                        ASSERT_TRUE(json["buffers"].contains(in_place && slot == "input" ? "output" : slot));
                        EXPECT_LE(
                            binding["offset"].get<std::uint64_t>() + binding["size"].get<std::uint64_t>(),
                            json["buffers"][in_place && slot == "input" ? "output" : slot]);
                        EXPECT_EQ(binding["offset"].get<std::uint64_t>() % 256, 0U);
                        EXPECT_LE(binding["size"].get<std::uint64_t>(), caps.max_storage_binding_size);
                    }
                }
            }
        }
    }
}

// The slots of the other primitives have their buffers too.
TEST(Replay, ReductionsAndSelections) {
    CompactDesc compact;
    compact.keep = "fn keep(x: T, i: u32) -> bool { return x > 2u; }";
    compact.indices = true;
    compact.count = 100003;
    ReduceDesc reduce;
    reduce.count = 100003;
    for (const auto& plan :
         {plan_compact(compact, DeviceCaps::minimum()), plan_reduce(reduce, DeviceCaps::minimum())}) {
        ASSERT_TRUE(plan) << plan.error().message;
        const auto json = replay_json(make_replay(*plan, false).value());
        EXPECT_GT(json["steps"].size(), 1U);
        for (const auto& step : json["steps"]) {
            expect_declared(step);
            for (const auto& binding : step["bindings"]) {
                const auto slot = binding["slot"].get<std::string>();
                ASSERT_TRUE(json["buffers"].contains(slot)) << slot;
                EXPECT_LE(binding["offset"].get<std::uint64_t>() + binding["size"].get<std::uint64_t>(),
                          json["buffers"][slot]);
            }
        }
    }
}

// One buffer may not be readable here and writable there in one dispatch.
TEST(Replay, PartsOfOneBufferHaveOneAccess) {
    ScanDesc desc;
    desc.count = 100003;
    desc.strategy = Strategy::serial;
    DeviceCaps caps;
    caps.max_storage_binding_size = 65536;
    for (const bool in_place : {false, true}) {
        for (const ReplayStep& step : replay_of(desc, caps, in_place).steps) {
            for (std::size_t a = 0; a < step.bound.size(); ++a) {
                for (std::size_t b = 0; b < a; ++b) {
                    if (step.bound[a].slot != step.bound[b].slot) continue;
                    EXPECT_EQ(step.step.spec.bindings[a].access, step.step.spec.bindings[b].access);
                }
            }
        }
    }
}

TEST(Replay, KernelsOnce) {
    ScanDesc desc;
    desc.count = 1 << 20;
    const Replay replay = replay_of(desc, DeviceCaps::minimum());
    const auto kernels = distinct_kernels(replay);
    ASSERT_EQ(kernels.size(), 3U);
    EXPECT_EQ(kernels[0].name, "1-reduce_tiles");
    desc.count = 0;
    EXPECT_TRUE(distinct_kernels(replay_of(desc, DeviceCaps::minimum())).empty());
}

TEST(Caps, ThereAndBack) {
    DeviceCaps caps;
    caps.adapter = "A \"GPU\"";
    caps.kind = AdapterKind::discrete;
    caps.dialect = Dialect::naga;
    caps.max_buffer_size = 17179869180;
    caps.subgroups = caps.immediates = true;
    caps.subgroup_min_size = caps.subgroup_max_size = 32;
    const auto json = caps_json(caps);
    EXPECT_EQ(caps_from_json(json.dump()).value(), caps);
    nlohmann::ordered_json document;
    document["providers"][0]["error"] = "not here";
    document["providers"][1]["adapters"][0]["error"] = "not there";
    document["providers"][1]["adapters"][1]["caps"] = json;
    EXPECT_EQ(caps_from_json(document.dump()).value(), caps);
    document["providers"][1]["adapters"][2]["caps"] = json;
    EXPECT_FALSE(caps_from_json(document.dump()));
    EXPECT_EQ(caps_from_json("{}").value(), DeviceCaps::minimum());
}

TEST(Caps, Refused) {
    for (const char* text : {"", "[]", "{\"providers\":[]}", "{\"max_buffer_size\":-1}",
                             "{\"max_buffer_size\":\"big\"}", "{\"max_workgroup_storage\":4294967296}",
                             "{\"kind\":\"fast\"}", "{\"subgroups\":1}", "{\"speed\":9}", "{\"adapter\":3}"})
        EXPECT_FALSE(caps_from_json(text)) << text;
    EXPECT_EQ(caps_from_json("{\"speed\":9}").error().message, "There is no capability 'speed'.");
}

}  // namespace
}  // namespace upsweep::app
