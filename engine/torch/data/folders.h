// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::data {

// The folders in which the files of a named dataset are looked for, best first: the one chosen in the run file, else
// where `trainyardctl datasets download` puts them, then where Debian's packages do.
std::vector<std::filesystem::path> datasetFolders(const std::string& name, const std::string& chosen);

} // namespace trainyard::data
