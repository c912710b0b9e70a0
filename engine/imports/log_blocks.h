// SPDX-License-Identifier: GPL-3.0-or-later
// The log of LevelDB in W&B's form: records in blocks of 32 KiB (SOURCES.md).
#pragma once

#include "engine/base/result.h"
#include "engine/imports/imported_run.h"

#include <functional>
#include <string>
#include <string_view>

namespace trainyard::imports {

inline constexpr std::size_t kLogHead = 7; // ":W&B", 0xBEE1, version 0

// Whether these first bytes of a file are the head of such a log.
bool isLogHead(std::string_view bytes);

// Reads a log piece by piece and gives each record, which is valid during the call, with the byte of the file at which
// its block begins to hold it. What is damaged is told to `lost`: a record with a wrong checksum alone; where the
// length is wrong, the rest of its block of 32 KiB. Holds one block and one record.
class LogBlocks {
public:
    using Told = std::function<void(std::string_view record, std::int64_t at)>;

    LogBlocks(std::string file, std::function<void(Skipped)> lost) : m_file(std::move(file)), m_lost(std::move(lost)) {}

    // Input where the head is another.
    Result<void> add(std::string_view bytes, const Told& told);
    // Nothing more comes: a record that is not whole is lost.
    Result<void> end();

private:
    enum class Part { Whole = 1, First = 2, Middle = 3, Last = 4 };

    void readParts(const Told& told);
    void join(Part part, std::string_view data, std::int64_t at, const Told& told);
    void lose(std::int64_t at, const char* what);
    Error noLog() const;

    std::string m_file;
    std::function<void(Skipped)> m_lost;
    std::string m_block{}, m_record{};          // m_block: what has come of the block
    std::int64_t m_blockAt = 0, m_recordAt = 0; // bytes of the file
    std::size_t m_at = 0;                       // of the block: up to here it was read
    bool m_open = false;                        // m_record waits for its next part
};

} // namespace trainyard::imports
