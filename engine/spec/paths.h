// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace trainyard::spec {

// The text of a run or sweep file in which the parameters `file`, `folder` and `path` of the model and the data set are
// absolute: relative ones are meant from `folder`, where the run file is, and "~/" is the user's home; a plug-in that
// is not there may be the name of an installed one. A text that is no
// good run file comes back as it is, for whoever reads it next to say why.
std::string withAbsolutePaths(const std::string& text, const std::filesystem::path& folder);

} // namespace trainyard::spec
