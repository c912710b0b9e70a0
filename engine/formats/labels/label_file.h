// SPDX-License-Identifier: GPL-3.0-or-later
// What a file says of pictures that no folder is named for: a table (CSV, TSV), JSON lines, lists as train.txt, and the
// annotations of COCO and Pascal VOC, of which the classes in a picture are read and the boxes are not.
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::formats {

// What the labels are for.
enum class LabelUse {
    Class,   // one word a picture
    Several, // any number of words
    Numbers, // a number in each of the columns
};

// What the file says of one picture.
struct PictureLabel {
    std::string file;               // as it is written
    std::vector<std::string> words; // for Numbers: empty
    std::vector<float> numbers;     // for Numbers: as many as there are columns
    std::string part;               // "train", "val", …, as it is written; empty: not told
    std::string group{};            // of LabelOptions::group
    std::int64_t line = 0;          // where it stands; 0: the format has no lines
};

// What a file of labels says.
struct LabelTable {
    std::vector<PictureLabel> rows;                   // in the order of the file
    std::vector<std::string> columns;                 // of the numbers
    std::vector<std::string> classes;                 // that the file lists, used or not; empty: those that occur
    std::string place(const PictureLabel& row) const; // "labels.csv, line 3"
    std::string name;                                 // of the file
};

// How a file of labels is read.
struct LabelOptions {
    LabelUse use = LabelUse::Class;
    std::vector<std::string> columns{}; // that hold the labels; empty: those that are named as such
    std::string group{};                // the column or member that says what belongs together; empty: none
};

// Of a file, also in a pack. Told apart by its ending: .csv, .tsv, .jsonl, .ndjson, .txt, .lst, .json (COCO), or a
// folder of .xml files (VOC).
//
// Tables have a header that names a column of files (file, path, image, …) and those of labels (label, class, tags, …),
// maybe one of parts (split, part, set); without a header the columns are file, label and part. For Several a cell may
// hold several words with ; or | between them, or each class has a column of 0 and 1; the rows of a file add up. JSON
// lines have the same names, and arrays for several. A line of a list is a file and its label, or a file alone, whose
// label is the folder that it is in.
//
// Input, with file, line and remedy: no such kind, no column of files, labels or groups, a picture without a group, a
// cell that is no number, malformed, more than 20 million rows or 4 GB. Environment: it cannot be read.
Result<LabelTable> readLabels(const std::filesystem::path& file, const LabelOptions& options);
// The same of a text; `name` says what it is and stands in errors. Not for folders.
Result<LabelTable> labelsOf(std::string_view text, const std::string& name, const LabelOptions& options);

} // namespace trainyard::formats
