// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/text/sentence.h"

namespace trainyard {

std::string Sentence::text(const Translate& translate) const {
    if (format == nullptr) return plain;
    const std::string words = translate(*this);
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const char next = words[i] == '%' && i + 1 < words.size() ? words[i + 1] : '\0';
        const auto argument = static_cast<std::size_t>(next - '1');
        if (next == 'n') text += std::to_string(count);
        else if (next >= '1' && next <= '9' && argument < arguments.size()) text += arguments[argument].text(translate);
        else {
            text += words[i];
            continue;
        }
        ++i;
    }
    return text;
}

std::string Sentence::text() const {
    return text([](const Sentence& each) { return std::string(each.count == 1 ? each.one : each.format); });
}

Sentence Engine::tr(const char* many, const char* one, int count, std::vector<Sentence> arguments) {
    Sentence sentence(many, std::move(arguments));
    sentence.one = one;
    sentence.count = count;
    return sentence;
}

} // namespace trainyard
