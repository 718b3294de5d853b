// Whether results are those of a serial scan or reduction, chunk by chunk.
#pragma once

#include "app/commands/stream.h"

#include <cstdint>
#include <memory>

namespace upsweep::app {

/// A serial scan that runs beside the other one and keeps its own total from chunk to chunk.
class Verifier {
  public:
    virtual ~Verifier() = default;

    /// The next elements with their results. `depth`: how often at most a result was rounded. The error
    /// names the first result that is wrong.
    virtual Result<void> check(ConstBytes elements, ConstBytes results, std::uint64_t depth) = 0;

    /// For a reduction, whose only result is the total: the next elements alone, and at the end what they and
    /// the initial value came to. The scan that is verified is inclusive then.
    virtual Result<void> pass(ConstBytes elements) = 0;
    virtual Result<void> check_total(ConstBytes total, std::uint64_t depth) = 0;

    /// Numbers that could not be compared: see FloatVerifier.
    [[nodiscard]] std::uint64_t not_comparable() const { return not_comparable_; }

  protected:
    std::uint64_t done_ = 0;  ///< Elements of the chunks before.
    std::uint64_t not_comparable_ = 0;
};

/// The one that goes with the request:
///
/// - plus and multiplies on floats: with sums and products in double precision, within a bound; see
///   FloatVerifier.
/// - all other operators that the CPU knows: with scan_serial_cpu(), bit for bit (of a NaN in an f16 only
/// that
///   it is one: it passes through an f32 on the device).
/// - operators that exist only in WGSL: with `serial`, the serial scan on the device. Integers are compared
///   bit for bit; floats to a part in 1000 (f16: in 32), since how a custom operator rounds is not known.
std::unique_ptr<Verifier> make_verifier(const ScanDesc& desc, ScanFunction serial);

}  // namespace upsweep::app
