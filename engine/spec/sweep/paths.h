// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::spec {

struct RunSpec;
struct SweepSpec;

// The text of a run or sweep file in which the parameters `file`, `folder` and `path` of the model and the dataset are
// absolute: relative ones are meant from `folder`, where the run file is, and "~/" is the user's home; a plug-in that
// is not there may be the name of an installed one. A text that is not a valid run file is returned
// unchanged: its parser reports the error.
std::string withAbsolutePaths(const std::string& text, const std::filesystem::path& folder);

// Whether the path that this parameter holds is that of a folder: `folder`, not `file` or `path`.
bool namesFolder(std::string_view param);

// The files of model and dataset are elsewhere on another host: "model.path" -> its path there.
// The field of a model's weights among them.
inline constexpr const char* kWeightsFile = "model.weights.file";
void relocate(RunSpec& spec, const std::map<std::string, std::string>& paths);
// The reverse: the parameters of these paths are again as in `original`, or not there at all.
void relocateBack(RunSpec& spec, const std::map<std::string, std::string>& paths, const RunSpec& original);

// Whether the values of this axis of a sweep are objects of model or dataset, or paths by themselves.
bool mayNameFiles(std::string_view axis);
// relocate() for each value of such an axis, by its place in the list. What names these values elsewhere in the sweep
// goes with them.
void relocateValues(SweepSpec& sweep, std::size_t axis, const std::vector<std::map<std::string, std::string>>& paths);

} // namespace trainyard::spec
