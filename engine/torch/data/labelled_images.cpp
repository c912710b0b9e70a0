// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/labelled_images.h"

#include "engine/base/nearest_word.h"
#include "engine/base/text/printable.h"
#include "engine/formats/folders/pack.h"
#include "engine/formats/labels/file_finder.h"
#include "engine/torch/data/split.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>

namespace trainyard::data {

namespace fs = std::filesystem;
using formats::LabelTable;
using formats::LabelUse;
using formats::PictureLabel;

namespace {

constexpr std::size_t kMostNear = 20; // pictures that are not there for which one named nearly so is looked for

std::string nameOf(const fs::path& path) { return printable(path.string(), 4096); }

// On the disk, or in a pack.
bool isThere(const fs::path& file) {
    std::error_code problem;
    if (fs::exists(file, problem)) return true;
    const auto packed = formats::packedFile(file);
    return packed && *packed;
}

// One file of labels, and the part that all its rows are in, where it is not told by a column.
struct Source {
    LabelTable table;
    FolderRole role = FolderRole::Train;
};

// What of all rows is known while they are gone through.
struct Rows {
    std::map<std::string, std::int64_t> classes; // in their order in the end
    struct Seen {
        std::string place;
        const PictureLabel* row = nullptr;
        bool several = false;
    };
    std::unordered_map<std::string, Seen> seen; // by the picture's path
    std::size_t missing = 0, again = 0;
};

// "labels/train_v2.csv" and Validation: "labels/val_v2.csv", where there is such a file or folder.
fs::path sibling(const fs::path& file, FolderRole role) {
    static constexpr std::array<std::string_view, 3> kValidation{"val", "valid", "validation"};
    static constexpr std::array<std::string_view, 2> kTest{"test", "testing"};
    const std::string name = file.filename().string();
    const std::size_t at = name.find("train");
    if (at == std::string::npos) return {};
    const auto tryAll = [&](const auto& words) -> fs::path {
        for (const std::string_view word : words) {
            std::string other = name;
            other.replace(at, 5, word);
            if (isThere(file.parent_path() / other)) return file.parent_path() / other;
        }
        return {};
    };
    return role == FolderRole::Validation ? tryAll(kValidation) : tryAll(kTest);
}

Result<std::vector<Source>> readSources(const LabelledSet& set, const fs::path& file, std::vector<std::string>& notes) {
    std::vector<Source> sources(1);
    TY_ASSIGN(sources[0].table, formats::readLabels(file, set.options));
    for (const FolderRole role : {FolderRole::Validation, FolderRole::Test}) {
        const fs::path other = sibling(file, role);
        if (other.empty()) continue;
        auto table = formats::readLabels(other, set.options);
        if (table) sources.push_back({std::move(*table), role});
        else if (role == FolderRole::Test && table.error().kind == ErrorKind::Input) // as a rule without labels
            notes.push_back(nameOf(other.filename()) + " is not used: " + table.error().message);
        else return std::move(table).error();
    }
    return sources;
}

Result<FolderRole> roleOfRow(const Source& source, const PictureLabel& row, bool anyPart) {
    if (!anyPart) return source.role;
    const FolderRole role = row.part.empty() ? FolderRole::Class : roleOf(row.part);
    if (role == FolderRole::Train || role == FolderRole::Validation || role == FolderRole::Test) return role;
    return inputError(row.part.empty() ? "is in no part" : "\"" + printable(row.part, 40) + "\" is no part of a set",
                      source.table.place(row), "write train, val or test");
}

// Classes in the order of the file that lists them, else by their names; columns of numbers in theirs.
std::vector<std::string> classNames(const std::vector<Source>& sources, const LabelledSet& set) {
    const LabelTable& first = sources.front().table;
    if (set.options.use == LabelUse::Numbers) return first.columns;
    if (!first.classes.empty()) return first.classes;
    std::set<std::string> names;
    for (const Source& source : sources)
        for (const PictureLabel& row : source.table.rows) names.insert(row.words.begin(), row.words.end());
    return {names.begin(), names.end()};
}

bool sameLabels(const PictureLabel& one, const PictureLabel& other) {
    return one.words == other.words && one.numbers == other.numbers;
}

void addValues(const PictureLabel& row, const Rows& rows, ImageListing& part) {
    const std::vector<float>& numbers = row.numbers;
    part.values.numbers.insert(part.values.numbers.end(), numbers.begin(), numbers.end());
    part.targets.push_back(row.words.empty() ? 0 : rows.classes.at(row.words.front()));
    if (part.values.use != LabelUse::Several) return;
    for (const std::string& word : row.words)
        part.values.labels.push_back(static_cast<std::uint32_t>(rows.classes.at(word)));
    part.values.ends.push_back(part.values.labels.size());
}

Error twice(const std::string& where, const PictureLabel& row, const std::string& before) {
    return inputError(printable(row.file, 200) + " has another label already, in " + before, where,
                      "remove one of the lines, or set task to multi-label for several labels");
}

// Labels of one picture in several lines add up; the first line stands for all of them.
Result<void> mergeRows(std::vector<Source>& sources, LabelUse use, Rows& rows) {
    for (Source& source : sources)
        for (PictureLabel& row : source.table.rows) {
            const auto [known, isNew] = rows.seen.emplace(row.file, Rows::Seen{source.table.place(row), &row, false});
            if (isNew) continue;
            PictureLabel& first = const_cast<PictureLabel&>(*known->second.row);
            if (use == LabelUse::Several) {
                for (const std::string& word : row.words)
                    if (std::find(first.words.begin(), first.words.end(), word) == first.words.end())
                        first.words.push_back(word);
            } else if (!sameLabels(first, row)) {
                return twice(source.table.place(row), row, known->second.place);
            } else {
                ++rows.again;
            }
            row.file.clear(); // counted with the first
        }
    return {};
}

Result<void> addRow(const PictureLabel& row, const std::string& where, formats::FileFinder& finder, Rows& rows,
                    ImageListing& part) {
    auto file = finder.find(row.file);
    if (!file) {
        Error error = std::move(file).error();
        if (error.where.empty()) error.where = where;
        return error;
    }
    if (!file->empty()) {
        part.files.add(*file);
        addValues(row, rows, part);
        if (!row.group.empty()) part.groups.push_back(row.group);
        return {};
    }
    std::string near;
    if (rows.missing++ < kMostNear) { TY_ASSIGN(near, finder.nearest(row.file)); }
    part.unread.push_back({(part.folder / row.file).string(),
                           "there is no such file, which " + where + " names" +
                               (near.empty() ? "" : "; did you mean \"" + printable(near, 200) + "\"?")});
    part.unreadTargets.push_back(row.words.empty() ? 0 : rows.classes.at(row.words.front()));
    return {};
}

std::vector<bool> classesIn(const ImageListing& part) {
    std::vector<bool> has(part.classes.size());
    for (const auto* targets : {&part.targets, &part.unreadTargets})
        for (const std::int64_t target : *targets) has[static_cast<std::size_t>(target)] = true;
    for (const std::uint32_t label : part.values.labels) has[label] = true;
    return has;
}

Result<void> checkParts(const ImageParts& parts, const fs::path& file) {
    const ImageListing& train = parts.train;
    if (train.files.empty() && train.unread.empty())
        return inputError("has no picture to train on", nameOf(file), "name some in the part train");
    if (train.values.use == LabelUse::Numbers) return {};
    if (train.classes.size() < 2 && train.values.use == LabelUse::Class)
        return inputError("has only the class \"" + (train.classes.empty() ? "" : printable(train.classes[0], 60)) +
                              "\"",
                          nameOf(file), "give the pictures labels of two classes at least");
    const std::vector<bool> learnt = classesIn(train);
    for (const ImageListing* part : {&parts.validation, &parts.test}) {
        if (part->classes.empty()) continue;
        const std::vector<bool> has = classesIn(*part);
        std::vector<std::string> unknown;
        for (std::size_t c = 0; c < has.size(); ++c)
            if (has[c] && !learnt[c]) unknown.push_back(train.classes[c]);
        if (!unknown.empty())
            return inputError("has pictures of " + shownNames(unknown) + " for " +
                                  (part == &parts.test ? "the test" : "validation") + ", and none to train on",
                              nameOf(file), "add some to the part train, or correct the label");
    }
    return {};
}

// Pictures that belong together may not be trained on and validated with at once.
Result<void> checkGroups(const ImageParts& parts, const fs::path& file, const std::string& column) {
    std::unordered_map<std::string, const char*> partOf;
    const auto check = [&](const ImageListing& part, const char* what) -> Result<void> {
        for (const std::string& group : part.groups) {
            const auto [known, isNew] = partOf.emplace(group, what);
            if (isNew || known->second == what) continue;
            return inputError("has the group " + shownNames({group}) + " of the column " + shownNames({column}) +
                                  " in two parts, for " + known->second + " and for " + what,
                              nameOf(file),
                              "put its pictures into one part, or set dataset.params.groupColumn to \"\"");
        }
        return {};
    };
    TY_TRY(check(parts.train, "training"));
    TY_TRY(check(parts.validation, "validation"));
    return check(parts.test, "the test");
}

// A class of one or two pictures that is spelled nearly as one of many.
void noteMisspelled(const ImageListing& train, std::vector<std::string>& notes) {
    constexpr std::size_t kMostClasses = 2000;
    if (train.values.use == LabelUse::Numbers || train.classes.size() > kMostClasses) return;
    std::vector<std::int64_t> counts(train.classes.size());
    for (const std::int64_t target : train.targets) ++counts[static_cast<std::size_t>(target)];
    for (std::size_t c = 0; c < counts.size(); ++c)
        for (std::size_t other = 0; other < counts.size() && counts[c] > 0 && counts[c] <= 2; ++other)
            if (counts[other] >= 10 * counts[c] && train.classes[c].size() > 2 &&
                editDistance(train.classes[c], train.classes[other]) == 1)
                notes.push_back("the class " + shownNames({train.classes[c]}) + " has " + std::to_string(counts[c]) +
                                (counts[c] == 1 ? " picture" : " pictures") + " and is spelled nearly as " +
                                shownNames({train.classes[other]}));
}

Result<fs::path> labelFileOf(const LabelledSet& set) {
    const fs::path inFolder = set.folder / set.labels;
    if (isThere(inFolder)) return inFolder;
    if (isThere(set.labels)) return set.labels;
    return inputError("there is no such file, neither in " + nameOf(set.folder) + " nor by itself", nameOf(set.labels),
                      "name the file of labels: dataset.params.labels, or --labels")
        .withCode(ErrorCode::FileMissing);
}

} // namespace

Result<ImageParts> listLabelled(const LabelledSet& set) {
    TY_ASSIGN(const fs::path file, labelFileOf(set));
    ImageParts parts;
    TY_ASSIGN(std::vector<Source> sources, readSources(set, file, parts.notes));
    const LabelUse use = set.options.use;
    Rows rows;
    TY_TRY(mergeRows(sources, use, rows));
    const std::vector<std::string> names = classNames(sources, set);
    for (const std::string& name : names) rows.classes.emplace(name, static_cast<std::int64_t>(rows.classes.size()));
    bool anyPart = false;
    for (const PictureLabel& row : sources.front().table.rows) anyPart = anyPart || !row.part.empty();
    formats::FileFinder finder(set.folder, file.parent_path());
    std::size_t without = 0;
    for (const Source& source : sources)
        for (const PictureLabel& row : source.table.rows) {
            if (row.file.empty()) continue;
            const std::string where = source.table.place(row);
            if (use == LabelUse::Class && row.words.empty()) {
                ++without;
                continue;
            }
            if (use == LabelUse::Class && row.words.size() > 1)
                return inputError(printable(row.file, 200) + " has " + std::to_string(row.words.size()) +
                                      " classes: " + shownNames(row.words),
                                  where, "set task to multi-label");
            TY_ASSIGN(const FolderRole role, roleOfRow(source, row, anyPart && sources.size() == 1));
            ImageListing& part = role == FolderRole::Train        ? parts.train
                                 : role == FolderRole::Validation ? parts.validation
                                                                  : parts.test;
            part.folder = set.folder;
            part.classes = part.classes.empty() ? names : std::move(part.classes);
            part.values.use = use;
            TY_TRY(addRow(row, where, finder, rows, part));
        }
    if (without > 0) parts.notes.push_back(std::to_string(without) + " pictures without a label are not used");
    if (rows.again > 0)
        parts.notes.push_back(std::to_string(rows.again) + " lines say again what one before them does");
    TY_TRY(checkParts(parts, file));
    TY_TRY(checkGroups(parts, file, set.options.group));
    noteMisspelled(parts.train, parts.notes);
    return parts;
}

torch::Tensor targetsOf(const ImageListing& listing, const std::vector<std::int64_t>& places) {
    const auto count = static_cast<std::int64_t>(places.size());
    const auto columns = static_cast<std::int64_t>(listing.classes.size());
    const LabelValues& values = listing.values;
    if (values.use == LabelUse::Class) {
        torch::Tensor targets = torch::empty({count}, torch::kInt64);
        std::int64_t* to = targets.data_ptr<std::int64_t>();
        for (const std::int64_t place : places) *to++ = listing.targets[static_cast<std::size_t>(place)];
        return targets;
    }
    torch::Tensor targets = torch::zeros({count, columns}, torch::kFloat32);
    float* row = targets.data_ptr<float>();
    for (const std::int64_t place : places) {
        const auto i = static_cast<std::size_t>(place);
        if (values.use == LabelUse::Numbers) {
            std::copy_n(values.numbers.begin() + place * columns, columns, row);
        } else {
            for (std::size_t k = i > 0 ? values.ends[i - 1] : 0; k < values.ends[i]; ++k) row[values.labels[k]] = 1;
        }
        row += columns;
    }
    return targets;
}

} // namespace trainyard::data
