// One case of the selftest on the device and on the CPU.
#include "app/commands/compare.h"
#include "app/commands/element.h"
#include "app/commands/selftest_cases.h"
#include "app/commands/stream.h"
#include "app/formats/bytes.h"
#include "app/formats/half.h"
#include "app/formats/slots.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

constexpr std::byte poison{0xDE};
constexpr std::size_t tail_bytes = 64;     // Behind the output: what must stay as it was.
constexpr std::uint64_t spare_count = 99;  // With a count on the GPU: so many more could have come.

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

// The data of the slices, in the order input, output, count, scratch, and where they lie on the device.
class Arena {
  public:
    std::array<std::vector<std::byte>, 4> contents;
    std::array<Slice, 4> slices;

    Result<void> upload(const Gpu& gpu, bool one_buffer) {
        const std::uint64_t alignment = std::max(256U, gpu.caps().min_storage_offset_alignment);
        std::uint64_t at = one_buffer ? alignment : 0;
        for (std::size_t i = 0; i < contents.size(); ++i) {
            if (contents.at(i).empty()) continue;
            slices.at(i) = {nullptr, at, contents.at(i).size()};
            if (one_buffer) at += (contents.at(i).size() + alignment - 1) / alignment * alignment;
        }
        if (one_buffer) {
            if (auto ok = make(gpu, at); !ok) return ok;
        }
        for (std::size_t i = 0; i < contents.size(); ++i) {
            if (contents.at(i).empty()) continue;
            if (!one_buffer) {
                if (auto ok = make(gpu, contents.at(i).size()); !ok) return ok;
            }
            slices.at(i).buffer = buffers_.back().get();
            if (auto ok = gpu.write(slices.at(i).buffer, slices.at(i).offset, contents.at(i)); !ok) return ok;
        }
        return {};
    }

  private:
    Result<void> make(const Gpu& gpu, std::uint64_t bytes) {
        auto buffer = gpu.buffer(bytes);
        if (!buffer) return tl::unexpected(buffer.error());
        buffers_.push_back(std::move(*buffer));
        return {};
    }
    std::vector<BufferHandle> buffers_;
};

tl::unexpected<Error> wrong(const std::string& what) {
    return fail(ErrorCode::device_error, what);
}

Result<void> compare(const ElementType& type, std::uint64_t count, ConstBytes got, ConstBytes expected,
                     ConstBytes before) {
    const std::uint64_t bytes = count * type.stride;
    if (const auto index = first_difference(type, got.first(bytes), expected.first(bytes))) {
        const auto element = [&](ConstBytes of) {
            return element_text(type, of.subspan(*index * type.stride, type.stride));
        };
        return wrong(fmt::format("of {} elements, number {} is {} and not {}", count, *index, element(got),
                                 element(expected)));
    }
    const auto [changed, _] = std::mismatch(got.begin() + static_cast<std::ptrdiff_t>(bytes), got.end(),
                                            before.begin() + static_cast<std::ptrdiff_t>(bytes));
    if (changed != got.end())
        return wrong(fmt::format("of {} elements, something was written {} bytes behind the last", count,
                                 changed - got.begin() - static_cast<std::ptrdiff_t>(bytes)));
    return {};
}

Result<void> run_at(const SelftestCase& test, std::uint64_t count, const Gpu& gpu) {
    ScanDesc desc = test.desc;
    desc.count = count;
    Arena arena;
    auto& [input, output, gpu_count, scratch] = arena.contents;
    input = selftest_input(desc.type, desc.op, count + spare_count);
    std::vector<std::byte> expected(input.size());
    if (auto ok = scan_serial_cpu(desc, input, expected); !ok) return ok;

    if (desc.count_on_gpu) {
        desc.count = count + spare_count;
        gpu_count.resize(4);
        store(gpu_count.data(), static_cast<std::uint32_t>(count));
    }
    DeviceCaps caps = gpu.caps();
    if (test.most_binding_bytes != 0) caps.max_storage_binding_size = test.most_binding_bytes;
    auto plan = plan_scan(desc, caps);
    if (!plan) return tl::unexpected(plan.error());
    input.resize(desc.count * desc.type.stride);
    output.assign(input.size(), poison);
    if (test.in_place) output = input;
    output.resize(output.size() + tail_bytes, poison);
    if (test.in_place) input.clear();
    scratch.assign(plan->scratch_bytes, poison);
    if (auto ok = arena.upload(gpu, test.one_buffer); !ok) return ok;
    Slices slices{arena.slices[test.in_place ? 1 : 0], arena.slices[1], arena.slices[2], arena.slices[3]};
    auto job = gpu.context().bind(*plan, slices);
    if (!job) return tl::unexpected(job.error());
    auto ok = gpu.submit([&](WGPUCommandEncoder encoder) { return job->record(encoder); });
    if (!ok) return ok;
    std::vector<std::byte> got(output.size());
    ok = gpu.read(slices.output.buffer, slices.output.offset, got);
    if (!ok) return ok;
    return compare(desc.type, count, got, expected, output);
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

Result<void> run_selftest_case(const SelftestCase& test, const Gpu& gpu) {
    for (const std::uint64_t count : test.counts) {
        if (auto ok = run_at(test, count, gpu); !ok) return ok;
    }
    return {};
}

}  // namespace upsweep::app
