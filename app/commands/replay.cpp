#include "app/commands/replay.h"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

using Json = nlohmann::ordered_json;

// Without flags, arguments and constants: nothing on the command line asks for them.
constexpr Slot slots[] = {Slot::input,   Slot::output, Slot::count,  Slot::scratch,
                          Slot::initial, Slot::total,  Slot::indices};

// WebGPU looks at whole buffers: where a dispatch writes one part of a buffer, its other parts must be bound
// as writable too.
void share_slots(Step& step, bool in_place) {
    const auto buffer_of = [&](std::size_t i) {
        const Slot slot = step.regions[i].slot;
        return in_place && slot == Slot::input ? Slot::output : slot;
    };
    std::vector<BindingDecl>& bindings = step.spec.bindings;
    for (std::size_t w = 0; w < bindings.size(); ++w) {
        if (bindings[w].access != Access::read_write) continue;
        for (std::size_t r = 0; r < bindings.size(); ++r) {
            if (buffer_of(r) == buffer_of(w)) bindings[r].access = Access::read_write;
        }
    }
}

std::string hex(const std::vector<std::byte>& bytes) {
    std::string text;
    for (const std::byte byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
    return text;
}

Json step_json(const ReplayStep& replay) {
    const Step& step = replay.step;
    Json json;
    json["label"] = step.label;
    json["entry_point"] = replay.module.entry_point;
    json["bindings"] = Json::array();
    for (std::size_t i = 0; i < replay.bound.size(); ++i) {
        const BindingDecl& binding = step.spec.bindings[i];
        const Region& region = replay.bound[i];
        json["bindings"].push_back({{"binding", i},
                                    {"name", binding.name},
                                    {"type", binding.type},
                                    {"access", binding.access == Access::read ? "read" : "read_write"},
                                    {"slot", to_string(region.slot)},
                                    {"offset", region.offset},
                                    {"size", region.size}});
    }
    json["params"] = {{"count", step.params.count},
                      {"base", step.params.base},
                      {"limit", step.params.limit},
                      {"level", step.params.level}};
    // Where they go: 16 bytes of immediates, or a uniform buffer behind the other bindings.
    if (step.spec.immediates)
        json["params_binding"] = "immediates";
    else
        json["params_binding"] = replay.bound.size();
    json["count_follows"] = step.counts_elements;
    json["clears_scratch"] = step.clears_scratch;
    json["grid"] = {step.grid.x, step.grid.y, step.grid.z};
    json["wgsl"] = replay.module.wgsl;
    return json;
}

}  // namespace

std::uint64_t Replay::buffer_bytes(Slot slot) const {
    std::uint64_t bytes = 0;
    for (const ReplayStep& step : steps) {
        for (const Region& region : step.bound) {
            const bool same =
                region.slot == slot || (in_place && slot == Slot::output && region.slot == Slot::input);
            if (same) bytes = std::max(bytes, region.offset + region.size);
        }
    }
    return bytes;
}

Outcome<Replay> make_replay(const Plan& plan, bool in_place) {
    Replay replay{plan, {}, in_place};
    for (const Step& original : plan.steps) {
        BufferLayout layout;
        layout.in_place = in_place;
        ReplayStep made;
        made.step = step_for(original, layout);
        share_slots(made.step, in_place);
        auto module = expand(made.step.spec);
        if (!module) return tl::unexpected(module.error());
        made.module = std::move(*module);
        for (std::size_t i = 0; i < made.step.regions.size(); ++i) {
            const bool vectors = made.step.spec.bindings[i].type == "array<V>" && made.step.spec.vec == 4;
            const std::uint64_t multiple = vectors ? std::uint64_t{plan.type.stride} * 4 : 4;
            Region region = made.step.regions[i];
            region.size = (region.size + multiple - 1) / multiple * multiple;
            made.bound.push_back(region);
        }
        replay.steps.push_back(std::move(made));
    }
    return replay;
}

nlohmann::ordered_json replay_json(const Replay& replay) {
    const Plan& plan = replay.plan;
    Json json;
    json["algorithm"] = plan.algorithm;
    json["strategy"] = plan.strategy;
    json["type"] = plan.type.name;
    json["stride"] = plan.type.stride;
    json["count"] = plan.max_count;
    json["count_on_gpu"] = plan.count_on_gpu();
    json["in_place"] = replay.in_place;
    json["needs_subgroups"] = plan.needs_subgroups;
    json["needs_f16"] = plan.needs_f16;
    json["needs_immediates"] = std::any_of(replay.steps.begin(), replay.steps.end(),
                                           [](const ReplayStep& step) { return step.step.spec.immediates; });
    json["scratch_bytes"] = plan.scratch_bytes;
    json["bytes_moved"] = plan.bytes_moved;
    json["initial"] = plan.initial.empty() ? Json() : Json(hex(plan.initial));
    json["buffers"] = Json::object();
    for (const Slot slot : slots) {
        const std::uint64_t bytes = replay.buffer_bytes(slot);
        if (bytes > 0 && !(replay.in_place && slot == Slot::input)) json["buffers"][to_string(slot)] = bytes;
    }
    json["steps"] = Json::array();
    for (const ReplayStep& step : replay.steps) json["steps"].push_back(step_json(step));
    return json;
}

std::vector<NamedKernel> distinct_kernels(const Replay& replay) {
    std::vector<NamedKernel> kernels;
    std::set<std::string> seen;
    for (const ReplayStep& step : replay.steps) {
        if (!seen.insert(step.module.wgsl).second) continue;
        kernels.push_back({fmt::format("{}-{}", kernels.size() + 1, step.module.entry_point), &step});
    }
    return kernels;
}

}  // namespace upsweep::app
