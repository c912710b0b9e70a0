// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/filter/parse.h"

#include "engine/base/text/printable.h"

#include <charconv>
#include <cmath>

namespace trainyard::run {
namespace {

using Token = FilterToken;
using Kind = FilterToken::Kind;
using Tokens = std::vector<FilterToken>;

constexpr std::size_t kLongestFilter = 4000; // bytes
constexpr int kDeepest = 50;                 // brackets within brackets
constexpr std::size_t kShown = 60;           // characters of what is quoted in a message
constexpr std::string_view kDigits = "0123456789";

std::string inQuotes(std::string_view text) { return "\"" + printable(text, kShown) + "\""; }

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// The sign that stands at the beginning of the text; empty when there is none.
std::string_view signAt(std::string_view text) {
    for (const std::string_view sign : {"<=", ">=", "!=", "==", "<", ">", "=", ":"})
        if (text.starts_with(sign)) return sign;
    return {};
}

bool endsWord(std::string_view rest, bool isValue) {
    if (isBlank(rest[0]) || rest[0] == '(' || rest[0] == ')' || rest.starts_with("&&") || rest.starts_with("||"))
        return true;
    return !isValue && !signAt(rest).empty();
}

bool isKeyword(const Token& token, std::string_view word) {
    return token.kind == Kind::Word && filterName(token.text).low == word;
}

// "0,05" as "0.05"; "1,234" stays as it is, since it may be 1234.
std::string withPoint(std::string_view text) {
    std::string number(text);
    const auto comma = number.find(',');
    if (comma == number.npos) return number;
    const auto notDigit = [&](std::size_t from) {
        return std::min(number.size(), number.find_first_not_of(kDigits, from));
    };
    const std::size_t first = number.find_first_of(kDigits), end = notDigit(comma + 1);
    const bool mayBeThousands = end - comma == 4 && first < comma && number[first] != '0';
    if (!mayBeThousands) number[comma] = '.';
    return number;
}

// Half a unit of the last digit that is written, of which there are at least four, some of them decimals.
double slackOf(std::string_view number) {
    constexpr int kFewestDigits = 4;
    const auto e = std::min(number.size(), number.find_first_of("eE"));
    int digits = 0, decimals = 0, exponent = 0;
    bool isDecimal = false;
    for (const char c : number.substr(0, e)) {
        if (c == '.') isDecimal = true;
        if (c < '0' || c > '9') continue;
        decimals += isDecimal ? 1 : 0;
        digits += digits > 0 || c != '0' ? 1 : 0;
    }
    if (decimals == 0 || digits < kFewestDigits) return 0;
    if (auto power = number.substr(std::min(number.size(), e + 1)); !power.empty()) {
        if (power.starts_with('+')) power.remove_prefix(1);
        std::from_chars(power.data(), power.data() + power.size(), exponent);
    }
    constexpr double kHalf = 0.5000001; // a little more, for what binary numbers round off
    return kHalf * std::pow(10.0, exponent - decimals);
}

std::optional<double> toNumber(std::string_view typed) {
    double value = 0;
    const std::string plain = withPoint(typed);
    std::string_view text = plain;
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || std::isnan(value)) return std::nullopt;
    return value;
}

} // namespace

FilterName filterName(std::string_view text) {
    FilterName name{std::string(text), std::string(text)};
    for (char& c : name.low)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    return name;
}

Error FilterProblem::error(const std::string& where) const {
    return inputError(message, where + ", column " + std::to_string(position + 1), remedy);
}

std::variant<std::vector<FilterToken>, FilterProblem> filterTokens(std::string_view text) {
    if (text.size() > kLongestFilter)
        return FilterProblem{"a filter of " + std::to_string(text.size()) + " bytes is too long", "use at most 4000",
                             kLongestFilter, text.size() - kLongestFilter};
    Tokens tokens;
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view rest = text.substr(at);
        Token token{Kind::Word, {}, at, 1};
        if (isBlank(rest[0])) {
            ++at;
            continue;
        }
        const bool isValue = !tokens.empty() && tokens.back().kind == Kind::Sign;
        if (rest[0] == '"') {
            const auto end = rest.find('"', 1);
            if (end == rest.npos)
                return FilterProblem{"the quotation mark is never closed", "write the second one", at, rest.size()};
            token = {Kind::Quoted, std::string(rest.substr(1, end - 1)), at, end + 1};
        } else if (rest.starts_with("&&") || rest.starts_with("||")) {
            token = {Kind::Word, rest[0] == '&' ? "and" : "or", at, 2};
        } else if (rest[0] == '(' || rest[0] == ')') {
            token.kind = rest[0] == '(' ? Kind::Open : Kind::Close;
            token.text = rest[0];
        } else if (const auto sign = signAt(rest); !sign.empty()) {
            token = {Kind::Sign, std::string(sign), at, sign.size()};
        } else {
            std::size_t size = 1;
            while (size < rest.size() && !endsWord(rest.substr(size), isValue)) ++size;
            token = {Kind::Word, std::string(rest.substr(0, size)), at, size};
        }
        at += token.length;
        tokens.push_back(std::move(token));
    }
    tokens.push_back({Kind::End, {}, text.size(), 0});
    return tokens;
}

namespace {

// Recursive descent: either > both > part > term. The first problem ends it.
class FilterParser {
public:
    explicit FilterParser(Tokens tokens) : m_tokens(std::move(tokens)) {}

