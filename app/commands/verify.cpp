#include "app/commands/verify.h"

#include "app/commands/compare.h"
#include "app/commands/element.h"
#include "app/commands/float_verifier.h"
#include "upsweep/reduce/reduce.h"

#include <utility>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

Result<void> compare(const ElementType& type, ConstBytes results, ConstBytes expected, std::uint64_t first,
                     Closeness closeness) {
    const auto index = first_difference(type, results, expected, closeness);
    if (!index) return {};
    const auto element = [&](ConstBytes of) {
        return element_text(type, of.subspan(*index * type.stride, type.stride));
    };
    return fail(ErrorCode::invalid_argument, difference(first + *index, element(results), element(expected)));
}

Result<void> compare_total(const ElementType& type, ConstBytes total, ConstBytes expected,
                           Closeness closeness) {
    if (!first_difference(type, total.first(type.stride), expected, closeness)) return {};
    return fail(ErrorCode::invalid_argument,
                wrong_total(element_text(type, total), element_text(type, expected)));
}

bool is_float(Scalar scalar) {
    return scalar == Scalar::f32 || scalar == Scalar::f16;
}

class CpuVerifier : public Verifier {
  public:
    explicit CpuVerifier(ScanDesc desc, CpuCombine combine)
        : desc_(std::move(desc)), combine_(std::move(combine)) {}

    Result<void> check(ConstBytes elements, ConstBytes results, std::uint64_t) override {
        if (auto ok = pass(elements); !ok) return ok;
        if (auto ok = compare(desc_.type, results, expected_, done_, Closeness::same); !ok) return ok;
        done_ += desc_.count;
        return {};
    }

    Result<void> pass(ConstBytes elements) override {
        const std::size_t stride = desc_.type.stride;
        desc_.count = elements.size() / stride;
        expected_.resize(elements.size());
        if (auto ok = scan_serial_cpu(desc_, elements, expected_); !ok) return ok;
        desc_.initial.assign(expected_.end() - static_cast<std::ptrdiff_t>(stride), expected_.end());
        if (desc_.kind == ScanKind::exclusive) {
            std::vector<std::byte> last(elements.end() - static_cast<std::ptrdiff_t>(stride), elements.end());
            desc_.op.cpu_normalize(desc_.type, last.data());
            combine_(desc_.initial.data(), last.data(), desc_.initial.data());
        }
        return {};
    }

    Result<void> check_total(ConstBytes total, std::uint64_t) override {
        // All that is passed is in the initial value by now; without elements it is the user's, or there is none.
        ReduceDesc nothing;
        nothing.type = desc_.type;
        nothing.op = desc_.op;
        nothing.initial = desc_.initial;
        std::vector<std::byte> expected(desc_.type.stride);
        if (auto ok = reduce_serial_cpu(nothing, {}, expected); !ok) return ok;
        return compare_total(desc_.type, total, expected, Closeness::same);
    }

  private:
    ScanDesc desc_;
    CpuCombine combine_;
    std::vector<std::byte> expected_;
};

class DeviceVerifier : public Verifier {
  public:
    DeviceVerifier(ScanDesc desc, ScanFunction serial) : desc_(std::move(desc)), serial_(std::move(serial)) {
        desc_.strategy = Strategy::serial;
        desc_.geometry = {};
        desc_.block_scan = BlockScan::automatic;
    }

    Result<void> check(ConstBytes elements, ConstBytes results, std::uint64_t) override {
        if (auto ok = pass(elements); !ok) return ok;
        const ConstBytes expected = ConstBytes(expected_).first(results.size());
        if (auto ok = compare(desc_.type, results, expected, done_, Closeness::rounded); !ok) return ok;
        done_ += elements.size() / desc_.type.stride;
        return {};
    }

    Result<void> pass(ConstBytes elements) override {
        const std::size_t stride = desc_.type.stride;
        // One element more makes an exclusive scan give its total too; which one does not matter.
        const std::size_t extra = desc_.kind == ScanKind::exclusive ? stride : 0;
        elements_.assign(elements.begin(), elements.end());
        elements_.resize(elements.size() + extra);
        expected_.resize(elements_.size());
        desc_.count = elements_.size() / stride;
        if (auto ok = serial_(desc_, elements_, expected_); !ok) return ok;
        desc_.initial.assign(expected_.end() - static_cast<std::ptrdiff_t>(stride), expected_.end());
        return {};
    }

    Result<void> check_total(ConstBytes total, std::uint64_t) override {
        expected_ = desc_.initial;
        if (expected_.empty()) {
            // The total of no elements is the identity, with which an exclusive scan begins.
            ScanDesc one = desc_;
            one.kind = ScanKind::exclusive;
            one.count = 1;
            expected_.resize(desc_.type.stride);
            elements_.assign(desc_.type.stride, std::byte{0});
            if (auto ok = serial_(one, elements_, expected_); !ok) return ok;
        }
        return compare_total(desc_.type, total, expected_, Closeness::rounded);
    }

  private:
    ScanDesc desc_;
    ScanFunction serial_;
    std::vector<std::byte> elements_, expected_;
};

}  // namespace

std::string difference(std::uint64_t index, const std::string& result, const std::string& expected) {
    return fmt::format("The results are wrong: element {} is {}, and the serial scan gives {}.", index,
                       result, expected);
}

std::string wrong_total(const std::string& result, const std::string& expected) {
    return fmt::format("The result is wrong: it is {}, and the serial reduction gives {}.", result, expected);
}

std::unique_ptr<Verifier> make_verifier(const ScanDesc& desc, ScanFunction serial) {
    auto combine = desc.op.cpu(desc.type);
    if (!combine) return std::make_unique<DeviceVerifier>(desc, std::move(serial));
    const bool rounds = desc.op.name() == "plus" || desc.op.name() == "multiplies";
    if (!desc.op.is_custom() && rounds && is_float(desc.type.scalar))
        return std::make_unique<FloatVerifier>(desc);
    return std::make_unique<CpuVerifier>(desc, std::move(*combine));
}

}  // namespace upsweep::app
