// The serial scan on the CPU.
#include "upsweep/scan/scan.h"

#include <cstring>

namespace upsweep {

Result<void> scan_serial_cpu(const ScanDesc& desc, std::span<const std::byte> input,
                             std::span<std::byte> output) {
    const std::size_t stride = desc.type.stride;
    const std::uint64_t bytes = desc.count * stride;
    if (desc.kind == ScanKind::exclusive && !desc.op.has_identity() && desc.initial.empty()) {
        return fail(ErrorCode::invalid_argument,
                    "An exclusive scan begins with the identity, and the operator '" + desc.op.name() +
                        "' has none; give it one, or give an initial value.");
    }
    if (!desc.initial.empty() && desc.initial.size() != desc.type.size && desc.initial.size() != stride) {
        return fail(ErrorCode::invalid_argument, "The initial value has " +
                                                     std::to_string(desc.initial.size()) +
                                                     " bytes, and an element of " + desc.type.name + " has " +
                                                     std::to_string(desc.type.size) + ".");
    }
    if (desc.count > ~std::uint64_t{0} / stride || input.size() < bytes || output.size() < bytes) {
        return fail(ErrorCode::invalid_argument,
                    "The scan of " + std::to_string(desc.count) + " elements needs " + std::to_string(bytes) +
                        " bytes of input and output, not " + std::to_string(input.size()) + " and " +
                        std::to_string(output.size()) + ".");
    }
    auto combine = desc.op.cpu(desc.type);
    if (!combine) return tl::unexpected(combine.error());

    std::vector<std::byte> carry = desc.initial;
    carry.resize(stride);
    if (!desc.initial.empty()) desc.op.cpu_normalize(desc.type, carry.data());
    if (desc.op.has_identity()) {
        auto identity = desc.op.cpu_identity(desc.type);
        if (!identity) return tl::unexpected(identity.error());
        // The identity comes first, also before an initial value: beside it min and max have a NaN that is none.
        if (desc.initial.empty())
            carry = std::move(*identity);
        else
            (*combine)(identity->data(), carry.data(), carry.data());
    }
    bool have = !desc.initial.empty() || desc.op.has_identity();

    std::vector<std::byte> next(stride);
    for (std::uint64_t at = 0; at < bytes; at += stride) {
        std::memcpy(next.data(), input.data() + at, stride);
        desc.op.cpu_normalize(desc.type, next.data());
        if (have) (*combine)(carry.data(), next.data(), next.data());
        have = true;
        std::memcpy(output.data() + at, desc.kind == ScanKind::inclusive ? next.data() : carry.data(),
                    stride);
        std::swap(carry, next);
    }
    return {};
}

}  // namespace upsweep