    std::variant<FilterNode, FilterProblem> parse() {
        FilterNode root;
        if (here().kind == Kind::End) return root;
        root.parts.push_back(either());
        if (!m_problem && here().kind == Kind::Close) refuse("there is no ( for this )", "remove it", here());
        if (m_problem) return *m_problem;
        return root;
    }

private:
    const Token& here() const { return m_tokens[m_at]; }
    const Token& next() const { return m_tokens[std::min(m_at + 1, m_tokens.size() - 1)]; }
    Token take() { return here().kind == Kind::End ? here() : m_tokens[m_at++]; }
    void refuse(std::string message, std::string remedy, const Token& at) {
        if (!m_problem) m_problem = {std::move(message), std::move(remedy), at.position, at.length};
        m_at = m_tokens.size() - 1;
    }
    bool ended() const { return here().kind == Kind::End || here().kind == Kind::Close || isKeyword(here(), "or"); }

    FilterNode joined(FilterNode::Kind kind, std::vector<FilterNode> parts) const {
        return parts.size() == 1 ? std::move(parts[0]) : FilterNode{kind, {}, std::move(parts)};
    }
    FilterNode either() {
        std::vector<FilterNode> parts{both()};
        while (isKeyword(here(), "or")) {
            take();
            parts.push_back(both());
        }
        return joined(FilterNode::Kind::Or, std::move(parts));
    }
    FilterNode both() {
        std::vector<FilterNode> parts{part()};
        while (!ended()) {
            if (isKeyword(here(), "and")) take();
            parts.push_back(part());
        }
        return joined(FilterNode::Kind::And, std::move(parts));
    }
    FilterNode part() {
        if (isKeyword(here(), "not"))
            return nested([this] {
                take();
                return FilterNode{FilterNode::Kind::Not, {}, {part()}};
            });
        if (here().kind == Kind::Open) return nested([this] { return bracket(); });
        return term();
    }
    template <class Parse>
    FilterNode nested(Parse parse) {
        if (++m_depth > kDeepest)
            refuse("the filter has too many brackets within brackets", "write it shorter", here());
        FilterNode node = m_problem ? FilterNode{} : parse();
        --m_depth;
        return node;
    }
    FilterNode bracket() {
        const Token open = take();
        FilterNode inner = either();
        if (here().kind == Kind::Close) take();
        else refuse("the bracket is never closed", "close it with \")\"", open);
        return inner;
    }
    FilterNode term() {
        const Token name = take();
        if (name.kind == Kind::Sign)
            refuse(inQuotes(name.text) + " has no name before it", "write for example lr<0.1", name);
        else if (name.kind != Kind::Word && name.kind != Kind::Quoted)
            refuse("a term is missing here", "write for example lr<0.1", name);
        else if (isKeyword(name, "and") || isKeyword(name, "or"))
            refuse("a term is missing before " + inQuotes(name.text), "put the word in quotation marks to look for it",
                   name);
        else if (here().kind == Kind::Sign) return comparison(name);
        else if (isKeyword(here(), "in") && next().kind == Kind::Word) return range(name);
        return {FilterNode::Kind::Term, {FilterSign::Word, filterName(name.text), name.text, {}, 0, name.position}, {}};
    }
    FilterNode range(const Token& name) {
        take(); // in
        const Token ends = take();
        const auto dots = ends.text.find("..");
        const auto low = toNumber(std::string_view(ends.text).substr(0, dots));
        const auto high =
            dots == ends.text.npos ? std::nullopt : toNumber(std::string_view(ends.text).substr(dots + 2));
        if (!low || !high)
            refuse(inQuotes(ends.text) + " is not a range", "write " + printable(name.text, kShown) + " in 0.01..0.1",
                   ends);
        return {FilterNode::Kind::Term,
                {FilterSign::Between, filterName(name.text), ends.text, low, high.value_or(0), name.position},
                {}};
    }
    FilterNode comparison(const Token& name) {
        static constexpr std::pair<std::string_view, FilterSign> kSigns[] = {
            {"<", FilterSign::Less},  {"<=", FilterSign::LessEqual},    {">", FilterSign::Greater},
            {"=", FilterSign::Equal}, {">=", FilterSign::GreaterEqual}, {"==", FilterSign::Equal},
            {":", FilterSign::Equal}, {"!=", FilterSign::NotEqual}};
        const Token written = take();
        const Token value = take();
        if (value.kind != Kind::Word && value.kind != Kind::Quoted)
            refuse(inQuotes(name.text + written.text) + " needs a value", "write for example lr<0.1", written);
        FilterTerm term{FilterSign::Equal, filterName(name.text), value.text, toNumber(value.text), 0, name.position};
        if (term.number) term.slack = slackOf(withPoint(value.text));
        for (const auto& [text, sign] : kSigns)
            if (text == written.text) term.sign = sign;
        if (!term.number && term.sign != FilterSign::Equal && term.sign != FilterSign::NotEqual)
            refuse(inQuotes(value.text) + " is not a number", written.text + " compares numbers", value);
        return {FilterNode::Kind::Term, std::move(term), {}};
    }

    Tokens m_tokens;
    std::size_t m_at = 0;
    int m_depth = 0;
    std::optional<FilterProblem> m_problem;
};

} // namespace

std::variant<FilterNode, FilterProblem> parseFilter(std::string_view text) {
    auto tokens = filterTokens(text);
    if (auto* problem = std::get_if<FilterProblem>(&tokens)) return std::move(*problem);
    return FilterParser(std::get<Tokens>(std::move(tokens))).parse();
}

} // namespace trainyard::run
