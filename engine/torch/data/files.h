// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/data/dataset.h"

namespace trainyard::data {

// Data sets of the user's own files.
DatasetEntry imageFolderEntry(); // PNG and JPEG pictures, a folder for each class
DatasetEntry csvEntry();         // a table, for classification and regression
DatasetEntry textFileEntry();    // a text, for the next character

} // namespace trainyard::data
