// Trials: methods at one count, run once and compared with the results of the CPU, then timed.
#pragma once

#include "app/measure/measure.h"
#include "app/tune/choose.h"
#include "app/tune/tune_case.h"

#include <optional>
#include <string>
#include <vector>

namespace upsweep::app {

/// A method that cannot be taken, and why.
struct Problem {
    std::string where;  ///< "scan of u32, plus; 2^16; lookback, subgroup, 512x6 in 264".
    std::string what;
    bool wrong = false;  ///< It gave wrong results; else the device could not run it.
};

/// The trials of one case at one count. The measure's device must outlive this.
class Trials {
  public:
    /// Reads the input and computes on the CPU what comes of it.
    static Result<Trials> make(Measure& measure, const TuneCase& of, std::uint32_t log2);

    /// Plans, compiles and runs a method, and keeps it for times() if the results are right. False if it is not
    /// possible, comes to the plan of one that is kept already, or is wrong; the last is told in problems(). Errors:
    /// device_lost.
    Result<bool> prepare(const Method& method);

    /// GPU seconds of the methods that were prepared since the last call, one after the other while the clock is
    /// warm, with `effort` for each.
    Result<std::vector<Timed>> times(Effort effort);

    [[nodiscard]] const std::vector<Problem>& problems() const { return problems_; }
    /// Methods whose results were wrong.
    [[nodiscard]] const std::vector<Method>& wrong() const { return wrong_; }

  private:
    struct Prepared {
        Method method;
        Plan plan;
        Job job;
    };
    Trials(Measure& measure, const TuneCase& of, std::uint32_t log2)
        : measure_(measure), case_(of), log2_(log2) {}
    Result<bool> note(const Error& error, const std::string& method);
    Result<void> run(const Job& job);
    Result<std::string> difference();

    Measure& measure_;
    const TuneCase& case_;
    std::uint32_t log2_;
    Slices slices_;
    BufferHandle total_;
    TuneResults expected_;
    std::vector<std::byte> got_;
    std::vector<Prepared> prepared_;
    std::vector<Problem> problems_;
    std::vector<Method> wrong_;
};

}  // namespace upsweep::app
