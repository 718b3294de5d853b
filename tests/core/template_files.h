// Small kernel files for the tests of the expander, and what comes out of them as one text.
#pragma once

#include "upsweep/core/wgsl_template.h"

#include <map>
#include <string>
#include <vector>

namespace upsweep::test {

/// Expands `main` out of `files`; each is named in messages by its name and ".wgsl".
inline Result<std::vector<Line>> expand_files(const std::map<std::string, std::string>& files,
                                              const TemplateValues& values = {}) {
    std::map<std::string, std::string> paths;
    for (const auto& [name, text] : files) paths[name] = name + ".wgsl";
    std::vector<WgslSource> sources;
    for (const auto& [name, text] : files) sources.push_back({name, paths[name], text});
    return expand_template("main", sources, values);
}

inline std::string text_of(const std::vector<Line>& lines) {
    std::string text;
    for (const Line& line : lines) text += line.text + "\n";
    return text;
}

/// The expanded text, or the error's sentence behind "ERROR ".
inline std::string expanded(const std::map<std::string, std::string>& files,
                            const TemplateValues& values = {}) {
    auto lines = expand_files(files, values);
    return lines ? text_of(*lines) : "ERROR " + lines.error().message;
}

inline std::string expanded(const std::string& main, const TemplateValues& values = {}) {
    return expanded({{"main", main}}, values);
}

/// "file:line" of every line, separated by spaces.
inline std::string origins(const std::vector<Line>& lines) {
    std::string text;
    for (const Line& line : lines)
        text += (text.empty() ? "" : " ") + line.from.file + ":" + std::to_string(line.from.line);
    return text;
}

}  // namespace upsweep::test
