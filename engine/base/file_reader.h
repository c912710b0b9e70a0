// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/base/unique_fd.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

struct gzFile_s;

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
    // Also checks gzip's own checksum, which stands at the end.
    Result<void> expectEnd(const std::string& complaint);

    // An Input error at the place reached.
    Error fail(const std::string& message) const;
    std::int64_t offset() const { return m_offset; }
    // The most bytes that can still come, from the file's own size: nothing is allocated for what a header claims
    // beyond it.
    std::int64_t mostLeft() const;
    // The file's size when it is not packed, else -1.
    std::int64_t plainSize() const;
    const std::string& name() const { return m_name; }

private:
    struct Close {
        void operator()(gzFile_s* stream) const;
    };
    FileReader(std::string name, gzFile_s* stream, UniqueFd file, std::int64_t fileSize)
        : m_name(std::move(name)), m_stream(stream), m_file(std::move(file)), m_fileSize(fileSize) {}
    bool readAllThatIsLeft(void* out, std::int64_t size);
    int errorCode() const;
    Error broken() const;
    Error ended(std::int64_t missing) const;

    std::string m_name;
    std::unique_ptr<gzFile_s, Close> m_stream;
    UniqueFd m_file; // the same, for reading all of it at once
    std::int64_t m_fileSize = 0, m_offset = 0;
    bool m_atEnd = false; // it was read at once
};

// "0x1f"
std::string hexByte(unsigned byte);

} // namespace trainyard
