// Counts and sizes as people write them.
#pragma once

#include "upsweep/core/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace upsweep::app {

/// 1000000, 1_000_000, 1e6, 2.5e6, 2^20, 0x100000: a whole number of at most 64 bits.
Result<std::uint64_t> parse_count(std::string_view text);

/// A count, also with K, M or G behind it (or KiB, MiB, GiB): 1024, 1024^2 or 1024^3 bytes.
Result<std::uint64_t> parse_bytes(std::string_view text);

/// "96 B", "1.5 KiB", "256.0 MiB".
std::string bytes_text(std::uint64_t bytes);

/// "812 ns", "15.3 us", "1.20 ms", "3.40 s".
std::string seconds_text(double seconds);

}  // namespace upsweep::app
