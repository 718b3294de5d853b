// KernelSpec -> module: the declarations that stand before every kernel, then the expanded kernel.
#include "upsweep/core/block_geometry.h"
#include "upsweep/core/kernel_spec.h"
#include "upsweep/core/operator_code.h"
#include "upsweep/core/tile_state.h"
#include "upsweep/core/user_wgsl.h"
#include "upsweep/core/wgsl_template.h"

#include <algorithm>
#include <string>

namespace upsweep {

namespace {

std::string number(std::uint32_t value) {
    return std::to_string(value) + "u";
}

std::uint32_t steps_of(std::uint32_t size) {
    std::uint32_t steps = 0;
    while ((1U << steps) < size) ++steps;
    return steps;
}

class Writer {
  public:
    Writer(const KernelSpec& spec, const OperatorCode& code) : spec_(spec), code_(code) {}

    std::vector<Line> lines;

    void prelude() {
        add("// " + spec_.to_string());
        directives();
        constants();
        types();
        functions();
        if (spec_.subgroups == SubgroupMode::native) subgroup_functions();
        bindings();
        if (looks_back()) tile_states();
    }

    // A text of several lines that messages are to be led back to.
    void add_user(const std::string& text, const std::string& file) {
        std::uint32_t line = 0;
        for (std::size_t at = 0; at <= text.size();) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            lines.push_back({text.substr(at, end - at), {file, ++line}});
            at = end + 1;
        }
    }

  private:
    void add(const std::string& line) {
        lines.push_back({line, {"prelude", static_cast<std::uint32_t>(lines.size() + 1)}});
    }
    void add_function(const std::string& head, const std::string& body) {
        add("fn " + head + " { " + body + " }");
    }
    void add_constant(const std::string& name, std::uint32_t value) {
        add("const " + name + " = " + number(value) + ";");
    }
    [[nodiscard]] std::string operator_file() const {
        return spec_.op.is_custom() ? "operator '" + spec_.op.name() + "'" : spec_.op.name();
    }

    void directives() {
        const bool native = spec_.subgroups == SubgroupMode::native && spec_.dialect == Dialect::standard;
        if (spec_.type.needs_f16()) add("enable f16;");
        if (native) {
            add("enable subgroups;");
            // Subgroup operations stand in control flow that is uniform in each subgroup, which the analysis
            // of a whole workgroup cannot see.
            add("diagnostic(off, subgroup_uniformity);");
        }
    }

    void constants() {
        add_constant("BLOCK", spec_.block);
        add_constant("ROWS", spec_.rows);
        add_constant("VEC", spec_.vec);
        add_constant("TILE", spec_.tile());
        if (spec_.shared_rows != 0) add_constant("SHARED_ROWS", spec_.shared_rows);
        add(std::string("const INCLUSIVE = ") + (spec_.inclusive ? "true;" : "false;"));
        if (spec_.subgroups == SubgroupMode::none) return;
        add_constant("SUBGROUP_SIZE", spec_.subgroup_min);
        add_constant("SUBGROUP_STEPS", steps_of(spec_.subgroup_max));
        add_constant("PARTS", std::max(1U, (spec_.block + spec_.subgroup_min - 1) / spec_.subgroup_min));
    }

    void types() {
        if (!spec_.type.declaration.empty())
            add_user(spec_.type.declaration, "type '" + spec_.type.name + "'");
        if (!code_.extra_declaration.empty()) add(code_.extra_declaration);
        add("alias T = " + spec_.type.wgsl() + ";");
        add("alias E = " + code_.compute + ";");
        add("alias S = " + (spec_.partials ? code_.compute : code_.storage) + ";");
        // An initial value of the element type travels as its elements do.
        add("alias Seed = " + (code_.seed_type == spec_.type ? code_.storage : code_.seed_type.wgsl()) + ";");
    }

