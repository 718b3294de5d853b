#include "upsweep/core/kernel_spec.h"

#include "upsweep/core/names.h"

#include <array>
#include <cctype>

namespace upsweep {

namespace {

constexpr std::array<const char*, 5> block_scan_names{"automatic", "hillis_steele", "blelloch",
                                                      "blelloch_padded", "subgroup"};

std::string subgroups_text(const KernelSpec& spec) {
    if (spec.subgroups == SubgroupMode::none) return "none";
    if (spec.subgroups == SubgroupMode::emulated)
        return "emulated:" + std::to_string(spec.subgroup_min) +
               (spec.subgroup_max != spec.subgroup_min ? ".." + std::to_string(spec.subgroup_max) : "");
    return "native:" + std::to_string(spec.subgroup_min) + ".." + std::to_string(spec.subgroup_max);
}

}  // namespace

const char* to_string(BlockScan scan) {
    return name_of(scan, block_scan_names);
}

Result<BlockScan> parse_block_scan(std::string_view name) {
    return value_named<BlockScan>(name, block_scan_names, "a block scan");
}

std::string KernelSpec::to_string() const {
    std::string text = "upsweep " + kernel + " T=" + type.name + " op=" + op.name();
    text +=
        " block=" + std::to_string(block) + " rows=" + std::to_string(rows) + " vec=" + std::to_string(vec);
    if (shared_rows != 0) text += " shared_rows=" + std::to_string(shared_rows);
    text += inclusive ? " inclusive" : " exclusive";
    text +=
        std::string(" block_scan=") + upsweep::to_string(block_scan) + " subgroups=" + subgroups_text(*this);
    text += dialect == Dialect::naga ? " dialect=naga" : " dialect=standard";
    if (partials) text += " partials";
    if (immediates) text += " immediates";
    if (!unroll) text += " loops";
    if (!vector_io) text += " scalar_io";
    if (in_place) text += " in_place";
    for (const auto& [name, value] : flags) {
        if (value) text += " " + name;
    }
    for (const BindingDecl& binding : bindings) {
        text += " " + binding.name + ":" + (binding.access == Access::read ? "read" : "read_write");
    }
    return text;
}

std::string KernelSpec::key() const {
    std::string text = to_string();
    // Each text with its length, so that no two lists of texts look alike.
    const auto add = [&](const std::string& part) { text += "|" + std::to_string(part.size()) + ":" + part; };
    for (const BindingDecl& binding : bindings) add(binding.type);
    for (const std::string& part : {type.declaration, op.name(), op.wgsl(), op.identity()}) add(part);
    for (const auto& [name, value] : flags) add(name);
    return text + (op.commutative() ? " commutative " : " ordered ") +
           std::to_string(static_cast<int>(op.kind()));
}

std::string Module::explain(const std::string& message) const {
    // The first ":LINE:COLUMN" that is a line of this module.
    for (std::size_t at = message.find(':'); at != std::string::npos; at = message.find(':', at + 1)) {
        std::size_t end = at + 1;
        std::size_t line = 0;
        while (end < message.size() && std::isdigit(static_cast<unsigned char>(message[end])) != 0 &&
               line < 10000000) {
            line = line * 10 + static_cast<std::size_t>(message[end++] - '0');
        }
        const bool column = end > at + 1 && end + 1 < message.size() && message[end] == ':' &&
                            std::isdigit(static_cast<unsigned char>(message[end + 1])) != 0;
        if (!column || line == 0 || line > lines.size()) continue;
        const SourceLine& from = lines[line - 1];
        return from.file + ", line " + std::to_string(from.line) + ": " + message;
    }
    return message;
}

}  // namespace upsweep
