// SPDX-License-Identifier: GPL-3.0-or-later
// A disk of which only the order of the changes is known, and what may be on it after a loss of power at any of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace trainyard::test {

struct Change { // a record of the trace (storage_trace.h)
    char kind = 0;
    double at = 0; // monotonic seconds
    std::uint64_t file = 0;
    std::int64_t offset = 0;
    std::string path, second, bytes;
};
std::vector<Change> readTrace(const std::filesystem::path& file);

// Which changes that nobody waited for have reached the disk.
enum class Loss {
    Nothing,       // all of them: the programs were killed
    Unsynced,      // none: neither bytes nor names
    BytesOnly,     // all names, and no bytes of files: empty ones
    BytesAsZeroes, // the same, and their sizes: zeroes
    TornWrite,     // all but the second half of the last write
    Some,          // of the bytes some, by chance; of the names those before some instant
};

// Files and names after some changes, with what of them would outlive a loss of power: bytes once their file was
// synced, names once their folder was.
class DiskImage {
public:
    void apply(const Change& change);
    // Writes what a loss of power would leave in place of the folder that all paths begin with. `seed`: of Some.
    void write(const std::filesystem::path& folder, Loss loss, unsigned seed) const;

private:
    struct Piece { // a write, or a truncation to `offset`
        std::int64_t offset = 0;
        std::string bytes;
        bool truncates = false;
    };
    struct Inode {
        std::string synced; // its content on the disk
        std::vector<Piece> pending;
    };
    using File = std::shared_ptr<Inode>; // null: a folder
    using Names = std::map<std::string, File>;
    struct NameChange {
        std::string gone, made; // either may be empty
        File file;
    };
    static void put(std::string& content, const Piece& piece);
    static void rename(Names& names, const NameChange& change);
    void change(NameChange change);
    std::string contentOf(const Inode& file, Loss loss, const Piece* torn, unsigned& random) const;

    std::map<std::uint64_t, File> m_files; // by inode
    Names m_names, m_synced;
    std::vector<NameChange> m_pending;
    std::weak_ptr<Inode> m_last; // that was written to by the last change
};

} // namespace trainyard::test
