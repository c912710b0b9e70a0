// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/config/json_config.h"

namespace trainyard::program {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

Error notJson(const ConfigText& text) {
    return text.error("is no JSON here", "mend it: python3 -m json.tool FILE tells more");
}

Result<void> readValue(ConfigText& text, ConfigNode& node, int depth);

// The members between brackets.
Result<void> readMembers(ConfigText& text, ConfigNode& node, int depth) {
    const bool isTable = node.kind == ConfigNode::Kind::Table;
    const char close = isTable ? '}' : ']';
    text.skip();
    text.skipAny(kBlank);
    if (text.peek() == close) return text.skip(), Result<void>();
    for (;;) {
        ConfigNode child;
        if (isTable) {
            const auto begin = text.at();
            if (text.peek() != '"') return notJson(text);
            TY_TRY(text.skipQuoted('\\'));
            child.key = plainKey(text.text().substr(begin, text.at() - begin));
            text.skipAny(kBlank);
            if (text.peek() != ':') return notJson(text);
            text.skip();
            text.skipAny(kBlank);
        } else {
            child.key = std::to_string(node.children.size());
        }
        TY_TRY(readValue(text, child, depth + 1));
        node.children.push_back(std::move(child));
        text.skipAny(kBlank);
        const char next = text.peek();
        if (next != ',' && next != close) return notJson(text);
        text.skip();
        if (next == close) return {};
        text.skipAny(kBlank);
    }
}

Result<void> readValue(ConfigText& text, ConfigNode& node, int depth) {
    if (depth > kDeepestConfig) return text.error("is deeper than 100 brackets");
    TY_TRY(text.count());
    node.begin = text.at();
    node.line = text.line();
    if (const char first = text.peek(); first == '{' || first == '[') {
        node.kind = first == '{' ? ConfigNode::Kind::Table : ConfigNode::Kind::List;
        TY_TRY(readMembers(text, node, depth));
    } else if (first == '"') {
        TY_TRY(text.skipQuoted('\\'));
    } else {
        while (!text.isAtEnd() && std::string_view(",]}: \t\r\n\"[{").find(text.peek()) == std::string_view::npos)
            text.skip();
        if (text.at() == node.begin) return notJson(text);
    }
    node.end = text.at();
    return {};
}

} // namespace

Result<ConfigNode> readJsonConfig(ConfigText text) {
    if (text.startsWith("\xef\xbb\xbf")) text.skip(3);
    text.skipAny(kBlank);
    ConfigNode root;
    TY_TRY(readValue(text, root, 0));
    text.skipAny(kBlank);
    if (!text.isAtEnd()) return notJson(text);
    return root;
}

} // namespace trainyard::program
