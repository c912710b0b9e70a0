// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the first line of a table names its columns: a rule over the line and some of those below it.
#pragma once

#include "engine/formats/csv.h"

#include <string>
#include <vector>

namespace trainyard::formats {

enum class HeaderVerdict { Names, Data, Unclear };

// Names: a word stands above numbers; or there are words alone and none comes again below; or numbers count from 0 or
// are years, and do not fit the cells below. Unclear: it may be either, such as 1, 2, 3 above whole numbers. Data: all
// else. Rows of another length than `first` do not count.
HeaderVerdict judgeHeader(const std::vector<CsvCell>& first, const std::vector<std::vector<CsvCell>>& below);

} // namespace trainyard::formats
