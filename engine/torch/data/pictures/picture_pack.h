// SPDX-License-Identifier: GPL-3.0-or-later
// The layout of decoded pictures in one mapped file, or in memory of this process:
//   a header of 4,096 bytes; an entry for each picture; from the next multiple of 4,096 on their bytes, one after
//   another; at the end a line "NUMBER<tab>REASON" for each that could not be decoded.
#pragma once

#include "engine/base/result.h"
#include "engine/base/unique_fd.h"
#include "engine/torch/data/pictures/picture_files.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trainyard::data {

// Which pictures, and what they are brought to.
struct PackKey {
    std::string digest; // hex SHA-256 of the listing and of all that decides about the bytes
    PictureForm form;
    std::int64_t count = 0;
};

// What has become of a picture.
enum class PackedAs : std::uint32_t { Missing = 0, Whole = 1, Recovered = 2, Unreadable = 3 };

// What is known of one picture: enough to measure a set without touching its bytes.
struct PackEntry {
    std::uint32_t crc = 0; // CRC-32C of the bytes
    PackedAs state = PackedAs::Missing;
    std::array<std::uint64_t, 3> sum{}, squares{}; // of the bytes of each channel
};

// One mapped file, or memory of this process.
class PicturePack {
public:
    // A whole file, for reading: mapped, and marked as in use as long as this lives. None when there is no such file or
    // it is of another key, cut short or damaged in its index.
    static std::optional<PicturePack> open(const std::filesystem::path& file, const PackKey& key);
    // A file to be filled, whose lock this process holds. What a builder before it has left there under the same key is
    // kept. Environment: it cannot be made, or the disk is full.
    static Result<PicturePack> begin(UniqueFd file, const PackKey& key, const std::filesystem::path& path);
    // The same in memory of this process.
    static Result<PicturePack> inMemory(const PackKey& key);
    PicturePack(PicturePack&& other) noexcept;
    PicturePack& operator=(PicturePack&&) = delete;
    ~PicturePack();

    std::int64_t count() const { return m_key.count; }
    const PictureForm& form() const { return m_key.form; }
    const PackEntry& entry(std::int64_t i) const { return entries()[i]; }
    const std::uint8_t* pixels(std::int64_t i) const { return m_base + pixelsAt(m_key) + i * m_key.form.bytes(); }
    // Whether the bytes are those that were written.
    bool isIntact(std::int64_t i) const;
    // Number and reason of each that could not be decoded, by number.
    const std::vector<std::pair<std::int64_t, std::string>>& unreadable() const { return m_unreadable; }

    // While it is filled; each picture by one thread.
    std::uint8_t* room(std::int64_t i) { return const_cast<std::uint8_t*>(pixels(i)); }
    void noteDecoded(std::int64_t i, bool recovered);
    // All are there, but for those. Environment: the rest could not be written.
    Result<void> finish(std::vector<std::pair<std::int64_t, std::string>> unreadable);
    // The lock on a file that was filled becomes the mark of one in use.
    void keepInUse();

private:
    PicturePack(PackKey key, std::uint8_t* base, std::int64_t mapped, UniqueFd file)
        : m_key(std::move(key)), m_base(base), m_mapped(mapped), m_file(std::move(file)) {}
    static std::int64_t pixelsAt(const PackKey& key);
    static std::int64_t tailAt(const PackKey& key);
    PackEntry* entries() const;
    std::uint32_t indexCrc(const std::string& tail) const;
    bool readIndex();

    PackKey m_key;
    std::uint8_t* m_base = nullptr;
    std::int64_t m_mapped = 0;
    UniqueFd m_file; // none in memory
    std::vector<std::pair<std::int64_t, std::string>> m_unreadable;
};

} // namespace trainyard::data
