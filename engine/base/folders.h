// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace trainyard {

// Where the user's downloaded data sets are: $XDG_DATA_HOME/trainyard/datasets, else
// ~/.local/share/trainyard/datasets. Empty when neither variable is set.
std::filesystem::path datasetHome();

} // namespace trainyard
