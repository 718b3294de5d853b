// The table of built-in operators: the one place that a new operator touches. Private to the library.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace upsweep {

// How elements are represented while they are combined.
enum class Form {
    value,    // As they are.
    ordered,  // Floats as u32 keys in their total order, so that no NaN or infinity passes through WGSL
              // arithmetic.
    truth,    // 1 or 0.
    bits,     // Floats as their u32 words.
};

enum class Domain { all, integers };

struct OperatorRow {
    const char* name;
    Domain domain;
    Form float_form;          // The form on floats; integers are values, but for truth.
    const char* join;         // fn join(a: E, b: E) -> E, for types of up to 32 bits.
    const char* wide_join;    // The same on u64 and i64, both a vec2<u32>; functions of wide_integer.wgsl.
    const char* wide_signed;  // On i64 where that differs.
    const char* neutral_u;    // The identity of u32 (and of u32 keys), as a scalar.
    const char* neutral_i;
    const char* neutral_f;  // Of the float, or of its key in the form `ordered`.
    const char* wide_neutral_u;
    const char* wide_neutral_i;
    const char* subgroup_scan;
    const char*
        undo;  // On integers of up to 32 bits: what stood on the left, from the sum `a` and its right operand `b`.
};

/// The rows, in the order of the documentation.
std::span<const OperatorRow> operator_table();
/// A row by its name, or null.
const OperatorRow* find_operator(std::string_view name);

}  // namespace upsweep
