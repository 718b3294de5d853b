// Size, alignment and members of a user's struct by the memory layout rules of the WGSL specification.
#include "upsweep/core/operator_code.h"
#include "upsweep/core/types.h"
#include "upsweep/core/user_wgsl.h"
#include "upsweep/core/wgsl_lexer.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace upsweep {

namespace {

struct Layout {
    std::uint64_t size = 0;
    std::uint64_t align = 1;
    std::vector<Member> members;
};

std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

constexpr std::uint64_t max_struct_bytes = 65536;
constexpr int max_nesting = 32;

class Parser {
  public:
    explicit Parser(std::vector<Token> tokens, std::string where)
        : tokens_(std::move(tokens)), where_(std::move(where)) {}

    Result<Layout> layout_of(const std::string& name) {
        while (at_ < tokens_.size()) {
            if (auto done = declaration(); !done) return tl::unexpected(done.error());
        }
        const auto found = known_.find(name);
        if (found == known_.end()) return error("there is no struct '" + name + "' in the declaration.");
        return found->second;
    }

  private:
    [[nodiscard]] tl::unexpected<Error> error(const std::string& what) const {
        const std::uint32_t line = tokens_.empty() ? 1 : tokens_[std::min(at_, tokens_.size() - 1)].line;
        return fail(ErrorCode::invalid_argument, where_ + ", line " + std::to_string(line) + ": " + what);
    }
    [[nodiscard]] std::string_view peek() const {
        return at_ < tokens_.size() ? tokens_[at_].text : std::string_view();
    }
    bool take(std::string_view text) {
        if (peek() != text) return false;
        ++at_;
        return true;
    }
    Result<void> expect(std::string_view text) {
        if (take(text)) return {};
        return error("expected '" + std::string(text) + "' before '" + std::string(peek()) + "'.");
    }
    Result<std::string> word() {
        if (at_ >= tokens_.size() || !tokens_[at_].is_word())
            return error("expected a name before '" + std::string(peek()) + "'.");
        return std::string(tokens_[at_++].text);
    }
    Result<std::uint64_t> integer() {
        if (const auto found = constants_.find(std::string(peek())); found != constants_.end()) {
            ++at_;
            return found->second;
        }
        std::string_view text = peek();
        if (text.ends_with('u') || text.ends_with('i')) text.remove_suffix(1);
        std::uint64_t value = 0;
        const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (text.empty() || status != std::errc() || end != text.data() + text.size() || value == 0 ||
            value > max_struct_bytes) {
            return error("'" + std::string(peek()) +
                         "' is not a length from 1 to 65536; write a plain number or a const with one.");
        }
        ++at_;
        return value;
    }

    Result<void> declaration() {
        if (take(";")) return {};
        if (take("struct")) return structure();
        if (take("alias")) {
            auto name = word();
            if (!name) return tl::unexpected(name.error());
            if (auto ok = expect("="); !ok) return ok;
            auto layout = type();
            if (!layout) return tl::unexpected(layout.error());
            known_[*name] = *layout;
            return expect(";");
        }
        if (take("const")) {
            auto name = word();
            if (!name) return tl::unexpected(name.error());
            while (at_ < tokens_.size() && peek() != "=" && peek() != ";") ++at_;
            if (auto ok = expect("="); !ok) return ok;
            auto value = integer();
            if (!value) return tl::unexpected(value.error());
            constants_[*name] = *value;
            return expect(";");
        }
        return error("'" + std::string(peek()) +
                     "' cannot stand in a type's declaration; it holds structs, aliases and integer consts.");
    }

    Result<void> structure() {
        auto name = word();
        if (!name) return tl::unexpected(name.error());
        if (auto ok = expect("{"); !ok) return ok;
        Layout all;
        while (!take("}")) {
            std::uint64_t least_align = 1;
            std::uint64_t least_size = 0;
            while (take("@")) {
                const std::string attribute(peek());
                if (!take("align") && !take("size")) {
                    return error("the attribute '@" + attribute +
                                 "' has no place in a buffer element; only @align and @size do.");
                }
                if (auto ok = expect("("); !ok) return ok;
                auto value = integer();
                if (!value) return tl::unexpected(value.error());
                if (auto ok = expect(")"); !ok) return ok;
                (attribute == "align" ? least_align : least_size) = *value;
            }
            auto member = word();
            if (!member) return tl::unexpected(member.error());
            if (auto ok = expect(":"); !ok) return ok;
            auto layout = type();
            if (!layout) return tl::unexpected(layout.error());
            if (peek() != "}") {
                if (auto ok = expect(","); !ok) return ok;
            }
            const std::uint64_t align = std::max(layout->align, least_align);
            const std::uint64_t offset = round_up(all.size, align);
            append(all, *layout, "." + *member, offset);
            all.size = offset + std::max(layout->size, least_size);
            all.align = std::max(all.align, align);
            if (all.size > max_struct_bytes)
                return error("the struct '" + *name + "' is larger than 65536 bytes.");
        }
        if (all.members.empty()) return error("the struct '" + *name + "' has no members.");
        all.size = round_up(all.size, all.align);
        known_[*name] = std::move(all);
        return {};
    }

    static void append(Layout& all, const Layout& part, const std::string& path, std::uint64_t offset) {
        for (Member member : part.members) {
            member.path = path + member.path;
            member.offset += static_cast<std::uint32_t>(offset);
            all.members.push_back(std::move(member));
        }
    }

