// SPDX-License-Identifier: GPL-3.0-or-later
// Archives of tar (POSIX ustar; sizes from 8 GiB on in base 256, as GNU tar writes them).
#pragma once

#include "engine/base/files/atomic_file.h"
#include "engine/base/files/file_reader.h"

#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace trainyard {

struct TarEntry {
    std::string path; // as the archive has it: never to be used as a path unchecked
    std::int64_t bytes = 0;
    bool isFile = false;
};

// Reads an archive, packed with gzip or not, front to back.
class TarReader {
public:
    static Result<TarReader> open(const std::filesystem::path& archive);
    // The next entry, past what was not read of the one before; nothing at the end. Input, with the byte of the
    // unpacked archive: its header is damaged, or the archive is cut short.
    Result<std::optional<TarEntry>> next();
    // The content of the entry in pieces, once.
    Result<void> read(const ByteSink& sink);
    // Whether the file is long enough for the rest of the entry.
    bool isWhole() { return m_left <= m_reader.mostLeft(); }
    // An Input error at the byte reached.
    Error fail(const std::string& message) const { return m_reader.fail(message); }

private:
    explicit TarReader(FileReader reader) : m_reader(std::move(reader)) {}
    Result<void> pass(std::int64_t bytes, const ByteSink* sink);

    FileReader m_reader;
    std::int64_t m_left = 0, m_padding = 0; // of the entry
};

// A file and its path in an archive.
struct TarMember {
    std::string path; // of at most 100 bytes
    std::filesystem::path file;
};
// An archive with these files, made while it is read. Paths may have any length: of more than 100 bytes they are as GNU
// tar writes them.
class TarStream {
public:
    explicit TarStream(std::vector<TarMember> members) : m_members(std::move(members)) {}
    // The next bytes; returns how many, 0 at the end. Environment: a file cannot be read, or has become shorter.
    Result<std::size_t> read(std::span<char> buffer);

private:
    Result<void> begin(const TarMember& member);

    std::vector<TarMember> m_members;
    std::size_t m_next = 0; // member
    std::string m_pending;  // what comes before the file's next bytes: header or padding
    std::ifstream m_file;
    std::int64_t m_left = 0, m_padding = 0; // of the file
    bool m_ended = false;
};

// Writes an archive with these files, atomically. Input: a path is too long, or a file is missing. Environment: a file
// cannot be read or has changed meanwhile, or the archive cannot be written.
Result<void> writeTar(const std::filesystem::path& archive, const std::vector<TarMember>& members);

} // namespace trainyard
