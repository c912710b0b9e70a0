// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/config/yaml_config.h"

#include <algorithm>
#include <optional>

namespace trainyard::program {
namespace {

using Kind = ConfigNode::Kind;

// A line that has content; `begin` is where that begins, also behind the dash of a list.
struct YamlLine {
    std::size_t start = 0, begin = 0, end = 0; // end: without what ends a line
    std::size_t indent() const { return begin - start; }
};

class YamlReader {
public:
    explicit YamlReader(ConfigText& text) : m_text(text) {}

    Result<ConfigNode> read() {
        if (m_text.startsWith("\xef\xbb\xbf")) m_text.skip(3);
        ConfigNode root;
        TY_ASSIGN(auto line, next());
        if (line && isMark(*line, "---")) {
            m_text.moveTo(line->start + 3);
            m_text.skipAny(" ");
            if (m_text.peek() != '\n' && m_text.peek() != '\r' && m_text.peek() != '#' && !m_text.isAtEnd())
                return notUnderstood("a document that begins behind ---", "begin it on a line of its own");
            m_text.skipLine();
            TY_ASSIGN(line, next());
        }
        if (!line) return m_text.error("is empty");
        m_line = line;
        TY_TRY(readBlock(root, 0));
        if (m_line) {
            m_text.moveTo(m_line->begin);
            return isMark(*m_line, "---") ? notUnderstood("a second document", "leave one of them out")
                                          : notUnderstood("this line", {});
        }
        if (root.kind != Kind::Table && root.kind != Kind::List) return m_text.errorAt(1, "has no names of values");
        return root;
    }

private:
    Error notUnderstood(const std::string& what, const std::string& remedy) const {
        return m_text.error(what + " is not understood here", remedy);
    }

    bool isMark(const YamlLine& line, std::string_view mark) const {
        const auto content = contentOf(line);
        return line.indent() == 0 && content.starts_with(mark) &&
               (content.size() == mark.size() || content[mark.size()] == ' ');
    }

    std::string_view contentOf(const YamlLine& line) const {
        return m_text.text().substr(line.begin, line.end - line.begin);
    }

    // The next line with content, from a line's beginning or end on. Nothing at the end of the document.
    Result<std::optional<YamlLine>> next() {
        const auto all = m_text.text();
        while (!m_text.isAtEnd()) {
            if (m_text.peek() == '\n') m_text.skip();
            YamlLine line{m_text.at(), 0, std::min(all.find('\n', m_text.at()), all.size())};
            m_text.skipAny(" ");
            line.begin = m_text.at();
            const auto lineEnd = line.end;
            while (line.end > line.begin && (all[line.end - 1] == '\r' || all[line.end - 1] == ' ')) --line.end;
            const auto content = contentOf(line);
            const bool isBlank = content.find_first_not_of('\t') == content.npos;
            if (!isBlank && content.front() == '\t') return notUnderstood("a tab before a name", "indent with spaces");
            m_text.moveTo(lineEnd);
            if (isBlank || content.front() == '#' || (line.indent() == 0 && content.front() == '%')) continue;
            if (isMark(line, "...")) break;
            return std::optional(line);
        }
        return std::optional<YamlLine>();
    }

    Result<void> advance() {
        TY_ASSIGN(m_line, next());
        return {};
    }

    static bool isDash(std::string_view content) { return content == "-" || content.starts_with("- "); }

    // Where the key of a mapping ends, before its colon; npos: it begins none.
    static std::size_t keyEnd(std::string_view content) {
        if (content.empty()) return content.npos;
        std::size_t at = 0;
        if (const char quote = content.front(); quote == '"' || quote == '\'') {
            for (at = 1; at < content.size() && content[at] != quote; ++at)
                if (quote == '"' && content[at] == '\\') ++at;
            at = std::min(at + 1, content.size());
            const auto colon = content.find_first_not_of(' ', at);
            return colon != content.npos && content[colon] == ':' && isColon(content, colon) ? colon : content.npos;
        }
        if (std::string_view("[{|>&*!%@`,]}#").find(content.front()) != std::string_view::npos) return content.npos;
        for (; at < content.size(); ++at) {
            if (content[at] == '#' && at > 0 && content[at - 1] == ' ') return content.npos;
            if (content[at] == ':' && isColon(content, at)) return at;
        }
        return content.npos;
    }

    static bool isColon(std::string_view content, std::size_t at) {
        return at + 1 == content.size() || content[at + 1] == ' ' || content[at + 1] == '\t';
    }

