#include "app/commands/device_profile.h"

#include "app/commands/console.h"

#include <memory>
#include <system_error>

namespace upsweep::app {

Result<ProfileKey> profile_key_of(const Gpu& gpu) {
    return profile_key(gpu.caps(), Gpu::provider());
}

Result<std::filesystem::path> profile_path(const Gpu& gpu, const DeviceOptions& options) {
    if (!options.profile.empty()) return options.profile;
    auto key = profile_key_of(gpu);
    if (!key) return tl::unexpected(key.error());
    return default_profile_path(*key);
}

Outcome<void> use_profile(const Gpu& gpu, const DeviceOptions& options) {
    if (options.no_profile) return {};
    const bool is_named = !options.profile.empty();
    auto path = profile_path(gpu, options);
    std::error_code ignored;
    if (!is_named && (!path || !std::filesystem::exists(*path, ignored))) return {};
    auto key = profile_key_of(gpu);
    auto tuning =
        path && key ? load_profile(*path, *key) : tl::unexpected((path ? key.error() : path.error()));
    if (tuning)
        gpu.context().use_tuning(std::make_shared<const Tuning>(std::move(*tuning)));
    else if (is_named)
        return tl::unexpected(tuning.error());
    else
        note("upsweep: " + tuning.error().message);
    return {};
}

}  // namespace upsweep::app
