// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/image_listing.h"

#include "engine/base/text/printable.h"
#include "engine/formats/folders/pack.h"
#include "engine/formats/tokens/text.h"
#include "engine/torch/data/shard_labels.h"
#include "engine/torch/data/split.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

namespace trainyard::data {

namespace fs = std::filesystem;

namespace {

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

// What is in a folder, by name, so that every rank has the same order.
struct Entries {
    formats::FolderNames names;
    std::vector<std::size_t> folders, files; // places in it

    std::string folder(std::size_t i) const { return std::string(names.name(folders[i])); }
};

// A link that is named as an image is taken for a file: to follow each would take longer than to list them.
bool isFolder(const fs::path& folder, const formats::FolderNames& names, std::size_t i) {
    if (names.kind(i) != formats::NameKind::Link) return names.kind(i) == formats::NameKind::Folder;
    if (roleOfName(names.name(i)) == FileRole::Image) return false;
    return formats::kindBehind(folder / names.name(i)) == formats::NameKind::Folder;
}

Result<Entries> entriesOf(const fs::path& folder) {
    Entries entries;
    TY_ASSIGN(entries.names, formats::namesIn(folder));
    for (std::size_t i = 0; i < entries.names.size(); ++i) {
        const std::string_view name = entries.names.name(i);
        if (isFolder(folder, entries.names, i)) {
            if (roleOf(name) != FolderRole::Clutter) entries.folders.push_back(i);
        } else if (roleOfName(name) != FileRole::Clutter) {
            entries.files.push_back(i);
        }
    }
    return entries;
}

std::string fileName(const fs::path& path) { return path.filename().string(); }

// Why a file that is no image is none; empty: it is named as one.
std::string whyNoImage(const fs::path& folder, const Entries& entries, std::size_t i) {
    const std::string_view name = entries.names.name(i);
    if (roleOfName(name) == FileRole::Unread) {
        if (entries.names.kind(i) == formats::NameKind::Link &&
            formats::kindBehind(folder / name) == formats::NameKind::Link)
            return "is a link that leads nowhere";
        return "is not named as an image that is read (.png, .jpg, .webp, .tif, .bmp, .gif and the like)";
    }
    if (entries.names.kind(i) == formats::NameKind::Other) return "is not a regular file";
    return formats::isUtf8(name) ? std::string() : "has a name that is not UTF-8 (rename it)";
}

// One part while its folders are gone through.
struct Walk {
    ImageListing& listing;
    std::vector<std::string> beside, loops;
    std::vector<fs::path> around; // the folders that one is in, as they really are
};

// Lists the images of one class, whose place is that of `listing.classes` at the end.
Result<void> listClass(const fs::path& folder, const std::string& name, const Entries& entries, Walk& walk) {
    if (!formats::isUtf8(name))
        return inputError("the name of the class is not UTF-8", shown(folder), "rename the folder");
    ImageListing& listing = walk.listing;
    const auto place = static_cast<std::int64_t>(listing.classes.size());
    const std::uint32_t number = listing.files.folder(folder);
    for (const std::size_t i : entries.files) {
        const std::string_view file = entries.names.name(i);
        if (roleOfName(file) == FileRole::Beside) {
            walk.beside.emplace_back(file);
        } else if (std::string why = whyNoImage(folder, entries, i); !why.empty()) {
            listing.unread.push_back({(folder / file).string(), std::move(why)});
            listing.unreadTargets.push_back(place);
        } else {
            listing.files.add(number, file);
            listing.targets.push_back(place);
        }
    }
    listing.classes.push_back(name);
    return {};
}

bool holdsImages(const Entries& entries) {
    return std::any_of(entries.files.begin(), entries.files.end(),
                       [&](std::size_t i) { return roleOfName(entries.names.name(i)) != FileRole::Beside; });
}

// Each folder without folders is a class; `name` is the path to this one.
Result<void> listClasses(const fs::path& folder, const std::string& name, Walk& walk) {
    constexpr std::size_t kDeepest = 32;
    TY_ASSIGN(const Entries entries, entriesOf(folder));
    if (entries.folders.empty()) return listClass(folder, name, entries, walk);
    const fs::path first = folder / entries.folder(0);
    if (holdsImages(entries))
        return inputError("is a folder inside the folder of a class", shown(first),
                          "put the images of a class into its folder itself, or each into a folder of its own kind");
    if (walk.around.size() == kDeepest)
        return inputError("stands in more than 32 folders", shown(first), "put the folders of the classes higher");
    std::error_code problem;
    const fs::path real = fs::canonical(folder, problem);
    if (std::find(walk.around.begin(), walk.around.end(), real) != walk.around.end()) {
        walk.loops.push_back(name);
        return {};
    }
    walk.around.push_back(real);
    for (std::size_t i = 0; i < entries.folders.size(); ++i) {
        const std::string below = entries.folder(i);
        if (const FolderRole role = roleOf(below); role != FolderRole::Class)
            return inputError("is named as a part of the set, inside the folder of a class", shown(folder / below),
                              "put the folders of the classes into the part: train/CLASS");
        TY_TRY(listClasses(folder / below, name + "/" + below, walk));
    }
    walk.around.pop_back();
    return {};
}

// Archives are often unpacked into a folder that holds the real one and no other. `ofPart`: also where that one is
// named as a part, as in training_set/training_set/cat.
Result<fs::path> withoutFoldersAround(fs::path folder, bool ofPart) {
    for (int i = 0; i < kMostAround; ++i) {
        TY_ASSIGN(const Entries entries, entriesOf(folder));
        if (entries.folders.size() != 1) break;
        if (!ofPart && roleOf(entries.folder(0)) != FolderRole::Class) break;
        const fs::path inner = folder / entries.folder(0);
        TY_ASSIGN(const Entries below, entriesOf(inner));
        if (below.folders.empty()) break; // a class
        folder = inner;
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
    std::error_code problem;
    Walk walk{listing, {}, {}, {fs::canonical(listing.folder, problem)}};
    for (std::size_t i = 0; i < entries.folders.size(); ++i)
        TY_TRY(listClasses(listing.folder / entries.folder(i), entries.folder(i), walk));
    noteBeside(walk.beside, notes);
    if (!walk.loops.empty())
        notes.push_back("passed over: " + shownNames(walk.loops, 3) + ", which lead back to a folder around them");
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
    for (std::size_t i = 0; i < entries.folders.size(); ++i) {
        const std::string name = entries.folder(i);
        const FolderRole role = roleOf(name);
        if (role == FolderRole::Class) {
            layout.others.push_back(name);
            continue;
        }
        TY_ASSIGN(const Entries inside, entriesOf(folder / name));
        auto& found = inside.folders.empty() ? layout.flat : layout.parts;
        if (const auto [place, isNew] = found.emplace(role, folder / name); !isNew)
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

FileRole roleOfName(std::string_view name) {
    static constexpr std::array<std::string_view, 11> kImages{".png", ".jpg",  ".jpeg", ".jpe", ".jfif", ".jif",
                                                              ".bmp", ".webp", ".gif",  ".tif", ".tiff"};
    static constexpr std::array<std::string_view, 18> kBeside{".txt", ".csv",  ".tsv", ".json", ".jsonl", ".xml",
                                                              ".cls", ".yaml", ".yml", ".md",   ".html",  ".htm",
                                                              ".pdf", ".ini",  ".log", ".py",   ".ipynb", ".db"};
    constexpr std::size_t kLongest = 6;
    if (name.starts_with('.')) return FileRole::Clutter;
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || dot == 0 || name.size() - dot > kLongest) return FileRole::Unread;
    std::array<char, kLongest> letters{}; // without memory of its own: there may be millions of names
    std::transform(name.begin() + static_cast<std::ptrdiff_t>(dot), name.end(), letters.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const std::string_view ending(letters.data(), name.size() - dot);
    if (isOneOf(ending, kImages)) return FileRole::Image;
    if (const std::string word = lower(name); word == "thumbs.db" || word == "desktop.ini") return FileRole::Clutter;
    return isOneOf(ending, kBeside) ? FileRole::Beside : FileRole::Unread;
}

FileRole fileRoleOf(const fs::path& file) { return roleOfName(fileName(file)); }

Result<ImageParts> listImages(const fs::path& given) {
    TY_ASSIGN(const formats::PackedPlace packed, formats::packedPlace(given));
    if (packed.pack && packed.path.empty() && !packed.pack->labels().empty()) return listShards(*packed.pack);
    ImageParts parts;
    if (packed.pack) parts.notes = packed.pack->notes();
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
