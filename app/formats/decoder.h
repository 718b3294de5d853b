// One format's way from bytes to elements; what ArrayReader is made of.
#pragma once

#include "app/formats/input.h"
#include "app/formats/reader.h"
#include "upsweep/core/types.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace upsweep::app {

class Decoder {
  public:
    Decoder(Input input, ElementType type, std::optional<std::uint64_t> count)
        : input_(std::move(input)), type_(std::move(type)), count_(count) {}
    virtual ~Decoder() = default;

    [[nodiscard]] const ElementType& type() const { return type_; }
    [[nodiscard]] std::optional<std::uint64_t> count() const { return count_; }

    /// `out` is a whole number of strides, at least one. Fills it unless the data end; returns bytes.
    virtual Result<std::size_t> read(std::span<std::byte> out) = 0;

  protected:
    Input input_;
    ElementType type_;
    std::optional<std::uint64_t> count_;
};

Result<std::unique_ptr<Decoder>> decode_raw(Input input, const ReadOptions& options);
Result<std::unique_ptr<Decoder>> decode_npy(Input input, const ReadOptions& options);
Result<std::unique_ptr<Decoder>> decode_text(Input input, const ReadOptions& options);
Result<std::unique_ptr<Decoder>> decode_csv(Input input, const ReadOptions& options, char delimiter);

}  // namespace upsweep::app
