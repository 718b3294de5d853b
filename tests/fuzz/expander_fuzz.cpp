// Any text as a kernel file, as a user's operator and as a user's struct: an error or something sound, never
// a crash.
#include "upsweep/core/user_wgsl.h"
#include "upsweep/core/wgsl_template.h"
#include "upsweep/scan/scan.h"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace {

using namespace upsweep;

void require(bool holds) {
    if (!holds) std::abort();
}

// Each loop within another doubles the text, and kernel files are the library's own: a few levels will do.
bool unrolls_too_deep(std::string_view text) {
    int count = 0;
    for (std::size_t at = text.find("#unroll"); at != std::string_view::npos;
         at = text.find("#unroll", at + 1))
        ++count;
    return count > 8;
}

void as_kernel_file(std::string_view text) {
    if (unrolls_too_deep(text)) return;
    const WgslSource sources[] = {{"fuzz", "fuzz.wgsl", text},
                                  {"other", "other.wgsl", "#import fuzz\nfn f() {}\n"}};
    for (const bool unroll : {true, false}) {
        const TemplateValues values{
            {{"YES", true}, {"NO", false}}, {{"NONE", 0}, {"ONE", 1}, {"TWO", 2}}, unroll};
        const auto lines = expand_template("fuzz", sources, values);
        if (!lines) continue;
        const auto last = static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n') + 1);
        for (const Line& line : *lines) {
            require(line.text.find('\n') == std::string::npos);
            const auto first = line.text.find_first_not_of(" \t\r");
            require(first == std::string::npos || line.text[first] != '#');
            require(line.from.line >= 1 && line.from.line <= (line.from.file == "fuzz.wgsl" ? last : 2));
        }
    }
}

void as_struct(const std::string& text) {
    const auto type = ElementType::structure("Mat", text);
    if (!type) return;
    require(type->size != 0 && type->size <= type->stride && type->stride <= 2 * 65536 &&
            !type->members.empty());
    for (const Member& member : type->members) {
        require(!member.path.empty() && member.width >= 1 && member.width <= 4);
        require(std::uint64_t{member.offset} + member.width * size_of(member.scalar) <= type->size);
    }
}

void as_operator(const std::string& text) {
    (void)check_user_expression(text, "fuzz");
    CustomOperator parts;
    parts.name = "fuzz";
    parts.wgsl = text;
    auto op = Operator::custom(parts);
    require(op.has_value() == check_user_functions(text, "fuzz", "combine").has_value());
    if (!op) return;
    ScanDesc desc;
    desc.op = std::move(*op);
    desc.kind = ScanKind::inclusive;
    desc.count = 10000;
    const auto plan = plan_scan(desc, DeviceCaps::minimum());
    require(plan.has_value());
    for (const Step& step : plan->steps) {
        const auto module = expand(step.spec);
        require(module.has_value());
        require(static_cast<std::size_t>(std::count(module->wgsl.begin(), module->wgsl.end(), '\n')) ==
                module->lines.size());
        (void)module->explain(":9:1 an error");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    as_kernel_file(text);
    as_struct(text);
    as_operator(text);
    return 0;
}
