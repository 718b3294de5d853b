// What `upsweep bench` finds out, as a table, CSV and JSON, and merged with what other runs and rivals found.
#pragma once

#include "app/formats/input.h"
#include "upsweep/core/result.h"

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace upsweep::app {

/// One point: a benchmark by one method at one count.
struct Measurement {
    std::string benchmark = {};  ///< "scan/u32_plus_exclusive": what is computed.
    std::string strategy = {};   ///< "lookback", "lookback/blelloch": how.
    std::string provider = {};
    std::uint64_t count = 0;
    double us = 0;        ///< 0: there is none, and `note` says why.
    double gb_per_s = 0;  ///< Of the bytes that must move.
    double of_copy = 0;   ///< The speed as a part of that of the copy kernel; 0: not known.
    double rival_us = 0;  ///< 0: the rival was not measured.
    std::string note = {};

    /// How many times as fast as the rival, or 0.
    [[nodiscard]] double ratio() const { return us > 0 ? rival_us / us : 0; }
};

struct Results {
    std::vector<std::string> comments = {};  ///< Where and how it was measured; lines without a '#'.
    std::string rival = {};                  ///< "CUB 3.0.1"; empty without one.
    std::vector<Measurement> rows = {};
};

/// "2^20", or for other counts the number.
std::string count_text(std::uint64_t count);

/// Line by line, for people.
std::string table_head(const Results& results);
std::string table_row(const Results& results, const Measurement& row);

/// The columns benchmark (with the strategy), provider, log2_count, us, GB/s, of_copy, rival_us,
/// ratio_to_rival, note; the rival's name stands in the place of "rival". What is not known is empty.
std::string to_csv(const Results& results);
nlohmann::ordered_json to_json(const Results& results);

/// Reads what to_csv() wrote, or another program's file with the columns benchmark, log2_count and us; the rest is
/// optional. A rival says its name in the first comment, "# CUB 3.0.1".
Result<Results> read_results(Input& input);

/// Adds `more`: of two measurements of the same, the faster one stays.
void merge(Results& results, const Results& more);

/// Sets the rival's times beside the measurements of the same benchmark and count; nothing if it has none.
void set_rival(Results& results, const Results& rival);

}  // namespace upsweep::app
