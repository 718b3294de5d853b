#include "app/commands/selftest_cases.h"

namespace upsweep::app {

std::vector<SelftestCase> selftest_cases(const DeviceCaps& caps, std::vector<std::string>& skipped) {
    if (!caps.shader_f16) skipped.emplace_back("f16: the device was made without shader-f16");
    if (!caps.subgroups)
        skipped.emplace_back("the block scan subgroup: the device has no subgroups that are sound");
    std::vector<SelftestCase> cases;
    add_scan_cases(cases, caps);
    add_reduce_cases(cases, caps);
    add_select_cases(cases, caps);
    add_allocate_cases(cases, caps);
    return cases;
}

Result<void> run_selftest_case(const SelftestCase& test, const Gpu& gpu) {
    for (const std::uint64_t count : test.counts) {
        if (auto ok = test.run(gpu, count); !ok) return ok;
    }
    return {};
}

}  // namespace upsweep::app
