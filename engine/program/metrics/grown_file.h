// SPDX-License-Identifier: GPL-3.0-or-later
// Follows a file that another program writes.
#pragma once

#include "engine/base/result.h"
#include "engine/base/unique_fd.h"

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace trainyard::program {

// Rule: what has become of a followed file since the last look.
// From what the file system says of its name and of the file that is open.
enum class FileChange {
    None,      // or it has grown
    Missing,   // there is no such file, or not yet
    Removed,   // its name is gone; what its writer still appends is read
    Truncated, // it is shorter than what was read, or begins otherwise
    Replaced,  // another file has its name
    NoFile,    // a link, a FIFO, a folder or a device has its name: never opened
};
// What the file system says of one.
struct FileState {
    bool exists = false, isRegular = false;
    std::uint64_t device = 0, number = 0;
    std::int64_t size = 0;
};
FileChange changeOf(const FileState& named, const FileState& open, std::int64_t offset);
const char* toString(FileChange change); // "was truncated"

// Reads on where it stopped. Never waits: not for a FIFO, not for a lock.
class GrownFile {
public:
    // `bytes` is valid during the call.
    using Told = std::function<void(std::string_view bytes)>;
    struct Look {
        FileChange change = FileChange::None; // once for each change, and before the bytes that follow it
        std::int64_t bytes = 0;
        bool more = false; // to be read or told: look again
    };

    // Begins at a byte of the file.
    explicit GrownFile(std::filesystem::path path, std::int64_t offset = 0)
        : m_path(std::move(path)), m_offset(offset) {}

    // Reads what has come, at most `most` bytes. A change is told by itself, without bytes: the caller ends what stood
    // before, and looks again. Environment: the file cannot be opened or read.
    Result<Look> look(const Told& told, std::int64_t most = std::int64_t{16} << 20);
    // From the beginning on, as if it had not been read.
    void beginAgain();

    const std::filesystem::path& path() const { return m_path; }
    std::int64_t offset() const { return m_offset; }

private:
    Result<bool> open();
    Result<Look> changed(FileChange change);
    Result<std::int64_t> readOn(const Told& told, std::int64_t most);
    bool beginsOtherwise() const;

    std::filesystem::path m_path;
    UniqueFd m_file{};
    std::int64_t m_offset = 0;
    std::string m_tail{};                 // the last bytes that were read: a file may be written anew
    FileChange m_told = FileChange::None; // the last state that is not told again
};

} // namespace trainyard::program
