// SPDX-License-Identifier: GPL-3.0-or-later
// Labels in JSON lines, and in lists as train.txt.
#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"
#include "engine/base/text/utf8.h"
#include "engine/formats/labels/label_readers.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace trainyard::formats {

namespace {

constexpr std::size_t kMaxLine = 1u << 20;

// The lines of a text with their numbers, without what ends them; empty ones are passed over.
class Lines {
public:
    Lines(std::string_view text, const std::string& name) : m_left(text), m_name(name) {
        if (m_left.starts_with("\xEF\xBB\xBF")) m_left.remove_prefix(3);
    }
    // False at the end. Input: not UTF-8, too long.
    Result<bool> next() {
        do {
            if (m_left.empty()) return false;
            const std::size_t end = std::min(m_left.find('\n'), m_left.size());
            m_line = m_left.substr(0, end);
            m_left.remove_prefix(std::min(end + 1, m_left.size()));
            ++m_number;
            while (!m_line.empty() && (m_line.back() == '\r' || m_line.back() == ' ' || m_line.back() == '\t'))
                m_line.remove_suffix(1);
        } while (m_line.empty());
        if (m_line.size() > kMaxLine) return inputError("is longer than 1 MB", place(), "divide the line");
        if (!isUtf8(m_line)) return inputError("is not UTF-8", place(), "save the file as UTF-8");
        return true;
    }
    std::string_view line() const { return m_line; }
    std::int64_t number() const { return m_number; }
    std::string place() const { return m_name + ", line " + std::to_string(m_number); }

private:
    std::string_view m_left, m_line;
    const std::string& m_name;
    std::int64_t m_number = 0;
};

// A word for what stands there; numbers are written as JSON does.
std::string wordIn(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    return value.is_primitive() && !value.is_null() ? jsonText(value) : std::string();
}

bool holdsLabels(const std::string& key, const LabelOptions& options) {
    if (options.columns.empty()) return namesLabel(key);
    return std::find(options.columns.begin(), options.columns.end(), key) != options.columns.end();
}

// Several labels in an array, or several numbers.
Result<void> addLabels(const Json& value, const LabelOptions& options, const std::string& where, PictureLabel& row) {
    const auto add = [&](const Json& one) -> Result<void> {
        if (options.use == LabelUse::Numbers) {
            TY_ASSIGN(const float number, numberOf(wordIn(one), where));
            row.numbers.push_back(number);
            return {};
        }
        std::string word = wordIn(one);
        if (word.empty()) return inputError("has a label that is no word", where, "write a word or an array of words");
        row.words.push_back(std::move(word));
        return {};
    };
    if (!value.is_array()) return add(value);
    for (const Json& one : value) TY_TRY(add(one));
    return {};
}

Result<PictureLabel> labelOf(const Json& object, const LabelOptions& options, const std::string& where) {
    if (!object.is_object())
        return inputError("is no JSON object", where, R"(write {"file": "a.jpg", "label": "cat"} in each line)");
    PictureLabel row;
    bool labelled = false;
    for (const auto& [key, value] : object.items()) {
        if (!options.group.empty() && key == options.group) row.group = wordIn(value);
        if (namesFile(key) && row.file.empty()) row.file = wordIn(value);
        else if (namesPart(key)) row.part = wordIn(value);
        else if (holdsLabels(key, options)) {
            labelled = true;
            TY_TRY(addLabels(value, options, where, row));
        }
    }
    if (row.file.empty()) return inputError("names no file", where, "add the member file, path or image");
    if (!options.group.empty() && row.group.empty())
        return inputError("has no group", where,
                          "add the member " + printable(options.group, 60) +
                              ", a word or a number, or set dataset.params.groupColumn to \"\"");
    if (!labelled)
        return inputError("has no label", where,
                          "add the member label, or name it: dataset.params.columns, or --column");
    if (options.use == LabelUse::Class && row.words.size() != 1)
        return inputError("has " + std::to_string(row.words.size()) + " labels", where,
                          "give it one, or set task to multi-label");
    return row;
}

bool endsAsImage(std::string_view text) {
    const std::size_t dot = text.rfind('.');
    if (dot == std::string_view::npos || text.size() - dot > 6 || text.size() - dot < 2) return false;
    return text.find_first_of(" \t/", dot) == std::string_view::npos &&
           std::isalpha(static_cast<unsigned char>(text[dot + 1])) != 0;
}

std::string folderIn(std::string_view file) { return std::filesystem::path(file).parent_path().filename().string(); }

// Words after the last name that ends as a file: names may hold spaces.
void divide(std::string_view line, std::string_view& file, std::string_view& rest) {
    const std::size_t tab = line.find('\t');
    std::size_t gap = tab != std::string_view::npos ? tab : line.find_last_of(' ');
    while (tab == std::string_view::npos && gap != std::string_view::npos && gap > 0 &&
           !endsAsImage(line.substr(0, gap)))
        gap = line.find_last_of(' ', gap - 1);
    if (endsAsImage(line) || gap == std::string_view::npos) {
        file = line, rest = {};
        return;
    }
    file = line.substr(0, gap);
    rest = line.substr(gap + 1);
}

std::vector<std::string> wordsBetweenGaps(std::string_view text) {
    std::vector<std::string> words;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(" \t,"), text.size());
        if (end > 0) words.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

} // namespace

