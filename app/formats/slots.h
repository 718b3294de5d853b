// The numbers that an element consists of, in the order in which the text formats write them.
#pragma once

#include "upsweep/core/result.h"
#include "upsweep/core/types.h"

#include <cstdint>
#include <string>
#include <vector>

namespace upsweep::app {

/// One number of an element: what it is, where it lies, and the name of its column.
struct Slot {
    Scalar scalar;
    std::uint32_t offset;
    std::string name;
};

/// "value" for a scalar, x y z w for a vector, the paths of the members for a struct ("pos.x", "rows[1].y").
/// A struct whose members are not known has no text form, which is an error.
Result<std::vector<Slot>> slots_of(const ElementType& type);

}  // namespace upsweep::app
