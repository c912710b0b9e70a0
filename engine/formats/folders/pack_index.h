// SPDX-License-Identifier: GPL-3.0-or-later
// What a pack holds and where: in memory, and as the file pack.index beside its shards (PACKS.md has the format).
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::formats {

inline constexpr const char* kPackIndexName = "pack.index";

// A tar archive of a pack.
struct PackShard {
    std::string name; // within the folder of the pack
    std::uint64_t bytes = 0;
};

// A file in a pack.
struct PackedFile {
    std::uint64_t at = 0; // of its content in the shard
    std::uint32_t shard = 0, bytes = 0;
    std::uint32_t crc = 0;  // CRC-32C of the content, where it is known
    bool isChecked = false; // whether it is
};

// The files by their paths, in the order of their bytes.
class PackIndex {
public:
    std::size_t size() const { return m_files.size(); }
    std::string_view path(std::size_t i) const { return {m_paths.data() + m_starts[i], m_starts[i + 1] - m_starts[i]}; }
    const PackedFile& file(std::size_t i) const { return m_files[i]; }
    const std::vector<PackShard>& shards() const { return m_shards; }
    // None: there is no such file.
    std::optional<std::size_t> find(std::string_view path) const;
    // The first whose path is not before this one.
    std::size_t lowerBound(std::string_view path) const;

    std::uint32_t addShard(PackShard shard);
    // Files in any order; sort() ends it, and returns where each has gone. Input: two have the same path.
    void add(std::string_view path, const PackedFile& file);
    Result<std::vector<std::uint32_t>> sort(const std::string& name);

    // As the file has it.
    std::string text() const;
    // Of such a text; `name` says what it is. Input, with the line: it is no index, of a newer version, cut short,
    // damaged, or says what cannot be (a place outside of its shard, a name that leads out of the pack).
    static Result<PackIndex> of(std::string_view text, const std::string& name);

private:
    Result<void> read(std::string_view lines, const std::string& name);

    std::vector<PackShard> m_shards;
    std::string m_paths;
    std::vector<std::size_t> m_starts{0}; // and the end
    std::vector<PackedFile> m_files;
};

} // namespace trainyard::formats
