// The workgroup memory of a module, read out of its text: what a WebGPU implementation holds against the
// device's limit, found without the planner's own arithmetic.
#pragma once

#include "upsweep/core/kernel_spec.h"
#include "upsweep/core/wgsl_lexer.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>

namespace upsweep::test {

class WorkgroupMemory {
  public:
    /// `stride` and `size` are those of E, the type that the kernel computes with; `row` and `stored` are the strides of Row and S.
    WorkgroupMemory(const std::string& wgsl, std::uint64_t size, std::uint64_t stride, std::uint64_t row,
                    std::uint64_t stored)
        : tokens_(*lex_wgsl(wgsl, "module")), size_(size), stride_(stride), row_(row), stored_(stored) {}

    /// Each variable counts with its size rounded up to 16, as WebGPU does it.
    std::uint64_t bytes() {
        std::uint64_t sum = 0;
        for (at_ = 0; at_ < tokens_.size(); ++at_) {
            if (is(0, "const") && is(2, "=")) {
                const std::string name(tokens_[at_ + 1].text);
                at_ += 3;
                // The planner's own constants and what kernels make of them; others are not lengths.
                if (!is(0, "true") && !is(0, "false")) constants_[name] = expression();
            } else if (is(0, "alias") && is(1, "Held")) {
                held_ = is(3, "Row") ? row_ : stored_;
            } else if (is(0, "var") && is(1, "<") && is(2, "workgroup")) {
                at_ += 6;  // var < workgroup > name :
                sum += (variable() + 15) / 16 * 16;
            }
        }
        return sum;
    }

  private:
    [[nodiscard]] bool is(std::size_t ahead, std::string_view text) const {
        return at_ + ahead < tokens_.size() && tokens_[at_ + ahead].text == text;
    }

    std::uint64_t variable() {
        if (is(0, "u32") || is(0, "atomic")) return 4;
        if (is(0, "Turn")) return 8;
        if (is(0, "E")) return size_;
        const bool words = is(2, "u32");
        const bool held = is(2, "Held");
        if (!is(0, "array") || !(words || held || is(2, "E")))
            throw std::logic_error("a workgroup variable of another type: " + std::string(tokens_[at_].text));
        at_ += 4;  // array < E ,
        return expression() * (words ? 4 : held ? held_ : stride_);
    }

    // Sums of products of numbers and constants; ends at ';' or '>'.
    std::uint64_t expression() {
        std::uint64_t sum = product();
        while (is(0, "+")) {
            ++at_;
            sum += product();
        }
        return sum;
    }
    std::uint64_t product() {
        std::uint64_t value = operand();
        while (is(0, "*") || is(0, "/")) {
            const bool times = is(0, "*");
            ++at_;
            value = times ? value * operand() : value / operand();
        }
        return value;
    }
    std::uint64_t operand() {
        const std::string text(tokens_[at_++].text);
        if (const auto found = constants_.find(text); found != constants_.end()) return found->second;
        if (text[0] < '0' || text[0] > '9') throw std::logic_error("not a constant: " + text);
        return std::stoull(text);
    }

    std::vector<Token> tokens_;
    std::uint64_t size_, stride_, row_, stored_, held_ = 0;
    std::size_t at_ = 0;
    std::map<std::string, std::uint64_t> constants_;
};

/// Of the kernel that the spec expands to.
inline std::uint64_t workgroup_memory(const KernelSpec& spec) {
    const ElementType compute = operator_code(spec.op, spec.type)->compute_type;
    const auto module = expand(spec);
    if (!module) throw std::logic_error(module.error().message);
    return WorkgroupMemory(module->wgsl, compute.size, compute.stride, spec.vec * compute.stride,
                           spec.type.stride)
        .bytes();
}

}  // namespace upsweep::test
