// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/pictures/picture_pack.h"

#include "engine/base/files/kept_file.h"
#include "engine/base/math/crc32c.h"

#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <span>

namespace trainyard::data {

namespace {

constexpr std::int64_t kPackPage = 4096;
constexpr std::uint64_t kPackMagic = 0x3130534349505954; // "TYPICS01"
constexpr std::int64_t kLongestTail = std::int64_t{1} << 28;

struct PackHeader {
    std::uint64_t magic = kPackMagic;
    std::int32_t width = 0, height = 0, channels = 0, whole = 0;
    std::int64_t count = 0, tail = 0;
    std::uint32_t indexCrc = 0, unused = 0;
    char digest[64] = {};
};
static_assert(sizeof(PackHeader) <= kPackPage);

PackHeader headerOf(const PackKey& key) {
    PackHeader header;
    header.width = key.form.width;
    header.height = key.form.height;
    header.channels = key.form.channels;
    header.count = key.count;
    std::memcpy(header.digest, key.digest.data(), std::min(key.digest.size(), sizeof header.digest));
    return header;
}

bool sameSet(const PackHeader& a, const PackHeader& b) {
    return a.magic == b.magic && a.width == b.width && a.height == b.height && a.channels == b.channels &&
           a.count == b.count && std::memcmp(a.digest, b.digest, sizeof a.digest) == 0;
}

std::uint32_t crcOf(const void* bytes, std::size_t size, std::uint32_t seed = 0) {
    return crc32c({static_cast<const std::byte*>(bytes), size}, seed);
}

std::string tailOf(const std::vector<std::pair<std::int64_t, std::string>>& unreadable) {
    std::string tail;
    for (auto [number, why] : unreadable) {
        std::replace(why.begin(), why.end(), '\n', ' ');
        tail += std::to_string(number) + '\t' + why + '\n';
    }
    return tail;
}

Result<std::uint8_t*> mapped(int fd, std::int64_t bytes, int protection, int flags, const std::string& where) {
    void* base = ::mmap(nullptr, static_cast<std::size_t>(bytes), protection, flags, fd, 0);
    if (base == MAP_FAILED) return systemError("cannot be mapped", where);
    return static_cast<std::uint8_t*>(base);
}

} // namespace

std::int64_t PicturePack::pixelsAt(const PackKey& key) {
    const std::int64_t end = kPackPage + key.count * static_cast<std::int64_t>(sizeof(PackEntry));
    return (end + kPackPage - 1) / kPackPage * kPackPage;
}

std::int64_t PicturePack::tailAt(const PackKey& key) { return pixelsAt(key) + key.count * key.form.bytes(); }

PackEntry* PicturePack::entries() const { return reinterpret_cast<PackEntry*>(m_base + kPackPage); }

PicturePack::PicturePack(PicturePack&& other) noexcept
    : m_key(std::move(other.m_key)), m_base(std::exchange(other.m_base, nullptr)), m_mapped(other.m_mapped),
      m_file(std::move(other.m_file)), m_unreadable(std::move(other.m_unreadable)) {}

PicturePack::~PicturePack() {
    if (m_base) ::munmap(m_base, static_cast<std::size_t>(m_mapped));
}

std::optional<PicturePack> PicturePack::open(const std::filesystem::path& file, const PackKey& key) {
    UniqueFd fd = openKept(file);
    struct stat info{};
    if (!fd || ::fstat(fd.get(), &info) != 0 || info.st_size < tailAt(key)) return {};
    auto base = mapped(fd.get(), info.st_size, PROT_READ, MAP_SHARED, file.string());
    if (!base) return {};
    PicturePack pack(key, *base, info.st_size, std::move(fd));
    if (!pack.readIndex()) return {};
    ::futimens(pack.m_file.get(), nullptr); // the newest use
    return pack;
}

Result<PicturePack> PicturePack::begin(UniqueFd file, const PackKey& key, const std::filesystem::path& path) {
    PackHeader found;
    const bool goesOn = ::pread(file.get(), &found, sizeof found, 0) == static_cast<ssize_t>(sizeof found) &&
                        sameSet(found, headerOf(key)) && found.whole == 0;
    if (!goesOn && ::ftruncate(file.get(), 0) != 0) return systemError("cannot be written", path.string());
    // Room first: a disk that is full while a mapped page is written would end the process.
    errno = ::posix_fallocate(file.get(), 0, tailAt(key));
    if (errno != 0) return systemError("cannot be written", path.string());
    TY_ASSIGN(std::uint8_t* const base,
              mapped(file.get(), tailAt(key), PROT_READ | PROT_WRITE, MAP_SHARED, path.string()));
    const PackHeader header = headerOf(key);
    if (!goesOn) std::memcpy(base, &header, sizeof header);
    PicturePack pack(key, base, tailAt(key), std::move(file));
    for (std::int64_t i = 0; goesOn && i < key.count; ++i)
        if (!pack.isIntact(i)) pack.entries()[i] = {};
    return pack;
}

Result<PicturePack> PicturePack::inMemory(const PackKey& key) {
    TY_ASSIGN(std::uint8_t* const base,
              mapped(-1, tailAt(key), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, "the decoded pictures"));
    return PicturePack(key, base, tailAt(key), {});
}

bool PicturePack::isIntact(std::int64_t i) const {
    const PackEntry& found = entry(i);
    const bool there = found.state == PackedAs::Whole || found.state == PackedAs::Recovered;
    return there && found.crc == crcOf(pixels(i), static_cast<std::size_t>(m_key.form.bytes()));
}

void PicturePack::noteDecoded(std::int64_t i, bool recovered) {
    PackEntry made{.crc = crcOf(pixels(i), static_cast<std::size_t>(m_key.form.bytes()))};
    const std::int64_t plane = m_key.form.bytes() / m_key.form.channels;
    const std::uint8_t* at = pixels(i);
    for (std::size_t c = 0; c < static_cast<std::size_t>(m_key.form.channels); ++c)
        for (std::int64_t p = 0; p < plane; ++p, ++at) {
            made.sum[c] += *at;
            made.squares[c] += static_cast<std::uint64_t>(*at) * *at;
        }
    made.state = recovered ? PackedAs::Recovered : PackedAs::Whole;
    entries()[i] = made;
}

std::uint32_t PicturePack::indexCrc(const std::string& tail) const {
    return crcOf(tail.data(), tail.size(), crcOf(entries(), static_cast<std::size_t>(m_key.count) * sizeof(PackEntry)));
}

Result<void> PicturePack::finish(std::vector<std::pair<std::int64_t, std::string>> unreadable) {
    m_unreadable = std::move(unreadable);
    for (const auto& [number, why] : m_unreadable) entries()[number] = {.state = PackedAs::Unreadable};
    const std::string tail = tailOf(m_unreadable);
    if (m_file) {
        const auto size = static_cast<ssize_t>(tail.size());
        if (::pwrite(m_file.get(), tail.data(), tail.size(), tailAt(m_key)) != size ||
            ::ftruncate(m_file.get(), tailAt(m_key) + size) != 0)
            return systemError("cannot be written", "the decoded pictures");
    }
    PackHeader header = headerOf(m_key);
    header.tail = static_cast<std::int64_t>(tail.size());
    header.indexCrc = indexCrc(tail);
    header.whole = 1;
    std::memcpy(m_base, &header, sizeof header);
    return {};
}

void PicturePack::keepInUse() {
    if (m_file) ::flock(m_file.get(), LOCK_SH);
    ::mprotect(m_base, static_cast<std::size_t>(m_mapped), PROT_READ);
}

bool PicturePack::readIndex() {
    PackHeader header;
    std::memcpy(&header, m_base, sizeof header);
    if (!sameSet(header, headerOf(m_key)) || header.whole != 1 || header.tail < 0 || header.tail > kLongestTail ||
        tailAt(m_key) + header.tail != m_mapped)
        return false;
    const std::string tail(reinterpret_cast<const char*>(m_base) + tailAt(m_key),
                           static_cast<std::size_t>(header.tail));
    if (indexCrc(tail) != header.indexCrc) return false;
    for (std::size_t at = 0; at < tail.size();) {
        const std::size_t tab = tail.find('\t', at), end = tail.find('\n', at);
        std::int64_t number = -1;
        if (tab == std::string::npos || end == std::string::npos || tab > end) return false;
        std::from_chars(tail.data() + at, tail.data() + tab, number);
        if (number < 0 || number >= m_key.count) return false;
        m_unreadable.emplace_back(number, tail.substr(tab + 1, end - tab - 1));
        at = end + 1;
    }
    return true;
}

} // namespace trainyard::data
