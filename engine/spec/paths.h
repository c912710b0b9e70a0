// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace trainyard::spec {

struct RunSpec;

// The text of a run or sweep file in which the parameters `file`, `folder` and `path` of the model and the dataset are
// absolute: relative ones are meant from `folder`, where the run file is, and "~/" is the user's home; a plug-in that
// is not there may be the name of an installed one. A text that is not a valid run file is returned
// unchanged: its parser reports the error.
std::string withAbsolutePaths(const std::string& text, const std::filesystem::path& folder);

// Whether the path that this parameter holds is that of a folder: `folder`, not `file` or `path`.
bool namesFolder(std::string_view param);

// The files of model and dataset are elsewhere on another host: "model.path" -> its path there.
void relocate(RunSpec& spec, const std::map<std::string, std::string>& paths);
// The reverse: the parameters of these paths are again as in `original`, or not there at all.
void relocateBack(RunSpec& spec, const std::map<std::string, std::string>& paths, const RunSpec& original);

} // namespace trainyard::spec
