// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of another table as the validation part of a set.
#pragma once

#include "engine/torch/data/dataset.h"
#include "engine/torch/data/tables/table_roles.h"

#include <string>

namespace trainyard::data {

// Reads `file` as the table `training` was read: its columns by their names, or by place where that has no header;
// words, classes, units and fill values are those of `dataset`, whose features are filled in already. Columns that are
// not needed are passed over. The features are float64 and not standardised. Adds a note. Input, with the place and a
// remedy: a column is missing, holds something else or another word; a class that has no training row; a group that is
// in the training rows, too; whatever readTable() refuses.
Result<Split> readValidationTable(const std::string& file, const train::Arguments& arguments,
                                  const formats::Table& training, const Roles& roles, Dataset& dataset);

// Of both files. Input: they hold the same.
Result<std::string> digestOfTables(const std::string& training, const std::string& validation);

} // namespace trainyard::data
