#include "tests/gpu/cpu_run.h"

#include "upsweep/core/operator_code.h"
#include "upsweep/core/tile_state.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace upsweep::testing {

namespace {

std::map<std::string, CpuTwin>& twins() {
    static std::map<std::string, CpuTwin> all;
    return all;
}

}  // namespace

bool register_twin(const char* kernel, CpuTwin twin) {
    return twins().emplace(kernel, twin).second;
}

CpuStep::Value CpuStep::neutral() const {
    return {!identity.empty(), identity.empty() ? std::vector<std::byte>(plan.type.stride) : identity};
}

CpuStep::Value CpuStep::join(const Value& a, const Value& b) const {
    if (!a.present) return b;
    if (!b.present) return a;
    Value out{true, a.bytes};
    combine(a.bytes.data(), b.bytes.data(), out.bytes.data());
    return out;
}

std::uint32_t CpuStep::element_count() const {
    std::uint32_t count = params.count;
    if (flag("COUNT_BUFFER")) count = std::min(gpu_count - std::min(gpu_count, params.base), params.limit);
    for (std::uint32_t level = 0; level < params.level; ++level)
        count = count / step.spec.tile() + (count % step.spec.tile() != 0 ? 1 : 0);
    return count;
}

CpuStep::Share CpuStep::share_of(std::uint32_t group) const {
    const auto divide_up = [](std::uint32_t a, std::uint32_t b) { return a / b + (a % b != 0 ? 1 : 0); };
    const std::uint32_t tiles = divide_up(element_count(), step.spec.tile());
    const std::uint32_t share = divide_up(tiles, static_cast<std::uint32_t>(step.grid.groups()));
    const std::uint32_t first = std::min(group, tiles) * share;
    return {first, std::min(first + share, tiles)};
}

int CpuStep::binding(const char* name) const {
    const auto& all = step.spec.bindings;
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const BindingDecl& b) { return b.name == name; });
    return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

CpuStep::Value CpuStep::load(const char* name, std::uint64_t at, bool partial) {
    const std::uint64_t stride = partial ? partial_stride : plan.type.stride;
    const int index = binding(name);
    if (index < 0 || (at + 1) * stride > bound[static_cast<std::size_t>(index)].size()) {
        if (fault.empty())
            fault =
                step.label + " reads element " + std::to_string(at) + " of " + name + ", outside its region";
        return neutral();
    }
    const std::byte* source = bound[static_cast<std::size_t>(index)].data() + at * stride;
    Value value{true, std::vector<std::byte>(plan.type.stride)};
    std::memcpy(value.bytes.data(), source, std::min<std::uint64_t>(stride, plan.type.stride));
    if (partial && identity.empty()) {
        std::uint32_t present = 0;
        std::memcpy(&present, source + stride - 4, 4);
        value.present = present != 0;
    }
    if (!partial) step.spec.op.cpu_normalize(plan.type, value.bytes.data());
    return value;
}

void CpuStep::store(const char* name, std::uint64_t at, const Value& value, bool partial) {
    const std::uint64_t stride = partial ? partial_stride : plan.type.stride;
    const int index = binding(name);
    if (index < 0 || (at + 1) * stride > bound[static_cast<std::size_t>(index)].size()) {
        if (fault.empty())
            fault =
                step.label + " writes element " + std::to_string(at) + " of " + name + ", outside its region";
        return;
    }
    std::byte* target = bound[static_cast<std::size_t>(index)].data() + at * stride;
    std::memcpy(target, value.bytes.data(), std::min<std::uint64_t>(stride, plan.type.stride));
    if (partial && identity.empty()) {
        const std::uint32_t present = value.present ? 1 : 0;
        std::memcpy(target + stride - 4, &present, 4);
    }
}

bool CpuStep::flag(const char* name) const {
    const auto found = step.spec.flags.find(name);
    return found != step.spec.flags.end() && found->second;
}

Result<void> run_on_cpu(const Plan& plan, const CpuBuffers& buffers, std::uint64_t count) {
    BufferLayout layout;
    layout.in_place = buffers.input.data() == buffers.output.data();
    std::vector<std::byte> initial = plan.initial;
    for (const Step& original : plan.steps) {
        const Step step = step_for(original, layout);
        CpuStep run{step, plan, {}, params_for(step, count), 0, {}, {}, 0, 0, {}};
        auto code = operator_code(step.spec.op, step.spec.type);
        auto combine = step.spec.op.cpu(step.spec.type);
        if (!code || !combine) return tl::unexpected((!code ? code.error() : combine.error()));
        run.combine = *combine;
        run.partial_stride = code->compute_type.stride;
        run.state_words = tile_state_words(code->compute_type);
        if (step.spec.op.has_identity()) {
            auto identity = step.spec.op.cpu_identity(step.spec.type);
            if (!identity) return tl::unexpected(identity.error());
            run.identity = *identity;
        }
        for (const Region& region : step.regions) {
            std::span<std::byte> slot;
            switch (region.slot) {
                case Slot::input: slot = buffers.input; break;
                case Slot::output: slot = buffers.output; break;
                case Slot::count: slot = buffers.count; break;
                case Slot::flags:
                case Slot::indices:
                case Slot::total:
                case Slot::arguments:
                case Slot::constants: return fail(ErrorCode::unsupported, "The CPU run has no such slot.");
                case Slot::scratch: slot = buffers.scratch; break;
                case Slot::initial:
                    initial.resize((initial.size() + 3) / 4 * 4);
                    slot = initial;
                    break;
            }
            if (region.offset + region.size > slot.size()) {
                return fail(ErrorCode::bad_slice,
                            step.label + ": the region [" + std::to_string(region.offset) + ", " +
                                std::to_string(region.offset + region.size) + ") lies outside its slot of " +
                                std::to_string(slot.size()) + " bytes.");
            }
            run.bound.push_back(slot.subspan(region.offset, region.size));
        }
        if (!buffers.count.empty()) std::memcpy(&run.gpu_count, buffers.count.data(), 4);
        const auto twin = twins().find(step.spec.kernel);
        if (twin == twins().end())
            return fail(ErrorCode::unsupported,
                        "The kernel " + step.spec.kernel + " has no twin on the CPU.");
        twin->second(run);
        if (!run.fault.empty()) return fail(ErrorCode::bad_slice, run.fault);
    }
    return {};
}

}  // namespace upsweep::testing
