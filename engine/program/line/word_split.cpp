// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/line/word_split.h"

#include "engine/base/text/quoted.h"

namespace trainyard::program {

Result<std::vector<std::string>> splitWords(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    bool open = false; // a word has begun, if only with ''
    char quote = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        const char next = at + 1 < text.size() ? text[at + 1] : '\0';
        if (quote == '\'' && c != '\'') {
            word += c;
        } else if (c == '\\' && at + 1 < text.size() && (quote == 0 || next == '"' || next == '\\' || next == '$')) {
            ++at;
            if (next == '\n') continue;
            word += next;
            open = true;
        } else if (quote != 0) {
            if (c == quote) quote = 0;
            else word += c;
        } else if (c == '\'' || c == '"') {
            quote = c;
            open = true;
        } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            if (open) words.push_back(std::move(word));
            word.clear();
            open = false;
        } else {
            word += c;
            open = true;
        }
    }
    if (quote != 0)
        return inputError(std::string("a ") + quote + " is never closed", {},
                          std::string("close it, or write \\") + quote);
    if (open) words.push_back(std::move(word));
    return words;
}

std::string joinWords(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "" : " ") + shellArgument(word);
    return text;
}

} // namespace trainyard::program
