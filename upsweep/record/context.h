// Context: a user's device with the pipelines that were compiled for it.
#pragma once

#include "upsweep/core/plan.h"
#include "upsweep/core/tuning.h"
#include "upsweep/record/job.h"
#include "upsweep/record/probe.h"

#include <cstddef>
#include <memory>
#include <optional>

#include <webgpu/webgpu.h>

namespace upsweep {

/// A device to record for. The context keeps a reference to it.
struct ContextDesc {
    WGPUDevice device = nullptr;
    /// The instance that the device came from. Without it errors are still reported (Dawn and wgpu-native do so at once), but nothing can be
    /// waited for, so that subgroups are not probed.
    WGPUInstance instance = nullptr;
    /// The device's adapter; only wgpu-native needs it, and without it plans a little less well (see
    /// caps_of()).
    WGPUAdapter adapter = nullptr;
    bool use_subgroups = true;  ///< False: as if the device had none.
    /// Whether create() runs one small dispatch to see that subgroups work, and does without them where they
    /// do not. Without a probe they are trusted, but for wgpu-native, which also offers them on drivers that
    /// get them wrong.
    bool probe_subgroups = true;
    bool use_immediates = true;                 ///< False: parameters travel in a uniform buffer.
    std::shared_ptr<const Tuning> tuning = {};  ///< What measured best on this device; see use_tuning().
};

/// Compiles plans and binds them to buffers. Cheap to copy: copies share the pipelines. Use it from one
/// thread at a time, as a WebGPU device.
///
///     auto context = upsweep::Context::create({.device = device});
///     auto plan = upsweep::plan_scan({.count = 8}, context->caps());                 // [3 1 7 0 4 1 6 3]
///     auto job = context->bind(*plan, {.input = {input}, .output = {output}});
///     job->record(encoder);                                                          // [0 3 4 11 11 15 16 22]
class Context {
  public:
    static Result<Context> create(const ContextDesc& desc);

    /// What the device can do: the second argument of every plan function.
    [[nodiscard]] const DeviceCaps& caps() const;

    /// Plans for caps() are made with this tuning from now on, or with none if it is null; jobs stay as they are.
    /// A tuning that is kept in a file goes by the adapter, so that caps() has to be known first.
    void use_tuning(std::shared_ptr<const Tuning> tuning);

    /// What the probe of create() saw, if there was one.
    [[nodiscard]] const std::optional<SubgroupProbe>& subgroup_probe() const;

    /// Compiles the pipelines of a plan for slices that lie apart and have room for whole vectors: a warm-up,
    /// so that the first bind() is quick. Pipelines are kept by their spec, never by a count. Errors:
    /// compile_failed, with the line in the user's own text; device_lost.
    Result<void> compile(const Plan& plan);

    /// Checks the slices, compiles what is missing and makes the bind groups. A scratch slice without a
    /// buffer: the job makes its own. Errors: bad_slice (too small, misaligned, wrong usage, overlapping),
    /// compile_failed, device_lost, device_error.
    Result<Job> bind(const Plan& plan, const Slices& slices);

    /// Pipelines compiled so far.
    [[nodiscard]] std::size_t pipeline_count() const;

    /// Tells that the device is lost, for instance from the device's lost callback: from then on every call
    /// fails with device_lost.
    void mark_lost();

    struct State;

  private:
    explicit Context(std::shared_ptr<State> state);
    std::shared_ptr<State> state_;
};

}  // namespace upsweep
