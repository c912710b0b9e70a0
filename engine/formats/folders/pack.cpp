// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/folders/pack.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/math/crc32c.h"
#include "engine/base/text/printable.h"
#include "engine/formats/folders/tar_members.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>

namespace trainyard::formats {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostIndex = std::size_t{4} << 30, kMostOpen = 256, kMostFiles = 20'000'000;

std::string shown(const fs::path& path) { return printable(path.string(), 4096); }

struct OnDisk {
    bool isFile = false;
    std::int64_t bytes = -1, changed = 0; // nanoseconds since 1970
};

OnDisk onDisk(const fs::path& path) {
    struct stat info{};
    if (::stat(path.c_str(), &info) != 0) return {};
    return {S_ISREG(info.st_mode), info.st_size, info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec};
}

bool isArchiveName(std::string_view name) { return name.ends_with(".tar") && !name.starts_with('.'); }

bool isOneOf(std::string_view ending, std::initializer_list<std::string_view> all) {
    return std::find(all.begin(), all.end(), ending) != all.end();
}

// Archives, and lists and the like beside them.
bool mayStandInPack(std::string_view name, bool isFolder) {
    if (name.starts_with('.') || isArchiveName(name)) return true;
    return !isFolder &&
           isOneOf(fs::path(name).extension().string(), {".txt", ".json", ".csv", ".md", ".yaml", ".idx", ""});
}

// Without listing all of a large folder that is none.
bool mayBePack(const fs::path& folder) {
    std::error_code problem;
    for (fs::directory_iterator each(folder, problem), end; !problem && each != end; each.increment(problem)) {
        std::error_code ignored;
        if (!mayStandInPack(each->path().filename().string(), each->is_directory(ignored))) return false;
    }
    return !problem;
}

// The key of WebDataset is all before the first dot of the name.
std::string_view keyOf(std::string_view path) {
    const std::size_t slash = path.rfind('/'), from = slash == std::string_view::npos ? 0 : slash + 1;
    return path.substr(0, std::min(path.find('.', from), path.size()));
}

// Finds the pictures and their labels while the files of archives go by.
class Keys {
public:
    void next(std::string_view path, std::size_t number) {
        const std::string_view key = keyOf(path), ending = path.substr(key.size());
        if (key != m_key) {
            flush();
            m_key = key;
        }
        if (isOneOf(ending,
                    {".jpg", ".jpeg", ".png", ".webp", ".JPEG", ".JPG", ".PNG", ".bmp", ".tif", ".tiff", ".gif"}))
            m_picture = m_picture ? m_picture : number;
        else if (ending == ".cls") m_class = number;
        else if (ending == ".json") m_json = number;
    }
    void flush() {
        if (m_picture) {
            labels.push_back({*m_picture, m_class ? m_class : m_json});
            m_any = m_any || labels.back().label;
        }
        m_picture = m_class = m_json = std::nullopt;
        m_key.clear();
    }
    bool any() const { return m_any; }
    std::vector<PackedLabel> labels;

private:
    std::string m_key;
    std::optional<std::size_t> m_picture, m_class, m_json;
    bool m_any = false;
};

// The packs that this process reads, those used last first.
class OpenPacks {
public:
    Result<PackedPlace> find(const std::string& path) {
        const MutexLock lock(m_mutex);
        for (auto each = m_packs.begin(); each != m_packs.end(); ++each) {
            const std::string& root = each->first;
            if (!path.starts_with(root)) continue;
            if (path.size() == root.size()) {
                if (each->second.stamp == Pack::stamp(root)) return PackedPlace{each->second.pack, {}};
                m_packs.erase(each);
                break;
            }
            if (path[root.size()] == '/') return PackedPlace{each->second.pack, path.substr(root.size() + 1)};
        }
        return openFor(path);
    }

private:
    struct Opened {
        std::shared_ptr<const Pack> pack;
        std::string stamp;
    };

    // Of the folders around a place, the first that is on the disk is a pack or none is.
    Result<PackedPlace> openFor(const std::string& path) TY_REQUIRES(m_mutex) {
        constexpr std::size_t kMostPacks = 8;
        fs::path root = path;
        while (root.has_relative_path() && onDisk(root).bytes < 0) root = root.parent_path();
        if (!root.has_relative_path()) return PackedPlace{};
        const std::string stamp = Pack::stamp(root);
        TY_ASSIGN(auto pack, Pack::open(root));
        if (!pack) return PackedPlace{};
        const std::string name = root.string();
        m_packs.insert(m_packs.begin(), {name, {pack, stamp}});
        if (m_packs.size() > kMostPacks) m_packs.pop_back();
        return PackedPlace{std::move(pack), path.size() > name.size() ? path.substr(name.size() + 1) : std::string()};
    }

