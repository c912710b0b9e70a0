// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/disk_image.h"

#include "tests/faults/storage_trace.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

namespace trainyard::test {
namespace {

namespace fs = std::filesystem;

std::string parentOf(const std::string& path) { return fs::path(path).parent_path().string(); }

// A small generator of its own, so that a seed means the same everywhere.
unsigned nextRandom(unsigned& state) {
    state = state * 1664525u + 1013904223u;
    return state >> 16;
}

} // namespace

std::vector<Change> readTrace(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(in), {}};
    std::vector<Change> changes;
    for (std::size_t at = 0; at + sizeof(TraceRecord) <= all.size();) {
        TraceRecord record;
        std::memcpy(&record, all.data() + at, sizeof record);
        at += sizeof record;
        Change change{record.kind, record.at, record.file, record.offset, all.substr(at, record.path), {}, {}};
        change.second = all.substr(at + record.path, record.second);
        change.bytes = all.substr(at + record.path + record.second, record.bytes);
        at += record.path + record.second + record.bytes;
        changes.push_back(std::move(change));
    }
    return changes;
}

void DiskImage::put(std::string& content, const Piece& piece) {
    const auto offset = static_cast<std::size_t>(piece.offset);
    if (piece.truncates) return content.resize(offset, '\0');
    if (content.size() < offset + piece.bytes.size()) content.resize(offset + piece.bytes.size(), '\0');
    std::memcpy(content.data() + offset, piece.bytes.data(), piece.bytes.size());
}

void DiskImage::rename(Names& names, const NameChange& change) {
    if (!change.gone.empty()) names.erase(change.gone);
    if (!change.made.empty()) names[change.made] = change.file;
}

void DiskImage::change(NameChange change) {
    rename(m_names, change);
    m_pending.push_back(std::move(change));
}

void DiskImage::apply(const Change& change) {
    const auto fileAt = [&](std::uint64_t inode) -> File {
        const auto found = m_files.find(inode);
        if (found != m_files.end()) return found->second;
        auto made = std::make_shared<Inode>(); // it was opened in a way that the shim does not see
        this->change({{}, change.path, made});
        return m_files[inode] = made;
    };
    m_last.reset();
    switch (change.kind) {
    case TraceRecord::kCreate: {
        auto made = std::make_shared<Inode>();
        m_files[change.file] = made;
        return this->change({{}, change.path, std::move(made)});
    }
    case TraceRecord::kWrite: {
        const auto file = fileAt(change.file);
        file->pending.push_back({change.offset, change.bytes, false});
        m_last = file;
        return;
    }
    case TraceRecord::kTruncate: fileAt(change.file)->pending.push_back({change.offset, {}, true}); return;
    case TraceRecord::kSync: {
        const auto file = fileAt(change.file);
        for (const auto& piece : file->pending) put(file->synced, piece);
        file->pending.clear();
        return;
    }
    case TraceRecord::kSyncFolder: {
        const auto isIn = [&](const std::string& path) { return path.empty() || parentOf(path) == change.path; };
        std::erase_if(m_pending, [&](const NameChange& each) {
            if (!isIn(each.gone) || !isIn(each.made)) return false;
            rename(m_synced, each);
            return true;
        });
        return;
    }
    case TraceRecord::kRename: return this->change({change.path, change.second, m_names[change.path]});
    case TraceRecord::kLink: return this->change({{}, change.second, m_names[change.path]});
    case TraceRecord::kUnlink:
        std::erase_if(m_files, [&](const auto& each) { return each.second == m_names[change.path]; });
        return this->change({change.path, {}, nullptr});
    case TraceRecord::kMakeFolder: return this->change({{}, change.path, nullptr});
    default: return;
    }
}

std::string DiskImage::contentOf(const Inode& file, Loss loss, const Piece* torn, unsigned& random) const {
    std::string content = file.synced;
    std::size_t size = content.size();
    for (const auto& piece : file.pending) {
        const auto end = static_cast<std::size_t>(piece.offset) + piece.bytes.size();
        size = piece.truncates ? static_cast<std::size_t>(piece.offset) : std::max(size, end);
        if (&piece == torn) put(content, {piece.offset, piece.bytes.substr(0, piece.bytes.size() / 2), false});
        else if (loss == Loss::Nothing || loss == Loss::TornWrite ||
                 (loss == Loss::Some && nextRandom(random) % 2 == 0))
            put(content, piece);
    }
    if (loss == Loss::BytesAsZeroes) content.resize(size, '\0');
    return content;
}

void DiskImage::write(const fs::path& folder, Loss loss, unsigned seed) const {
    unsigned random = seed;
    fs::remove_all(folder);
    fs::create_directories(folder);
    Names names = loss == Loss::Unsynced || loss == Loss::Some ? m_synced : m_names;
    if (loss == Loss::Some) {
        const auto count = nextRandom(random) % (m_pending.size() + 1);
        for (std::size_t at = 0; at < count; ++at) rename(names, m_pending[at]);
    }
    const auto last = m_last.lock();
    const Piece* torn = loss == Loss::TornWrite && last && !last->pending.empty() ? &last->pending.back() : nullptr;
    for (const auto& [path, file] : names) {       // a folder comes before what is in it
        if (!fs::exists(parentOf(path))) continue; // its folder is lost
        if (!file) {
            fs::create_directory(path);
            continue;
        }
        const auto content = contentOf(*file, loss, torn, random);
        std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
    }
}

} // namespace trainyard::test
