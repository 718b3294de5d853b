// Buffers of the default device in tests: bytes up, bytes down.
#pragma once

#include "tests/gpu/launcher.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace upsweep::testing {

/// A buffer with these bytes and room behind them.
inline BufferHandle uploaded(const std::vector<std::byte>& bytes, std::uint64_t room = 64) {
    auto buffer = gpu().buffer(bytes.size() + room);
    EXPECT_TRUE(buffer);
    EXPECT_TRUE(gpu().write(buffer->get(), 0, bytes));
    return std::move(*buffer);
}

inline std::vector<std::byte> downloaded(WGPUBuffer buffer, std::uint64_t bytes) {
    std::vector<std::byte> out(bytes);
    EXPECT_TRUE(gpu().read(buffer, 0, out));
    return out;
}

}  // namespace upsweep::testing
