// The expander: three directives, each a whole line, and everything unknown is an error.
//
//   #import NAME                       the file NAME.wgsl, once
//   #if FLAG  /  #if !FLAG  /  #else  /  #endif
//   #unroll                            above `for (var k = 0u; k < BOUND; k++) {`: the body once for each k,
//   and per-thread arrays as variables
//
// An array declared as `var<private> x: array<R, BOUND>;` that is used only as x[k] in unrolled loops becomes
// the variables x_0, x_1, ...: near the register limit that is faster. Without unrolling the text is ordinary
// WGSL and computes the same.
#pragma once

#include "upsweep/core/kernel_spec.h"
#include "upsweep/core/result.h"
#include "upsweep/core/wgsl_sources.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep {

/// Copies that an unrolled loop makes of its body at most.
inline constexpr std::uint32_t max_unroll = 64;

struct Line {
    std::string text;
    SourceLine from;
};

struct TemplateValues {
    std::map<std::string, bool> flags;               ///< What `#if` may ask.
    std::map<std::string, std::uint32_t> constants;  ///< What may bound an unrolled loop.
    bool unroll = true;
};

/// Resolves `#import` and `#if` in the file `name`, then `#unroll`. Errors name the file and the line.
Result<std::vector<Line>> expand_template(std::string_view name, std::span<const WgslSource> sources,
                                          const TemplateValues& values);

}  // namespace upsweep
