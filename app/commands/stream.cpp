#include "app/commands/stream.h"

#include <algorithm>

namespace upsweep::app {

namespace {

// The first piece that is read; the buffers grow from there, so that a short input takes little memory.
constexpr std::uint64_t first_piece_bytes = 1 << 20;

std::vector<std::byte> element_of(ConstBytes buffer, std::uint64_t index, std::uint64_t stride) {
    const ConstBytes element = buffer.subspan(index * stride, stride);
    return {element.begin(), element.end()};
}

}  // namespace

Result<ConstBytes> ChunkReader::next(std::uint64_t held) {
    if (!more_) return ConstBytes();
    const ConstBytes kept = ConstBytes(buffer_).subspan((have_ - held) * stride_, held * stride_);
    std::copy(kept.begin(), kept.end(), buffer_.begin());
    have_ = held;
    while (have_ < capacity_) {
        const std::uint64_t piece = std::max({have_, first_piece_bytes / stride_, std::uint64_t{1}});
        const std::uint64_t wanted = std::min(piece, capacity_ - have_);
        if (buffer_.size() < (have_ + wanted) * stride_) buffer_.resize((have_ + wanted) * stride_);
        auto got = read_(Bytes(buffer_).subspan(have_ * stride_, wanted * stride_));
        if (!got) return tl::unexpected(got.error());
        have_ += *got / stride_;
        if (*got < wanted * stride_) break;
    }
    more_ = have_ == capacity_;
    return ConstBytes(buffer_).first(have_ * stride_);
}

Outcome<StreamSummary> scan_stream(ScanDesc desc, std::uint64_t capacity, const StreamEnds& ends) {
    const std::uint64_t stride = desc.type.stride;
    const std::uint64_t lookahead = desc.kind == ScanKind::exclusive ? 1 : 0;
    ChunkReader reader(ends.read, stride, std::max(capacity, 1 + lookahead));
    StreamSummary summary;
    std::vector<std::byte> results;
    std::uint64_t held = 0;
    for (;;) {
        const auto input = reader.next(held);
        if (!input) return tl::unexpected(input.error());
        if (input->empty()) break;
        desc.count = input->size() / stride;
        results.resize(std::max(results.size(), input->size()));
        const Bytes output = Bytes(results).first(input->size());
        if (auto ok = ends.scan(desc, *input, output); !ok) return tl::unexpected(ok.error());

        const std::uint64_t whole = reader.more() ? desc.count - lookahead : desc.count;
        if (summary.count == 0) summary.first = element_of(output, 0, stride);
        summary.last = element_of(output, whole - 1, stride);
        summary.last_element = element_of(*input, whole - 1, stride);
        summary.count += whole;
        ++summary.chunks;
        if (auto ok = ends.take(input->first(whole * stride), output.first(whole * stride), !reader.more());
            !ok)
            return tl::unexpected(ok.error());
        desc.initial = element_of(output, desc.count - 1, stride);
        held = desc.count - whole;
    }
    return summary;
}

}  // namespace upsweep::app
