#include "app/commands/stream.h"

#include <algorithm>

namespace upsweep::app {

namespace {

// The first piece that is read; the buffers grow from there, so that a short input takes little memory.
constexpr std::uint64_t first_piece_bytes = 1 << 20;

// Reads on behind the `held` elements until there are `capacity` of them or the data end.
Result<std::uint64_t> fill(std::vector<std::byte>& buffer, std::uint64_t held, std::uint64_t capacity,
                           std::uint64_t stride, const StreamEnds& ends) {
    std::uint64_t have = held;
    while (have < capacity) {
        const std::uint64_t piece = std::max({have, first_piece_bytes / stride, std::uint64_t{1}});
        const std::uint64_t wanted = std::min(piece, capacity - have);
        if (buffer.size() < (have + wanted) * stride) buffer.resize((have + wanted) * stride);
        auto got = ends.read(Bytes(buffer).subspan(have * stride, wanted * stride));
        if (!got) return tl::unexpected(got.error());
        have += *got / stride;
        if (*got < wanted * stride) break;
    }
    return have;
}

std::vector<std::byte> element_of(const std::vector<std::byte>& buffer, std::uint64_t index,
                                  std::uint64_t stride) {
    const ConstBytes element = ConstBytes(buffer).subspan(index * stride, stride);
    return {element.begin(), element.end()};
}

}  // namespace

Outcome<StreamSummary> scan_stream(ScanDesc desc, std::uint64_t capacity, const StreamEnds& ends) {
    const std::uint64_t stride = desc.type.stride;
    const std::uint64_t lookahead = desc.kind == ScanKind::exclusive ? 1 : 0;
    capacity = std::max(capacity, 1 + lookahead);
    StreamSummary summary;
    std::vector<std::byte> elements, results;
    std::uint64_t held = 0;
    for (bool more = true; more;) {
        const auto filled = fill(elements, held, capacity, stride, ends);
        if (!filled) return tl::unexpected(filled.error());
        if (*filled == 0) break;
        more = *filled == capacity;
        desc.count = *filled;
        results.resize(std::max<std::size_t>(results.size(), desc.count * stride));
        const ConstBytes input = ConstBytes(elements).first(desc.count * stride);
        const Bytes output = Bytes(results).first(desc.count * stride);
        if (auto ok = ends.scan(desc, input, output); !ok) return tl::unexpected(ok.error());

        const std::uint64_t whole = more ? desc.count - lookahead : desc.count;
        if (summary.count == 0) summary.first = element_of(results, 0, stride);
        summary.last = element_of(results, whole - 1, stride);
        summary.last_element = element_of(elements, whole - 1, stride);
        summary.count += whole;
        ++summary.chunks;
        if (auto ok = ends.take(input.first(whole * stride), output.first(whole * stride), !more); !ok)
            return tl::unexpected(ok.error());

        desc.initial = element_of(results, desc.count - 1, stride);
        held = desc.count - whole;
        std::copy_n(input.begin() + static_cast<std::ptrdiff_t>(whole * stride), held * stride,
                    elements.begin());
    }
    return summary;
}

}  // namespace upsweep::app
