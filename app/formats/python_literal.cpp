#include "app/formats/python_literal.h"

#include <initializer_list>

namespace upsweep::app {

namespace {

constexpr int deepest = 16;

class Parser {
  public:
    explicit Parser(std::string_view text) : rest_(text) {}

    std::optional<Literal> whole() {
        auto literal = value(0);
        skip_blanks();
        if (!rest_.empty()) return std::nullopt;
        return literal;
    }

  private:
    void skip_blanks() {
        const std::size_t blanks = rest_.find_first_not_of(" \t\r\n");
        rest_.remove_prefix(blanks == std::string_view::npos ? rest_.size() : blanks);
    }

    bool accept(char c) {
        skip_blanks();
        if (!rest_.starts_with(c)) return false;
        rest_.remove_prefix(1);
        return true;
    }

    std::optional<Literal> value(int depth) {
        if (depth > deepest) return std::nullopt;
        if (accept('(')) return items(Literal::Kind::sequence, ')', depth);
        if (accept('[')) return items(Literal::Kind::sequence, ']', depth);
        if (accept('{')) return items(Literal::Kind::dictionary, '}', depth);
        if (rest_.starts_with('\'') || rest_.starts_with('"')) return string();
        for (const std::string_view word : {"True", "False", "None"}) {
            if (!rest_.starts_with(word)) continue;
            rest_.remove_prefix(word.size());
            return Literal{Literal::Kind::word, std::string(word), {}};
        }
        return integer();
    }

    std::optional<Literal> items(Literal::Kind kind, char close, int depth) {
        Literal literal{kind, {}, {}};
        while (!accept(close)) {
            if (kind == Literal::Kind::dictionary) {
                auto key = value(depth + 1);
                if (!key || !accept(':')) return std::nullopt;
                literal.items.push_back(std::move(*key));
            }
            auto item = value(depth + 1);
            if (!item) return std::nullopt;
            literal.items.push_back(std::move(*item));
            if (accept(close)) break;
            if (!accept(',')) return std::nullopt;
        }
        return literal;
    }

    std::optional<Literal> string() {
        const char quote = rest_.front();
        Literal literal{Literal::Kind::string, {}, {}};
        for (std::size_t at = 1; at < rest_.size(); ++at) {
            if (rest_[at] == quote) {
                rest_.remove_prefix(at + 1);
                return literal;
            }
            // A name of a field may hold a quote; which character an escape stands for does not matter here.
            if (rest_[at] == '\\' && at + 1 < rest_.size()) ++at;
            literal.text += rest_[at];
        }
        return std::nullopt;
    }

    std::optional<Literal> integer() {
        const std::size_t sign = rest_.starts_with('-') ? 1 : 0;
        std::size_t stop = rest_.find_first_not_of("0123456789", sign);
        if (stop == std::string_view::npos) stop = rest_.size();
        if (stop == sign) return std::nullopt;
        Literal literal{Literal::Kind::integer, std::string(rest_.substr(0, stop)), {}};
        rest_.remove_prefix(stop);
        if (rest_.starts_with('L')) rest_.remove_prefix(1);  // Python 2 wrote long integers so.
        return literal;
    }

    std::string_view rest_;
};

}  // namespace

const Literal* Literal::find(std::string_view key) const {
    if (kind != Kind::dictionary) return nullptr;
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
        if (items[i].kind == Kind::string && items[i].text == key) return &items[i + 1];
    }
    return nullptr;
}

std::optional<Literal> parse_literal(std::string_view text) {
    return Parser(text).whole();
}

}  // namespace upsweep::app
