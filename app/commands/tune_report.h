// What `upsweep tune` tells of its measurements.
#pragma once

#include "app/tune/tuner.h"
#include "upsweep/profile/profile.h"

#include <string>

#include <nlohmann/json.hpp>

namespace upsweep::app {

struct TunedDevice {
    ProfileKey key;
    std::string file;  ///< Where the profile is kept; empty: it is not.
};

/// For each case and count what was chosen, what the library does by itself, and how their times compare.
std::string report_text(const TuneReport& report, const TunedDevice& device);
nlohmann::ordered_json report_json(const TuneReport& report, const TunedDevice& device);

}  // namespace upsweep::app
