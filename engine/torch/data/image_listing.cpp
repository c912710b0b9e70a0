// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/image_listing.h"

#include "engine/base/text/printable.h"
#include "engine/formats/text.h"
#include "engine/torch/data/split.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

namespace trainyard::data {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxFiles = 20'000'000;
constexpr int kMostAround = 4; // folders that stand around the real one

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

std::string shown(const fs::path& path) { return printable(path.string(), 4096); }

template <std::size_t N>
bool isOneOf(std::string_view word, const std::array<std::string_view, N>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

// "training_set" -> "training"
std::string withoutEnding(std::string name) {
    static constexpr std::array<std::string_view, 4> kEndings{"set", "data", "images", "folder"};
    for (const std::string_view ending : kEndings) {
        if (!name.ends_with(ending) || name.size() == ending.size()) continue;
        name.resize(name.size() - ending.size());
        while (!name.empty() && (name.back() == '_' || name.back() == '-' || name.back() == ' ')) name.pop_back();
        break;
    }
    return name;
}

struct Entries {
    std::vector<fs::directory_entry> folders, files; // by name, so that every rank has the same order
};

Result<Entries> entriesOf(const fs::path& folder) {
    static const char* const kRemedy = "set dataset.params.folder to the folder of the classes";
    std::error_code problem, ignored;
    Entries entries;
    fs::directory_iterator at(folder, problem), end;
    for (; !problem && at != end && entries.files.size() < kMaxFiles; at.increment(problem)) {
        const std::string name = at->path().filename().string();
        const bool isFolder = fs::is_directory(at->status(ignored));
        if (isFolder && roleOf(name) == FolderRole::Clutter) continue;
        if (!isFolder && fileRoleOf(name) == FileRole::Clutter) continue;
        (isFolder ? entries.folders : entries.files).push_back(*at);
    }
    if (problem == std::errc::no_such_file_or_directory)
        return inputError("the folder does not exist", shown(folder), kRemedy).withCode(ErrorCode::FileMissing);
    if (problem == std::errc::not_a_directory) return inputError("is not a folder", shown(folder), kRemedy);
    if (problem)
        return environmentError("cannot be read: " + problem.message(), shown(folder), "check its permissions");
    for (auto* list : {&entries.folders, &entries.files})
        std::sort(list->begin(), list->end(), [](const auto& a, const auto& b) { return a.path() < b.path(); });
    return entries;
}

std::string fileName(const fs::path& path) { return path.filename().string(); }

// Why a file that is no image is none; empty: a regular file that is named as one.
std::string whyNoImage(const fs::directory_entry& entry) {
    std::error_code problem;
    const fs::file_status status = entry.status(problem); // follows links
    if (problem || !fs::exists(status)) return "is a link that leads nowhere";
    if (!fs::is_regular_file(status)) return "is not a regular file";
    if (fileRoleOf(entry.path()) == FileRole::Unread)
        return "is not named as a PNG or JPEG image (.png, .jpg, .jpeg, .jfif)";
    return {};
}

// Lists the images of one class, whose place is that of `listing.classes` at the end.
Result<void> listClass(const fs::path& folder, ImageListing& listing, std::vector<std::string>& beside) {
    const std::string name = fileName(folder);
    if (!formats::isUtf8(name))
        return inputError("the name of the class is not UTF-8", shown(folder), "rename the folder");
    TY_ASSIGN(const Entries entries, entriesOf(folder));
    if (!entries.folders.empty())
        return inputError("is a folder inside the folder of a class", shown(entries.folders.front().path()),
                          "put the images of a class into its folder itself");
    const auto place = static_cast<std::int64_t>(listing.classes.size());
    for (const fs::directory_entry& entry : entries.files) {
        if (fileRoleOf(entry.path()) == FileRole::Beside) {
            beside.push_back(fileName(entry.path()));
        } else if (std::string why = whyNoImage(entry); !why.empty()) {
            listing.unread.push_back({entry.path().string(), std::move(why)});
            listing.unreadTargets.push_back(place);
        } else {
            listing.files.push_back(entry.path());
            listing.targets.push_back(place);
        }
    }
    listing.classes.push_back(name);
    return {};
}

// Archives are often unpacked into a folder that holds the real one and no other. `ofPart`: also where that one is
// named as a part, as in training_set/training_set/cat.
Result<fs::path> withoutFoldersAround(fs::path folder, bool ofPart) {
    for (int i = 0; i < kMostAround; ++i) {
        TY_ASSIGN(const Entries entries, entriesOf(folder));
        if (entries.folders.size() != 1) break;
        if (!ofPart && roleOf(fileName(entries.folders.front().path())) != FolderRole::Class) break;
        TY_ASSIGN(const Entries below, entriesOf(entries.folders.front().path()));
        if (below.folders.empty()) break; // a class
        folder = entries.folders.front().path();
    }
    return folder;
}

void noteBeside(const std::vector<std::string>& beside, std::vector<std::string>& notes) {
    if (beside.empty()) return;
    notes.push_back(std::to_string(beside.size()) + (beside.size() == 1 ? " file" : " files") +
                    " beside the images passed over: " + shownNames(beside, 3));
}

// Files beside the folders of the classes (a licence, a list) are passed over.
Result<ImageListing> listPart(const fs::path& given, std::vector<std::string>& notes) {
    ImageListing listing;
    TY_ASSIGN(listing.folder, withoutFoldersAround(given, /*ofPart=*/true));
    TY_ASSIGN(const Entries entries, entriesOf(listing.folder));
    std::vector<std::string> beside;
    for (const fs::directory_entry& entry : entries.folders) TY_TRY(listClass(entry.path(), listing, beside));
    noteBeside(beside, notes);
    return listing;
}

Result<void> checkTraining(const ImageListing& listing) {
    std::vector<std::int64_t> counts(listing.classes.size());
    for (const auto* targets : {&listing.targets, &listing.unreadTargets})
        for (const std::int64_t target : *targets) ++counts[static_cast<std::size_t>(target)];
    if (listing.classes.size() < 2)
        return inputError("has " + std::string(listing.classes.empty() ? "no folder" : "only one folder") +
                              " with images, and each class needs its own",
                          shown(listing.folder), "make a folder for each class");
    for (std::size_t c = 0; c < counts.size(); ++c)
        if (counts[c] == 0)
            return inputError("the class has no images", shown(listing.folder / listing.classes[c]),
                              "add images or remove the folder");
    return {};
}

// "café" of macOS and "café" of others look alike and are two names.
std::string unmistakable(const std::string& name) {
    std::string bytes;
    for (const char c : name) {
        char piece[8];
        std::snprintf(piece, sizeof piece, static_cast<unsigned char>(c) < 0x80 ? "%c" : "\\x%02x",
                      static_cast<unsigned char>(c));
        bytes += piece;
    }
    return bytes == name ? name : name + " (" + bytes + ")";
}

// Gives the part the classes of the training part, by their names.
Result<void> matchClasses(const ImageListing& train, const char* what, ImageListing& part,
                          std::vector<std::string>& notes) {
    std::map<std::string, std::int64_t> places;
    for (std::size_t c = 0; c < train.classes.size(); ++c) places[train.classes[c]] = static_cast<std::int64_t>(c);
    std::vector<std::string> unknown;
    for (const std::string& name : part.classes)
        if (!places.contains(name)) unknown.push_back(unmistakable(name));
    if (!unknown.empty())
        return inputError("has " + std::string(unknown.size() == 1 ? "the class " : "the classes ") +
                              shownNames(unknown) + ", and " + shown(train.folder) + " has no such folder",
                          shown(part.folder), "rename or remove what is not to be a class, or add images to train on");
    std::vector<bool> has(train.classes.size());
    for (auto* targets : {&part.targets, &part.unreadTargets})
        for (std::int64_t& target : *targets) {
            target = places[part.classes[static_cast<std::size_t>(target)]];
            has[static_cast<std::size_t>(target)] = true;
        }
    part.classes = train.classes;
    std::vector<std::string> missing;
    for (std::size_t c = 0; c < has.size(); ++c)
        if (!has[c]) missing.push_back(train.classes[c]);
    if (!missing.empty() && std::string_view(what) == "test") // of the validation the samples tell
        notes.push_back("no test sample is of " + std::string(missing.size() == 1 ? "the class " : "the classes ") +
                        shownNames(missing));
    return {};
}

struct Layout {
    std::map<FolderRole, fs::path> parts; // those that hold folders of classes
    std::vector<std::string> others;      // folders beside them
    std::map<FolderRole, fs::path> flat;  // named as a part, and without folders of classes
};

Result<Layout> layoutOf(const fs::path& folder) {
    TY_ASSIGN(const Entries entries, entriesOf(folder));
    Layout layout;
    for (const fs::directory_entry& entry : entries.folders) {
        const std::string name = fileName(entry.path());
        const FolderRole role = roleOf(name);
        if (role == FolderRole::Class) {
            layout.others.push_back(name);
            continue;
        }
        TY_ASSIGN(const Entries inside, entriesOf(entry.path()));
        auto& found = inside.folders.empty() ? layout.flat : layout.parts;
        if (const auto [place, isNew] = found.emplace(role, entry.path()); !isNew)
            return inputError("holds the folders " + shownNames({fileName(place->second), name}) +
                                  ", and both are named for the same part",
                              shown(folder), "remove one of them, or rename it");
    }
    return layout;
}

// A folder named as a part, without folders of classes in it.
void noteFlat(const Layout& layout, bool divided, std::vector<std::string>& notes) {
    for (const auto& [role, folder] : layout.flat)
        notes.push_back(
            "the folder \"" + printable(fileName(folder), 60) +
            (divided ? "\" has no folders of classes, so its images are not used" : "\" is taken for a class"));
}

} // namespace

FolderRole roleOf(std::string_view name) {
    static constexpr std::array<std::string_view, 2> kTrain{"train", "training"}, kTest{"test", "testing"};
    static constexpr std::array<std::string_view, 3> kValidation{"val", "valid", "validation"};
    const std::string word = lower(name);
    if (word.starts_with('.') || word == "__macosx" || word == "@eadir") return FolderRole::Clutter;
    const std::string stem = withoutEnding(word);
    if (isOneOf(stem, kTrain)) return FolderRole::Train;
    if (isOneOf(stem, kValidation)) return FolderRole::Validation;
    return isOneOf(stem, kTest) ? FolderRole::Test : FolderRole::Class;
}

FileRole fileRoleOf(const fs::path& file) {
    static constexpr std::array<std::string_view, 6> kImages{".png", ".jpg", ".jpeg", ".jpe", ".jfif", ".jif"};
    static constexpr std::array<std::string_view, 17> kBeside{".txt",  ".csv", ".tsv", ".json",  ".jsonl", ".xml",
                                                              ".yaml", ".yml", ".md",  ".html",  ".htm",   ".pdf",
                                                              ".ini",  ".log", ".py",  ".ipynb", ".db"};
    const std::string name = lower(fileName(file)), ending = lower(file.extension().string());
    if (name.starts_with('.') || name == "thumbs.db" || name == "desktop.ini") return FileRole::Clutter;
    if (isOneOf(ending, kImages)) return FileRole::Image;
    return isOneOf(ending, kBeside) ? FileRole::Beside : FileRole::Unread;
}

Result<ImageParts> listImages(const fs::path& given) {
    ImageParts parts;
    TY_ASSIGN(const fs::path folder, withoutFoldersAround(given, /*ofPart=*/false));
    if (folder != given) parts.notes.push_back("read from " + shown(folder) + ", the only folder in it");
    TY_ASSIGN(const Layout layout, layoutOf(folder));
    const auto train = layout.parts.find(FolderRole::Train);
    const bool divided = train != layout.parts.end();
    if (!divided && !layout.parts.empty())
        return inputError("holds folders for validation or test, and none for training", shown(folder),
                          "put the folders of the classes to train on into a folder \"train\"");
    noteFlat(layout, divided, parts.notes);
    TY_ASSIGN(parts.train, listPart(divided ? train->second : folder, parts.notes));
    TY_TRY(checkTraining(parts.train));
    if (!divided) return parts;
    if (!layout.others.empty())
        parts.notes.push_back("not used: the folders " + shownNames(layout.others) + " beside the parts");
    const auto alsoList = [&](FolderRole role, const char* what, ImageListing& part) -> Result<void> {
        const auto found = layout.parts.find(role);
        if (found == layout.parts.end()) return {};
        TY_ASSIGN(part, listPart(found->second, parts.notes));
        return matchClasses(parts.train, what, part, parts.notes);
    };
    TY_TRY(alsoList(FolderRole::Validation, "validation", parts.validation));
    TY_TRY(alsoList(FolderRole::Test, "test", parts.test));
    return parts;
}

} // namespace trainyard::data
