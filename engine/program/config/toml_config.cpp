// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/config/toml_config.h"

#include <algorithm>

namespace trainyard::program {
namespace {

constexpr std::string_view kSpace = " \t";

using Keys = std::vector<std::string>;

class TomlReader {
public:
    explicit TomlReader(ConfigText& text) : m_text(text) {}

    Result<ConfigNode> read() {
        m_root.kind = ConfigNode::Kind::Table;
        m_root.isOnePiece = false;
        if (m_text.startsWith("\xef\xbb\xbf")) m_text.skip(3);
        for (skipBlank(); !m_text.isAtEnd(); skipBlank()) {
            if (m_text.peek() == '[') TY_TRY(readHeader());
            else TY_TRY(readPair(m_table, 0));
            m_text.skipAny(" \t\r");
            if (m_text.peek() == '#') m_text.skipLine();
            if (!m_text.isAtEnd() && m_text.peek() != '\n') return notToml();
        }
        return std::move(m_root);
    }

private:
    Error notToml() const { return m_text.error("is no TOML here", "mend it, or write it another way"); }

    void skipBlank() {
        for (;;) {
            m_text.skipAny(" \t\r\n");
            if (m_text.peek() != '#') return;
            m_text.skipLine();
        }
    }

    Result<Keys> readKeys() {
        Keys keys;
        for (;;) {
            m_text.skipAny(kSpace);
            const auto begin = m_text.at();
            if (m_text.peek() == '"') TY_TRY(m_text.skipQuoted('\\'));
            else if (m_text.peek() == '\'') TY_TRY(skipLiteral());
            else
                while (!m_text.isAtEnd() && isBare(m_text.peek())) m_text.skip();
            if (m_text.at() == begin || keys.size() >= kDeepestConfig) return notToml();
            keys.push_back(plainKey(m_text.text().substr(begin, m_text.at() - begin)));
            m_text.skipAny(kSpace);
            if (m_text.peek() != '.') return keys;
            m_text.skip();
        }
    }

    static bool isBare(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    }

    // 'as it stands': nothing ends it but the next quote.
    Result<void> skipLiteral() {
        const auto end = m_text.text().find('\'', m_text.at() + 1);
        if (end == m_text.text().npos ||
            m_text.text().substr(m_text.at(), end - m_text.at()).find('\n') != m_text.text().npos)
            return m_text.error("this text has no end", "close its quotes");
        m_text.moveTo(end + 1);
        return {};
    }

    // [a.b] and [[a.b]].
    Result<void> readHeader() {
        const int line = m_text.line();
        const bool isList = m_text.startsWith("[[");
        m_text.skip(isList ? 2 : 1);
        TY_ASSIGN(const Keys keys, readKeys());
        if (!m_text.startsWith(isList ? "]]" : "]")) return notToml();
        m_text.skip(isList ? 2 : 1);
        TY_TRY(m_text.count());
        m_table = keys;
        if (!isList) return tableOf(m_root, keys) ? Result<void>() : notToml();
        ConfigNode* above = tableOf(m_root, Keys(keys.begin(), keys.end() - 1));
        ConfigNode* list = above ? child(*above, keys.back()) : nullptr;
        if (!list) return notToml();
        if (list->children.empty()) list->kind = ConfigNode::Kind::List;
        if (list->kind != ConfigNode::Kind::List || list->isOnePiece) return notToml();
        list->children.push_back({.key = std::to_string(list->children.size()),
                                  .kind = ConfigNode::Kind::Table,
                                  .isOnePiece = false,
                                  .line = line});
        return {};
    }

    // Made where it is not there yet.
    static ConfigNode* child(ConfigNode& in, const std::string& key) {
        const auto found = std::ranges::find(in.children, key, &ConfigNode::key);
        if (found != in.children.end()) return &*found;
        in.children.push_back({.key = key, .kind = ConfigNode::Kind::Table, .isOnePiece = false});
        return &in.children.back();
    }

