// What a device can do, as plain numbers: all that planning needs to know of it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace upsweep {

struct Tuning;

/// How a WebGPU implementation spells WGSL extensions.
enum class Dialect : std::uint8_t {
    standard,  ///< Dawn and browsers: `enable subgroups;`.
    naga,      ///< wgpu-native: subgroups without a directive.
};

enum class AdapterKind : std::uint8_t { unknown, discrete, integrated, cpu };

/// The limits and features of a device that matter here. The defaults are what every WebGPU device has.
struct DeviceCaps {
    std::uint64_t max_buffer_size = 268435456;
    std::uint64_t max_storage_binding_size = 134217728;
    std::uint32_t min_storage_offset_alignment = 256;
    std::uint32_t max_storage_buffers_per_stage = 8;
    std::uint32_t max_workgroup_storage = 16384;
    std::uint32_t max_invocations_per_workgroup = 256;
    std::uint32_t max_workgroup_size_x = 256;
    std::uint32_t max_workgroups_per_dimension = 65535;
    bool immediates = false;  ///< 16 bytes of `var<immediate>` can travel with a dispatch.
    bool shader_f16 = false;
    bool timestamp_query = false;
    bool subgroups = false;
    std::uint32_t subgroup_min_size = 0;  ///< 0: not known.
    std::uint32_t subgroup_max_size = 0;
    Dialect dialect = Dialect::standard;
    AdapterKind kind = AdapterKind::unknown;
    std::string adapter;  ///< For people, and for the key of a profile.
    std::string driver;   ///< The same: what the WebGPU library says of the driver and its version.
    /// What measured best on this device, if somebody has measured it; null: the library's own tables decide.
    std::shared_ptr<const Tuning> tuning;

    /// Equal caps share one tuning, or have none.
    bool operator==(const DeviceCaps&) const = default;

    /// The least that WebGPU promises. `DeviceCaps{}` by its name.
    static DeviceCaps minimum() { return {}; }
};

}  // namespace upsweep
