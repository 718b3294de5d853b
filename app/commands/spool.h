// Results that wait in a temporary file.
#pragma once

#include "app/commands/outcome.h"
#include "app/commands/stream.h"

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>

namespace upsweep::app {

/// Elements that cannot be written yet. The file has no name, so that nothing stays behind, and there is none
/// until something is kept.
class Spool {
  public:
    [[nodiscard]] bool empty() const { return bytes_ == 0; }
    Outcome<void> write(ConstBytes elements);
    /// Gives all that was written, in order and in pieces of whole elements of `stride` bytes.
    Outcome<void> replay(std::size_t stride, const std::function<Outcome<void>(ConstBytes piece)>& take);

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::unique_ptr<std::FILE, Close> file_;
    std::uint64_t bytes_ = 0;
};

}  // namespace upsweep::app
