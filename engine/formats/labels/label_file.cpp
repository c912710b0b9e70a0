// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/labels/label_file.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/text/printable.h"
#include "engine/formats/folders/folder_names.h"
#include "engine/formats/folders/pack.h"
#include "engine/formats/labels/label_readers.h"
#include "engine/formats/number_style.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace trainyard::formats {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxVocFile = 8u << 20;

// "Image_Path" -> "imagepath"
std::string plain(std::string_view name) {
    std::string word;
    for (const char c : name)
        if (c != '_' && c != '-' && c != ' ') word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return word;
}

template <std::size_t N>
bool isNamed(std::string_view name, const std::array<std::string_view, N>& names) {
    return std::find(names.begin(), names.end(), plain(name)) != names.end();
}

std::string endingOf(std::string_view name) {
    std::string ending = fs::path(name).extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending;
}

Error noSuchKind(const std::string& name) {
    return inputError(
        "is no file of labels of a kind that is read", name,
        "give a table (.csv, .tsv), JSON lines (.jsonl), a list (.txt), COCO's .json or a folder of VOC's "
        ".xml files");
}

Result<LabelTable> labelsOfVoc(const fs::path& folder, const LabelOptions& options) {
    LabelTable table;
    table.name = printable(folder.string(), 4096);
    TY_TRY(checkClasses(table.name, options));
    TY_ASSIGN(const FolderNames names, namesIn(folder));
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (endingOf(names.name(i)) != ".xml") continue;
        const fs::path file = folder / names.name(i);
        TY_ASSIGN(const std::string text, readFile(file, kMaxVocFile));
        TY_TRY(addVocLabels(text, printable(file.string(), 4096), table));
        TY_TRY(checkRows(table));
    }
    if (table.rows.empty()) return noSuchKind(table.name);
    return table;
}

} // namespace

std::string LabelTable::place(const PictureLabel& row) const {
    return row.line > 0 ? name + ", line " + std::to_string(row.line) : name;
}

bool namesFile(std::string_view name) {
    static constexpr std::array<std::string_view, 12> kNames{"file",  "filename",  "filepath",  "path",
                                                             "image", "imagepath", "imagefile", "imagename",
                                                             "img",   "imgpath",   "picture",   "filenames"};
    return isNamed(name, kNames);
}

bool namesLabel(std::string_view name) {
    static constexpr std::array<std::string_view, 14> kNames{"label",      "labels",    "class",  "classes", "category",
                                                             "categories", "classname", "target", "targets", "tag",
                                                             "tags",       "value",     "y",      "name"};
    return isNamed(name, kNames);
}

bool namesPart(std::string_view name) {
    static constexpr std::array<std::string_view, 5> kNames{"split", "part", "set", "subset", "partition"};
    return isNamed(name, kNames);
}

std::vector<std::string> wordsOf(std::string_view cell) {
    std::vector<std::string> words;
    while (!cell.empty()) {
        const std::size_t end = std::min(cell.find_first_of(";|"), cell.size());
        std::string_view word = cell.substr(0, end);
        while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
        while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
        if (!word.empty()) words.emplace_back(word);
        cell.remove_prefix(std::min(end + 1, cell.size()));
    }
    return words;
}

Result<float> numberOf(std::string_view text, const std::string& where) {
    double number = 0;
    if (readingOf(text, number) == Reading::Number) return static_cast<float>(number);
    return inputError(text.empty() ? "has no number" : "\"" + printable(text, 40) + "\" is not a number", where,
                      "correct it, or set task to classification if the labels are words");
}

Result<void> checkRows(const LabelTable& table) {
    if (table.rows.size() <= kMaxLabelRows) return {};
    return inputError("has more than 20 million rows", table.name, "divide the set");
}

Result<void> checkNoGroup(const std::string& name, const LabelOptions& options) {
    if (options.group.empty()) return {};
    return inputError("has no columns, and " + printable(options.group, 60) + " is to be one", name,
                      "give the labels in a table or in JSON lines, or set dataset.params.groupColumn to \"\"");
}

Result<void> checkClasses(const std::string& name, const LabelOptions& options) {
    TY_TRY(checkNoGroup(name, options));
    if (options.use != LabelUse::Numbers) return {};
    return inputError("names classes, and a regression needs numbers", name,
                      "set task to classification, or give a table with a column of numbers");
}

Result<LabelTable> labelsOf(std::string_view text, const std::string& name, const LabelOptions& options) {
    const std::string ending = endingOf(name);
    if (ending == ".csv" || ending == ".tsv") {
        TY_ASSIGN(CsvReader reader, CsvReader::ofText(text, name, ending == ".tsv" ? '\t' : '\0'));
        return labelsOfTable(std::move(reader), name, options);
    }
    if (ending == ".jsonl" || ending == ".ndjson") return labelsOfJsonLines(text, name, options);
    if (ending == ".json") return labelsOfCoco(text, name, options);
    if (ending == ".txt" || ending == ".lst") return labelsOfList(text, name, options);
    return noSuchKind(name);
}

Result<LabelTable> readLabels(const fs::path& file, const LabelOptions& options) {
    const std::string name = printable(file.string(), 4096), ending = endingOf(file.string());
    std::error_code problem;
    if (fs::is_directory(file, problem)) return labelsOfVoc(file, options);
    if (!fs::exists(file, problem)) {
        TY_ASSIGN(const auto packed, packedFile(file));
        if (packed) {
            TY_ASSIGN(const std::string text, packed->first->read(packed->second));
            return labelsOf(text, name, options);
        }
    }
    if (ending == ".csv" || ending == ".tsv") { // record by record, packed or not
        TY_ASSIGN(CsvReader reader, CsvReader::open(file, ending == ".tsv" ? '\t' : '\0'));
        return labelsOfTable(std::move(reader), name, options);
    }
    TY_ASSIGN(const std::string text, readFile(file, kMaxLabelBytes));
    return labelsOf(text, name, options);
}

} // namespace trainyard::formats
