// The profile of a device: what `upsweep tune` has measured on it.
#pragma once

#include "app/commands/options.h"
#include "app/commands/outcome.h"
#include "upsweep/profile/profile.h"
#include "upsweep/record/gpu.h"

#include <filesystem>
#include <string>

namespace upsweep::app {

Result<ProfileKey> profile_key_of(const Gpu& gpu);

/// The file of --profile, else the place where the device's profile is kept, whether there is one or not.
Result<std::filesystem::path> profile_path(const Gpu& gpu, const DeviceOptions& options);

/// Has the device plan with its profile, if there is one and the options do not forbid it. A file of --profile that
/// cannot be used is a failure; of one that is merely kept, standard error tells, and it is left alone.
Outcome<void> use_profile(const Gpu& gpu, const DeviceOptions& options);

}  // namespace upsweep::app
