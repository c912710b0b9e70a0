// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/hosts/checkpoint_copies.h"

#include "engine/program/code/code_copy.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;

constexpr int kDepth = 16; // of folders in a checkpoint

std::int64_t inNanoseconds(const timespec& time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

// As copyCode() wants it; nothing: it is no file.
std::optional<program::CodeFile> foundAt(const fs::path& path) {
    struct stat info{};
    if (::lstat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
    program::CodeFile file;
    file.path = path.filename().string();
    file.size = info.st_size;
    file.modifiedNs = inNanoseconds(info.st_mtim);
    file.changedNs = inNanoseconds(info.st_ctim);
    file.inode = info.st_ino;
    return file;
}

Result<bool> copyTree(const fs::path& from, const fs::path& to, int depth) {
    if (const auto file = foundAt(from)) return program::copyCode(from.parent_path(), *file, to);
    std::error_code failure;
    if (!fs::is_directory(fs::symlink_status(from, failure)) || depth == 0) return false;
    if (!fs::create_directory(to, failure))
        return environmentError("cannot be made: " + failure.message(), to.string());
    for (auto entry = fs::directory_iterator(from, failure); !failure && entry != fs::directory_iterator();
         entry.increment(failure)) {
        const auto& path = entry->path();
        std::error_code ignored;
        const auto kind = fs::symlink_status(path, ignored).type();
        if (kind != fs::file_type::regular && kind != fs::file_type::directory) continue;
        TY_ASSIGN(const bool whole, copyTree(path, to / path.filename(), depth - 1));
        if (!whole) return false;
    }
    return !failure;
}

} // namespace

Result<bool> copyCheckpoint(const fs::path& from, const fs::path& to) {
    std::error_code ignored;
    auto part = to;
    part += ".part";
    fs::remove_all(part, ignored);                  // of a supervisor that was killed
    const auto real = fs::canonical(from, ignored); // "last.ckpt" may be a link
    auto whole = real.empty() ? Result<bool>(false) : copyTree(real, part, kDepth);
    if (whole && *whole) {
        fs::remove_all(to, ignored);
        fs::rename(part, to, ignored);
        if (ignored) whole = environmentError("cannot be moved: " + ignored.message(), part.string());
    }
    fs::remove_all(part, ignored);
    return whole;
}

void CheckpointCopies::add(wire::CheckpointSaved saved) {
    const auto same = std::ranges::find(m_waiting, saved.path, &wire::CheckpointSaved::path);
    if (same != m_waiting.end()) *same = std::move(saved);
    else m_waiting.push_back(std::move(saved));
    begin();
}

void CheckpointCopies::begin() {
    if (m_now || m_waiting.empty()) return;
    Copy copy{std::move(m_waiting.front())};
    m_waiting.pop_front();
    copy.path = m_folder / (std::to_string(copy.saved.step) + "-" + fs::path(copy.saved.path).filename().string());
    auto done = std::async(std::launch::async, copyCheckpoint, fs::path(copy.saved.path), copy.path);
    m_now.emplace(Begun{std::move(copy), std::move(done)});
}

std::optional<CheckpointCopies::Copy> CheckpointCopies::take() {
    if (!m_now || m_now->done.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return std::nullopt;
    auto copy = std::move(m_now->copy);
    copy.isWhole = m_now->done.get();
    m_now.reset();
    begin();
    return copy;
}

} // namespace trainyard::run