Result<LabelTable> labelsOfJsonLines(std::string_view text, const std::string& name, const LabelOptions& options) {
    LabelTable table;
    table.name = name;
    Lines lines(text, name);
    for (;;) {
        TY_ASSIGN(const bool more, lines.next());
        if (!more) break;
        const Json json = parseJson(lines.line());
        if (json.is_discarded()) return inputError("is not JSON", lines.place(), "correct the line or remove it");
        TY_ASSIGN(PictureLabel row, labelOf(json, options, lines.place()));
        row.line = lines.number();
        if (options.use == LabelUse::Numbers && !table.rows.empty() &&
            row.numbers.size() != table.rows.front().numbers.size())
            return inputError("has " + std::to_string(row.numbers.size()) + " numbers, and the first line has " +
                                  std::to_string(table.rows.front().numbers.size()),
                              lines.place(), "give each line as many");
        table.rows.push_back(std::move(row));
        TY_TRY(checkRows(table));
    }
    if (table.rows.empty()) return inputError("is empty", name, "write a file and its label in each line");
    for (std::size_t i = 0; i < table.rows.front().numbers.size(); ++i)
        table.columns.push_back(table.rows.front().numbers.size() == 1 ? "value" : "value " + std::to_string(i + 1));
    return table;
}

Result<LabelTable> labelsOfList(std::string_view text, const std::string& name, const LabelOptions& options) {
    LabelTable table;
    table.name = name;
    TY_TRY(checkNoGroup(name, options));
    Lines lines(text, name);
    for (;;) {
        TY_ASSIGN(const bool more, lines.next());
        if (!more) break;
        std::string_view file, rest;
        divide(lines.line(), file, rest);
        if (file.empty()) return inputError("names no file", lines.place(), "write one, or remove the line");
        PictureLabel row{.file = std::string(file), .words = {}, .numbers = {}, .part = {}, .line = lines.number()};
        if (options.use == LabelUse::Numbers) {
            TY_ASSIGN(const float number, numberOf(rest, lines.place()));
            row.numbers.push_back(number);
        } else if (rest.empty()) {
            row.words.push_back(folderIn(file));
        } else if (options.use == LabelUse::Several) {
            row.words = wordsBetweenGaps(rest);
        } else {
            row.words.emplace_back(rest);
        }
        if (options.use == LabelUse::Class && row.words.front().empty())
            return inputError("has no label, and the file is in no folder", lines.place(),
                              "write the label behind the file");
        table.rows.push_back(std::move(row));
        TY_TRY(checkRows(table));
    }
    if (table.rows.empty()) return inputError("is empty", name, "write a file and its label in each line");
    if (options.use == LabelUse::Numbers) table.columns = {"value"};
    return table;
}

} // namespace trainyard::formats