    Mutex m_mutex;
    std::vector<std::pair<std::string, Opened>> m_packs TY_GUARDED_BY(m_mutex);
};

} // namespace

bool looksPacked(const FolderNames& names) {
    bool archives = false;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names.name(i) == kPackIndexName) return true;
        if (!mayStandInPack(names.name(i), names.kind(i) == NameKind::Folder)) return false;
        archives = archives || isArchiveName(names.name(i));
    }
    return archives;
}

Result<std::shared_ptr<const Pack>> Pack::open(const fs::path& root) {
    std::shared_ptr<Pack> pack(new Pack(root));
    std::error_code problem;
    if (fs::is_directory(root, problem)) {
        if (onDisk(root / kPackIndexName).isFile) {
            TY_TRY(pack->readIndexed());
            return std::shared_ptr<const Pack>(std::move(pack));
        }
        if (!mayBePack(root)) return std::shared_ptr<const Pack>();
        TY_ASSIGN(const FolderNames names, namesOnDisk(root));
        if (!looksPacked(names)) return std::shared_ptr<const Pack>();
        std::vector<std::string> archives;
        for (std::size_t i = 0; i < names.size(); ++i)
            if (isArchiveName(names.name(i))) archives.emplace_back(names.name(i));
        TY_TRY(pack->scan(archives));
    } else {
        if (!isArchiveName(root.filename().string())) return std::shared_ptr<const Pack>();
        TY_TRY(pack->scan({root.filename().string()}));
    }
    return std::shared_ptr<const Pack>(std::move(pack));
}

std::string Pack::stamp(const fs::path& root) {
    std::string stamp;
    for (const fs::path& each : {root, root / kPackIndexName}) {
        const OnDisk found = onDisk(each);
        stamp += std::to_string(found.bytes) + " " + std::to_string(found.changed) + " ";
    }
    return stamp;
}

fs::path Pack::archive(std::size_t shard) const {
    std::error_code problem;
    return fs::is_directory(m_root, problem) ? m_root / m_index.shards()[shard].name : m_root;
}

Result<void> Pack::readIndexed() {
    const fs::path file = m_root / kPackIndexName;
    TY_ASSIGN(const std::string text, readFile(file, kMostIndex));
    TY_ASSIGN(m_index, PackIndex::of(text, shown(file)));
    for (const PackShard& shard : m_index.shards()) {
        const fs::path path = m_root / shard.name;
        const OnDisk found = onDisk(path);
        const char* again = "copy it again from where the pack was made, or pack the folder again";
        if (!found.isFile)
            return inputError("the pack has lost this archive", shown(path), again).withCode(ErrorCode::FileMissing);
        if (found.bytes != static_cast<std::int64_t>(shard.bytes))
            return inputError("has " + std::to_string(found.bytes) + " bytes, and " + std::to_string(shard.bytes) +
                                  " were packed",
                              shown(path), again);
        m_changed.push_back(found.changed);
    }
    return {};
}

