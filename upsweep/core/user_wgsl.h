// Checks of WGSL that a user gives, before it meets the library's own text: what no compiler message would
// explain well.
#pragma once

#include "upsweep/core/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace upsweep {

/// `text` is a list of whole declarations that contains a function `required`. Refused: unbalanced brackets
/// (among them a `}` that would end more than it began), directives, entry points, bindings, and names that
/// the kernels use. `where` begins each message: "operator 'my_op'".
Result<void> check_user_functions(std::string_view text, std::string_view where, std::string_view required);

/// `text` declares types; none of them may have a name that the kernels use.
Result<void> check_user_types(std::string_view text, std::string_view where);

/// `text` is one expression: balanced, and without `;`, braces, attributes and comments, so that it cannot
/// end early or swallow what follows.
Result<void> check_user_expression(std::string_view text, std::string_view where);

/// The line, from 1, on which the function `name` is declared, or 1.
std::uint32_t line_of_function(std::string_view text, std::string_view name);

}  // namespace upsweep
