// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace trainyard {

// What a write survives. A SIGKILL of the writing process loses nothing; only a write that waits for the disk also
// survives a power loss.
enum class Outlives { Process, PowerLoss };

// Writes a whole file so that a reader, or a crash at any instant, sees the old content or the new, never a mixture:
// temporary file in the same folder, fsync, close, rename, fsync of the folder. A failure leaves the old file and no
// temporary one. Kinds: Environment (disk full names the bytes needed and the remedy).
Result<void> writeFileAtomic(const std::filesystem::path& path, std::span<const std::byte> bytes);
Result<void> writeFileAtomic(const std::filesystem::path& path, std::string_view text,
                             Outlives outlives = Outlives::PowerLoss); // Process: without any fsync
// The same for content produced in pieces: `produce` is handed a sink to call with each piece in order.
// Reserves `expectedBytes` first, so that a full disk is found before anything is written (0: unknown).
using ByteSink = std::function<Result<void>(std::span<const std::byte>)>;
Result<void> writeFileAtomic(const std::filesystem::path& path, std::size_t expectedBytes,
                             const std::function<Result<void>(const ByteSink&)>& produce);

// What was made, renamed or deleted in the folder outlives a power loss from now on. Environment.
Result<void> syncFolder(const std::filesystem::path& folder);

// Deletes the temporary files that a process has left in the folder because it was ended while it wrote there.
void removeTemporaryFiles(const std::filesystem::path& folder, std::int64_t pid);

// What a large file is written through.
class LargeFile {
public:
    virtual Result<void> append(std::span<const std::byte> bytes) = 0;
    // Writes once more what was appended, after the last append: a header that says what all the rest is like.
    virtual Result<void> overwrite(std::uint64_t offset, std::span<const std::byte> bytes) = 0;

protected:
    ~LargeFile() = default;
};
// The same for content that may be large. From kLargeFile bytes on it bypasses the page cache where the file system
// supports that: the extra copy, its memory and the writeback would slow down whatever is computing on this host.
inline constexpr std::size_t kLargeFile = 4u << 20;
Result<void> writeLargeFileAtomic(const std::filesystem::path& path, std::size_t expectedBytes,
                                  const std::function<Result<void>(LargeFile&)>& produce,
                                  Outlives outlives = Outlives::PowerLoss);

// The whole file as bytes in a string. Kinds: Input when it is missing, too large (> maxBytes) or not a regular file;
// Environment when it cannot be read.
Result<std::string> readFile(const std::filesystem::path& path, std::size_t maxBytes = 64u << 20);

} // namespace trainyard