    // What begins at m_line, at its indentation.
    Result<void> readBlock(ConfigNode& node, int depth) {
        if (depth > kDeepestConfig) return m_text.error("is deeper than 100 levels");
        node.isOnePiece = false;
        const auto content = contentOf(*m_line);
        m_text.moveTo(m_line->begin);
        const auto indent = m_line->indent();
        if (isDash(content)) {
            node.kind = Kind::List;
            while (m_line && m_line->indent() == indent && isDash(contentOf(*m_line))) TY_TRY(readItem(node, depth));
        } else if (keyEnd(content) != content.npos) {
            node.kind = Kind::Table;
            while (m_line && m_line->indent() == indent && !isMark(*m_line, "---")) TY_TRY(readMember(node, depth));
        } else {
            node.kind = Kind::Fixed;
            TY_TRY(readValue(node, m_line->indent() == 0 ? 0 : m_line->indent() - 1, depth));
            return {};
        }
        if (m_line && m_line->indent() > indent) {
            m_text.moveTo(m_line->begin);
            return notUnderstood("the indentation of this line", "indent it as what is beside it");
        }
        return {};
    }

    // A list within the line goes on as if the rest of it stood on a line of its own.
    Result<void> readItem(ConfigNode& list, int depth) {
        TY_TRY(m_text.count());
        ConfigNode item;
        item.key = std::to_string(list.children.size());
        const auto indent = m_line->indent();
        auto content = contentOf(*m_line);
        const auto from = content.find_first_not_of(' ', 1);
        const bool isEmpty = from == content.npos || content[from] == '#';
        m_text.moveTo(m_line->begin + (isEmpty ? 1 : from));
        item.line = m_text.line();
        item.begin = item.end = m_line->begin + 1;
        if (isEmpty) {
            TY_TRY(readBelow(item, indent, false, depth));
        } else {
            content.remove_prefix(from);
            m_line->begin += from;
            if (isDash(content) || keyEnd(content) != content.npos) TY_TRY(readBlock(item, depth + 1));
            else TY_TRY(readValue(item, indent, depth));
        }
        list.children.push_back(std::move(item));
        return {};
    }

    Result<void> readMember(ConfigNode& table, int depth) {
        TY_TRY(m_text.count());
        const auto content = contentOf(*m_line);
        const auto indent = m_line->indent();
        m_text.moveTo(m_line->begin);
        const auto colon = keyEnd(content);
        if (colon == content.npos || content.starts_with("? ") || isDash(content))
            return notUnderstood("this line", "write NAME: VALUE");
        ConfigNode member;
        auto key = content.substr(0, colon);
        while (key.ends_with(' ')) key.remove_suffix(1);
        member.key = plainKey(key);
        member.line = m_text.line();
        member.begin = member.end = m_line->begin + colon + 1;
        const auto from = content.find_first_not_of(" \t", colon + 1);
        if (from == content.npos || content[from] == '#') {
            TY_TRY(readBelow(member, indent, true, depth));
        } else {
            m_line->begin += from;
            TY_TRY(readValue(member, indent, depth));
        }
        table.children.push_back(std::move(member));
        return {};
    }

    // The value of a line that has none: on the lines below, or nothing at all.
    Result<void> readBelow(ConfigNode& node, std::size_t indent, bool mayBeBeside, int depth) {
        m_text.skipLine();
        TY_TRY(advance());
        const bool isBelow = m_line && (m_line->indent() > indent ||
                                        (mayBeBeside && m_line->indent() == indent && isDash(contentOf(*m_line))));
        return isBelow ? readBlock(node, depth + 1) : Result<void>();
    }

    // The value that begins at m_line->begin, of a line with this indentation; to the next line.
    Result<void> readValue(ConfigNode& node, std::size_t indent, int depth) {
        node.begin = m_line->begin;
        m_text.moveTo(node.begin);
        const char first = m_text.peek();
        if (first == '&' || first == '!') return readMarked(node, indent, depth);
        if (first == '|' || first == '>') {
            node.kind = Kind::Fixed;
            return skipText(indent);
        }
        if (first == '[' || first == '{') {
            TY_TRY(readFlow(node, depth));
        } else if (first == '"' || first == '\'') {
            TY_TRY(m_text.skipQuoted(first == '"' ? '\\' : '\0'));
        } else {
            if (first == '*') node.kind = Kind::Fixed;
            if (std::string_view("%@`,]}").find(first) != std::string_view::npos)
                return notUnderstood("this value", "put it into quotes");
            const auto content = contentOf(*m_line);
            if (keyEnd(content) != content.npos)
                return notUnderstood("a name behind a name", "put the value into quotes");
            auto end = content.size();
            for (std::size_t at = 1; at < content.size(); ++at)
                if (content[at] == '#' && (content[at - 1] == ' ' || content[at - 1] == '\t')) {
                    end = at;
                    break;
                }
            while (end > 0 && (content[end - 1] == ' ' || content[end - 1] == '\t')) --end;
            m_text.moveTo(node.begin + end);
        }
        node.end = m_text.at();
        m_text.skipAny(" \t\r");
        if (m_text.peek() == '#') m_text.skipLine();
        if (!m_text.isAtEnd() && m_text.peek() != '\n') return notUnderstood("what follows this value", {});
        TY_TRY(advance());
        const bool goesOn = m_line && m_line->indent() > indent;
        if (!goesOn) return {};
        const bool isPlain = std::string_view("[{\"'*").find(first) == std::string_view::npos;
        if (!isPlain) {
            m_text.moveTo(m_line->begin);
            return notUnderstood("the indentation of this line", "indent it as what is beside it");
        }
        node.kind = Kind::Fixed; // a text of several lines
        while (m_line && m_line->indent() > indent) TY_TRY(advance());
        return {};
    }

