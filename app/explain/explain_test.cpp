// The recorded runs: known rows and counts, results against a serial loop, and the three printers.
#include "app/explain/trace.h"
#include "app/formats/balanced_tags.h"

#include <array>
#include <numeric>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace upsweep::app {
namespace {

using Values = std::vector<std::int64_t>;

constexpr std::array all_scans = {TracedScan::hillis_steele,    TracedScan::blelloch,
                                  TracedScan::blelloch_padded,  TracedScan::subgroup,
                                  TracedScan::reduce_then_scan, TracedScan::multi_level};

Trace run(TracedScan algorithm, std::size_t n, std::optional<TracedForm> form = std::nullopt) {
    auto trace = trace_scan({.algorithm = algorithm, .n = n, .values = {}, .form = form});
    EXPECT_TRUE(trace.has_value());
    return trace.value_or(Trace{});
}

std::vector<std::pair<std::string, Values>> rows_of(const Trace& trace) {
    std::vector<std::pair<std::string, Values>> rows;
    for (const Step& step : trace.steps) rows.emplace_back(step.name, step.values);
    return rows;
}

Values serial_scan(const Values& input, TracedForm form) {
    Values result(input.size());
    if (form == TracedForm::inclusive)
        std::inclusive_scan(input.begin(), input.end(), result.begin());
    else
        std::exclusive_scan(input.begin(), input.end(), result.begin(), std::int64_t{0});
    return result;
}

TEST(Explain, BlellochShowsTheKnownRows) {
    // Cell 7 after "down-sweep offset 2" is 5 + 11 = 16, and the copy to cell 6 in the last row shows it
    // again. The 15 that some lecture notes print there is a slip: no run leads from it to the last row,
    // which they have right.
    const std::vector<std::pair<std::string, Values>> rows = {
        {"input", {3, 1, 7, 0, 4, 1, 6, 3}},
        {"up-sweep offset 1", {3, 4, 7, 7, 4, 5, 6, 9}},
        {"up-sweep offset 2", {3, 4, 7, 11, 4, 5, 6, 14}},
        {"up-sweep offset 4", {3, 4, 7, 11, 4, 5, 6, 25}},
        {"set identity", {3, 4, 7, 11, 4, 5, 6, 0}},
        {"down-sweep offset 4", {3, 4, 7, 0, 4, 5, 6, 11}},
        {"down-sweep offset 2", {3, 0, 7, 4, 4, 11, 6, 16}},
        {"down-sweep offset 1", {0, 3, 4, 11, 11, 15, 16, 22}},
    };
    EXPECT_EQ(rows_of(run(TracedScan::blelloch, 8)), rows);
    EXPECT_EQ(rows_of(run(TracedScan::blelloch_padded, 8)), rows);
}

TEST(Explain, HillisSteeleShowsTheKnownRows) {
    const std::vector<std::pair<std::string, Values>> rows = {
        {"input", {3, 1, 7, 0, 4, 1, 6, 3}},
        {"d=1", {3, 4, 8, 7, 4, 5, 7, 9}},
        {"d=2", {3, 4, 11, 11, 12, 12, 11, 14}},
        {"d=4", {3, 4, 11, 11, 15, 16, 22, 25}},
    };
    EXPECT_EQ(rows_of(run(TracedScan::hillis_steele, 8)), rows);
}

TEST(Explain, CountsWorkAndDepth) {
    const auto counts = [](TracedScan algorithm, std::size_t n) {
        const Trace trace = run(algorithm, n);
        return std::pair(trace.operations, trace.depth);
    };
    EXPECT_EQ(counts(TracedScan::hillis_steele, 256), std::pair(1793UL, 8UL));
    EXPECT_EQ(counts(TracedScan::hillis_steele, 512), std::pair(4097UL, 9UL));
    EXPECT_EQ(counts(TracedScan::blelloch, 512), std::pair(1022UL, 18UL));
    EXPECT_EQ(run(TracedScan::hillis_steele, 256).serial_operations, 255U);

    std::uint64_t up = 0, down = 0;
    for (const Step& step : run(TracedScan::blelloch, 512).steps)
        (step.phase == Phase::up ? up : down) += step.operations;
    EXPECT_EQ(up, 511U);
    EXPECT_EQ(down, 511U);
}

TEST(Explain, EveryAlgorithmEndsWithTheScan) {
    for (TracedScan algorithm : all_scans)
        for (std::size_t n = 1; n <= 70; ++n)
            for (TracedForm form : {TracedForm::inclusive, TracedForm::exclusive}) {
                const Trace trace = run(algorithm, n, form);
                EXPECT_EQ(trace.result, serial_scan(trace.input, form))
                    << name_of(algorithm) << " " << name_of(form) << " n = " << n;
            }
}

TEST(Explain, BlockSizesDoNotChangeTheResult) {
    for (std::size_t size : {2, 8, 64})
        for (TracedScan algorithm :
             {TracedScan::subgroup, TracedScan::reduce_then_scan, TracedScan::multi_level}) {
            const Values values = {5, -3, 0, 12, 7, -900, 1, 1, 1, 40, 2, 6, -1};
            const auto trace = trace_scan({algorithm, {}, values, TracedForm::exclusive, size, size});
            ASSERT_TRUE(trace.has_value());
            EXPECT_EQ(trace->result, serial_scan(values, TracedForm::exclusive));
        }
}

TEST(Explain, CombinesAreArcsOfTwoOperandsInOrder) {
    for (TracedScan algorithm : all_scans) {
        const Trace trace = run(algorithm, 19);
        for (const Step& step : trace.steps) {
            std::uint64_t operands = 0;
            for (const Arc& arc : step.arcs) operands += arc.kind == ArcKind::combine;
            EXPECT_EQ(operands, 2 * step.operations);
            for (std::size_t a = 0; a < step.arcs.size(); ++a) {
                if (step.arcs[a].kind != ArcKind::combine) continue;
                const Arc left = step.arcs[a], right = step.arcs[++a];
                EXPECT_EQ(left.to, right.to);
                EXPECT_EQ(step.values[left.to], trace.steps[left.step].values[left.from] +
                                                    trace.steps[right.step].values[right.from]);
            }
        }
    }
}

TEST(Explain, PaddingTheBanksRemovesTheConflicts) {
    std::uint64_t plain = 0, padded = 0;
    const Trace trace = run(TracedScan::blelloch_padded, 512);
    for (const Step& step : trace.steps) {
        if (!step.banks) continue;
        plain += step.banks->conflicts_plain;
        padded += step.banks->conflicts_padded;
    }
    EXPECT_GT(plain, 0U);
    EXPECT_EQ(padded, 0U);
    // Offset 1: 256 invocations in 8 groups, three accesses each, every bank hit twice.
    EXPECT_EQ(trace.steps[1].banks->conflicts_plain, 24U);
    EXPECT_EQ(trace.steps[1].banks->touched[33].cell, 33U);
    EXPECT_EQ(trace.steps[1].banks->touched[33].bank, 2U);
    for (const Step& step : run(TracedScan::blelloch_padded, 32).steps) {
        EXPECT_EQ(step.banks.value_or(BankUse{}).conflicts_plain, 0U);
    }
}

TEST(Explain, RefusesWhatItCannotRun) {
    const auto message = [](const TraceRequest& request) {
        const auto trace = trace_scan(request);
        return trace ? std::string() : trace.error().message;
    };
    EXPECT_NE(message({.n = 0, .values = {}, .form = {}}).find("1 to 65536"), std::string::npos);
    EXPECT_NE(message({.n = 65'537, .values = {}, .form = {}}).find("65537"), std::string::npos);
    EXPECT_NE(message({.n = 3, .values = {1, 2}, .form = {}}).find("2 values"), std::string::npos);
    EXPECT_NE(message({.n = {}, .values = {1'000'000'001}, .form = {}}).find("1000000001"),
              std::string::npos);
    EXPECT_NE(message({TracedScan::subgroup, 8, {}, {}, 3, 4}).find("power of two"), std::string::npos);
    EXPECT_NE(message({TracedScan::multi_level, 8, {}, {}, 4, 1}).find("power of two"), std::string::npos);
    EXPECT_EQ(message({TracedScan::blelloch, 8, {}, {}, 3, 3}), "");
    EXPECT_FALSE(parse_traced_scan("bubble").has_value());
    for (TracedScan algorithm : all_scans) EXPECT_EQ(parse_traced_scan(name_of(algorithm)), algorithm);
}

TEST(Explain, TableShowsRowsCountsAndPadding) {
    const std::string table = trace_table(run(TracedScan::blelloch, 5));
    EXPECT_NE(table.find("up-sweep offset 2      3  4  7 11  4 |  4  0  4"), std::string::npos) << table;
    EXPECT_NE(table.find("14 operations in 6 steps"), std::string::npos) << table;
    EXPECT_EQ(table.find('\x1b'), std::string::npos);
    EXPECT_NE(trace_table(run(TracedScan::blelloch, 5), true).find('\x1b'), std::string::npos);
    EXPECT_LT(trace_table(run(TracedScan::hillis_steele, max_traced_n)).size(), 8'000U);
    EXPECT_NE(trace_table(run(TracedScan::hillis_steele, 1)).find("0 operations in 0 steps"),
              std::string::npos);
}

TEST(Explain, JsonHoldsTheTrace) {
    const auto text = trace_json(run(TracedScan::blelloch_padded, 8));
    ASSERT_TRUE(text.has_value());
    const auto json = nlohmann::json::parse(*text);
    EXPECT_EQ(json["algorithm"], "blelloch_padded");
    EXPECT_EQ(json["operations"], 14);
    EXPECT_EQ(json["depth"], 6);
    EXPECT_EQ(json["result"], (Values{0, 3, 4, 11, 11, 15, 16, 22}));
    EXPECT_EQ(json["steps"][3]["arcs"][0]["from"], 3);
    EXPECT_EQ(json["steps"][3]["arcs"][0]["kind"], "combine");
    EXPECT_EQ(json["steps"][3]["banks"]["touched"][1]["bank"], 7);
    EXPECT_FALSE(trace_json(run(TracedScan::blelloch, max_json_n + 1)).has_value());
}

TEST(Explain, SvgIsWellFormedAndShowsEveryValue) {
    for (TracedScan algorithm : all_scans)
        for (TracedForm form : {TracedForm::inclusive, TracedForm::exclusive})
            for (std::size_t n : {1, 2, 5, 8, 16, 64}) {
                const Trace trace = run(algorithm, n, form);
                const auto svg = trace_svg(trace);
                ASSERT_TRUE(svg.has_value());
                EXPECT_TRUE(has_balanced_tags(*svg)) << name_of(algorithm) << " n = " << n;
                EXPECT_EQ(svg->find("nan"), std::string::npos);
                for (const Step& step : trace.steps) {
                    EXPECT_NE(svg->find(">" + step.name + "<"), std::string::npos) << step.name;
                    for (std::int64_t value : step.values)
                        EXPECT_NE(svg->find(">" + std::to_string(value) + "<"), std::string::npos) << value;
                }
            }
    EXPECT_FALSE(trace_svg(run(TracedScan::blelloch, max_svg_n + 1)).has_value());
}

}  // namespace
}  // namespace upsweep::app
