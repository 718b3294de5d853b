#include "app/formats/svg_text.h"

namespace upsweep::app {

std::string escaped(std::string_view text) {
    std::string safe;
    for (char c : text) {
        switch (c) {
            case '&': safe += "&amp;"; break;
            case '<': safe += "&lt;"; break;
            case '>': safe += "&gt;"; break;
            case '"': safe += "&quot;"; break;
            default: safe += c;
        }
    }
    return safe;
}

}  // namespace upsweep::app
