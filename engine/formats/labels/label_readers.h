// SPDX-License-Identifier: GPL-3.0-or-later
// The readers behind readLabels(), and what they share.
#pragma once

#include "engine/formats/csv.h"
#include "engine/formats/labels/label_file.h"

#include <string_view>

namespace trainyard::formats {

inline constexpr std::size_t kMaxLabelRows = 20'000'000;
inline constexpr std::size_t kMaxLabelBytes = std::size_t{4} << 30;

Result<LabelTable> labelsOfTable(CsvReader reader, const std::string& name, const LabelOptions& options);
Result<LabelTable> labelsOfJsonLines(std::string_view text, const std::string& name, const LabelOptions& options);
Result<LabelTable> labelsOfList(std::string_view text, const std::string& name, const LabelOptions& options);
Result<LabelTable> labelsOfCoco(std::string_view text, const std::string& name, const LabelOptions& options);
// Adds one file of a folder of VOC.
Result<void> addVocLabels(std::string_view text, const std::string& name, LabelTable& table);

// What the names of columns and members mean, in any case and with _ or - left out.
bool namesFile(std::string_view name);
bool namesLabel(std::string_view name);
bool namesPart(std::string_view name);

// The words of a cell with ; or | between them; without spaces around them, none that is empty.
std::vector<std::string> wordsOf(std::string_view cell);
// Input at `where` when it is none.
Result<float> numberOf(std::string_view text, const std::string& where);
Result<void> checkRows(const LabelTable& table);
// Input: a group is asked for, and the file has no columns.
Result<void> checkNoGroup(const std::string& name, const LabelOptions& options);
// COCO and VOC have classes alone. Input for Numbers, and for a column of groups.
Result<void> checkClasses(const std::string& name, const LabelOptions& options);

} // namespace trainyard::formats
