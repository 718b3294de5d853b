// What there is to measure: the forms of every primitive for the types asked for.
#pragma once

#include "app/commands/outcome.h"
#include "app/measure/measure.h"
#include "upsweep/core/geometry.h"
#include "upsweep/core/kernel_spec.h"
#include "upsweep/core/plan.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::app {

/// How to compute it, and for how many elements.
struct BenchMethod {
    std::string strategy = "automatic";
    BlockScan block_scan = BlockScan::automatic;
    Geometry geometry = {};
};

struct BenchCase {
    std::string name;              ///< "scan/u32_plus_exclusive".
    std::uint64_t stride = 4;      ///< Bytes of an element of the input.
    double bytes_per_element = 0;  ///< That must move, whatever the method.
    Measure::Data data = Measure::Data::words;
    /// Those measured unless others are asked for: they take any count.
    std::vector<std::string> strategies = {"automatic"};
    bool (*has_strategy)(std::string_view name) = nullptr;
    std::function<Result<Plan>(const BenchMethod&, std::uint64_t count, const DeviceCaps&)> plan;
};

inline constexpr const char* bench_primitives[] = {"scan", "reduce", "compact", "partition", "allocate"};
/// Those measured unless others are asked for. "mat2x2" is a struct of four u32 with the matrix product.
inline constexpr const char* bench_types[] = {"u32", "f32", "u64", "mat2x2"};

/// All forms for u32, the first one of each primitive for other types, none where a primitive does not go with a
/// type. Wrong usage: a name that is not known.
Outcome<std::vector<BenchCase>> bench_cases(const std::vector<std::string>& primitives,
                                            const std::vector<std::string>& types);

}  // namespace upsweep::app
