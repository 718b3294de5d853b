// A file that appears under its name only when it is whole.
#pragma once

#include "app/formats/descriptor.h"
#include "upsweep/core/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace upsweep::app {

/// Writes to a temporary file beside the target, with a buffer in front, and renames it in commit(). Without
/// a commit the target stays as it was. Standard output ('-'), pipes and devices are written directly.
class OutputFile {
  public:
    static Result<std::unique_ptr<OutputFile>> create(const std::string& path);

    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile();

    /// After an error each further call gives the same error.
    Result<void> write(std::span<const std::byte> bytes);
    Result<void> commit();

    /// For use in a message: the path in quotes, or "standard output".
    [[nodiscard]] const std::string& name() const { return name_; }

  private:
    OutputFile(Descriptor file, std::string name, std::string temporary, std::string target);

    Result<void> flush();
    Result<void> write_directly(std::span<const std::byte> bytes);
    Result<void> failed(int error);

    Descriptor file_;
    std::string name_;
    std::string temporary_;  // Empty when the target is written directly, and after the rename.
    std::string target_;
    std::vector<std::byte> buffer_;
    std::uint64_t written_ = 0;
    std::optional<Error> error_;
};

}  // namespace upsweep::app
