#include "app/commands/provider.h"

#include "app/formats/descriptor.h"
#include "app/formats/format.h"
#include "upsweep/record/gpu.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

extern "C" char** environ;  // NOLINT: by POSIX it is the program's to declare.

namespace upsweep::app {

namespace {

namespace fs = std::filesystem;

Outcome<fs::path> program_of(const std::string& provider) {
    std::error_code error;
    const fs::path own = fs::read_symlink("/proc/self/exe", error);
    if (error) return failed("The path of this program cannot be found out: " + error.message() + ".");
    const fs::path other = own.parent_path() / ("upsweep_cli-" + provider);
    if (!fs::exists(other)) {
        return failed(
            fmt::format("This program is linked with {}, and the one with {} is missing beside it: {}.",
                        Gpu::provider(), provider, app::quoted(other.string(), 4096)));
    }
    // A program under a wrong name must not start itself again and again.
    if (fs::equivalent(own, other, error)) {
        return failed(fmt::format("The program {} is linked with {} in spite of its name.",
                                  app::quoted(own.string(), 4096), Gpu::provider()));
    }
    return other;
}

std::vector<char*> pointers_to(std::vector<std::string>& arguments) {
    std::vector<char*> pointers;
    pointers.reserve(arguments.size() + 1);
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    return pointers;
}

std::vector<std::string> own_arguments() {
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    std::vector<std::string> arguments;
    for (std::string argument; std::getline(file, argument, '\0');) arguments.push_back(argument);
    return arguments;
}

Outcome<std::string> read_all(int fd) {
    std::string all;
    std::array<char, 65536> piece{};
    for (;;) {
        const ssize_t got = ::read(fd, piece.data(), piece.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return failed("The other program's output cannot be read: " + reason(errno) + ".");
        if (got == 0) return all;
        all.append(piece.data(), static_cast<std::size_t>(got));
    }
}

}  // namespace

Outcome<void> use_provider(const std::string& provider) {
    if (provider.empty() || provider == Gpu::provider()) return {};
    if (std::find(std::begin(provider_names), std::end(provider_names), provider) ==
        std::end(provider_names)) {
        return wrong_usage(
            fmt::format("{} is not a provider; it must be wgpu-native or dawn.", app::quoted(provider)));
    }
    auto program = program_of(provider);
    if (!program) return tl::unexpected(program.error());
    std::vector<std::string> arguments = own_arguments();
    ::execv(program->c_str(), pointers_to(arguments).data());
    return failed(fmt::format("{} cannot be run: {}.", app::quoted(program->string(), 4096), reason(errno)));
}

Outcome<std::string> output_of_provider(const std::string& provider,
                                        const std::vector<std::string>& arguments) {
    auto program = program_of(provider);
    if (!program) return tl::unexpected(program.error());
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return failed("No pipe can be made: " + reason(errno) + ".");
    const Descriptor from(ends[0]);
    Descriptor to(ends[1]);
    std::vector<std::string> all{program->string()};
    all.insert(all.end(), arguments.begin(), arguments.end());
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, to.get(), STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    const int error =
        ::posix_spawn(&child, program->c_str(), &actions, nullptr, pointers_to(all).data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        return failed(
            fmt::format("{} cannot be run: {}.", app::quoted(program->string(), 4096), reason(error)));
    to.close();
    auto output = read_all(from.get());
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return output;
}

}  // namespace upsweep::app
