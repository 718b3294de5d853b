// Profile: a Tuning in a file, for the one device and library that it was measured with. It is a library of its own,
// upsweep::profile, since it needs nlohmann-json; planning and recording do not.
#pragma once

#include "upsweep/core/caps.h"
#include "upsweep/core/result.h"
#include "upsweep/core/tuning.h"

#include <filesystem>
#include <string>

namespace upsweep {

/// What a profile was measured with. Another driver or another version of the library may be best at something
/// else, so that a profile goes with exactly one key.
struct ProfileKey {
    std::string adapter;   ///< DeviceCaps::adapter.
    std::string driver;    ///< DeviceCaps::driver.
    std::string provider;  ///< The WebGPU library: Gpu::provider().
    std::string library;   ///< The version of Upsweep.
    bool subgroups =
        true;  ///< Whether the device was made with them: without them, other strategies are best.
    bool operator==(const ProfileKey&) const = default;
};

/// The key of a device with this version of the library. `provider` is "wgpu-native" or "dawn".
/// Errors: invalid_argument if the caps do not tell the adapter, as with wgpu-native and no ContextDesc::adapter.
Result<ProfileKey> profile_key(const DeviceCaps& caps, const std::string& provider);

/// Where the profile of a key is kept: ${XDG_CACHE_HOME:-$HOME/.cache}/upsweep/NAME.json, with a name that is made
/// of the key. As XDG has it, a XDG_CACHE_HOME that is not an absolute path is taken as if it were not set.
/// Nothing is made or looked for. Errors: unsupported if the environment names no folder.
Result<std::filesystem::path> default_profile_path(const ProfileKey& key);

/// Reads a profile. Errors: invalid_argument, with what is wrong, if there is no such file, if it is no profile, has
/// a form of another version, values that cannot be, or was measured with another key.
///
///     auto key = upsweep::profile_key(context.caps(), upsweep::Gpu::provider());
///     auto path = key ? upsweep::default_profile_path(*key) : tl::unexpected(key.error());
///     if (auto tuning = path ? upsweep::load_profile(*path, *key) : tl::unexpected(path.error()))
///         context.use_tuning(std::make_shared<const upsweep::Tuning>(*tuning));
Result<Tuning> load_profile(const std::filesystem::path& path, const ProfileKey& key);

/// Writes a profile, and makes the folders that are missing. The file is whole or stays as it was.
/// Errors: invalid_argument, with the reason, if it cannot be written.
Result<void> save_profile(const std::filesystem::path& path, const ProfileKey& key, const Tuning& tuning);

}  // namespace upsweep
