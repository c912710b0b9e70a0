// SPDX-License-Identifier: GPL-3.0-or-later
// Which files a tar archive holds, and where: without reading what is in them.
#pragma once

#include "engine/base/files/placed_reader.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace trainyard::formats {

// A regular file in an archive.
struct TarMemberAt {
    std::string path;                // as isPackedPath() demands
    std::uint64_t at = 0, bytes = 0; // of its content
};

// Whether a path through folders can stand for a packed file: names with "/" between them, none of them empty, "." or
// "..", none longer than 255 bytes, at most 4,096 in all; no NUL and no line break.
bool isPackedPath(std::string_view path);

// What an archive holds beside files.
struct TarOddities {
    std::size_t links = 0, others = 0; // links; devices, sparse files and the like
};

// Calls `file` with each regular file, in the order of the archive; an error that it returns ends all. Long names of
// GNU tar and of pax are read, "./" before a name goes. Takes as much memory as one name, whatever the archive claims.
// Input, with the byte: it is no tar archive or packed with gzip, cut short, a header is damaged, or a name is none
// that isPackedPath() takes. Environment: it cannot be read.
Result<TarOddities> eachTarMember(const PlacedReader& archive, const std::function<Result<void>(TarMemberAt&&)>& file);

} // namespace trainyard::formats
