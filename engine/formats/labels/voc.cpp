// SPDX-License-Identifier: GPL-3.0-or-later
// The classes in a picture of Pascal VOC: <annotation><filename>a.jpg</filename><object><name>cat</name>…
#include "engine/base/text/printable.h"
#include "engine/base/text/utf8.h"
#include "engine/formats/labels/label_readers.h"

#include <algorithm>
#include <array>

namespace trainyard::formats {

namespace {

constexpr std::size_t kDeepestTag = 32;

std::string plainText(std::string_view text) {
    static constexpr std::array<std::pair<std::string_view, char>, 5> kEntities{
        {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}}};
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto entity = std::find_if(kEntities.begin(), kEntities.end(),
                                         [&](const auto& each) { return text.substr(i).starts_with(each.first); });
        plain += entity == kEntities.end() ? text[i] : entity->second;
        if (entity != kEntities.end()) i += entity->first.size() - 1;
    }
    const auto first = plain.find_first_not_of(" \t\r\n"), last = plain.find_last_not_of(" \t\r\n");
    return first == std::string::npos ? std::string() : plain.substr(first, last - first + 1);
}

bool isAt(const std::vector<std::string_view>& open, std::initializer_list<std::string_view> way) {
    return std::equal(open.begin(), open.end(), way.begin(), way.end());
}

} // namespace

Result<void> addVocLabels(std::string_view text, const std::string& name, LabelTable& table) {
    const auto malformed = [&](const std::string& what) {
        return inputError(what, name, "correct the file or remove it");
    };
    if (!isUtf8(text)) return malformed("is not UTF-8");
    PictureLabel row;
    std::vector<std::string_view> open; // elements that one is in
    for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at)) {
        const bool comment = text.substr(at).starts_with("<!--");
        const std::size_t end = text.find(comment ? "-->" : ">", at);
        if (end == std::string_view::npos) return malformed("ends within a tag");
        std::string_view tag = text.substr(at + 1, end - at - 1);
        at = end + 1;
        if (comment || tag.starts_with('?') || tag.starts_with('!') || tag.ends_with('/')) continue;
        if (tag.starts_with('/')) {
            if (open.empty() || open.back() != tag.substr(1)) return malformed("closes a tag that is not open");
            open.pop_back();
            continue;
        }
        open.push_back(tag.substr(0, tag.find_first_of(" \t\r\n")));
        if (open.size() > kDeepestTag) return malformed("is nested more than 32 deep");
        const std::string_view content = text.substr(at, std::min(text.find('<', at), text.size()) - at);
        if (isAt(open, {"annotation", "filename"})) row.file = plainText(content);
        if (!isAt(open, {"annotation", "object", "name"})) continue;
        std::string word = plainText(content);
        if (word.empty()) return malformed("has an object without a name");
        if (std::find(row.words.begin(), row.words.end(), word) == row.words.end())
            row.words.push_back(std::move(word));
    }
    if (!open.empty()) return malformed("ends before <" + printable(open.back(), 40) + "> is closed");
    if (row.file.empty()) return malformed("names no picture: it has no <annotation><filename>");
    table.rows.push_back(std::move(row));
    return {};
}

} // namespace trainyard::formats
