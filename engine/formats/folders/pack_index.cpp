// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/folders/pack_index.h"

#include "engine/base/math/crc32c.h"
#include "engine/base/text/printable.h"
#include "engine/formats/folders/tar_members.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <numeric>
#include <span>

namespace trainyard::formats {
namespace {

constexpr std::string_view kBegin = "trainyard pack ";
constexpr int kVersion = 1;
constexpr std::size_t kMostShards = 1'000'000, kMostPacked = 20'000'000;
constexpr const char* kPackAgain = "copy the file again, or pack the folder again: trainyardctl data pack";

// The next piece up to a tab, or all that is left.
std::string_view nextField(std::string_view& line) {
    const std::size_t end = std::min(line.find('\t'), line.size());
    const std::string_view field = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    return field;
}

template <class T>
bool readField(std::string_view& line, T& number, int base = 10) {
    const std::string_view field = nextField(line);
    const auto [end, problem] = std::from_chars(field.data(), field.data() + field.size(), number, base);
    return !field.empty() && problem == std::errc() && end == field.data() + field.size();
}

std::string hexCrc(std::uint32_t crc) {
    std::array<char, 9> hex{};
    std::snprintf(hex.data(), hex.size(), "%08x", crc);
    return hex.data();
}

std::uint32_t crcOf(std::string_view text) { return crc32c(std::as_bytes(std::span(text))); }

bool isShardName(std::string_view name) {
    return isPackedPath(name) && name.find('/') == std::string_view::npos && name.front() != '.' &&
           name.ends_with(".tar");
}

} // namespace

std::size_t PackIndex::lowerBound(std::string_view wanted) const {
    std::size_t low = 0, high = size();
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (path(middle) < wanted) low = middle + 1;
        else high = middle;
    }
    return low;
}

std::optional<std::size_t> PackIndex::find(std::string_view wanted) const {
    const std::size_t at = lowerBound(wanted);
    return at < size() && path(at) == wanted ? std::optional(at) : std::nullopt;
}

std::uint32_t PackIndex::addShard(PackShard shard) {
    m_shards.push_back(std::move(shard));
    return static_cast<std::uint32_t>(m_shards.size() - 1);
}

void PackIndex::add(std::string_view newest, const PackedFile& file) {
    m_paths += newest;
    m_starts.push_back(m_paths.size());
    m_files.push_back(file);
}

Result<std::vector<std::uint32_t>> PackIndex::sort(const std::string& name) {
    std::vector<std::uint32_t> order(size()), places(size());
    std::iota(order.begin(), order.end(), 0u);
    const auto before = [&](std::uint32_t a, std::uint32_t b) { return path(a) < path(b); };
    if (!std::is_sorted(order.begin(), order.end(), before)) {
        std::sort(order.begin(), order.end(), before);
        PackIndex sorted;
        for (const std::uint32_t i : order) sorted.add(path(i), m_files[i]);
        sorted.m_shards = std::move(m_shards);
        *this = std::move(sorted);
    }
    for (std::size_t i = 1; i < size(); ++i)
        if (path(i) == path(i - 1))
            return inputError("holds \"" + printable(path(i), 200) + "\" twice", name,
                              "give each file its own name, and pack them again");
    for (std::size_t i = 0; i < size(); ++i) places[order[i]] = static_cast<std::uint32_t>(i);
    return places;
}

std::string PackIndex::text() const {
    std::string text = std::string(kBegin) + std::to_string(kVersion) + "\n";
    for (const PackShard& shard : m_shards) text += "shard\t" + std::to_string(shard.bytes) + "\t" + shard.name + "\n";
    for (std::size_t i = 0; i < size(); ++i) {
        const PackedFile& file = m_files[i];
        text += "file\t" + std::to_string(file.shard) + "\t" + std::to_string(file.at) + "\t" +
                std::to_string(file.bytes) + "\t" + hexCrc(file.crc) + "\t";
        text += path(i);
        text += '\n';
    }
    text += "end\t" + std::to_string(size()) + "\t";
    return text + hexCrc(crcOf(text)) + "\n";
}

Result<PackIndex> PackIndex::of(std::string_view text, const std::string& name) {
    if (!text.starts_with(kBegin)) return inputError("is no index of a pack", name, "name another folder");
    std::string_view first = text.substr(kBegin.size(), std::min<std::size_t>(text.find('\n'), 40) - kBegin.size());
    int version = 0;
    if (!readField(first, version) || version < 1)
        return inputError("is no index of a pack: its first line names no version", name, kPackAgain);
    if (version > kVersion)
        return inputError("is of version " + std::to_string(version) + ", and version " + std::to_string(kVersion) +
                              " is read here",
                          name, "read it with a newer Trainyard, or pack the folder again with this one");
    const std::size_t last = text.size() < 2 ? 0 : text.rfind('\n', text.size() - 2) + 1;
    std::string_view end = text.substr(last);
    if (!end.starts_with("end\t") || !end.ends_with('\n'))
        return inputError("is cut short: it does not end as an index does", name, kPackAgain);
    end.remove_suffix(1);
    nextField(end);
    std::size_t count = 0;
    std::uint32_t crc = 0;
    if (!readField(end, count) || end.size() != 8 || !readField(end, crc, 16) ||
        crcOf(text.substr(0, text.size() - 9)) != crc)
        return inputError("is damaged: its checksum is another", name, kPackAgain);
    PackIndex index;
    TY_TRY(index.read(text.substr(0, last), name));
    if (index.size() != count)
        return inputError("has " + std::to_string(index.size()) + " files, and says that there are " +
                              std::to_string(count),
                          name, kPackAgain);
    return index;
}

Result<void> PackIndex::read(std::string_view lines, const std::string& name) {
    std::size_t number = 0;
    const auto wrong = [&](const std::string& what) {
        return inputError(what, name + ", line " + std::to_string(number), kPackAgain);
    };
    while (!lines.empty()) {
        std::string_view line = lines.substr(0, std::min(lines.find('\n'), lines.size()));
        lines.remove_prefix(std::min(line.size() + 1, lines.size()));
        if (++number == 1) continue;
        const std::string_view kind = nextField(line);
        if (kind == "shard") {
            PackShard shard;
            if (!readField(line, shard.bytes) || !isShardName(line)) return wrong("names no archive");
            if (m_shards.size() == kMostShards) return wrong("has more than a million archives");
            shard.name = line;
            m_shards.push_back(std::move(shard));
            continue;
        }
        PackedFile file{.isChecked = true};
        if (kind != "file" || !readField(line, file.shard) || !readField(line, file.at) ||
            !readField(line, file.bytes) || !readField(line, file.crc, 16) || !isPackedPath(line))
            return wrong("is no file of a pack");
        if (file.shard >= m_shards.size() || file.at > m_shards[file.shard].bytes ||
            file.bytes > m_shards[file.shard].bytes - file.at)
            return wrong("has a file outside of its archive");
        if (size() == kMostPacked) return wrong("has more than 20 million files");
        if (size() > 0 && path(size() - 1) >= line) return wrong("has a file out of order, or twice");
        add(line, file);
    }
    return {};
}

} // namespace trainyard::formats
