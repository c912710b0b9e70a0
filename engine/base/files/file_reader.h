// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/files/gzip_stream.h"
#include "engine/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace trainyard {

// What to do about a file that arrived damaged.
inline constexpr const char* kFetchAgain = "copy or install the file again";

// A regular file read front to back, unpacked when it is gzip. Errors name the file and the byte of the (unpacked)
// content.
class FileReader {
public:
    // Input: it is missing, or no regular file (a FIFO or device is never waited for); Environment: it cannot be read.
    static Result<FileReader> open(const std::filesystem::path& path);

    // Fills `out` or says at which byte the content ended or broke.
    Result<void> read(void* out, std::int64_t size);
    // Up to `size` bytes; 0 at the end, where gzip's own checksum has been checked.
    Result<std::int64_t> readSome(void* out, std::int64_t size);
    // Fills `out` as far as the content goes: fewer than `size` bytes at the end only.
    Result<std::int64_t> readUpTo(void* out, std::int64_t size);
    // Also checks gzip's own checksum, which stands at the end.
    Result<void> expectEnd(const std::string& complaint);

    // An Input error at the place reached.
    Error fail(const std::string& message) const;
    std::int64_t offset() const { return m_offset; }
    // The most bytes that can still come, from the file's own size: nothing is allocated for what a header claims
    // beyond it.
    std::int64_t mostLeft();
    // The file's size when it is not packed, else -1.
    std::int64_t plainSize();
    const std::string& name() const { return m_name; }

private:
    FileReader(std::string name, GzipStream stream, std::int64_t fileSize)
        : m_name(std::move(name)), m_stream(std::move(stream)), m_fileSize(fileSize) {}
    bool readAllThatIsLeft(void* out, std::int64_t size);
    Error broken() const;
    Error ended(std::int64_t missing) const;

    std::string m_name;
    GzipStream m_stream;
    std::int64_t m_fileSize = 0, m_offset = 0;
    bool m_atEnd = false; // it was read at once
};

// "0x1f"
std::string hexByte(unsigned byte);

} // namespace trainyard
