// Text: numbers between blanks, line ends or single commas.
#include "app/formats/decoder.h"
#include "app/formats/number.h"
#include "app/formats/slots.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

bool is_separator(int c) {
    return c == ' ' || (c >= '\t' && c <= '\r') || c == ',';
}

class TextDecoder : public Decoder {
  public:
    TextDecoder(Input input, ElementType type, std::optional<std::uint64_t> count, std::vector<Slot> slots)
        : Decoder(std::move(input), std::move(type), count), slots_(std::move(slots)) {}

    Result<std::size_t> read(std::span<std::byte> out) override {
        std::fill(out.begin(), out.end(), std::byte{0});
        for (std::size_t at = 0; at < out.size(); at += type_.stride) {
            for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
                auto found = next_token();
                if (!found) return tl::unexpected(std::move(found.error()));
                if (!*found && slot == 0) return at;
                if (!*found) {
                    return fail(
                        ErrorCode::invalid_argument,
                        fmt::format(
                            "{} ends within an element: the last {} has {} of its {} numbers; add the "
                            "rest or give another --type.",
                            input_.name(), type_.name, slot, slots_.size()));
                }
                const Scalar scalar = slots_[slot].scalar;
                if (!parse_number(token_, scalar, out.data() + at + slots_[slot].offset)) {
                    const std::string where = fmt::format("Line {} of {} has", line_, input_.name());
                    return tl::unexpected(bad_number(where, token_, type_, scalar));
                }
            }
        }
        return out.size();
    }

  private:
    /// Reads into token_; false at the end. Stops within a token that is too long to be a number.
    Result<bool> next_token() {
        token_.clear();
        while (is_separator(input_.peek())) {
            const int c = input_.get();
            if (c == '\n') ++line_;
            if (c != ',') continue;
            if (comma_) {
                return fail(
                    ErrorCode::invalid_argument,
                    fmt::format(
                        "Line {} of {} has a comma with no number in front of it: put one comma at most "
                        "between two numbers.",
                        line_, input_.name()));
            }
            comma_ = true;
        }
        for (int c = input_.peek(); c != Input::end && !is_separator(c); c = input_.peek()) {
            if (token_.size() > max_token_bytes) break;
            token_ += static_cast<char>(input_.get());
        }
        comma_ = false;
        if (token_.empty()) return input_.status().map([] { return false; });
        return true;
    }

    std::vector<Slot> slots_;
    std::string token_;
    std::uint64_t line_ = 1;
    bool comma_ = true;  ///< No number is allowed to be missing: not in front of the first comma either.
};

}  // namespace

Result<std::unique_ptr<Decoder>> decode_text(Input input, const ReadOptions& options) {
    ElementType type = options.type.value_or(types::u32);
    auto slots = slots_of(type);
    if (!slots) return tl::unexpected(std::move(slots.error()));
    const auto count = input.size() == std::uint64_t{0} ? input.size() : std::nullopt;
    input.skip_byte_order_mark();
    return std::make_unique<TextDecoder>(std::move(input), std::move(type), count, std::move(*slots));
}

}  // namespace upsweep::app
