// Launchers: one test body, many ways to run its plan. Every way must give the serial result.
#pragma once

#include "upsweep/record/gpu.h"
#include "upsweep/scan/scan.h"

#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace upsweep::testing {

/// How the slices of a run lie. Everything around them is poisoned and must stay as it was.
struct RunOptions {
    bool in_place = false;
    bool one_buffer = false;  ///< Input, output, count and scratch are slices of one buffer.
    bool tight = false;       ///< Buffers end right behind the last element: no room for a whole vector.
    std::optional<std::uint32_t> gpu_count =
        {};  ///< The value in the GPU's count buffer, with desc.count_on_gpu.
    std::optional<std::uint64_t> other_count = {};  ///< Recorded instead of the plan's count.
    DeviceCaps* caps = nullptr;                     ///< Plan with these in the device's place.
};

struct Launcher {
    std::string name;
    std::function<void(ScanDesc&)> adapt;  ///< Makes the request this launcher's own.
    bool on_cpu = false;
    bool immediates = true;
};

/// The device of the test program, and the same adapter with a device without immediates.
Gpu& gpu();
Gpu& gpu_without_immediates();
/// A new device on the same adapter.
Gpu fresh_gpu();

/// The GPU as it is; without subgroups; with loops; and the CPU's run of the plan.
std::vector<Launcher> launchers();
Launcher default_launcher();

/// Random elements of a type. Floats are small integers, so that sums are exact; vectors' and structs'
/// padding is zero.
std::vector<std::byte> random_elements(const ElementType& type, std::uint64_t count, std::uint32_t seed = 1);

/// Runs the scan and compares with the serial CPU scan; what lies around the output must be untouched.
void expect_scan_of(const std::vector<std::byte>& input, const Launcher& launcher, ScanDesc desc,
                    const RunOptions& options = {});
/// The same with random elements.
void expect_scan(const Launcher& launcher, const ScanDesc& desc, const RunOptions& options = {});

/// The elements as bytes, or the bytes as elements.
template <class T>
std::vector<std::byte> to_bytes(const std::vector<T>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    return {bytes.begin(), bytes.end()};
}
template <class T>
std::vector<T> from_bytes(const std::vector<std::byte>& bytes) {
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
    return values;
}

}  // namespace upsweep::testing
