// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/arguments/python_expression.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>

namespace trainyard::program {
namespace {

using Known = std::optional<Value>; // nothing: only Python knows

constexpr std::size_t kMostValues = 5000; // in one value
constexpr std::size_t kMostTextBytes = 1u << 16;
constexpr int kMostDepth = 60;

std::string withoutUnderscores(std::string_view text) {
    std::string digits(text);
    std::erase(digits, '_');
    return digits;
}

Known wholeNumber(std::string_view digits, int base) {
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
    if (problem != std::errc() || end != digits.data() + digits.size() || digits.empty()) return std::nullopt;
    return Value{number};
}

Known realNumber(std::string_view digits) {
    double number = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (end != digits.data() + digits.size() || digits.empty()) return std::nullopt;
    if (problem == std::errc::result_out_of_range) number = digits.find("e-") == digits.npos ? HUGE_VAL : 0.0;
    return Value{number};
}

Known numberOf(std::string_view text) {
    std::string digits = withoutUnderscores(text);
    std::transform(digits.begin(), digits.end(), digits.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    if (digits.starts_with("0x")) return wholeNumber(std::string_view(digits).substr(2), 16);
    if (digits.starts_with("0o")) return wholeNumber(std::string_view(digits).substr(2), 8);
    if (digits.starts_with("0b")) return wholeNumber(std::string_view(digits).substr(2), 2);
    if (digits.find_first_not_of("0123456789") == digits.npos) return wholeNumber(digits, 10);
    return realNumber(digits);
}

std::optional<std::int64_t> integerOf(const Value& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value.is)) return *number;
    if (const auto* truth = std::get_if<bool>(&value.is)) return *truth ? 1 : 0;
    return std::nullopt;
}

std::optional<double> doubleOf(const Value& value) {
    if (const auto* number = std::get_if<double>(&value.is)) return *number;
    if (const auto number = integerOf(value)) return static_cast<double>(*number);
    return std::nullopt;
}

Known powerOf(std::int64_t base, std::int64_t exponent) {
    if (exponent < 0) return Value{std::pow(static_cast<double>(base), static_cast<double>(exponent))};
    if (exponent > 64 && base != 0 && base != 1) return std::nullopt;
    std::int64_t result = 1;
    for (std::int64_t i = 0; i < std::min<std::int64_t>(exponent, 65); ++i)
        if (__builtin_mul_overflow(result, base, &result)) return std::nullopt;
    return Value{result};
}

Known ofIntegers(std::string_view sign, std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    if (sign == "+") return __builtin_add_overflow(a, b, &result) ? Known() : Value{result};
    if (sign == "-") return __builtin_sub_overflow(a, b, &result) ? Known() : Value{result};
    if (sign == "*") return __builtin_mul_overflow(a, b, &result) ? Known() : Value{result};
    if (sign == "**") return powerOf(a, b);
    if (sign == "<<") {
        if (b < 0 || b > 62) return std::nullopt;
        return ofIntegers("*", a, std::int64_t{1} << b);
    }
    if (b == 0 || b == -1) return std::nullopt; // no need for the least number by -1
    if (sign == "/") return Value{static_cast<double>(a) / static_cast<double>(b)};
    const std::int64_t rest = a % b, floor = rest != 0 && (rest < 0) != (b < 0) ? 1 : 0;
    if (sign == "//") return Value{a / b - floor};
    return Value{rest + floor * b};
}

Known ofDoubles(std::string_view sign, double a, double b) {
    if (sign == "+") return Value{a + b};
    if (sign == "-") return Value{a - b};
    if (sign == "*") return Value{a * b};
    if (sign == "**") return Value{std::pow(a, b)};
    if (sign == "/" && b != 0) return Value{a / b};
    return std::nullopt;
}

Known combined(std::string_view sign, const Value& a, const Value& b) {
    if (const auto x = integerOf(a), y = integerOf(b); x && y) return ofIntegers(sign, *x, *y);
    if (const auto x = doubleOf(a), y = doubleOf(b); x && y) return ofDoubles(sign, *x, *y);
    if (sign != "+") return std::nullopt;
    const auto *first = std::get_if<std::string>(&a.is), *second = std::get_if<std::string>(&b.is);
    if (first && second && first->size() + second->size() < kMostTextBytes) return Value{*first + *second};
    const auto *head = std::get_if<Value::List>(&a.is), *tail = std::get_if<Value::List>(&b.is);
    if (!head || !tail || a.size() + b.size() > kMostValues) return std::nullopt;
    Value::List list = *head;
    list.insert(list.end(), tail->begin(), tail->end());
    return Value{std::move(list)};
}

Known negative(const Value& value) {
    if (const auto* number = std::get_if<double>(&value.is)) return Value{-*number};
    if (const auto number = integerOf(value)) return ofIntegers("-", 0, *number);
    return std::nullopt;
}

Known asInteger(const Value& value) {
    if (const auto number = integerOf(value)) return Value{*number};
    if (const auto* text = std::get_if<std::string>(&value.is)) return wholeNumber(*text, 10);
    const auto* number = std::get_if<double>(&value.is);
    if (!number || !(std::fabs(*number) < 9e18)) return std::nullopt;
    return Value{static_cast<std::int64_t>(*number)};
}

Known asDouble(const Value& value) {
    if (const auto number = doubleOf(value)) return Value{*number};
    const auto* text = std::get_if<std::string>(&value.is);
    if (!text) return std::nullopt;
    if (*text == "inf" || *text == "-inf") return Value{*text == "inf" ? HUGE_VAL : -HUGE_VAL};
    if (*text == "nan") return Value{std::numeric_limits<double>::quiet_NaN()};
    return realNumber(*text);
}

Known asList(const Value& value) {
    if (const auto* list = std::get_if<Value::List>(&value.is)) return Value{*list};
    if (const auto* dict = std::get_if<Value::Dict>(&value.is)) return Value{dict->keys};
    return std::nullopt;
}

Known sortedList(const Value& value) {
    auto list = asList(value);
    if (!list) return std::nullopt;
    auto& values = std::get<Value::List>(list->is);
    const auto all = [&](auto holds) { return std::all_of(values.begin(), values.end(), holds); };
    if (all([](const Value& each) { return std::holds_alternative<std::string>(each.is); }))
        std::sort(values.begin(), values.end(), [](const Value& a, const Value& b) {
            return std::get<std::string>(a.is) < std::get<std::string>(b.is);
        });
    else if (all([](const Value& each) { return doubleOf(each) && !std::isnan(*doubleOf(each)); }))
        std::stable_sort(values.begin(), values.end(),
                         [](const Value& a, const Value& b) { return *doubleOf(a) < *doubleOf(b); });
    else return std::nullopt;
    return list;
}

Known rangeOf(const std::vector<Value>& given) {
    std::array<std::int64_t, 3> bounds{0, 0, 1};
    if (given.empty() || given.size() > 3) return std::nullopt;
    for (std::size_t at = 0; at < given.size(); ++at) {
        const auto number = integerOf(given[at]);
        if (!number || std::abs(*number) > 1'000'000'000) return std::nullopt;
        bounds[given.size() == 1 ? 1 : at] = *number;
    }
    const auto [from, to, step] = bounds;
    if (step == 0 || std::size_t(std::abs(to - from) / std::abs(step)) > kMostValues) return std::nullopt;
    Value::List list;
    for (std::int64_t each = from; step > 0 ? each < to : each > to; each += step) list.push_back(Value{each});
    return Value{std::move(list)};
}

Known joinedPath(const std::vector<Value>& parts) {
    std::string path;
    for (const Value& each : parts) {
        const auto* part = std::get_if<std::string>(&each.is);
        if (!part || path.size() > kMostTextBytes) return std::nullopt;
        if (part->starts_with('/')) path = *part;
        else path += (path.empty() || path.ends_with('/') ? "" : "/") + *part;
    }
    return Value{path};
}

Known lengthOf(const Value& value) {
    const auto list = asList(value);
    if (!list) return std::nullopt;
    return Value{static_cast<std::int64_t>(std::get<Value::List>(list->is).size())};
}

Known called(std::string_view function, const std::vector<Value>& given) {
    if (function == "range") return rangeOf(given);
    if (function == "os.path.join" || function == "Path" || function == "pathlib.Path") return joinedPath(given);
    if (given.empty() && (function == "list" || function == "tuple" || function == "set")) return Value{Value::List{}};
    if (given.size() != 1) return std::nullopt;
    const Value& value = given[0];
    if (function == "int") return asInteger(value);
    if (function == "float") return asDouble(value);
    if (function == "str") return value.isLiteral() ? Known(Value{plainText(value)}) : Known();
    if (function == "list" || function == "tuple" || function == "set") return asList(value);
    if (function == "sorted") return sortedList(value);
    if (function == "len") return lengthOf(value);
    return std::nullopt;
}

// Reads one expression, by the grammar of Python as far as it has values.
class Expression {
public:
    Expression(PythonProject& project, const PythonFile& file, Span span, int depth, std::size_t& left)
        : m_project(project), m_file(file), m_at(span.begin), m_end(span.end), m_depth(depth), m_left(left) {}

    Known whole() {
        if (m_depth > kMostDepth || m_at >= m_end || m_left == 0) return std::nullopt;
        --m_left;
        Known value = binary(0);
        return m_at == m_end ? value : std::nullopt;
    }

private:
    const Token& token() const { return m_file.token(m_at); }
    bool isSign(std::string_view sign) const { return m_at < m_end && token().isSign(sign); }

    Known binary(std::size_t level) {
        static const std::array<std::vector<std::string_view>, 3> kLevels{{{"<<"}, {"+", "-"}, {"*", "/", "//", "%"}}};
        if (level == kLevels.size()) return factor();
        Known value = binary(level + 1);
        while (value && m_at < m_end) {
            const auto& signs = kLevels[level];
            const auto sign = std::find_if(signs.begin(), signs.end(), [&](auto each) { return token().isSign(each); });
            if (sign == signs.end()) break;
            ++m_at;
            const Known other = binary(level + 1);
            value = other ? combined(*sign, *value, *other) : std::nullopt;
        }
        return value;
    }

    Known factor() {
        bool minus = false;
        for (; isSign("-") || isSign("+"); ++m_at) minus = minus != isSign("-");
        Known value = primary();
        if (value && isSign("**")) {
            if (++m_at >= m_end || ++m_depth > kMostDepth) return std::nullopt;
            const Known exponent = factor();
            value = exponent ? combined("**", *value, *exponent) : std::nullopt;
        }
        return value && minus ? negative(*value) : value;
    }

    Known primary() {
        if (m_at >= m_end) return std::nullopt;
        Known value;
        switch (token().kind) {
        case TokenKind::Number: value = numberOf(m_file.token(m_at++).text); break;
        case TokenKind::Text: value = texts(); break;
        case TokenKind::Name: value = name(); break;
        case TokenKind::Sign: value = bracketed(); break;
        case TokenKind::LineEnd: break;
        }
        if (value && isSign(".") && m_at + 3 < m_end && m_file.token(m_at + 1).isName("keys")) {
            m_at += 4;
            value = asList(*value);
        }
        return value;
    }

    Known texts() {
        std::string text;
        for (; m_at < m_end && token().kind == TokenKind::Text; ++m_at) {
            const bool fields = token().formatted && token().text.find_first_of("{}") != std::string_view::npos;
            if (token().bytes || fields || text.size() > kMostTextBytes) return std::nullopt;
            text += textOf(token());
        }
        return Value{std::move(text)};
    }

    Known name() {
        std::string dotted(token().text);
        for (++m_at; isSign(".") && m_at + 1 < m_end && !m_file.token(m_at + 1).isName("keys"); m_at += 2)
            dotted += "." + std::string(m_file.token(m_at + 1).text);
        if (isSign("(")) return call(dotted);
        if (dotted == "True" || dotted == "False") return Value{dotted == "True"};
        if (dotted == "None") return Value{};
        if (dotted == "math.inf" || dotted == "np.inf") return Value{HUGE_VAL};
        const auto constant = m_project.constant(m_file, dotted);
        if (!constant.file || m_depth > kMostDepth / 4) return std::nullopt;
        return Expression(m_project, *constant.file, constant.span, m_depth + kMostDepth / 20, m_left).whole();
    }

    Known call(const std::string& function) {
        const std::size_t open = m_at;
        m_at = token().partner + 1;
        std::vector<Value> values;
        for (const Given& each : m_file.given(open)) {
            if (!each.keyword.empty() || each.spread) return std::nullopt;
            values.push_back(element(each.value));
        }
        return called(function, values);
    }

    Value element(Span span) {
        if (auto known = Expression(m_project, m_file, span, m_depth + 1, m_left).whole()) return *std::move(known);
        return {Value::Code{m_file.text(span)}};
    }

    Known bracketed() {
        if (!token().opens()) return std::nullopt;
        const Span inside{m_at + 1, token().partner};
        const bool braces = token().isSign("{"), plain = token().isSign("(");
        m_at = inside.end + 1;
        if (hasLoop(inside)) return std::nullopt;
        if (plain && !inside.empty() && m_file.find(",", inside) == inside.end)
            return Expression(m_project, m_file, inside, m_depth + 1, m_left).whole();
        const auto pieces = m_file.pieces(inside);
        if (pieces.size() > kMostValues) return std::nullopt;
        if (braces && (inside.empty() || m_file.find(":", pieces[0]) < pieces[0].end)) return dict(pieces);
        Value::List list;
        for (const Span each : pieces) {
            if (m_file.token(each.begin).isSign("*")) return std::nullopt;
            list.push_back(element(each));
        }
        return Value{std::move(list)};
    }

    Known dict(const std::vector<Span>& pieces) {
        Value::Dict dict;
        for (const Span each : pieces) {
            const std::size_t colon = m_file.find(":", each);
            if (colon == each.end) return std::nullopt; // **other
            dict.keys.push_back(element({each.begin, colon}));
            dict.values.push_back(element({colon + 1, each.end}));
        }
        return Value{std::move(dict)};
    }

    bool hasLoop(Span span) const {
        for (std::size_t at = span.begin; at < span.end; ++at) {
            if (m_file.token(at).isName("for")) return true;
            if (m_file.token(at).opens()) at = m_file.token(at).partner;
        }
        return false;
    }

    PythonProject& m_project;
    const PythonFile& m_file;
    std::size_t m_at, m_end;
    int m_depth;
    std::size_t& m_left;
};

} // namespace

Value valueOf(PythonProject& project, const PythonFile& file, Span span) {
    std::size_t left = kMostValues;
    if (auto known = Expression(project, file, span, 0, left).whole()) return *std::move(known);
    return {Value::Code{file.text(span)}};
}

} // namespace trainyard::program
