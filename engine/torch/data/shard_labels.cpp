// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/shard_labels.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"
#include "engine/formats/folders/pack.h"
#include "engine/formats/labels/label_readers.h"
#include "engine/torch/data/split.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <sstream>

namespace trainyard::data {

namespace fs = std::filesystem;

namespace {

constexpr std::uint32_t kMostLabelFile = 1u << 20;
constexpr std::int64_t kMostNumbered = 1'000'000;

std::string placeOf(const formats::Pack& pack, std::size_t file) {
    return printable((pack.root() / pack.index().path(file)).string(), 4096);
}

// "imagenet-val-000003.tar": Validation.
FolderRole roleOfArchive(std::string_view name) {
    FolderRole role = FolderRole::Train;
    while (!name.empty()) {
        const std::size_t end = std::min(name.find_first_of("-_. "), name.size());
        const FolderRole word = end > 0 ? roleOf(name.substr(0, end)) : FolderRole::Class;
        if (word == FolderRole::Train || word == FolderRole::Validation || word == FolderRole::Test) role = word;
        name.remove_prefix(std::min(end + 1, name.size()));
    }
    return role;
}

std::string trimmed(std::string_view text) {
    const auto isSpace = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\0'; };
    while (!text.empty() && isSpace(text.front())) text.remove_prefix(1);
    while (!text.empty() && isSpace(text.back())) text.remove_suffix(1);
    return std::string(text);
}

// Of {"label": 3, …}; empty: there is none.
std::string labelInJson(const std::string& text) {
    const Json json = parseJson(text);
    if (!json.is_object()) return {};
    for (auto each = json.begin(); each != json.end(); ++each) {
        if (!formats::namesLabel(each.key()) && each.key() != "cls") continue;
        if (each->is_number_integer()) return std::to_string(each->get<std::int64_t>());
        if (each->is_string()) return trimmed(each->get<std::string>());
    }
    return {};
}

Result<std::string> labelOf(const formats::Pack& pack, std::size_t file) {
    const auto fail = [&](const char* what) {
        return inputError(what, placeOf(pack, file),
                          "correct the archive, or name a file of labels: dataset.params.labels");
    };
    if (pack.index().file(file).bytes > kMostLabelFile) return fail("has more than 1 MB, and a label is short");
    TY_ASSIGN(const std::string text, pack.read(file));
    const std::string label = pack.index().path(file).ends_with(".json") ? labelInJson(text) : trimmed(text);
    if (label.empty()) return fail("has no label: a number or a word");
    if (label.size() > 200 || label.find('\n') != std::string::npos) return fail("is no label: a number or a word");
    return label;
}

// Lines of classes.txt; empty: there is no such file.
Result<std::vector<std::string>> listedClasses(const formats::Pack& pack) {
    std::error_code problem;
    const fs::path root = fs::is_directory(pack.root(), problem) ? pack.root() : pack.root().parent_path();
    std::vector<std::string> classes;
    if (!fs::exists(root / "classes.txt", problem)) return classes;
    TY_ASSIGN(const std::string text, readFile(root / "classes.txt"));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (line = trimmed(line); !line.empty()) classes.push_back(line);
    return classes;
}

// The number that all of a label is; -1: it is a word.
std::int64_t numberOf(const std::string& label) {
    std::int64_t number = -1;
    const auto [end, problem] = std::from_chars(label.data(), label.data() + label.size(), number);
    return problem == std::errc() && end == label.data() + label.size() && number >= 0 && number < kMostNumbered
               ? number
               : -1;
}

// Which class each label is.
struct Classes {
    std::vector<std::string> names;
    std::map<std::string, std::int64_t> places;
};

Result<Classes> classesOf(const std::set<std::string>& labels, const formats::Pack& pack) {
    Classes classes;
    const bool numbered =
        std::all_of(labels.begin(), labels.end(), [](const auto& each) { return numberOf(each) >= 0; });
    if (!numbered) {
        for (const std::string& label : labels) {
            classes.places[label] = static_cast<std::int64_t>(classes.names.size());
            classes.names.push_back(label);
        }
        return classes;
    }
    std::int64_t most = 0;
    for (const std::string& label : labels) most = std::max(most, classes.places[label] = numberOf(label));
    TY_ASSIGN(classes.names, listedClasses(pack));
    const auto listed = static_cast<std::int64_t>(classes.names.size());
    if (listed > 0 && most >= listed)
        return inputError("has " + std::to_string(listed) + " classes, and a picture has the label " +
                              std::to_string(most),
                          printable((pack.root() / "classes.txt").string(), 4096),
                          "give the file a line for each class, counted from 0, or remove it");
    for (std::int64_t c = listed; c <= most; ++c) classes.names.push_back(std::to_string(c));
    return classes;
}

} // namespace

Result<ImageParts> listShards(const formats::Pack& pack) {
    ImageParts parts;
    parts.notes = pack.notes();
    std::vector<std::string> labels;
    for (const formats::PackedLabel& each : pack.labels()) {
        labels.emplace_back();
        if (each.label) { TY_ASSIGN(labels.back(), labelOf(pack, *each.label)); }
    }
    std::set<std::string> all(labels.begin(), labels.end());
    all.erase(std::string());
    TY_ASSIGN(const Classes classes, classesOf(all, pack));
    if (all.size() < 2)
        return inputError("has pictures of only one class", printable(pack.root().string(), 4096),
                          "add archives with pictures of another class");
    std::map<std::int64_t, bool> learnt;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const std::size_t file = pack.labels()[i].picture;
        const FolderRole role = roleOfArchive(pack.index().shards()[pack.index().file(file).shard].name);
        ImageListing& part = role == FolderRole::Validation ? parts.validation
                             : role == FolderRole::Test     ? parts.test
                                                            : parts.train;
        part.folder = pack.root();
        part.classes = classes.names;
        const fs::path path = pack.root() / pack.index().path(file);
        if (labels[i].empty()) {
            part.unread.push_back({path.string(), "has no label beside it (.cls or .json with the same name)"});
            part.unreadTargets.push_back(0);
            continue;
        }
        part.files.add(path);
        part.targets.push_back(classes.places.at(labels[i]));
        if (&part == &parts.train) learnt[part.targets.back()] = true;
    }
    for (const ImageListing* part : {&parts.validation, &parts.test})
        for (const std::int64_t target : part->targets)
            if (!learnt[target])
                return inputError("has the class " + shownNames({classes.names[static_cast<std::size_t>(target)]}) +
                                      " for validation or test, and no picture of it to train on",
                                  printable(pack.root().string(), 4096), "add archives to train on");
    return parts;
}

} // namespace trainyard::data