    // The user's functions; a wrong signature shows in `checked`, and is the fault of the line that declares
    // the function.
    void add_operator(const std::string& function, const std::string& checked) {
        add_user(spec_.op.wgsl(), operator_file());
        lines.push_back({"fn checked_" + function + checked,
                         {operator_file(), line_of_function(spec_.op.wgsl(), function)}});
    }

    void functions() {
        if (spec_.op.is_custom()) add_operator("combine", "(a: T, b: T) -> T { return combine(a, b); }");
        if (spec_.op.kind() == OperatorKind::selection)
            add_operator("keep", "(x: T, i: u32) -> bool { return keep(x, i); }");
        if (spec_.op.kind() == OperatorKind::parting)
            add_operator("part", "(x: T, i: u32) -> u32 { return part(x, i); }");
        for (const std::string& function : code_.functions) add("fn " + function);
        const bool own_identity = spec_.op.is_custom() && spec_.op.has_identity();
        add_function("neutral() -> E", code_.neutral);
        if (own_identity) lines.back().from = {"identity of " + operator_file(), 1};
        add_function("join(a: E, b: E) -> E", code_.join);
        if (!code_.undo.empty()) add_function("undo(a: E, b: E) -> E", code_.undo);
        add_function("lift_seed(s: Seed) -> E", code_.lift_seed);
        add_function("lower_seed(e: E) -> Seed", code_.lower_seed);
        if (spec_.partials) {
            add_function("lift(e: E, at: u32) -> E", "return e;");
            add_function("lower(e: E) -> E", "return e;");
        } else {
            add_function("lift(s: S, at: u32) -> E", code_.lift);
            add_function("lower(e: E) -> S", code_.lower);
        }
    }

    // A shuffle of E, member by member.
    void add_shuffle(const std::string& name, const std::string& builtin) {
        const std::string head = name + "(value: E, by: u32, t: Thread) -> E";
        if (!code_.compute_type.is_struct()) {
            add_function(head, "return " + builtin + "(value, by);");
            return;
        }
        std::string body = "var moved: E; ";
        for (const Member& member : code_.compute_type.members) {
            body += "moved" + member.path + " = " + builtin + "(value" + member.path + ", by); ";
        }
        add_function(head, body + "return moved;");
    }

    void subgroup_functions() {
        add_shuffle("shuffle", "subgroupShuffle");
        add_shuffle("shuffle_up", "subgroupShuffleUp");
        if (!code_.subgroup_scan.empty()) add_builtin_scan();
    }

    // subgroupInclusiveAdd and, for the total alone, subgroupAdd.
    void add_builtin_scan() {
        const std::string inclusive = "Inclusive";
        std::string total = code_.subgroup_scan;
        total.erase(total.find(inclusive), inclusive.size());
        add_function("subgroup_scan_builtin(e: E) -> E", "return " + code_.subgroup_scan + "(e);");
        add_function("subgroup_total_builtin(e: E) -> E", "return " + total + "(e);");
    }

    [[nodiscard]] bool looks_back() const { return spec_.flags.contains("WITHHOLD_ALL"); }

    // A withheld publication comes never, so a test need not wait long for it.
    void tile_states() {
        const bool withheld = spec_.flags.at("WITHHOLD_FIRST") || spec_.flags.at("WITHHOLD_SECOND") ||
                              spec_.flags.at("WITHHOLD_ALL");
        add_constant("HALVES", tile_state_words(code_.compute_type));
        add_constant("WINDOW", std::min(spec_.block, look_back_window));
        add_constant("SPIN_LIMIT", withheld ? 4 : few_looks);
        // What is left to the rest is done slowly. All looks count, those that find something too.
        const auto few = spec_.flags.find("FEW_LOOKS");
        add_constant("PATIENCE", withheld ? 8 : few != spec_.flags.end() && few->second ? few_looks : 1024);
        for (const std::string& function : tile_state_functions(code_.compute_type)) add(function);
    }

