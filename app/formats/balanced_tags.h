// For tests of what draws pictures.
#pragma once

#include <string>
#include <vector>

namespace upsweep::app {

/// True if every tag is closed by its own kind and nothing is left open.
inline bool has_balanced_tags(const std::string& xml) {
    std::vector<std::string> open;
    for (std::size_t at = 0; (at = xml.find('<', at)) != std::string::npos;) {
        const std::size_t end = xml.find('>', at);
        if (end == std::string::npos) return false;
        const std::string tag = xml.substr(at + 1, end - at - 1);
        const std::string name = tag.substr(0, tag.find(' '));
        at = end;
        if (tag.find('<') != std::string::npos) return false;
        if (tag.back() == '/') continue;
        if (name.front() != '/') {
            open.push_back(name);
        } else {
            if (open.empty() || "/" + open.back() != name) return false;
            open.pop_back();
        }
    }
    return open.empty();
}

}  // namespace upsweep::app