    // Of a list of tables the last one; nullptr: something else stands there.
    static ConfigNode* tableOf(ConfigNode& root, const Keys& keys) {
        ConfigNode* at = &root;
        for (const auto& key : keys) {
            at = child(*at, key);
            if (at->isOnePiece) return nullptr;
            if (at->kind == ConfigNode::Kind::List) at = &at->children.back();
        }
        return at;
    }

    Result<void> readPair(const Keys& in, int depth) {
        ConfigNode* table = tableOf(m_root, in);
        return table ? readPairInto(*table, depth) : notToml();
    }

    Result<void> readPairInto(ConfigNode& in, int depth) {
        TY_ASSIGN(const Keys keys, readKeys());
        if (m_text.peek() != '=') return notToml();
        m_text.skip();
        m_text.skipAny(kSpace);
        ConfigNode value;
        value.key = keys.back();
        TY_TRY(readValue(value, depth));
        ConfigNode* table = tableOf(in, Keys(keys.begin(), keys.end() - 1));
        if (!table) return notToml();
        table->children.push_back(std::move(value));
        return {};
    }

    Result<void> readValue(ConfigNode& node, int depth) {
        if (depth > kDeepestConfig) return m_text.error("is deeper than 100 brackets");
        TY_TRY(m_text.count());
        node.begin = m_text.at();
        node.line = m_text.line();
        if (m_text.startsWith("\"\"\"") || m_text.startsWith("'''")) {
            TY_TRY(skipLongText());
            node.kind = ConfigNode::Kind::Fixed;
        } else if (m_text.peek() == '"') {
            TY_TRY(m_text.skipQuoted('\\'));
        } else if (m_text.peek() == '\'') {
            TY_TRY(skipLiteral());
        } else if (m_text.peek() == '[') {
            node.kind = ConfigNode::Kind::List;
            TY_TRY(readList(node, depth));
        } else if (m_text.peek() == '{') {
            node.kind = ConfigNode::Kind::Table;
            TY_TRY(readInlineTable(node, depth));
        } else {
            const std::string_view ends = ",]}#\r\n=";
            while (!m_text.isAtEnd() && ends.find(m_text.peek()) == ends.npos) m_text.skip();
            auto end = m_text.at();
            while (end > node.begin && kSpace.find(m_text.text()[end - 1]) != kSpace.npos) --end;
            m_text.moveTo(end);
            if (end == node.begin) return notToml();
        }
        node.end = m_text.at();
        return {};
    }

    Result<void> skipLongText() {
        const auto quotes = m_text.text().substr(m_text.at(), 3);
        const int line = m_text.line();
        for (m_text.skip(3); !m_text.isAtEnd(); m_text.skip()) {
            if (quotes.front() == '"' && m_text.peek() == '\\') {
                m_text.skip();
            } else if (m_text.startsWith(quotes)) {
                m_text.skip(3);
                m_text.skipAny(quotes.substr(0, 1)); // up to two quotes before the end are the text's own
                return {};
            }
        }
        return m_text.errorAt(line, "this text has no end", "close its quotes");
    }

    Result<void> readList(ConfigNode& node, int depth) {
        m_text.skip();
        for (skipBlank(); m_text.peek() != ']'; skipBlank()) {
            ConfigNode child;
            child.key = std::to_string(node.children.size());
            TY_TRY(readValue(child, depth + 1));
            node.children.push_back(std::move(child));
            skipBlank();
            if (m_text.peek() == ',') m_text.skip();
            else if (m_text.peek() != ']') return notToml();
        }
        m_text.skip();
        return {};
    }

    Result<void> readInlineTable(ConfigNode& node, int depth) {
        m_text.skip();
        for (skipBlank(); m_text.peek() != '}'; skipBlank()) {
            TY_TRY(readPairInto(node, depth + 1));
            skipBlank();
            if (m_text.peek() == ',') m_text.skip();
            else if (m_text.peek() != '}') return notToml();
        }
        m_text.skip();
        return {};
    }

    ConfigText& m_text;
    ConfigNode m_root;
    Keys m_table; // that the last header has named
};

} // namespace

Result<ConfigNode> readTomlConfig(ConfigText text) { return TomlReader(text).read(); }

} // namespace trainyard::program
