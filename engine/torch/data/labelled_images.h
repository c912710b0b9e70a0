// SPDX-License-Identifier: GPL-3.0-or-later
// A set of pictures whose labels stand in a file: which pictures there are, in which part, with what labels.
#pragma once

#include "engine/formats/labels/label_file.h"
#include "engine/torch/data/image_listing.h"

namespace trainyard::data {

struct LabelledSet {
    std::filesystem::path folder, labels; // `labels` by itself, or in the folder
    formats::LabelOptions options;
};

// The parts, as listImages() gives them: by the column of the parts; else train.txt, val.txt and test.txt (and other
// files named so) are the parts; else all is for training. A picture that the file names and that is not there is
// unread, with the line and what is named nearly so. Targets are for LabelUse::Class, else ImageListing::values.
// Input, with file, line and remedy: as readLabels(); one picture with two labels, which has to be one; a class with
// samples for validation and none to train on; one class alone; a part that is none; a group in two parts.
// Environment: a folder or file cannot be read.
Result<ImageParts> listLabelled(const LabelledSet& set);

// What a model is to put out for the pictures at these places: int64 [n] classes; float32 [n, columns] numbers; or
// float32 [n, classes], 1 for each class that is in the picture.
torch::Tensor targetsOf(const ImageListing& listing, const std::vector<std::int64_t>& places);

} // namespace trainyard::data
