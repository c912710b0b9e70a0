// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/token_text.h"

#include "engine/base/text/utf8.h"

#include <algorithm>

namespace trainyard::data {

using train::TokenLayout;

namespace {

// The longest name that fits, again and again; names may be of several bytes.
Result<std::vector<std::int64_t>> namesIn(const std::string& text, const std::vector<std::string>& names,
                                          std::int64_t end) {
    std::vector<std::int64_t> found;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t best = 0;
        std::int64_t index = -1;
        for (std::size_t i = 0; i < names.size(); ++i)
            if (static_cast<std::int64_t>(i) != end && names[i].size() > best &&
                text.compare(at, names[i].size(), names[i]) == 0) {
                best = names[i].size();
                index = static_cast<std::int64_t>(i);
            }
        if (index < 0)
            return inputError("the model does not know the character at byte " + std::to_string(at), {},
                              "use characters of the text that it was trained on");
        found.push_back(index);
        at += best;
    }
    return found;
}

} // namespace

Result<formats::Bpe> bpeOf(const std::vector<std::string>& names, const TokenLayout& layout) {
    formats::BpeTable table{.names = names, .end = static_cast<std::int32_t>(layout.end)};
    for (std::size_t i = 0; i + 2 < layout.merges.size(); i += 3)
        table.merges.push_back({static_cast<std::int32_t>(layout.merges[i]),
                                static_cast<std::int32_t>(layout.merges[i + 1]),
                                static_cast<std::int32_t>(layout.merges[i + 2])});
    for (const std::int64_t token : layout.special) table.special.push_back(static_cast<std::int32_t>(token));
    return formats::Bpe::make(std::move(table));
}

TokenLayout layoutOfTokens(const formats::BpeTable& table) {
    TokenLayout layout{.kind = TokenLayout::Kind::Bytes, .end = table.end};
    for (const formats::Merge& merge : table.merges)
        for (const std::int32_t token : {merge.left, merge.right, merge.into}) layout.merges.push_back(token);
    layout.special.assign(table.special.begin(), table.special.end());
    return layout;
}

Result<std::vector<std::int64_t>> tokensOf(const std::string& text, const std::vector<std::string>& names,
                                           const TokenLayout& layout) {
    if (layout.kind == TokenLayout::Kind::Characters) return namesIn(text, names, layout.end);
    TY_ASSIGN(const formats::Bpe bpe, bpeOf(names, layout));
    std::vector<std::int32_t> tokens;
    formats::BpeEncoder(bpe).encode(text, tokens);
    return std::vector<std::int64_t>(tokens.begin(), tokens.end());
}

std::string textOfToken(std::int64_t token, const std::vector<std::string>& names, const TokenLayout& layout) {
    const std::string& name = names[static_cast<std::size_t>(token)];
    const bool special = std::find(layout.special.begin(), layout.special.end(), token) != layout.special.end();
    if (layout.kind == TokenLayout::Kind::Characters || special) return name;
    const auto bytes = formats::tokenBytes(name);
    return bytes ? *bytes : name;
}

std::string shownToken(std::int64_t token, const std::vector<std::string>& names, const TokenLayout& layout) {
    const std::string text = textOfToken(token, names, layout);
    return isUtf8(text) ? text : names[static_cast<std::size_t>(token)];
}

} // namespace trainyard::data
