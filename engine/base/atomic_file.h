// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace trainyard {

// Writes a whole file so that a reader, or a crash at any instant, sees the old content or the new, never a mixture:
// temporary file in the same folder, fsync, close, rename, fsync of the folder. A failure leaves the old file and no
// temporary one. Kinds: Environment (disk full names the bytes needed and the remedy).
Result<void> writeFileAtomic(const std::filesystem::path& path, std::span<const std::byte> bytes);
Result<void> writeFileAtomic(const std::filesystem::path& path, std::string_view text);
// The same for content produced in pieces: `produce` is handed a sink to call with each piece in order.
// Reserves `expectedBytes` first, so that a full disk is found before anything is written (0: unknown).
using ByteSink = std::function<Result<void>(std::span<const std::byte>)>;
Result<void> writeFileAtomic(const std::filesystem::path& path, std::size_t expectedBytes,
                             const std::function<Result<void>(const ByteSink&)>& produce);

// The whole file as bytes in a string. Kinds: Input when it is missing, too large (> maxBytes) or not a regular file;
// Environment when it cannot be read.
Result<std::string> readFile(const std::filesystem::path& path, std::size_t maxBytes = 64u << 20);

} // namespace trainyard
