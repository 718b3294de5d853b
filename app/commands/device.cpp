#include "app/commands/device.h"

#include "app/commands/device_profile.h"
#include "app/formats/descriptor.h"
#include "upsweep/record/device.h"

#include <cstdlib>
#include <filesystem>
#include <string>

#include <fcntl.h>
#include <unistd.h>

namespace upsweep::app {

namespace {

std::string& own_directory() {
    static std::string path;
    return path;
}

}  // namespace

void make_runtime_directory() {
    const char* given = std::getenv("XDG_RUNTIME_DIR");
    if (given != nullptr && ::access(given, W_OK | X_OK) == 0) return;
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
    if (error) return;
    std::string path = (folder / "upsweep-XXXXXX").string();
    if (::mkdtemp(path.data()) == nullptr) return;  // Only a complaint comes of it.
    ::setenv("XDG_RUNTIME_DIR", path.c_str(), 1);
    own_directory() = path;
}

void remove_runtime_directory() {
    std::error_code ignored;
    if (!own_directory().empty()) std::filesystem::remove_all(own_directory(), ignored);
    own_directory().clear();
}

QuietDawn::QuietDawn() {
    if (is_wgpu_native()) return;
    saved_ = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const Descriptor nothing(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    if (saved_ >= 0 && nothing.is_open()) ::dup2(nothing.get(), STDERR_FILENO);
}

QuietDawn::~QuietDawn() {
    if (saved_ < 0) return;
    ::dup2(saved_, STDERR_FILENO);
    ::close(saved_);
}

Outcome<Gpu> open_gpu(const DeviceOptions& options) {
    make_runtime_directory();
    GpuOptions wanted;
    wanted.adapter = options.adapter == "auto" ? "" : options.adapter;
    wanted.subgroups = !options.no_subgroups;
    wanted.immediates = !options.no_immediates;
    auto gpu = [&] {
        const QuietDawn quiet;
        return Gpu::open(wanted);
    }();
    if (!gpu) return tl::unexpected(gpu.error());
    if (auto ok = use_profile(*gpu, options); !ok) return tl::unexpected(ok.error());
    return std::move(*gpu);
}

}  // namespace upsweep::app
