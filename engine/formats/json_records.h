// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/formats/record_reader.h"

#include <functional>

namespace trainyard::formats {

// The records of a file with one JSON object a line, plain or gzip: first the names of all members of all lines, in the
// order in which they come, then a row for each line. A number is a cell, text a quoted one, true and false are words;
// null and a member that is not there are empty; a list or an object is a cell that may not be read (CsvCell::nested);
// of a member that comes twice the last counts. Blank lines are passed over. Input, with the line: what is no JSON
// object, a line of more than 4 MiB, more than 20,000 names.
Result<std::unique_ptr<RecordReader>> openJsonRecords(const std::filesystem::path& file);

// Every line of such a file: its number from 1 and its text, which is UTF-8 and not blank. An error of `each` ends it.
Result<void> eachJsonLine(const std::filesystem::path& file, std::size_t mostBytes,
                          const std::function<Result<void>(std::int64_t, const std::string&)>& each);

} // namespace trainyard::formats