    // &anchor or !tag before a value: what is in that can be set, it itself cannot.
    Result<void> readMarked(ConfigNode& node, std::size_t indent, int depth) {
        const auto content = contentOf(*m_line);
        const auto blank = content.find(' ');
        const auto from = blank == content.npos ? blank : content.find_first_not_of(' ', blank);
        if (from == content.npos || content[from] == '#') {
            TY_TRY(readBelow(node, indent, true, depth));
        } else {
            m_line->begin += from;
            TY_TRY(readValue(node, indent, depth));
        }
        if (node.kind == Kind::Scalar) node.kind = Kind::Fixed;
        node.isOnePiece = false;
        return {};
    }

    // | and >: whatever stands there.
    Result<void> skipText(std::size_t indent) {
        const auto all = m_text.text();
        m_text.skipLine();
        while (!m_text.isAtEnd()) {
            const auto start = m_text.at() + 1, end = std::min(all.find('\n', start), all.size());
            const auto content = all.find_first_not_of(" \t\r", start);
            const bool isBlank = content == all.npos || content >= end;
            if (!isBlank && content - start <= indent) break;
            m_text.moveTo(end);
        }
        return advance();
    }

    void skipBlank() {
        for (;;) {
            m_text.skipAny(" \t\r\n");
            if (m_text.peek() != '#') return;
            m_text.skipLine();
        }
    }

    // Between brackets, over as many lines as it takes.
    Result<void> readFlow(ConfigNode& node, int depth) {
        if (depth > kDeepestConfig) return m_text.error("is deeper than 100 brackets");
        const int line = m_text.line();
        const bool isTable = m_text.peek() == '{';
        const char close = isTable ? '}' : ']';
        node.kind = isTable ? Kind::Table : Kind::List;
        m_text.skip();
        for (skipBlank(); m_text.peek() != close; skipBlank()) {
            if (m_text.isAtEnd()) return m_text.errorAt(line, "this bracket is never closed", "close it");
            TY_TRY(m_text.count());
            ConfigNode child;
            TY_TRY(readFlowPart(child, depth));
            skipBlank();
            if (m_text.peek() == ':' && isTable) {
                child.key = plainKey(m_text.text().substr(child.begin, child.end - child.begin));
                child.children.clear();
                m_text.skip();
                skipBlank();
                if (m_text.peek() == ',' || m_text.peek() == close) child.kind = Kind::Fixed;
                else TY_TRY(readFlowPart(child, depth));
                skipBlank();
            } else if (isTable) {
                child.kind = Kind::Fixed; // a name without a value
                child.key = m_text.text().substr(child.begin, child.end - child.begin);
            } else {
                child.key = std::to_string(node.children.size());
            }
            node.children.push_back(std::move(child));
            if (m_text.peek() == ',') m_text.skip();
            else if (!m_text.isAtEnd() && m_text.peek() != close)
                return notUnderstood("this in brackets", "write it on lines of its own");
        }
        m_text.skip();
        return {};
    }

    Result<void> readFlowPart(ConfigNode& node, int depth) {
        node.kind = Kind::Scalar;
        node.begin = m_text.at();
        node.line = m_text.line();
        const char first = m_text.peek();
        if (first == '[' || first == '{') {
            TY_TRY(readFlow(node, depth + 1));
        } else if (first == '"' || first == '\'') {
            TY_TRY(m_text.skipQuoted(first == '"' ? '\\' : '\0'));
        } else {
            if (first == '&' || first == '*' || first == '!') node.kind = Kind::Fixed;
            while (!m_text.isAtEnd() && std::string_view(",[]{}\n").find(m_text.peek()) == std::string_view::npos) {
                if (m_text.peek() == ':' &&
                    std::string_view(" \t\r\n,]}").find(m_text.peek(1)) != std::string_view::npos)
                    break;
                if (m_text.peek() == '#' && m_text.at() > node.begin && m_text.text()[m_text.at() - 1] == ' ') break;
                m_text.skip();
            }
            auto end = m_text.at();
            const auto blank = std::string_view(" \t\r");
            while (end > node.begin && blank.find(m_text.text()[end - 1]) != blank.npos) --end;
            m_text.moveTo(end);
            if (end == node.begin) return notUnderstood("this in brackets", "write it on lines of its own");
        }
        node.end = m_text.at();
        return {};
    }

    ConfigText& m_text;
    std::optional<YamlLine> m_line; // that is read next
};

} // namespace

Result<ConfigNode> readYamlConfig(ConfigText text) { return YamlReader(text).read(); }

} // namespace trainyard::program
