// SPDX-License-Identifier: GPL-3.0-or-later
// What a folder of images holds, and which part of a dataset each of its folders is, before an image is decoded.
#pragma once

#include "engine/formats/folders/folder_names.h"
#include "engine/formats/labels/label_file.h"
#include "engine/torch/data/dataset.h"

#include <filesystem>
#include <string_view>

namespace trainyard::data {

// What a folder is by its name, of any case: "Train", "training_set" and "train-data" are all Train.
enum class FolderRole { Train, Validation, Test, Clutter, Class };
// Rule: what the folders in a folder of images are.
FolderRole roleOf(std::string_view name);

// What a file in the folder of a class is by its name.
enum class FileRole {
    Image,   // a picture of a kind that is read
    Clutter, // what file managers leave behind: passed over
    Beside,  // a list, a licence: passed over and told
    Unread,  // all else: an image of another kind, or nobody knows what
};
// Rule: what the files in a folder of images are.
FileRole fileRoleOf(const std::filesystem::path& file);
FileRole roleOfName(std::string_view name); // of a file without its folder

// What a file of labels says of the images that is more than one class each.
struct LabelValues {
    formats::LabelUse use = formats::LabelUse::Class;
    std::vector<float> numbers;        // [files, classes], whose names are those of the columns
    std::vector<std::uint32_t> labels; // of all files, one after another
    std::vector<std::size_t> ends;     // of the labels of each file
};

// The images of one part.
struct ImageListing {
    std::filesystem::path folder;     // the one that holds those of the classes
    std::vector<std::string> classes; // "a/b" where the folders of the classes are in folders
    formats::FileNames files;
    std::vector<std::int64_t> targets; // of the files; the first of several; 0 for numbers
    LabelValues values;
    std::vector<std::string> groups{}; // of the files, where a file of labels says what belongs together; else empty
    // What is no image that can be read, and stands where one should: counted as one of its class.
    std::vector<UnreadableFile> unread;
    std::vector<std::int64_t> unreadTargets;
};

// The parts; one without files is empty. All have the classes of `train`, in its order.
struct ImageParts {
    ImageListing train, validation, test;
    std::vector<std::string> notes; // how the folder was understood, for people
};

// Finds the parts: folders named for training and for validation or test (roleOf) where they hold folders of classes,
// one of them alone, or the folders of the classes themselves; also where one folder stands around all of that. The
// class of images in deeper folders is the way to them. A link to a folder around it is passed over. No file is asked
// for what it is where its folder tells it; a link that is named as an image counts as one. A pack
// (formats/folders/pack.h) is the folder that was packed; of archives with labels beside the pictures, see
// listShards(). Input: there is no such thing, two folders are the same part, a part has a class that `train` lacks.
// Environment: a folder cannot be read.
Result<ImageParts> listImages(const std::filesystem::path& folder);

} // namespace trainyard::data
