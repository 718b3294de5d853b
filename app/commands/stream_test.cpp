// The hand-over from chunk to chunk, with the serial scan in the place of a device.
#include "app/commands/stream.h"

#include "app/commands/element.h"
#include "app/commands/selftest_input.h"
#include "app/formats/bytes.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace upsweep::app {
namespace {

struct Streamed {
    Outcome<StreamSummary> summary;
    std::vector<std::byte> results;
    bool last_seen = false;
};

// At most `piece` elements come at a time, fewer only at the end.
Streamed stream(const ScanDesc& desc, const std::vector<std::byte>& input, std::uint64_t capacity) {
    Streamed out;
    std::size_t at = 0;
    StreamEnds ends;
    ends.read = [&](Bytes bytes) -> Result<std::size_t> {
        const std::size_t size = std::min(bytes.size(), input.size() - at);
        std::copy_n(input.begin() + static_cast<std::ptrdiff_t>(at), size, bytes.begin());
        at += size;
        return size;
    };
    ends.scan = [&](const ScanDesc& part, ConstBytes elements, Bytes results) {
        EXPECT_LE(part.count, std::max<std::uint64_t>(capacity, part.kind == ScanKind::exclusive ? 2 : 1));
        return scan_serial_cpu(part, elements, results);
    };
    ends.take = [&](ConstBytes elements, ConstBytes results, bool last) -> Outcome<void> {
        EXPECT_EQ(elements.size(), results.size());
        EXPECT_FALSE(out.last_seen);
        out.last_seen = last;
        out.results.insert(out.results.end(), results.begin(), results.end());
        return {};
    };
    out.summary = scan_stream(desc, capacity, ends);
    return out;
}

// A later element wins, and there is no identity: the order and the first chunk without a seed show.
Operator last_one() {
    CustomOperator parts;
    parts.name = "last_one";
    parts.wgsl = "fn combine(a: T, b: T) -> T { return a * 3u + b; }";
    parts.cpu = [](const std::byte* a, const std::byte* b, std::byte* out) {
        store(out, load<std::uint32_t>(a) * 3 + load<std::uint32_t>(b));
    };
    return Operator::custom(parts).value();
}

TEST(Stream, EveryChunkSizeGivesTheSame) {
    for (const bool custom : {false, true}) {
        for (const ScanKind kind : {ScanKind::inclusive, ScanKind::exclusive}) {
            for (const bool seeded : {false, true}) {
                if (custom && kind == ScanKind::exclusive && !seeded) continue;
                for (const std::uint64_t count : {0, 1, 2, 3, 7, 12, 13}) {
                    ScanDesc desc;
                    desc.kind = kind;
                    if (custom) desc.op = last_one();
                    if (seeded) desc.initial = parse_element("1000", types::u32).value();
                    const auto input = selftest_input(desc.type, desc.op, count);
                    std::vector<std::byte> expected(input.size());
                    desc.count = count;
                    ASSERT_TRUE(scan_serial_cpu(desc, input, expected));
                    for (std::uint64_t capacity = 0; capacity <= count + 2; ++capacity) {
                        const Streamed got = stream(desc, input, capacity);
                        ASSERT_TRUE(got.summary);
                        EXPECT_EQ(got.results, expected) << count << " in chunks of " << capacity;
                        EXPECT_EQ(got.summary->count, count);
                        if (capacity > count && count > 0) {
                            EXPECT_EQ(got.summary->chunks, 1U);
                            EXPECT_TRUE(got.last_seen);
                        }
                        if (count == 0) continue;
                        EXPECT_TRUE(std::equal(got.summary->last.begin(), got.summary->last.end(),
                                               expected.end() - 4));
                        EXPECT_TRUE(std::equal(got.summary->last_element.begin(),
                                               got.summary->last_element.end(), input.end() - 4));
                        EXPECT_TRUE(std::equal(got.summary->first.begin(), got.summary->first.end(),
                                               expected.begin()));
                    }
                }
            }
        }
    }
}

TEST(Stream, ChunkReaderHoldsTheEndOfAChunk) {
    std::uint32_t number = 0;
    const ReadElements count_to_seven = [&](Bytes out) -> Result<std::size_t> {
        std::size_t size = 0;
        for (; size < out.size() && number < 7; size += 4) store(out.data() + size, ++number);
        return size;
    };
    ChunkReader reader(count_to_seven, 4, 3);
    const auto next = [&](std::uint64_t held) {
        const auto chunk = reader.next(held);
        std::vector<std::uint32_t> values;
        for (std::size_t at = 0; at < chunk->size(); at += 4)
            values.push_back(load<std::uint32_t>(chunk->data() + at));
        return values;
    };
    using Numbers = std::vector<std::uint32_t>;
    EXPECT_EQ(next(0), (Numbers{1, 2, 3}));
    EXPECT_EQ(next(1), (Numbers{3, 4, 5}));
    EXPECT_TRUE(reader.more());
    EXPECT_EQ(next(0), (Numbers{6, 7}));
    EXPECT_FALSE(reader.more());
    EXPECT_EQ(next(0), Numbers());
}

TEST(Stream, HalvesOfOddCount) {
    ScanDesc desc;
    desc.type = types::f16;
    desc.count = 1001;
    const auto input = selftest_input(desc.type, desc.op, desc.count);
    std::vector<std::byte> expected(input.size());
    ASSERT_TRUE(scan_serial_cpu(desc, input, expected));
    for (const std::uint64_t capacity : {2, 3, 7, 500, 1001, 1002}) {
        const Streamed got = stream(desc, input, capacity);
        EXPECT_EQ(got.results, expected) << capacity;
    }
}

TEST(Stream, ErrorsEndIt) {
    ScanDesc desc;
    desc.kind = ScanKind::inclusive;
    int taken = 0;
    StreamEnds ends;
    ends.read = [](Bytes bytes) -> Result<std::size_t> { return bytes.size(); };
    ends.scan = [&](const ScanDesc&, ConstBytes, Bytes) -> Result<void> {
        if (taken < 3) return {};
        return fail(ErrorCode::device_lost, "gone");
    };
    ends.take = [&](ConstBytes, ConstBytes, bool) -> Outcome<void> {
        ++taken;
        return {};
    };
    EXPECT_EQ(scan_stream(desc, 5, ends).error().message, "gone");
    EXPECT_EQ(taken, 3);
    ends.take = [&](ConstBytes, ConstBytes, bool) -> Outcome<void> { return failed("full"); };
    taken = 0;
    EXPECT_EQ(scan_stream(desc, 5, ends).error().message, "full");
    ends.read = [](Bytes) -> Result<std::size_t> { return fail(ErrorCode::invalid_argument, "cut off"); };
    EXPECT_EQ(scan_stream(desc, 5, ends).error().message, "cut off");
}

}  // namespace
}  // namespace upsweep::app
