// Opening the device that the options ask for.
#pragma once

#include "app/commands/options.h"
#include "app/commands/outcome.h"
#include "upsweep/record/gpu.h"

namespace upsweep::app {

/// Sees to it that XDG_RUNTIME_DIR is a folder of this process's own if the session gives none that can be
/// written to: Mesa complains on standard error otherwise. Call it before anything of WebGPU.
void make_runtime_directory();
/// Removes that folder if there is one.
void remove_runtime_directory();

/// While it lives, Dawn says nothing on standard error: it tells there about each adapter that it does not
/// take. What that means for the program is in the error of Gpu::open().
class QuietDawn {
  public:
    QuietDawn();
    QuietDawn(const QuietDawn&) = delete;
    QuietDawn& operator=(const QuietDawn&) = delete;
    ~QuietDawn();

  private:
    int saved_ = -1;
};

/// With the provider that this program is linked with; see use_provider(). Plans for it use the profile that the
/// options name or, unless they forbid it, the one that is kept for the device; see use_profile().
Outcome<Gpu> open_gpu(const DeviceOptions& options);

}  // namespace upsweep::app