// Files that are packed in several archives get the archive's name before their own where they have labels beside them,
// as the same keys may be in each.
Result<void> Pack::scan(const std::vector<std::string>& archives) {
    Keys keys;
    TarOddities odd;
    PackIndex found;
    for (const std::string& name : archives) {
        const std::uint32_t shard = found.addShard({name, 0});
        std::error_code problem;
        const fs::path archive = fs::is_directory(m_root, problem) ? m_root / name : m_root;
        m_changed.push_back(onDisk(archive).changed);
        TY_ASSIGN(const PlacedReader reader, PlacedReader::open(archive));
        const auto add = [&](TarMemberAt&& member) -> Result<void> {
            if (found.size() == kMostFiles)
                return inputError("holds more than 20 million files", shown(m_root), "divide the set");
            if (member.bytes > UINT32_MAX) return ++odd.others, Result<void>();
            const std::string path = archives.size() > 1 ? name + "/" + member.path : member.path;
            keys.next(path, found.size());
            found.add(path, {member.at, shard, static_cast<std::uint32_t>(member.bytes)});
            return {};
        };
        TY_ASSIGN(const TarOddities more, eachTarMember(reader, add));
        keys.flush();
        odd.links += more.links;
        odd.others += more.others;
    }
    if (keys.any()) {
        m_labels = std::move(keys.labels);
        m_index = std::move(found);
    } else if (archives.size() > 1) {
        for (const PackShard& shard : found.shards()) m_index.addShard(shard);
        for (std::size_t i = 0; i < found.size(); ++i)
            m_index.add(found.path(i).substr(found.path(i).find('/') + 1), found.file(i));
    } else {
        m_index = std::move(found);
    }
    TY_ASSIGN(const auto places, m_index.sort(shown(m_root)));
    for (PackedLabel& each : m_labels) {
        each.picture = places[each.picture];
        if (each.label) each.label = places[*each.label];
    }
    if (odd.links + odd.others > 0)
        m_notes.push_back(std::to_string(odd.links + odd.others) +
                          " entries of the archives passed over: links, devices, or files of more than 4 GB");
    if (m_index.size() == 0) return inputError("holds no files", shown(m_root), "name another archive");
    return {};
}

std::optional<FolderNames> Pack::namesIn(std::string_view folder) const {
    FolderNames names;
    const std::string prefix = folder.empty() ? std::string() : std::string(folder) + "/";
    for (std::size_t i = m_index.lowerBound(prefix); i < m_index.size() && m_index.path(i).starts_with(prefix);) {
        const std::string_view rest = m_index.path(i).substr(prefix.size());
        const std::size_t slash = rest.find('/');
        names.add(rest.substr(0, slash), slash == std::string_view::npos ? NameKind::File : NameKind::Folder);
        if (slash == std::string_view::npos) ++i;
        else i = m_index.lowerBound(prefix + std::string(rest.substr(0, slash)) + "0"); // the byte behind "/"
    }
    if (names.size() == 0) return std::nullopt;
    names.sort();
    return names;
}

FileFacts Pack::facts(std::size_t i) const {
    const PackedFile& file = m_index.file(i);
    return {file.bytes, m_changed[file.shard]};
}

Result<std::shared_ptr<const PlacedReader>> Pack::opened(std::size_t shard) const {
    {
        const MutexLock lock(m_mutex);
        m_open.resize(m_index.shards().size());
        if (m_open[shard]) return m_open[shard];
    }
    TY_ASSIGN(PlacedReader reader, PlacedReader::open(archive(shard)));
    auto made = std::make_shared<const PlacedReader>(std::move(reader));
    const MutexLock lock(m_mutex);
    if (!m_open[shard] && m_openCount < kMostOpen) {
        m_open[shard] = made;
        ++m_openCount;
    }
    return made;
}

Result<std::string> Pack::read(std::size_t i) const {
    const PackedFile& file = m_index.file(i);
    TY_ASSIGN(const auto reader, opened(file.shard));
    const std::string place = m_index.shards()[file.shard].name + ", byte " + std::to_string(file.at);
    if (file.at > reader->size() || file.bytes > reader->size() - file.at)
        return inputError("is cut off: " + place + " ends before it", shown(m_root / m_index.path(i)),
                          "copy the archive again, or pack the folder again");
    std::string bytes(file.bytes, '\0');
    TY_TRY(reader->read(file.at, std::as_writable_bytes(std::span(bytes))));
    if (file.isChecked && crc32c(std::as_bytes(std::span(bytes))) != file.crc)
        return inputError("is damaged in " + place + ": its checksum is another", shown(m_root / m_index.path(i)),
                          "copy the archive again, or pack the folder again");
    return bytes;
}

Result<PackedPlace> packedPlace(const fs::path& path) {
    static OpenPacks packs;
    std::string name = path.string();
    while (name.size() > 1 && name.back() == '/') name.pop_back();
    return packs.find(name);
}

Result<std::optional<std::pair<std::shared_ptr<const Pack>, std::size_t>>> packedFile(const fs::path& path) {
    using Found = std::optional<std::pair<std::shared_ptr<const Pack>, std::size_t>>;
    TY_ASSIGN(PackedPlace place, packedPlace(path));
    if (!place.pack) return Found();
    const auto at = place.pack->index().find(place.path);
    return at ? Found(std::in_place, std::move(place.pack), *at) : Found();
}

} // namespace trainyard::formats
