// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/folders/pack_writer.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/files/disk_room.h"
#include "engine/base/files/placed_reader.h"
#include "engine/base/files/tar_header.h"
#include "engine/base/math/crc32c.h"
#include "engine/base/math/sha256.h"
#include "engine/base/text/amounts.h"
#include "engine/base/text/printable.h"
#include "engine/base/unique_fd.h"
#include "engine/formats/folders/pack_index.h"
#include "engine/formats/folders/tar_members.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <map>
#include <set>

namespace trainyard::formats {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kEnd = 2 * kTarBlock;      // of zeros
constexpr const char* kLockName = "writing.lock"; // there from the first moment: a folder with it is no pack
constexpr const char* kDoneEnding = ".done";      // the index of an archive that is whole

std::string pathText(const fs::path& path) { return printable(path.string(), 4096); }

// "cat/1.jpg": "cat/1.cls"
std::string labelPath(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return path.substr(0, path.find('.', slash == std::string::npos ? 0 : slash)) + ".cls";
}

std::int64_t entryBytes(const std::string& path, std::int64_t bytes) {
    return static_cast<std::int64_t>(tarBegin(path, bytes).size()) + bytes + tarPaddingOf(bytes);
}

std::int64_t bytesInArchive(const FileToPack& file) {
    std::int64_t bytes = entryBytes(file.path, file.facts.size);
    if (file.label)
        bytes += entryBytes(labelPath(file.path), static_cast<std::int64_t>(std::to_string(*file.label).size()));
    return bytes;
}

// One archive before it is written.
struct PlannedArchive {
    std::string name;
    std::vector<const FileToPack*> files;
    std::int64_t bytes = kEnd;

    // Changes with everything that decides about its bytes.
    std::string stamp() const {
        Sha256 hash;
        const auto add = [&](const std::string& text) { hash.add(text.c_str(), text.size() + 1); };
        add("archive 1 " + name);
        for (const FileToPack* file : files) {
            add(file->path);
            add(std::to_string(file->facts.size) + " " + std::to_string(file->facts.changed) + " " +
                (file->label ? std::to_string(*file->label) : std::string()));
        }
        return hash.hex();
    }
};

std::vector<PlannedArchive> planned(const PackOrder& order) {
    std::vector<const FileToPack*> files;
    for (const FileToPack& file : order.files) files.push_back(&file);
    std::stable_sort(files.begin(), files.end(),
                     [](const FileToPack* a, const FileToPack* b) { return a->part < b->part; });
    std::vector<PlannedArchive> archives;
    std::map<std::string, int> numbers; // of the archives of a part
    for (const FileToPack* file : files) {
        const std::int64_t bytes = bytesInArchive(*file);
        const bool fits = !archives.empty() && archives.back().files.front()->part == file->part &&
                          archives.back().bytes + bytes <= order.archiveBytes;
        if (!fits) {
            char number[16];
            std::snprintf(number, sizeof number, "-%06d.tar", numbers[file->part]++);
            archives.push_back({file->part + number, {}, kEnd});
        }
        archives.back().files.push_back(file);
        archives.back().bytes += bytes;
    }
    return archives;
}

Result<void> checkFiles(const PackOrder& order) {
    if (order.files.empty()) return inputError("holds no files to pack", pathText(order.folder), "name another folder");
    for (const FileToPack& file : order.files) {
        const std::string where = pathText(order.folder / file.path);
        if (!isPackedPath(file.path))
            return inputError("has a name that a pack cannot hold: a line break, or more than 255 bytes", where,
                              "rename it");
        if (file.facts.size < 0) return inputError("is gone", where, "pack the folder again");
        if (file.facts.size > UINT32_MAX)
            return inputError("has " + bytesText(file.facts.size) + ", and a packed file has 4 GB at most", where,
                              "move it out of the folder");
    }
    return {};
}

// Writes one archive and keeps what its index will say.
class ArchiveWriter {
public:
    ArchiveWriter(fs::path path, const PlannedArchive& plan) : m_path(std::move(path)), m_plan(plan) {}

