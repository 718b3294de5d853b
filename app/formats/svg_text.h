// Text in an SVG picture.
#pragma once

#include <string>
#include <string_view>

namespace upsweep::app {

/// The text with what XML has its own meaning for written as entities.
std::string escaped(std::string_view text);

/// Enough for ordinary words in any common sans-serif font, in pixels; the text is taken as ASCII.
inline double text_width(std::string_view text, double size) {
    return 0.58 * size * static_cast<double>(text.size());
}

}  // namespace upsweep::app