    static Layout vector_layout(Scalar scalar, std::uint32_t width) {
        const std::uint64_t bytes = size_of(scalar);
        return {width * bytes, (width == 3 ? 4 : width) * bytes, {Member{"", scalar, width, 0}}};
    }

    Result<Scalar> scalar() {
        const std::string_view text = peek();
        for (const Scalar scalar : {Scalar::u32, Scalar::i32, Scalar::f32, Scalar::f16}) {
            if (text == to_string(scalar)) {
                ++at_;
                return scalar;
            }
        }
        return error("'" + std::string(text) + "' cannot be stored in a buffer; use u32, i32, f32 or f16.");
    }

    // vec3<f32>, vec3f, mat2x3<f32>, mat2x3f: the scalar is in brackets or is the last letter.
    Result<Scalar> component(std::string_view letter) {
        constexpr std::string_view letters = "uifh";
        if (!letter.empty()) return static_cast<Scalar>(letters.find(letter[0]));
        if (auto ok = expect("<"); !ok) return tl::unexpected(ok.error());
        auto of = scalar();
        if (!of) return of;
        if (auto ok = expect(">"); !ok) return tl::unexpected(ok.error());
        return of;
    }

    // An array of an array of ... is read by recursion, which a hostile text must not drive far.
    Result<Layout> type() {
        if (depth_ == max_nesting)
            return error("the type is nested more than " + std::to_string(max_nesting) + " deep.");
        ++depth_;
        auto layout = any_type();
        --depth_;
        return layout;
    }

    Result<Layout> any_type() {
        const std::string text(peek());
        const auto digit = [&](std::size_t i) { return i < text.size() && text[i] >= '2' && text[i] <= '4'; };
        const auto letter_at = [&](std::size_t i) {
            return i == text.size() ||
                   (i + 1 == text.size() && std::string_view("uifh").find(text[i]) != std::string_view::npos);
        };
        if (text.starts_with("vec") && digit(3) && letter_at(4)) {
            ++at_;
            auto of = component(std::string_view(text).substr(4));
            if (!of) return tl::unexpected(of.error());
            return vector_layout(*of, static_cast<std::uint32_t>(text[3] - '0'));
        }
        if (text.starts_with("mat") && digit(3) && text.size() > 5 && text[4] == 'x' && digit(5) &&
            letter_at(6)) {
            ++at_;
            auto of = component(std::string_view(text).substr(6));
            if (!of) return tl::unexpected(of.error());
            return repeated(vector_layout(*of, static_cast<std::uint32_t>(text[5] - '0')),
                            static_cast<std::uint64_t>(text[3] - '0'));
        }
        if (take("array")) {
            if (auto ok = expect("<"); !ok) return tl::unexpected(ok.error());
            auto of = type();
            if (!of) return of;
            if (!take(",")) return error("an array inside an element needs a length, as in array<f32, 4>.");
            auto length = integer();
            if (!length) return tl::unexpected(length.error());
            take(",");
            if (auto ok = expect(">"); !ok) return tl::unexpected(ok.error());
            if (round_up(of->size, of->align) * *length > max_struct_bytes)
                return error("the array is larger than 65536 bytes.");
            return repeated(*of, *length);
        }
        if (const auto found = known_.find(text); found != known_.end()) {
            ++at_;
            return found->second;
        }
        auto of = scalar();
        if (!of) return tl::unexpected(of.error());
        return vector_layout(*of, 1);
    }

    static Layout repeated(const Layout& of, std::uint64_t length) {
        Layout all{0, of.align, {}};
        const std::uint64_t stride = round_up(of.size, of.align);
        for (std::uint64_t i = 0; i < length; ++i) append(all, of, "[" + std::to_string(i) + "]", i * stride);
        all.size = stride * length;
        return all;
    }

    std::vector<Token> tokens_;
    std::string where_;
    std::size_t at_ = 0;
    int depth_ = 0;
    std::map<std::string, Layout> known_;
    std::map<std::string, std::uint64_t> constants_;
};

}  // namespace

Result<ElementType> ElementType::structure(std::string name, std::string declaration, std::uint32_t stride) {
    if (auto ok = check_user_types(declaration, "The declaration of the type '" + name + "'"); !ok)
        return tl::unexpected(ok.error());
    return library_structure(std::move(name), std::move(declaration), stride);
}

Result<ElementType> library_structure(std::string name, std::string declaration, std::uint32_t stride) {
    const std::string where = "The declaration of the type '" + name + "'";
    auto tokens = lex_wgsl(declaration, where);
    if (!tokens) return tl::unexpected(tokens.error());
    auto layout = Parser(std::move(*tokens), where).layout_of(name);
    if (!layout) return tl::unexpected(layout.error());

    ElementType type;
    type.width = 0;
    type.size = static_cast<std::uint32_t>(layout->size);
    type.stride = static_cast<std::uint32_t>(round_up(layout->size, layout->align));
    if (stride != 0 && stride != type.stride) {
        return fail(ErrorCode::invalid_argument,
                    where + " has the stride " + std::to_string(type.stride) + " by the rules of WGSL, but " +
                        std::to_string(stride) +
                        " was given; change the members, or pad them with @size, until both agree.");
    }
    type.name = std::move(name);
    type.declaration = std::move(declaration);
    type.members = std::move(layout->members);
    return type;
}

}  // namespace upsweep