    Result<PackIndex> write(const fs::path& folder) {
        m_file.reset(::open(m_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
        if (!m_file) return systemError("cannot be made", pathText(m_path));
        const std::uint32_t shard = m_index.addShard({m_plan.name, static_cast<std::uint64_t>(m_plan.bytes)});
        for (const FileToPack* file : m_plan.files) TY_TRY(add(*file, folder / file->path, shard));
        TY_TRY(put(std::string(kEnd, '\0')));
        TY_TRY(flush());
        if (::fsync(m_file.get()) != 0) return failed();
        TY_TRY(m_index.sort(pathText(m_path)));
        return std::move(m_index);
    }

private:
    Result<void> add(const FileToPack& file, const fs::path& from, std::uint32_t shard) {
        TY_ASSIGN(const PlacedReader reader, PlacedReader::open(from));
        if (reader.size() != static_cast<std::uint64_t>(file.facts.size)) return changed(from);
        std::string content(reader.size(), '\0');
        if (const auto read = reader.read(0, std::as_writable_bytes(std::span(content))); !read)
            return read.error().kind == ErrorKind::Input ? changed(from) : read.error();
        TY_TRY(put(tarBegin(file.path, file.facts.size)));
        m_index.add(file.path, {.at = m_at,
                                .shard = shard,
                                .bytes = static_cast<std::uint32_t>(content.size()),
                                .crc = crc32c(std::as_bytes(std::span(content))),
                                .isChecked = true});
        TY_TRY(putContent(content));
        if (!file.label) return {};
        const std::string label = std::to_string(*file.label);
        TY_TRY(put(tarBegin(labelPath(file.path), static_cast<std::int64_t>(label.size()))));
        return putContent(label);
    }
    Result<void> putContent(const std::string& content) {
        TY_TRY(put(content));
        return put(
            std::string(static_cast<std::size_t>(tarPaddingOf(static_cast<std::int64_t>(content.size()))), '\0'));
    }
    Result<void> put(const std::string& bytes) {
        m_at += bytes.size();
        m_pending += bytes;
        return m_pending.size() < (std::size_t{4} << 20) ? Result<void>() : flush();
    }
    Result<void> flush() {
        for (std::size_t done = 0; done < m_pending.size();) {
            const ssize_t wrote = ::write(m_file.get(), m_pending.data() + done, m_pending.size() - done);
            if (wrote < 0 && errno == EINTR) continue;
            if (wrote < 0) return failed();
            done += static_cast<std::size_t>(wrote);
        }
        m_pending.clear();
        return {};
    }
    Error failed() const {
        const std::string remedy = roomRemedy(errno, m_path.parent_path());
        return systemError("cannot be written", pathText(m_path),
                           remedy.empty() ? "pack again: what is whole is kept" : remedy + ", and pack again");
    }
    static Error changed(const fs::path& from) {
        return inputError("has changed while it was packed", pathText(from),
                          "pack again when nothing writes into the folder");
    }

    fs::path m_path;
    const PlannedArchive& m_plan;
    UniqueFd m_file;
    PackIndex m_index;
    std::string m_pending;
    std::uint64_t m_at = 0;
};

// The folder in which one process writes a pack.
class Workshop {
public:
    explicit Workshop(const PackOrder& order) : m_order(order), m_part(partOfPack(order.out)) {}

    Result<void> open() {
        std::error_code problem;
        fs::create_directories(m_part, problem);
        if (problem) return notMadeError("cannot be made", m_part, problem);
        m_lock.reset(::open((m_part / kLockName).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
        if (!m_lock) return systemError("cannot be made", pathText(m_part / kLockName));
        if (::flock(m_lock.get(), LOCK_EX | LOCK_NB) != 0)
            return environmentError("is being written by another process", pathText(m_part),
                                    "wait for it, or give another name");
        fs::remove(m_part / "plan", problem); // it is of another writer
        return {};
    }

    // Before anything is written. `bytes`: still to be written.
    Result<void> checkRoom(std::int64_t bytes) const {
        std::error_code problem;
        const auto room = fs::space(m_part, problem);
        if (problem || bytes <= 0 || room.available >= static_cast<std::uintmax_t>(bytes)) return {};
        return environmentError("has room for " + bytesText(static_cast<std::int64_t>(room.available)) + ", and " +
                                    bytesText(bytes) + " are to be written",
                                pathText(m_order.out.parent_path()), "free some space, or pack to another disk")
            .withCode(ErrorCode::DiskFull);
    }

    // Nothing is in it that another writer could use.
    void abandon() const {
        std::error_code ignored;
        fs::remove(m_part / kLockName, ignored);
        fs::remove(m_part, ignored); // not where something is in it
    }

    // What a writer before has left of this archive; none: it is to be written.
    std::optional<PackIndex> left(const PlannedArchive& plan) const {
        const auto text = readFile(m_part / (plan.stamp() + kDoneEnding), std::size_t{1} << 30);
        if (!text) return std::nullopt;
        auto index = PackIndex::of(*text, plan.name);
        std::error_code problem;
        const auto bytes = fs::file_size(m_part / plan.name, problem);
        const bool whole = index && !problem && bytes == static_cast<std::uintmax_t>(plan.bytes) &&
                           index->shards().size() == 1 && index->shards()[0].bytes == bytes &&
                           index->size() == plan.files.size();
        return whole ? std::optional(std::move(*index)) : std::nullopt;
    }

    // What is there of it is of no use: its bytes are not to be counted.
    void discard(const PlannedArchive& plan) const {
        std::error_code ignored;
        fs::remove(m_part / plan.name, ignored);
    }

    Result<PackIndex> write(const PlannedArchive& plan) const {
        TY_ASSIGN(PackIndex index, ArchiveWriter(m_part / plan.name, plan).write(m_order.folder));
        TY_TRY(writeFileAtomic(m_part / (plan.stamp() + kDoneEnding), index.text()));
        return index;
    }

    Result<void> plan(std::int64_t bytes) const {
        return writeFileAtomic(m_part / "plan", std::to_string(bytes), Outlives::Process);
    }

    Result<void> finish(const PackIndex& index) {
        std::set<std::string> wanted{kPackIndexName};
        for (const PackShard& shard : index.shards()) wanted.insert(shard.name);
        if (!m_order.classes.empty()) {
            std::string lines;
            for (const std::string& name : m_order.classes) lines += name + "\n";
            TY_TRY(writeFileAtomic(m_part / "classes.txt", lines));
            wanted.insert("classes.txt");
        }
        TY_TRY(writeFileAtomic(m_part / kPackIndexName, index.text()));
        std::error_code problem;
        std::vector<fs::path> rest;
        for (const auto& entry : fs::directory_iterator(m_part, problem))
            if (!wanted.contains(entry.path().filename().string())) rest.push_back(entry.path());
        for (const fs::path& each : rest) fs::remove(each, problem);
        TY_TRY(syncFolder(m_part));
        if (::rename(m_part.c_str(), m_order.out.c_str()) != 0)
            return systemError("cannot get its name", pathText(m_order.out),
                               "the pack is whole in " + pathText(m_part) + ": rename it");
        const fs::path parent = m_order.out.parent_path();
        return syncFolder(parent.empty() ? fs::path(".") : parent);
    }

private:
    const PackOrder& m_order;
    fs::path m_part;
    UniqueFd m_lock;
};

Result<void> checkPlace(const PackOrder& order) {
    std::error_code problem;
    if (fs::exists(fs::symlink_status(order.out, problem)) &&
        !(fs::is_directory(order.out, problem) && fs::is_empty(order.out, problem)))
        return inputError("is there already", pathText(order.out), "give the pack another name, or remove that one");
    const fs::path folder = fs::weakly_canonical(order.folder, problem), out = fs::weakly_canonical(order.out, problem);
    if (const auto path = out.lexically_relative(folder); !path.empty() && *path.begin() != "..")
        return inputError("is inside the folder that is packed", pathText(order.out), "name a place outside of it");
    return {};
}

} // namespace

fs::path partOfPack(const fs::path& out) { return out.string() + ".part"; }

Result<PackMade> writePack(const PackOrder& order) {
    TY_TRY(checkFiles(order));
    TY_TRY(checkPlace(order));
    const std::vector<PlannedArchive> plans = planned(order);
    Workshop workshop(order);
    TY_TRY(workshop.open());
    PackMade made{.files = order.files.size(), .archives = plans.size()};
    std::vector<std::optional<PackIndex>> indices;
    std::int64_t missing = 0;
    for (const PlannedArchive& plan : plans) {
        indices.push_back(workshop.left(plan));
        made.bytes += plan.bytes;
        if (indices.back()) {
            ++made.keptArchives;
            continue;
        }
        workshop.discard(plan);
        missing += plan.bytes;
    }
    if (const auto room = workshop.checkRoom(missing); !room) {
        workshop.abandon();
        return room.error();
    }
    TY_TRY(workshop.plan(made.bytes));
    PackIndex index;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        if (!indices[i]) { TY_ASSIGN(indices[i], workshop.write(plans[i])); }
        const std::uint32_t shard = index.addShard(indices[i]->shards()[0]);
        for (std::size_t file = 0; file < indices[i]->size(); ++file) {
            PackedFile packed = indices[i]->file(file);
            packed.shard = shard;
            index.add(indices[i]->path(file), packed);
        }
        indices[i].reset();
    }
    TY_TRY(index.sort(pathText(order.out)));
    TY_TRY(workshop.finish(index));
    return made;
}

} // namespace trainyard::formats
