// What `upsweep tune` measures: a request of a primitive for elements of a class, with what it must come to.
#pragma once

#include "app/commands/stream.h"
#include "app/tune/method.h"

#include <functional>
#include <string>
#include <vector>

namespace upsweep::app {

/// The results of a request; what lies behind them in the output does not count.
struct TuneResults {
    std::vector<std::byte> output;
    std::vector<std::byte> total;  ///< Empty where there is no such slot.
};

struct TuneCase {
    std::string name;  ///< "scan of u32, plus".
    Primitive primitive = Primitive::scan;
    ElementClass elements;
    std::uint32_t stride = 4;
    std::function<Result<Plan>(const Method&, std::uint64_t count, const DeviceCaps&)> plan;
    /// On the CPU, for elements of any bits.
    std::function<Result<TuneResults>(ConstBytes input, std::uint64_t count)> expected;
};

/// The cases of the primitives, each in two classes of elements where shapes differ by them.
std::vector<TuneCase> tune_cases(const std::vector<Primitive>& primitives);

}  // namespace upsweep::app
