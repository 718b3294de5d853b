// Where results go when their number is known only at the end.
#pragma once

#include "app/commands/outcome.h"
#include "app/commands/spool.h"
#include "app/commands/stream.h"
#include "app/formats/format.h"
#include "app/formats/writer.h"

#include <cstdint>
#include <optional>
#include <string>

namespace upsweep::app {

/// An ArrayWriter wants to know the count before it begins (an npy file has it in front). Where the input
/// does not tell it, the results wait in a spool until finish().
class ResultSink {
  public:
    /// A path that cannot be written to is seen here, before anything is computed.
    static Outcome<ResultSink> open(std::string path, Format format, ElementType type,
                                    std::optional<std::uint64_t> count);

    /// `last`: no more follow, so that the count is known.
    Outcome<void> write(ConstBytes results, bool last);
    /// The file gets its name here.
    Outcome<void> finish();

  private:
    ResultSink(std::string path, Format format, ElementType type)
        : path_(std::move(path)), format_(format), type_(std::move(type)) {}

    Outcome<void> begin(std::uint64_t count);
    Outcome<void> write_now(ConstBytes results);
    std::string path_;
    Format format_;
    ElementType type_;
    std::optional<ArrayWriter> writer_;
    Spool spool_;
    std::uint64_t count_ = 0;
};

}  // namespace upsweep::app