    void bindings() {
        for (std::size_t i = 0; i < spec_.bindings.size(); ++i) {
            const BindingDecl& b = spec_.bindings[i];
            add("@group(0) @binding(" + std::to_string(i) + ") var<storage, " +
                (b.access == Access::read ? "read" : "read_write") + "> " + b.name + ": " + b.type + ";");
        }
        add("struct Params { count: u32, base: u32, limit: u32, level: u32 }");
        if (spec_.immediates) {
            add("var<immediate> params: Params;");
        } else {
            add("@group(0) @binding(" + std::to_string(spec_.bindings.size()) +
                ") var<uniform> params: Params;");
        }
    }

    const KernelSpec& spec_;
    const OperatorCode& code_;
};

TemplateValues values_of(const KernelSpec& spec, const OperatorCode& code) {
    TemplateValues values;
    values.unroll = spec.unroll;
    values.flags = spec.flags;
    const bool native = spec.subgroups == SubgroupMode::native;
    // Ones and zeros in rows of one are ranked by ballots; partial sums of them are no longer ones and zeros.
    const bool bits = spec.op.kind() == OperatorKind::selection && spec.vec == 1 && !spec.partials &&
                      spec.flags.contains("BALLOT");
    values.flags["BALLOT"] = bits && native;
    values.flags["SMALL_SUBGROUPS"] = spec.subgroup_max <= 32;
    values.flags.emplace("INDEX_ONLY", false);
    values.flags["SUBGROUP_SCAN"] = spec.block_scan == BlockScan::subgroup;
    values.flags["NATIVE_SUBGROUPS"] = native;
    const bool full = native && spec.subgroup_min == spec.subgroup_max && spec.block % spec.subgroup_min == 0;
    values.flags["FULL_SUBGROUPS"] = full;
    values.flags["FEW_PARTS"] = full && spec.block / spec.subgroup_min <= spec.subgroup_min;
    values.flags["SUBGROUP_BUILTIN"] = native && !code.subgroup_scan.empty();
    values.flags["UNDO"] = !code.undo.empty();
    values.flags["HILLIS_STEELE"] = spec.block_scan == BlockScan::hillis_steele;
    values.flags["PADDED"] = spec.block_scan == BlockScan::blelloch_padded;
    values.flags["VEC4"] = spec.vec == 4;
    values.flags["VECTOR_IO"] = spec.vector_io && spec.vec == 4;
    values.flags["SHARED_ROWS"] = spec.shared_rows != 0;
    values.flags["IN_PLACE"] = spec.in_place;
    values.flags["OPTIONAL"] = code.optional;
    values.flags["COMMUTATIVE"] = spec.op.commutative();
    values.constants = {{"ROWS", spec.rows}, {"SUBGROUP_STEPS", steps_of(spec.subgroup_max)}};
    return values;
}

}  // namespace

Result<Module> expand(const KernelSpec& spec) {
    auto code = operator_code(spec.op, spec.type);
    if (!code) return tl::unexpected(code.error());
    Writer writer(spec, *code);
    writer.prelude();
    const TemplateValues values = values_of(spec, *code);
    const auto import = [&](std::string_view name) -> Result<void> {
        auto lines = expand_template(name, embedded_wgsl(), values);
        if (!lines) return tl::unexpected(lines.error());
        writer.lines.insert(writer.lines.end(), lines->begin(), lines->end());
        return {};
    };
    if (spec.type.is_wide_integer()) {
        if (auto ok = import("wide_integer"); !ok) return tl::unexpected(ok.error());
    }
    if (auto ok = import(spec.kernel); !ok) return tl::unexpected(ok.error());

    Module module;
    module.entry_point = spec.kernel;
    for (Line& line : writer.lines) {
        module.wgsl += line.text;
        module.wgsl += '\n';
        module.lines.push_back(std::move(line.from));
    }
    return module;
}

}  // namespace upsweep
