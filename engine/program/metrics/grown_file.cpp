// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/metrics/grown_file.h"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <vector>

namespace trainyard::program {
namespace {

constexpr std::size_t kGrownBlock = 256u << 10, kTail = 64;

FileState stateOf(const struct stat& found) {
    return {true, S_ISREG(found.st_mode), found.st_dev, found.st_ino, found.st_size};
}
FileState stateOf(const std::filesystem::path& path) {
    struct stat found{};
    return ::lstat(path.c_str(), &found) == 0 ? stateOf(found) : FileState{};
}
FileState stateOf(const UniqueFd& file) {
    struct stat found{};
    return file && ::fstat(file.get(), &found) == 0 ? stateOf(found) : FileState{};
}

} // namespace

FileChange changeOf(const FileState& named, const FileState& open, std::int64_t offset) {
    if (named.exists && !named.isRegular) return FileChange::NoFile;
    if (!open.exists) return named.exists ? FileChange::None : FileChange::Missing;
    if (!named.exists) return FileChange::Removed;
    if (named.device != open.device || named.number != open.number) return FileChange::Replaced;
    return open.size < offset ? FileChange::Truncated : FileChange::None;
}

const char* toString(FileChange change) {
    switch (change) {
    case FileChange::None: return "has not changed";
    case FileChange::Missing: return "does not exist yet";
    case FileChange::Removed: return "was removed";
    case FileChange::Truncated: return "was truncated or written anew";
    case FileChange::Replaced: return "was replaced by another file";
    case FileChange::NoFile: return "was replaced by what is no file (a link, FIFO, folder or device)";
    }
    return "";
}

void GrownFile::beginAgain() {
    m_offset = 0;
    m_tail.clear();
}

Result<bool> GrownFile::open() {
    if (m_file) return true;
    // Not a link, and without waiting for the other end of what may have become a FIFO since it was looked at.
    m_file.reset(::open(m_path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY));
    if (!m_file && (errno == ENOENT || errno == ELOOP || errno == ENXIO)) return false; // known at the next look
    if (!m_file) return systemError("cannot be read", m_path.string(), "check its permissions");
    if (!stateOf(m_file).isRegular) m_file.reset();
    return static_cast<bool>(m_file);
}

Result<GrownFile::Look> GrownFile::changed(FileChange change) {
    if (change == FileChange::Replaced || change == FileChange::NoFile) m_file.reset();
    if (change != FileChange::Removed && change != FileChange::Missing) beginAgain();
    // The others are told each time: they begin the file anew.
    const bool stays = change == FileChange::Missing || change == FileChange::Removed || change == FileChange::NoFile;
    m_told = stays ? change : FileChange::None;
    return Look{.change = change};
}

// The bytes before the offset are not those that were read: pandas writes a whole table for each epoch.
bool GrownFile::beginsOtherwise() const {
    std::array<char, kTail> found{};
    if (m_tail.empty()) return false;
    const auto got = ::pread(m_file.get(), found.data(), m_tail.size(), m_offset - std::ssize(m_tail));
    return got != std::ssize(m_tail) || std::string_view(found.data(), m_tail.size()) != m_tail;
}

Result<GrownFile::Look> GrownFile::look(const Told& told, std::int64_t most) {
    const FileState named = stateOf(m_path);
    FileChange change = changeOf(named, stateOf(m_file), m_offset);
    const bool isOpen = static_cast<bool>(m_file);
    Look look;
    // What the one file holds comes before another.
    if (isOpen && change != FileChange::Truncated) {
        if (beginsOtherwise()) return changed(FileChange::Truncated);
        TY_ASSIGN(look.bytes, readOn(told, most));
        look.more = look.bytes >= most || (change != FileChange::None && change != m_told);
        if (look.bytes > 0) return look;
    }
    if (change != FileChange::None) return change == m_told ? look : changed(change);
    m_told = FileChange::None;
    if (isOpen) return look;
    TY_ASSIGN(const bool opened, open());
    if (!opened) return look;
    if (stateOf(m_file).size < m_offset) return changed(FileChange::Truncated);
    TY_ASSIGN(look.bytes, readOn(told, most));
    look.more = look.bytes >= most;
    return look;
}

Result<std::int64_t> GrownFile::readOn(const Told& told, std::int64_t most) {
    std::int64_t done = 0;
    if (stateOf(m_file).size <= m_offset) return done; // mostly
    std::vector<char> block(
        std::min<std::size_t>(kGrownBlock, static_cast<std::size_t>(std::max<std::int64_t>(most, 1))));
    while (done < most) {
        const auto wanted = std::min<std::int64_t>(std::ssize(block), most - done);
        const auto got = ::pread(m_file.get(), block.data(), static_cast<std::size_t>(wanted), m_offset);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return systemError("cannot be read", m_path.string(), "check the disk");
        if (got == 0) break;
        const std::string_view bytes(block.data(), static_cast<std::size_t>(got));
        m_offset += got;
        done += got;
        m_tail += bytes.substr(bytes.size() - std::min(bytes.size(), kTail));
        if (m_tail.size() > kTail) m_tail.erase(0, m_tail.size() - kTail);
        told(bytes);
    }
    return done;
}

} // namespace trainyard::program
