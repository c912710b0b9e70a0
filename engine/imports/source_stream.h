// SPDX-License-Identifier: GPL-3.0-or-later
// Files of other programs, read piece by piece: all at once, or as they grow.
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <string_view>

namespace trainyard::imports {

// Reads the bytes of one file, in pieces of any size, into a run. What is half waits for its rest.
class SourceStream {
public:
    virtual ~SourceStream() = default;
    // Input: the file is not of this kind, or has an endless line; nothing further of it can be read.
    virtual Result<void> add(std::string_view bytes) = 0;
    // Nothing more comes: what is half is left out, and named.
    virtual Result<void> end() = 0;
};

// The whole file, unpacked when it is gzip. The errors of FileReader::open, and those of the stream.
Result<void> readWhole(const std::filesystem::path& file, SourceStream& stream);

} // namespace trainyard::imports
