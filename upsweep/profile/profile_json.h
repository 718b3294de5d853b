// The form of a profile's file. Private to upsweep/profile/.
#pragma once

#include "upsweep/profile/profile.h"

#include <string>
#include <string_view>

namespace upsweep {

std::string profile_text(const ProfileKey& key, const Tuning& tuning);

/// What a file says; the error is a part of a sentence: "it is not JSON".
struct ProfileContent {
    ProfileKey key;
    Tuning tuning;
};
tl::expected<ProfileContent, std::string> parse_profile(std::string_view text);

}  // namespace upsweep
