// Sums and products of floats against double precision.
#pragma once

#include "app/commands/verify.h"

#include <optional>
#include <string>
#include <vector>

namespace upsweep::app {

/// Floating-point plus and multiplies round differently in each order of combining, so they are compared with
/// a reference in double precision, within what rounding can explain:
///
/// - A sum of x[0] ... x[i]: |result - sum| <= d u (|x[0]| + ... + |x[i]|), where u is 2^-23 (f16: 2^-10),
/// the
///   largest relative error of one rounding (in whichever direction: WGSL leaves that open), and d the
///   largest number of roundings on the way of an element. Each rounding errs by at most u times a partial
///   sum, and no partial sum is larger than the sum of the absolute values. A parallel scan has a d of about
///   100 (its tree and the rows of an invocation), a serial one a d of its length.
/// - A product: |result - product| <= d u |product|, by the same argument.
///
/// To both comes d times the smallest normal number, since devices may flush what is below it to zero. A
/// result is not compared, and counted, where partial sums or products can leave the range of the type, or
/// where NaN or infinity came in: WGSL promises nothing there.
class FloatVerifier : public Verifier {
  public:
    explicit FloatVerifier(const ScanDesc& desc);
    Result<void> check(ConstBytes elements, ConstBytes results, std::uint64_t depth) override;
    Result<void> pass(ConstBytes elements) override;
    Result<void> check_total(ConstBytes total, std::uint64_t depth) override;

  private:
    // A sum as a double, and that of the absolute values.
    struct Sum {
        double value = 0, magnitude = 0;
    };
    // A product as fraction * 2^exponent, without its zeros, and between which exponents it went.
    struct Product {
        double fraction = 0.5;
        long exponent = 1, lowest = 1, highest = 1;
        bool zero = false;
    };
    struct Bound {
        bool known = true;
        double value = 0, error = 0;
    };
    // What is wrong with a component of a result: the result and what was expected.
    struct Difference {
        std::string result, expected;
    };
    void take(std::uint32_t component, double x);
    std::optional<Difference> differs(std::uint32_t component, const std::byte* result, double depth);
    [[nodiscard]] Bound expected(std::uint32_t component, double depth) const;
    [[nodiscard]] double number(const std::byte* in) const;

    ElementType type_;
    bool inclusive_;
    bool product_;
    std::vector<Sum> sums_;
    std::vector<Product> products_;
    std::vector<bool> broken_;  ///< NaN or infinity came in.
};

/// The sentence for a result that is not the expected one, and for a total.
std::string difference(std::uint64_t index, const std::string& result, const std::string& expected);
std::string wrong_total(const std::string& result, const std::string& expected);

}  // namespace upsweep::app
