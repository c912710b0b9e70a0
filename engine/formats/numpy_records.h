// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/formats/record_reader.h"

namespace trainyard::formats {

// The rows of arrays that NumPy saved: numbers of 1 to 8 bytes of either byte order, true and false as 1 and 0, text,
// bytes and times as cells; NaN and NaT are empty cells. What has more than two dimensions has its rows flattened.
// Objects are refused and never unpickled. Total and bounded: no memory is taken for what a header claims beyond the
// file. Input, with file and array: damaged, objects, records, no rows.

// A .npy file, plain or gzip, whose columns have no names.
Result<std::unique_ptr<RecordReader>> openNumpyArray(const std::filesystem::path& file);
// All arrays of a .npz file side by side, in its order; they must have as many rows. An array of one column names it,
// others name theirs "x.0", "x.1", …
Result<std::unique_ptr<RecordReader>> openNumpyArchive(const std::filesystem::path& file);

} // namespace trainyard::formats
