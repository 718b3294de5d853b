// The kernel files, embedded when the library is built.
#pragma once

#include <span>
#include <string_view>

namespace upsweep {

struct WgslSource {
    std::string_view name;  ///< As in `#import name`: the file's name without its ending.
    std::string_view path;  ///< As in messages: "upsweep/scan/scan_tiles.wgsl".
    std::string_view text;
};

/// All of them, sorted by path. Names are unique.
std::span<const WgslSource> embedded_wgsl();

}  // namespace upsweep
