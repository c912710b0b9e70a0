// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::train {

// A folder of pictures, with a file of labels or without.
struct FolderQuestion {
    std::filesystem::path folder, labels; // empty: the folders are the classes
    std::string task = "classification";
    std::vector<std::string> columns; // of the labels
};

// What a folder of pictures holds, as JSON, without reading more of it than names, sizes and 64 pictures: "folder",
// "pictures", "bytes", "classes" ([{"name", "train", "validation", "test"}]), "parts", "kinds" and "sides" of the 64
// (of those that could be read: "smallest", "median", "largest" as [width, height]), "decodeSeconds" that one core
// takes for all pictures at 224 x 224, "unread" ([{"file", "why"}], at most 1,000) and "unreadCount", "notes". Errors
// as listImages() and listLabelled().
Result<std::string> inspectFolder(const FolderQuestion& question);

// Decodes every picture, on all cores: "folder", "pictures", "bad" ([{"file", "why"}]), "recovered" (pictures with
// errors that cost no pixel), "twice" ([{"file", "first"}]: pictures with the same bytes, at most 1,000; "twiceCount"),
// "leaks": how many of them are in a part for validation or test and in the one to train on, "notes". `fix`: the bad
// ones are moved into a folder beside this one, whose name is "movedTo", keeping their way; "moved" is their number.
// Also Environment: a file cannot be moved; those before it are, and it says where.
Result<std::string> checkFolder(const FolderQuestion& question, bool fix);

} // namespace trainyard::train
