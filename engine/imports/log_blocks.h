// SPDX-License-Identifier: GPL-3.0-or-later
// The log of LevelDB in W&B's form: records in blocks of 32 KiB (SOURCES.md).
#pragma once

#include "engine/base/files/file_reader.h"
#include "engine/imports/imported_run.h"

#include <functional>

namespace trainyard::imports {

inline constexpr std::size_t kLogHead = 7; // ":W&B", 0xBEE1, version 0

// Whether these first bytes of a file are the head of such a log.
bool isLogHead(std::string_view bytes);

// Reads a log to its end and gives each record, which is valid during the call, with the byte of the file at which its
// block begins to hold it. What is damaged is told to `lost`: a record with a wrong checksum alone; where the length is
// wrong, the rest of its block of 32 KiB. Holds one block and one record. Input where the head is another.
class LogBlocks {
public:
    LogBlocks(FileReader file, std::function<void(Skipped)> lost) : m_file(std::move(file)), m_lost(std::move(lost)) {}
    Result<void> read(const std::function<void(std::string_view record, std::int64_t at)>& told);

private:
    enum class Part { Whole = 1, First = 2, Middle = 3, Last = 4 };

    Result<bool> nextBlock();
    bool readBlock(std::size_t at, const std::function<void(std::string_view, std::int64_t)>& told);
    void join(Part part, std::string_view data, std::int64_t at,
              const std::function<void(std::string_view, std::int64_t)>& told);
    void lose(std::int64_t at, const char* what);

    FileReader m_file;
    std::function<void(Skipped)> m_lost;
    std::string m_block{}, m_record{};
    std::int64_t m_blockAt = 0, m_recordAt = 0;
    bool m_open = false; // m_record waits for its next part
};

} // namespace trainyard::imports
