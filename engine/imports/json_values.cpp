// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/json_values.h"

#include <charconv>
#include <limits>

namespace trainyard::imports {
namespace {

constexpr int kMostDepth = 64;

class JsonScanner {
public:
    JsonScanner(std::string_view json, char separator, const JsonTold& told)
        : m_at(json.data()), m_end(json.data() + json.size()), m_separator(separator), m_told(told) {}

    bool whole(std::string_view name, bool objectOnly) {
        m_path = name;
        blanks();
        if (objectOnly && !here('{')) return false;
        if (!value(0)) return false;
        blanks();
        return m_at == m_end;
    }

    const char* at() const { return m_at; } // up to here it was read

    bool elements(const std::function<void(std::string_view)>& element) {
        blanks();
        if (!take('[')) return false;
        ++m_inList; // their values are part of them
        blanks();
        if (!here(']')) do {
                blanks();
                const char* from = m_at;
                if (!value(1)) return false;
                element({from, static_cast<std::size_t>(m_at - from)});
                blanks();
            } while (take(','));
        if (!take(']')) return false;
        blanks();
        return m_at == m_end;
    }

private:
    bool here(char c) const { return m_at < m_end && *m_at == c; }
    bool take(char c) {
        if (!here(c)) return false;
        ++m_at;
        return true;
    }
    void blanks() {
        while (m_at < m_end && (*m_at == ' ' || *m_at == '\t' || *m_at == '\n' || *m_at == '\r')) ++m_at;
    }
    bool word(std::string_view expected) {
        if (!std::string_view(m_at, static_cast<std::size_t>(m_end - m_at)).starts_with(expected)) return false;
        m_at += expected.size();
        return true;
    }
    bool tell(const JsonValue& value) {
        if (m_inList == 0) m_told(m_path, value);
        return true;
    }

    // Leaves m_at behind the closing quotation mark.
    bool text(std::string_view& content) {
        if (!take('"')) return false;
        const char* from = m_at;
        for (; m_at < m_end && *m_at != '"'; ++m_at)
            if (*m_at == '\\' && ++m_at == m_end) return false;
        content = {from, static_cast<std::size_t>(m_at - from)};
        return take('"');
    }

    bool value(int depth) {
        if (depth > kMostDepth || m_at == m_end) return false;
        JsonValue found;
        switch (*m_at) {
        case '{': return object(depth);
        case '[': return list(depth);
        case '"': found.kind = JsonValue::Kind::Text; return text(found.text) && tell(found);
        case 't': found = {.kind = JsonValue::Kind::Flag, .flag = true}; return word("true") && tell(found);
        case 'f': found = {.kind = JsonValue::Kind::Flag}; return word("false") && tell(found);
        case 'n': return word("null") && tell(found);
        default: return number(found) && tell(found);
        }
    }

    bool number(JsonValue& found) {
        found.kind = JsonValue::Kind::Number;
        const char* from = m_at;
        const bool negative = take('-');
        if (word("NaN")) {
            found.number = std::numeric_limits<double>::quiet_NaN();
        } else if (word("Infinity")) {
            found.number =
                negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
        } else {
            if (m_at == m_end || *m_at < '0' || *m_at > '9') return false; // "inf", which from_chars takes
            const auto [end, error] = std::from_chars(from, m_end, found.number);
            m_at = end;
            if (error == std::errc::result_out_of_range) found.kind = JsonValue::Kind::TooLarge;
            else if (error != std::errc()) return false;
        }
        found.text = {from, static_cast<std::size_t>(m_at - from)};
        return true;
    }

    bool object(int depth) {
        ++m_at;
        blanks();
        if (take('}')) return true;
        const std::size_t outer = m_path.size();
        do {
            blanks();
            std::string_view name;
            if (!text(name)) return false;
            blanks();
            if (!take(':')) return false;
            blanks();
            if (m_inList == 0) {
                if (outer > 0) m_path += m_separator;
                if (name.find('\\') == std::string_view::npos) m_path += name;
                else m_path += unescaped(name);
            }
            if (!value(depth + 1)) return false;
            m_path.resize(outer);
            blanks();
        } while (take(','));
        return take('}');
    }

    bool list(int depth) {
        const char* from = m_at++;
        ++m_inList;
        blanks();
        if (!here(']')) do {
                blanks();
                if (!value(depth + 1)) return false;
                blanks();
            } while (take(','));
        --m_inList;
        if (!take(']')) return false;
        return tell({.kind = JsonValue::Kind::List, .text = {from, static_cast<std::size_t>(m_at - from)}});
    }

    const char* m_at;
    const char* m_end;
    char m_separator;
    const JsonTold& m_told;
    std::string m_path{};
    int m_inList = 0;
};

// Four digits after \u; 0xFFFD where there are none.
char32_t hexUnit(std::string_view text, std::size_t& at) {
    unsigned unit = 0;
    const auto digits = text.substr(std::min(at, text.size()), 4);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), unit, 16);
    if (error != std::errc() || digits.size() < 4 || end != digits.data() + 4) return 0xFFFD;
    at += 4;
    return unit;
}

void appendUtf8(std::string& out, char32_t point) {
    const auto add = [&](char32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
    if (point < 0x80) return add(point);
    if (point < 0x800) {
        add(0xC0 | point >> 6);
    } else if (point < 0x10000) {
        add(0xE0 | point >> 12);
        add(0x80 | (point >> 6 & 0x3F));
    } else {
        add(0xF0 | point >> 18);
        add(0x80 | (point >> 12 & 0x3F));
        add(0x80 | (point >> 6 & 0x3F));
    }
    add(0x80 | (point & 0x3F));
}

} // namespace

bool readJsonObject(std::string_view json, char separator, const JsonTold& told) {
    return JsonScanner(json, separator, told).whole({}, true);
}
bool readJsonValue(std::string_view json, std::string_view name, char separator, const JsonTold& told) {
    return JsonScanner(json, separator, told).whole(name, false);
}

bool readJsonElements(std::string_view json, const std::function<void(std::string_view)>& told) {
    const JsonTold none = [](std::string_view, const JsonValue&) {};
    return JsonScanner(json, '/', none).elements(told);
}

std::optional<std::size_t> jsonFault(std::string_view text) {
    const JsonTold none = [](std::string_view, const JsonValue&) {};
    JsonScanner scanner(text, '/', none);
    if (scanner.whole({}, false)) return std::nullopt;
    return static_cast<std::size_t>(scanner.at() - text.data());
}

std::string unescaped(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] != '\\' || at + 1 == text.size()) {
            out += text[at++];
            continue;
        }
        const char which = text[at + 1];
        at += 2;
        switch (which) {
        case 'n': out += '\n'; break;
        case 't': out += '\t'; break;
        case 'r': out += '\r'; break;
        case 'b': out += '\b'; break;
        case 'f': out += '\f'; break;
        case 'u': {
            char32_t point = hexUnit(text, at);
            if (point >= 0xD800 && point < 0xDC00 && text.substr(at).starts_with("\\u")) {
                std::size_t next = at + 2;
                const char32_t low = hexUnit(text, next);
                if (low >= 0xDC00 && low < 0xE000) {
                    point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
                    at = next;
                }
            }
            appendUtf8(out, point >= 0xD800 && point < 0xE000 ? 0xFFFD : point);
            break;
        }
        default: out += which;
        }
    }
    return out;
}

} // namespace trainyard::imports
