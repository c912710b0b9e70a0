// SPDX-License-Identifier: GPL-3.0-or-later
// Files of a folder in a few tar archives, read as if they still were in that folder: "birds.pack/train/cat/1.jpg". A
// pack of ours, shards of WebDataset, or any archive of files.
#pragma once

#include "engine/base/files/placed_reader.h"
#include "engine/base/machine/mutex.h"
#include "engine/formats/folders/folder_names.h"
#include "engine/formats/folders/pack_index.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::formats {

// The files with a label beside them, of WebDataset: KEY.jpg and KEY.cls or KEY.json.
struct PackedLabel {
    std::size_t picture = 0; // in the index
    std::optional<std::size_t> label;
};

// Every function may be called on any thread, several at a time.
class Pack {
public:
    // A folder with pack.index and its archives; one with archives (.tar) and neither folders nor pictures; or an
    // archive. Null: it is none of that. Without an index the headers of all archives are read. Input: the index or an
    // archive is damaged, cut short, foreign or of a newer version, an archive is missing, a file is there twice.
    static Result<std::shared_ptr<const Pack>> open(const std::filesystem::path& root);

    const std::filesystem::path& root() const { return m_root; }
    const PackIndex& index() const { return m_index; }
    // The pictures in the order of the archives, where some have a label beside them; else none: folders are classes.
    const std::vector<PackedLabel>& labels() const { return m_labels; }
    const std::vector<std::string>& notes() const { return m_notes; }

    // What is directly in a folder ("" for all of it), by name; none where there is no such folder.
    std::optional<FolderNames> namesIn(std::string_view folder) const;
    // The size, and the time of the archive.
    FileFacts facts(std::size_t i) const;
    // The content. Input: it is not what was packed, or the archive is gone or cut short. Environment: the disk does
    // not answer.
    Result<std::string> read(std::size_t i) const;
    // What tells whether it still is the same on the disk.
    static std::string stamp(const std::filesystem::path& root);

private:
    explicit Pack(std::filesystem::path root) : m_root(std::move(root)) {}
    Result<void> readIndexed();
    Result<void> scan(const std::vector<std::string>& archives);
    std::filesystem::path archive(std::size_t shard) const;
    Result<std::shared_ptr<const PlacedReader>> opened(std::size_t shard) const;

    std::filesystem::path m_root;
    PackIndex m_index;
    std::vector<PackedLabel> m_labels;
    std::vector<std::string> m_notes;
    std::vector<std::int64_t> m_changed; // of the archives
    mutable Mutex m_mutex;
    mutable std::vector<std::shared_ptr<const PlacedReader>> m_open TY_GUARDED_BY(m_mutex); // by archive
    mutable std::size_t m_openCount TY_GUARDED_BY(m_mutex) = 0;
};

// Whether a folder of these names is a pack: it has pack.index, or archives (.tar) and beside them lists and the like.
bool looksPacked(const FolderNames& names);

// A place within a pack: the pack, and the path in it ("" for all of it).
struct PackedPlace {
    std::shared_ptr<const Pack> pack;
    std::string path;
};

// Rule: whether a path leads into a pack, and where.
// Those that were used last stay open in this process; one that has changed on the disk is opened anew when its root is
// asked for. Null: it does not. Errors as Pack::open().
Result<PackedPlace> packedPlace(const std::filesystem::path& path);
// The number of the file there; none: it is not in a pack, or no file there.
Result<std::optional<std::pair<std::shared_ptr<const Pack>, std::size_t>>>
packedFile(const std::filesystem::path& path);

} // namespace trainyard::formats
