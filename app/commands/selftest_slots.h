// The data of a plan on the device, and what became of them.
#pragma once

#include "app/commands/stream.h"
#include "upsweep/record/gpu.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace upsweep::app {

/// What lies in slots before a run. Whatever a plan must not touch is this.
inline constexpr std::byte poison{0xDE};
/// Behind an output: what must stay as it was.
inline constexpr std::size_t tail_bytes = 64;
/// With a count on the GPU: so many more elements could have come.
inline constexpr std::uint64_t spare_count = 99;

class SelftestSlots {
  public:
    std::map<Slot, std::vector<std::byte>> contents;  ///< Goes up; run() puts there what came back.
    bool in_place = false;                            ///< There is no input; it lies in the output.
    bool one_buffer = false;  ///< All slices lie in one buffer, at offsets that are not 0.

    /// A count on the GPU.
    void set_count(std::uint64_t count);
    /// Outputs of the plan's sizes and its scratch, poisoned, where they are not set.
    void poison_for(const Plan& plan);
    Result<void> run(const Gpu& gpu, const Plan& plan);

    /// The first `count` elements of the slot are those of `expected`, and all bytes behind them are poison or,
    /// if `before` is given, as there. The error says what is wrong.
    [[nodiscard]] Result<void> check(Slot slot, const ElementType& type, std::uint64_t count,
                                     ConstBytes expected, ConstBytes before = {}) const;

  private:
    Result<void> upload(const Gpu& gpu);
    Result<void> make(const Gpu& gpu, std::uint64_t bytes);

    std::vector<BufferHandle> buffers_;
    std::map<Slot, Slice> slices_;
};

}  // namespace upsweep::app
