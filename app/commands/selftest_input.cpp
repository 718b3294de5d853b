#include "app/commands/selftest_input.h"

#include "app/formats/bytes.h"
#include "app/formats/half.h"
#include "app/formats/slots.h"

#include <array>
#include <cstring>
#include <span>

namespace upsweep::app {

namespace {

// 64-bit state, multiplied and mixed: the same numbers on every machine.
class Random {
  public:
    std::uint32_t next() {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::uint32_t>((state_ ^ (state_ >> 22U)) >> (22U + (state_ >> 61U)));
    }

  private:
    std::uint64_t state_ = 1;
};

// Numbers whose sums and products are exact, also in an f16.
double telling_float(const std::string& op, std::uint64_t index, Random& random) {
    const std::uint32_t bits = random.next();
    if (op == "plus") return bits % 16 < 2 ? (bits >> 8U) % 4 - 1.0 : 0.0;
    if (op == "multiplies") {
        if (index % 16 == 7) return index % 32 < 16 ? 2.0 : 0.5;  // In turn: no product leaves [1/2, 2].
        return bits % 2 == 0 ? 1.0 : -1.0;
    }
    if (op == "last_non_zero" && bits % 8 != 0) return bits % 16 < 8 ? 0.0 : -0.0;
    return static_cast<double>(bits % 4096) / 8 - 256;
}

std::uint64_t telling_integer(const std::string& op, Random& random) {
    const std::uint64_t bits = std::uint64_t{random.next()} << 32U | random.next();
    if (op == "last_non_zero") return bits >> 61U == 0 ? bits : 0;
    if (op == "logical_or") return bits >> 54U == 0 ? 1U << 8U : 0;
    if (op == "logical_and" || op == "bit_and")
        return bits >> 54U == 0 ? 0 : ~(std::uint64_t{1} << (bits & 63U));
    return bits;
}

}  // namespace

std::vector<std::byte> selftest_input(const ElementType& type, const Operator& op, std::uint64_t count) {
    const std::vector<Slot> slots = slots_of(type).value();
    std::vector<std::byte> bytes(count * type.stride);
    Random random;
    for (std::uint64_t i = 0; i < count; ++i) {
        for (const Slot& slot : slots) {
            std::byte* out = bytes.data() + i * type.stride + slot.offset;
            if (slot.scalar == Scalar::f32) {
                store(out, static_cast<float>(telling_float(op.name(), i, random)));
            } else if (slot.scalar == Scalar::f16) {
                store(out, half_from_double(telling_float(op.name(), i, random)));
            } else {
                const std::uint64_t value = telling_integer(op.name(), random);
                std::memcpy(out, &value, size_of(slot.scalar));
            }
        }
    }
    return bytes;
}

std::vector<ElementType> selftest_types(const DeviceCaps& caps) {
    std::vector<ElementType> all;
    for (const Scalar scalar :
         {Scalar::u32, Scalar::i32, Scalar::f32, Scalar::f16, Scalar::u64, Scalar::i64}) {
        for (std::uint32_t width = 1; width <= 4; ++width) {
            auto type = ElementType::vector(scalar, width);
            if (type && (caps.shader_f16 || !type->needs_f16())) all.push_back(std::move(*type));
        }
    }
    return all;
}

std::vector<BlockScan> selftest_block_scans(const DeviceCaps& caps) {
    std::vector<BlockScan> all{BlockScan::hillis_steele, BlockScan::blelloch, BlockScan::blelloch_padded};
    if (caps.subgroups) all.push_back(BlockScan::subgroup);
    return all;
}

ElementType selftest_matrix() {
    return ElementType::structure("Mat", "struct Mat { a: u32, b: u32, c: u32, d: u32 }").value();
}

Operator selftest_matrix_product(bool with_identity) {
    using Mat = std::array<std::uint32_t, 4>;
    CustomOperator parts;
    parts.name = "mat_mul";
    parts.wgsl =
        "fn combine(x: Mat, y: Mat) -> Mat {\n"
        "    return Mat(x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d,\n"
        "               x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d);\n"
        "}\n";
    parts.cpu = [](const std::byte* a, const std::byte* b, std::byte* out) {
        Mat x, y;
        std::memcpy(x.data(), a, sizeof x);
        std::memcpy(y.data(), b, sizeof y);
        const Mat z{x[0] * y[0] + x[1] * y[2], x[0] * y[1] + x[1] * y[3], x[2] * y[0] + x[3] * y[2],
                    x[2] * y[1] + x[3] * y[3]};
        std::memcpy(out, z.data(), sizeof z);
    };
    if (with_identity) {
        const Mat one{1, 0, 0, 1};
        parts.identity = "Mat(1u, 0u, 0u, 1u)";
        const auto bytes = std::as_bytes(std::span(one));
        parts.cpu_identity.assign(bytes.begin(), bytes.end());
    }
    return Operator::custom(std::move(parts)).value();
}

}  // namespace upsweep::app
