// Context::bind: checks what the caller gives and makes everything that a recording needs.
#include "upsweep/record/device.h"
#include "upsweep/record/state.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace upsweep {

namespace {

constexpr std::uint64_t params_stride =
    256;  // The largest alignment that a device asks of a uniform binding.

std::string bytes_text(std::uint64_t bytes) {
    return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

struct Bound {
    Slot slot = Slot::input;
    WGPUBuffer buffer = nullptr;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    bool written = false;

    [[nodiscard]] bool overlaps(const Bound& other) const {
        return buffer == other.buffer && offset < other.offset + other.size && other.offset < offset + size;
    }
};

tl::unexpected<Error> bad(Slot slot, const std::string& what) {
    return fail(ErrorCode::bad_slice, std::string("The ") + to_string(slot) + " slice " + what);
}

Result<Bound> check_slice(Slot slot, const Slice& slice, std::uint64_t needed, bool written,
                          const DeviceCaps& caps) {
    if (slice.buffer == nullptr)
        return bad(slot, "has no buffer; this plan needs " + bytes_text(needed) + " there.");
    if ((wgpuBufferGetUsage(slice.buffer) & WGPUBufferUsage_Storage) == 0) {
        return bad(
            slot,
            "lies in a buffer without the usage Storage; make the buffer with WGPUBufferUsage_Storage.");
    }
    if (slice.offset % caps.min_storage_offset_alignment != 0) {
        return bad(slot, "begins at offset " + std::to_string(slice.offset) +
                             ", which is not a multiple of this device's minStorageBufferOffsetAlignment, " +
                             std::to_string(caps.min_storage_offset_alignment) + ".");
    }
    const std::uint64_t buffer_size = wgpuBufferGetSize(slice.buffer);
    if (slice.offset > buffer_size) {
        return bad(slot, "begins at offset " + std::to_string(slice.offset) + " of a buffer of " +
                             bytes_text(buffer_size) + ".");
    }
    const std::uint64_t size = slice.size == WGPU_WHOLE_SIZE ? buffer_size - slice.offset : slice.size;
    if (size > buffer_size - slice.offset) {
        return bad(slot, "ends behind its buffer: offset " + std::to_string(slice.offset) + " and " +
                             bytes_text(size) + " in a buffer of " + bytes_text(buffer_size) + ".");
    }
    if (size < needed)
        return bad(slot, "has " + bytes_text(size) + ", and this plan needs " + bytes_text(needed) +
                             "; make it larger or plan for a smaller count.");
    return Bound{slot, slice.buffer, slice.offset, needed, written};
}

// A storage binding is a multiple of four bytes; a binding of whole vectors one of their size.
std::uint64_t binding_bytes(std::uint64_t bytes, std::uint64_t multiple) {
    return (bytes + multiple - 1) / multiple * multiple;
}

class Binder {
  public:
    Binder(std::shared_ptr<Context::State> context, const Plan& plan, const Slices& slices)
        : context_(std::move(context)), plan_(plan), slices_(slices), job_(std::make_shared<Job::State>()) {}

    Result<Job> bind() {
        if (auto ok = context_->check_alive(); !ok) return tl::unexpected(ok.error());
        job_->context = context_;
        job_->label = "upsweep." + plan_.algorithm;
        job_->max_count = plan_.max_count;
        job_->count_on_gpu = plan_.count_on_gpu();
        if (plan_.steps.empty()) return Job(job_);
        if (auto ok = check_plan(); !ok) return tl::unexpected(ok.error());
        job_->immediates = plan_.steps.front().spec.immediates;
        for (auto step : {&Binder::make_scratch, &Binder::check_slices, &Binder::check_overlap,
                          &Binder::make_constants, &Binder::make_dispatches}) {
            if (auto ok = (this->*step)(); !ok) return tl::unexpected(ok.error());
        }
        return Job(job_);
    }

  private:
    // A plan is made for a device's capabilities, and they need not have been this one's.
    [[nodiscard]] Result<void> check_plan() const {
        const DeviceCaps& caps = context_->caps;
        const KernelSpec& spec = plan_.steps.front().spec;
        const char* lacks = spec.immediates && !caps.immediates                     ? "immediates"
                            : plan_.needs_subgroups && !caps.subgroups              ? "subgroups"
                            : plan_.needs_f16 && !caps.shader_f16                   ? "shader-f16"
                            : plan_.needs_subgroups && spec.dialect != caps.dialect ? "this dialect of WGSL"
                                                                                    : nullptr;
        if (lacks == nullptr) return {};
        return fail(ErrorCode::invalid_argument,
                    std::string("The plan was made for other capabilities and needs ") + lacks +
                        "; plan with the caps() of this context.");
    }

    Result<void> make_scratch() {
        scratch_ = slices_.scratch;
        if (scratch_.buffer != nullptr || plan_.scratch_bytes == 0) return {};
        auto made =
            context_->buffer("upsweep.scratch", plan_.scratch_bytes, WGPUBufferUsage_Storage, nullptr);
        if (!made) return tl::unexpected(made.error());
        job_->scratch = std::move(*made);
        scratch_ = {job_->scratch.get()};
        return {};
    }

    Result<void> check_slices() {
        const struct {
            Slot slot;
            const Slice& slice;
            std::uint64_t needed;
            bool written;
        } all[] = {{Slot::input, slices_.input, plan_.input_bytes, false},
                   {Slot::output, slices_.output, plan_.output_bytes, true},
                   {Slot::count, slices_.count, plan_.count_bytes, false},
                   {Slot::flags, slices_.flags, plan_.flags_bytes, false},
                   {Slot::indices, slices_.indices, plan_.indices_bytes, true},
                   {Slot::total, slices_.total, plan_.total_bytes, true},
                   {Slot::arguments, slices_.arguments, plan_.arguments_bytes, true},
                   {Slot::scratch, scratch_, plan_.scratch_bytes, true}};
        for (const auto& [slot, slice, needed, written] : all) {
            if (needed == 0) continue;
            auto bound = check_slice(slot, slice, needed, written, context_->caps);
            if (!bound) return tl::unexpected(bound.error());
            bound_.push_back(*bound);
        }
        return {};
    }

    [[nodiscard]] const Bound* find(Slot slot) const {
        const auto found =
            std::find_if(bound_.begin(), bound_.end(), [&](const Bound& b) { return b.slot == slot; });
        return found == bound_.end() ? nullptr : &*found;
    }

    Result<void> check_overlap() {
        const Bound* input = find(Slot::input);
        const Bound* output = find(Slot::output);
        layout_.in_place = input != nullptr && output != nullptr && input->buffer == output->buffer &&
                           input->offset == output->offset;
        for (std::size_t a = 0; a < bound_.size(); ++a) {
            for (std::size_t b = a + 1; b < bound_.size(); ++b) {
                const Bound& first = bound_[a];
                const Bound& second = bound_[b];
                if (!first.overlaps(second) || !(first.written || second.written)) continue;
                const bool both = first.slot == Slot::input && second.slot == Slot::output;
                if (both && layout_.in_place && plan_.in_place_allowed) continue;
                return fail(ErrorCode::bad_slice,
                            std::string("The ") + to_string(first.slot) + " and the " +
                                to_string(second.slot) + " slice overlap in one buffer ([" +
                                std::to_string(first.offset) + ", " +
                                std::to_string(first.offset + first.size) + ") and [" +
                                std::to_string(second.offset) + ", " +
                                std::to_string(second.offset + second.size) + ")); " +
                                (both && plan_.in_place_allowed
                                     ? "input and output must be the same slice or lie apart."
                                     : "let them lie apart."));
            }
        }
        return {};
    }

    // Whether the buffers of a step go on to a whole vector behind the last element.
    [[nodiscard]] bool vectors_reach(const Step& step) const {
        for (std::size_t i = 0; i < step.regions.size(); ++i) {
            const Bound* bound = find(step.regions[i].slot);
            if (step.spec.vec != 4 || step.spec.bindings[i].type != "array<V>" || bound == nullptr) continue;
            const std::uint64_t vector = std::uint64_t{step.spec.type.stride} * 4;
            const std::uint64_t end =
                bound->offset + step.regions[i].offset + binding_bytes(step.regions[i].size, vector);
            if (end > wgpuBufferGetSize(bound->buffer)) return false;
        }
        return true;
    }

    Result<void> make_constants() {
        if (!plan_.initial.empty()) {
            auto made = context_->buffer("upsweep.initial", plan_.initial.size(), WGPUBufferUsage_Storage,
                                         plan_.initial.data());
            if (!made) return tl::unexpected(made.error());
            job_->initial = std::move(*made);
        }
        if (!plan_.constants.empty()) {
            auto made = context_->buffer("upsweep.constants", plan_.constants.size() * 4,
                                         WGPUBufferUsage_Storage, plan_.constants.data());
            if (!made) return tl::unexpected(made.error());
            job_->constants = std::move(*made);
        }
        if (job_->immediates) return {};
        std::vector<std::byte> all(plan_.steps.size() * params_stride);
        for (std::size_t s = 0; s < plan_.steps.size(); ++s)
            std::memcpy(all.data() + s * params_stride, &plan_.steps[s].params, sizeof(Params));
        auto made = context_->buffer("upsweep.params", all.size(), WGPUBufferUsage_Uniform, all.data());
        if (!made) return tl::unexpected(made.error());
        job_->params = std::move(*made);
        return {};
    }

    [[nodiscard]] WGPUBindGroupEntry entry_of(const Region& region, const KernelSpec& spec,
                                              const BindingDecl& decl) const {
        WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
        std::uint64_t offset = region.offset;
        if (region.slot == Slot::initial) {
            entry.buffer = job_->initial.get();
        } else if (region.slot == Slot::constants) {
            entry.buffer = job_->constants.get();
        } else {
            const Bound* bound = find(region.slot);
            entry.buffer = bound->buffer;
            offset += bound->offset;
        }
        const std::uint64_t vector =
            decl.type == "array<V>" && spec.vec == 4 ? std::uint64_t{spec.type.stride} * 4 : 4;
        entry.offset = offset;
        entry.size = binding_bytes(region.size, vector);
        return entry;
    }

    // WebGPU looks at whole buffers: where a dispatch writes one part of a buffer, every other part must be
    // bound as writable too.
    void share_buffers(Step& step, const std::vector<WGPUBindGroupEntry>& entries) const {
        std::vector<BindingDecl>& decls = step.spec.bindings;
        for (std::size_t w = 0; w < decls.size(); ++w) {
            if (decls[w].access != Access::read_write) continue;
            for (std::size_t r = 0; r < decls.size(); ++r) {
                if (entries[r].buffer == entries[w].buffer) decls[r].access = Access::read_write;
            }
        }
    }

    Result<void> make_dispatches() {
        for (std::size_t s = 0; s < plan_.steps.size(); ++s) {
            if (plan_.steps[s].clears_scratch && job_->scratch) continue;
            Job::State::Dispatch dispatch;
            layout_.vector_io = vectors_reach(plan_.steps[s]);
            dispatch.step = step_for(plan_.steps[s], layout_);
            std::vector<WGPUBindGroupEntry> entries;
            for (std::size_t i = 0; i < dispatch.step.regions.size(); ++i) {
                entries.push_back(
                    entry_of(dispatch.step.regions[i], dispatch.step.spec, dispatch.step.spec.bindings[i]));
                entries.back().binding = static_cast<std::uint32_t>(i);
            }
            share_buffers(dispatch.step, entries);
            if (!job_->immediates) {
                WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
                entry.binding = static_cast<std::uint32_t>(entries.size());
                entry.buffer = job_->params.get();
                entry.offset = s * params_stride;
                entry.size = sizeof(Params);
                entries.push_back(entry);
            }
            auto pipeline = context_->pipeline(dispatch.step.spec, dispatch.step.label);
            if (!pipeline) return tl::unexpected(pipeline.error());
            dispatch.pipeline = *pipeline;
            WGPUBindGroupDescriptor desc = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
            desc.label = view(dispatch.step.label);
            desc.layout = dispatch.pipeline->layout.get();
            desc.entryCount = entries.size();
            desc.entries = entries.data();
            auto ok = in_error_scope(context_->device.get(), context_->instance.get(), [&] {
                dispatch.group = BindGroupHandle(wgpuDeviceCreateBindGroup(context_->device.get(), &desc));
            });
            if (!ok)
                return fail(ok.error().code, "The slices could not be bound for " + dispatch.step.label +
                                                 ": " + ok.error().message);
            job_->dispatches.push_back(std::move(dispatch));
        }
        return context_->check_alive();
    }

    std::shared_ptr<Context::State> context_;
    const Plan& plan_;
    const Slices& slices_;
    std::shared_ptr<Job::State> job_;
    Slice scratch_;
    std::vector<Bound> bound_;
    BufferLayout layout_;
};

}  // namespace

Result<Job> Context::bind(const Plan& plan, const Slices& slices) {
    return Binder(state_, plan, slices).bind();
}

}  // namespace upsweep
