#include "upsweep/core/tile_state.h"

namespace upsweep {

namespace {

// One 32-bit scalar of a sum.
struct Word {
    std::string path;  // Behind a variable of the type: ".pos.x"; empty for a scalar.
    Scalar scalar;

    // An f16 travels as the f32 of the same value.
    [[nodiscard]] std::string bits_of(const std::string& variable) const {
        const std::string value = variable + path;
        if (scalar == Scalar::f16) return "bitcast<u32>(f32(" + value + "))";
        return scalar == Scalar::u32 ? value : "bitcast<u32>(" + value + ")";
    }
    [[nodiscard]] std::string from_bits(const std::string& bits) const {
        if (scalar == Scalar::f16) return "f16(bitcast<f32>(" + bits + "))";
        return scalar == Scalar::u32 ? bits : std::string("bitcast<") + to_string(scalar) + ">(" + bits + ")";
    }
};

void add_words(std::vector<Word>& words, const std::string& path, Scalar scalar, std::uint32_t width) {
    const bool wide = scalar == Scalar::u64 || scalar == Scalar::i64;  // A vec2<u32> in WGSL.
    const std::uint32_t parts = wide ? 2 : width;
    for (std::uint32_t i = 0; i < parts; ++i) {
        words.push_back({parts == 1 ? path : path + "." + "xyzw"[i], wide ? Scalar::u32 : scalar});
    }
}

std::vector<Word> words_of(const ElementType& sum) {
    std::vector<Word> words;
    if (!sum.is_struct()) add_words(words, "", sum.scalar, sum.width);
    for (const Member& member : sum.members) add_words(words, member.path, member.scalar, member.width);
    return words;
}

}  // namespace

std::uint32_t tile_state_words(const ElementType& sum) {
    return 2 * static_cast<std::uint32_t>(words_of(sum).size());
}

bool fits_tile_state(const ElementType& sum) {
    return tile_state_words(sum) <= most_tile_state_words;
}

std::uint64_t tile_states_bytes(const ElementType& sum, std::uint64_t sums) {
    return (tile_states_header + 2 * sums * tile_state_words(sum)) * 4;
}

std::vector<std::string> tile_state_functions(const ElementType& sum) {
    const std::vector<Word> words = words_of(sum);
    std::string half = "fn half_of(e: E, h: u32) -> u32 { var word = " + words[0].bits_of("e") + "; ";
    std::string load = "fn load_state(at: u32) -> TileState { ";
    std::string agree = "let flag = h0 & FLAGS; let agree = ";
    std::string value = "var e: E; ";
    for (std::size_t w = 0; w < words.size(); ++w) {
        const std::string low = "h" + std::to_string(2 * w);
        const std::string high = "h" + std::to_string(2 * w + 1);
        if (w > 0)
            half += "if (h / 2u == " + std::to_string(w) + "u) { word = " + words[w].bits_of("e") + "; } ";
        load += "let " + low + " = atomicLoad(&states[at + " + std::to_string(2 * w) + "u]); ";
        load += "let " + high + " = atomicLoad(&states[at + " + std::to_string(2 * w + 1) + "u]); ";
        if (w > 0) agree += "(" + low + " & FLAGS) == flag && ";
        agree += "(" + high + " & FLAGS) == flag" + (w + 1 < words.size() ? " && " : "; ");
        value += "e" + words[w].path + " = " +
                 words[w].from_bits("(" + low + " & 0xffffu) | (" + high + " << 16u)") + "; ";
    }
    half += "return select(word & 0xffffu, word >> 16u, h % 2u == 1u); }";
    load += agree + value + "return TileState(select(MISSING, flag, agree), e); }";
    return {"struct TileState { flag: u32, value: E }", half, load};
}

}  // namespace upsweep
