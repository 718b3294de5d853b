// How a sum travels from tile to tile in a look-back: in 16-bit halves, since an atomic word holds a flag as well. Private to the library.
#pragma once

#include "upsweep/core/types.h"

#include <cstdint>
#include <string>
#include <vector>

namespace upsweep {

/// 32-bit words before the states of the tiles; wgsl/tile_states.wgsl says what they hold. So many that a state of 2, 4 or 8 words does not
/// cross 32 bytes.
constexpr std::uint32_t tile_states_header = 8;

/// Looks at one state, at most, where an invocation may not take many turns of loops.
constexpr std::uint32_t few_looks = 64;

/// Atomic words of one tile's state: two for each 32-bit word of a sum.
std::uint32_t tile_state_words(const ElementType& sum);

/// Larger states are refused: WGSL compilers take minutes over them (SwiftShader 20 s for 24 words, 4 minutes for 32).
constexpr std::uint32_t most_tile_state_words = 20;
bool fits_tile_state(const ElementType& sum);

/// Bytes of the states of `sums` tiles or workgroups, twice: each run uses one half and cleans the other.
std::uint64_t tile_states_bytes(const ElementType& sum, std::uint64_t sums);

/// `fn half_of(e: E, h: u32) -> u32`, `struct TileState` and `fn load_state(at: u32) -> TileState` for an E of this type, each one line.
std::vector<std::string> tile_state_functions(const ElementType& sum);

}  // namespace upsweep
