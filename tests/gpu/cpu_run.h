// Runs a plan on the CPU with a twin of each kernel: the same slots, regions, grids and parameters, so that a
// wrong size or offset shows without a GPU.
#pragma once

#include "upsweep/core/plan.h"

#include <span>

namespace upsweep::testing {

struct CpuBuffers {
    std::span<std::byte> input, output, count, scratch;
};

/// Runs every dispatch for `count` elements (the GPU's count is read from its buffer). Input and output that
/// are the same span are in place. An access outside a region is an error.
Result<void> run_on_cpu(const Plan& plan, const CpuBuffers& buffers, std::uint64_t count);

/// A kernel's twin: runs all workgroups of one dispatch. A folder's *_twin.cpp registers its own.
struct CpuStep;
using CpuTwin = void (*)(CpuStep&);
bool register_twin(const char* kernel, CpuTwin twin);

/// One dispatch as a twin sees it. Elements are in the form of the user's type; a partial result has a flag
/// "there is a value" beside it.
struct CpuStep {
    const Step& step;
    const Plan& plan;
    std::vector<std::span<std::byte>> bound;  ///< By binding number.
    Params params;
    std::uint32_t gpu_count = 0;
    CpuCombine combine;
    std::vector<std::byte> identity;  ///< Empty: there is none.
    std::uint32_t partial_stride = 0;
    std::uint32_t state_words = 0;  ///< Of a tile in a look-back.
    std::string fault;              ///< The first access outside a region.

    struct Value {
        bool present = false;
        std::vector<std::byte> bytes;
    };
    /// The tiles of a workgroup: [first, last).
    struct Share {
        std::uint32_t first, last;
    };
    [[nodiscard]] Share share_of(std::uint32_t group) const;
    [[nodiscard]] Value neutral() const;
    [[nodiscard]] Value join(const Value& a, const Value& b) const;
    [[nodiscard]] std::uint32_t element_count() const;
    [[nodiscard]] int binding(const char* name) const;
    /// Element `at` of a binding: of the user's type, or a partial result.
    Value load(const char* name, std::uint64_t at, bool partial);
    void store(const char* name, std::uint64_t at, const Value& value, bool partial);
    [[nodiscard]] bool flag(const char* name) const;
};

}  // namespace upsweep::testing
