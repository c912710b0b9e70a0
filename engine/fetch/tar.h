// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/fetch/sources.h"

#include <filesystem>

namespace trainyard::fetch {

// Writes the named members of a tar archive (POSIX ustar, packed with gzip or not) into `folder`, each under the last
// part of its name and atomically. Names in the archive never become paths: only those asked for are looked for, and
// all else is passed over. Input, with the byte of the unpacked archive: a damaged header, a member of another size or
// there twice, cut short, one that is missing. Environment: it cannot be read or written.
Result<void> unpackTar(const std::filesystem::path& archive, const std::vector<Member>& members,
                       const std::filesystem::path& folder);

} // namespace trainyard::fetch
