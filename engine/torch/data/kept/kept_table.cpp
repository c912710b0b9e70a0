// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/kept/kept_table.h"

#include "engine/base/math/crc32c.h"
#include "engine/torch/data/kept/read_ahead.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace trainyard::data {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kRowsTogether = 64, kLeastChunk = 8192, kChunkBytes = 65536;
constexpr std::int64_t kAheadBytes = 1 << 20; // that are read before they are asked for, where rows come in order
constexpr std::int64_t kRowsPage = 4096, kMostFacts = std::int64_t{1} << 28;
constexpr std::int64_t kCrcsBytes = 12; // of a chunk
constexpr std::int64_t kMostRows = std::int64_t{1} << 40, kMostRowBytes = 1 << 20;
constexpr std::uint64_t kRowsMagic = 0x3130534D4F525954; // "TYROMS01"

struct RowsHeader {
    std::uint64_t magic = kRowsMagic;
    std::int64_t rows = 0, rowBytes = 0, targets = 0, groups = 0, facts = 0;
    std::uint32_t indexCrc = 0, whole = 0;
    char digest[64] = {};
};
static_assert(sizeof(RowsHeader) <= kRowsPage);

std::int64_t paged(std::int64_t bytes) { return (bytes + kRowsPage - 1) / kRowsPage * kRowsPage; }

std::uint32_t sumOfBytes(const void* bytes, std::int64_t size, std::uint32_t seed = 0) {
    return crc32c({static_cast<const std::byte*>(bytes), static_cast<std::size_t>(size)}, seed);
}

RowsHeader headerOf(const TableShape& shape, const std::string& digest, std::int64_t facts) {
    RowsHeader header;
    header.rows = shape.rows;
    header.rowBytes = shape.rowBytes;
    header.targets = shape.targets;
    header.groups = shape.groups ? 1 : 0;
    header.facts = facts;
    header.whole = 1;
    std::memcpy(header.digest, digest.data(), std::min(digest.size(), sizeof header.digest));
    return header;
}

fs::path rowsFile(const KeptStore& store, const std::string& digest) { return store.folder / (digest + kTableEnding); }

} // namespace

std::int64_t TableShape::rowsOfChunk() const {
    const std::int64_t each = std::max<std::int64_t>(1, rowBytes);
    return std::max<std::int64_t>(1, std::min(kChunkBytes / each, std::max(kRowsTogether, kLeastChunk / each)));
}

std::int64_t TableShape::chunks() const { return (rows + rowsOfChunk() - 1) / rowsOfChunk(); }
std::int64_t TableShape::targetsAt() const { return paged(kRowsPage + rows * rowBytes); }
std::int64_t TableShape::groupsAt() const { return paged(targetsAt() + rows * targets * 8); }
std::int64_t TableShape::crcsAt() const { return paged(groupsAt() + (groups ? rows * 8 : 0)); }
std::int64_t TableShape::factsAt() const { return crcsAt() + chunks() * kCrcsBytes; }

Result<void> TableWriter::put(const void* bytes, std::size_t size, std::int64_t at) {
    const char* from = static_cast<const char*>(bytes);
    while (size > 0) {
        const ssize_t done = ::pwrite(m_file, from, size, at);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return systemError("cannot be written", m_path);
        from += done;
        size -= static_cast<std::size_t>(done);
        at += done;
    }
    return {};
}

Result<void> TableWriter::begin(const TableShape& shape) {
    m_shape = shape;
    m_rows = 0;
    m_crcs.clear();
    if (::ftruncate(m_file, 0) != 0) return systemError("cannot be written", m_path);
    errno = ::posix_fallocate(m_file, 0, shape.factsAt());
    if (errno != 0) return systemError("cannot be written", m_path);
    return {};
}

Result<void> TableWriter::add(std::span<const std::byte> rows, std::span<const double> targets,
                              std::span<const std::int64_t> groups) {
    const auto count = static_cast<std::int64_t>(targets.size()) / m_shape.targets;
    if (m_rows + count > m_shape.rows)
        return inputError("has changed while it was read", m_path, "start again when nothing writes to it");
    TY_TRY(put(rows.data(), rows.size(), kRowsPage + m_rows * m_shape.rowBytes));
    TY_TRY(put(targets.data(), targets.size_bytes(), m_shape.targetsAt() + m_rows * m_shape.targets * 8));
    if (m_shape.groups) TY_TRY(put(groups.data(), groups.size_bytes(), m_shape.groupsAt() + m_rows * 8));
    const std::int64_t each = m_shape.rowsOfChunk();
    for (std::int64_t done = 0; done < count;) { // checksums go on over pieces
        const std::int64_t row = m_rows + done, chunk = row / each,
                           some = std::min(count - done, (chunk + 1) * each - row);
        if (static_cast<std::size_t>(chunk) == m_crcs.size()) m_crcs.push_back({0, 0, 0});
        auto& crc = m_crcs[static_cast<std::size_t>(chunk)];
        crc[0] = sumOfBytes(rows.data() + done * m_shape.rowBytes, some * m_shape.rowBytes, crc[0]);
        crc[1] = sumOfBytes(targets.data() + done * m_shape.targets, some * m_shape.targets * 8, crc[1]);
        if (m_shape.groups) crc[2] = sumOfBytes(groups.data() + done, some * 8, crc[2]);
        done += some;
    }
    m_rows += count;
    return {};
}

Result<void> TableWriter::finish(const std::string& digest, const std::string& facts) {
    if (m_rows != m_shape.rows)
        return inputError("has changed while it was read", m_path, "start again when nothing writes to it");
    RowsHeader header = headerOf(m_shape, digest, static_cast<std::int64_t>(facts.size()));
    header.indexCrc = sumOfBytes(m_crcs.data(), m_shape.chunks() * kCrcsBytes, sumOfBytes(&header, sizeof header));
    header.indexCrc = sumOfBytes(facts.data(), static_cast<std::int64_t>(facts.size()), header.indexCrc);
    TY_TRY(put(m_crcs.data(), m_crcs.size() * sizeof m_crcs[0], m_shape.crcsAt()));
    TY_TRY(put(facts.data(), facts.size(), m_shape.factsAt()));
    return put(&header, sizeof header, 0);
}

KeptTable::KeptTable(TableShape shape, fs::path path, UniqueFd file, const std::byte* base, std::int64_t mapped)
    : m_shape(shape), m_path(std::move(path)), m_file(std::move(file)), m_base(base), m_mapped(mapped),
      m_looked(std::make_unique<std::atomic<std::uint8_t>[]>(static_cast<std::size_t>(shape.chunks()))) {}

KeptTable::~KeptTable() { ::munmap(const_cast<std::byte*>(m_base), static_cast<std::size_t>(m_mapped)); }

std::shared_ptr<KeptTable> KeptTable::open(const std::string& digest, const KeptStore& store) {
    if (store.folder.empty()) return nullptr;
    const fs::path path = rowsFile(store, digest);
    UniqueFd file = openKept(path);
    struct stat info{};
    RowsHeader header;
    if (!file || ::fstat(file.get(), &info) != 0 ||
        ::pread(file.get(), &header, sizeof header, 0) != static_cast<ssize_t>(sizeof header))
        return nullptr;
    const TableShape shape{header.rows, header.rowBytes, header.targets, header.groups == 1};
    const bool sane = header.magic == kRowsMagic && header.whole == 1 && shape.rows > 0 && shape.rows < kMostRows &&
                      shape.rowBytes > 0 && shape.rowBytes < kMostRowBytes && shape.targets > 0 &&
                      shape.targets < kMostRowBytes && header.facts >= 0 && header.facts < kMostFacts &&
                      shape.rows < (std::int64_t{1} << 58) / (shape.rowBytes + 8 * shape.targets + 16);
    if (!sane || shape.factsAt() + header.facts != info.st_size) return nullptr;
    void* base = ::mmap(nullptr, static_cast<std::size_t>(info.st_size), PROT_READ, MAP_SHARED, file.get(), 0);
    if (base == MAP_FAILED) return nullptr;
    ::futimens(file.get(), nullptr); // the newest use
    bringNothingElse(base, static_cast<std::size_t>(shape.targetsAt()));
    std::shared_ptr<KeptTable> table(
        new KeptTable(shape, path, std::move(file), static_cast<const std::byte*>(base), info.st_size));
    return table->readIndex(digest) ? table : nullptr;
}

bool KeptTable::readIndex(const std::string& digest) {
    RowsHeader found;
    std::memcpy(&found, m_base, sizeof found);
    RowsHeader header = headerOf(m_shape, digest, found.facts);
    const auto* facts = reinterpret_cast<const char*>(m_base) + m_shape.factsAt();
    const std::uint32_t crc =
        sumOfBytes(m_base + m_shape.crcsAt(), m_shape.chunks() * kCrcsBytes, sumOfBytes(&header, sizeof header));
    if (sumOfBytes(facts, found.facts, crc) != found.indexCrc) return false;
    m_facts.assign(facts, static_cast<std::size_t>(found.facts));
    return true;
}

Result<std::shared_ptr<KeptTable>> KeptTable::make(const std::string& digest, const KeptStore& store,
                                                   std::int64_t bytes,
                                                   const std::function<Result<void>(TableWriter&)>& write) {
    if (store.folder.empty())
        return environmentError("a table that is larger than memory is kept in the cache folder, and there is none",
                                "HOME", "set HOME or XDG_CACHE_HOME");
    const fs::path path = rowsFile(store, digest);
    std::shared_ptr<KeptTable> table;
    TY_ASSIGN(UniqueFd lock, turnToMake(path, [&] { return (table = open(digest, store)) != nullptr; }));
    if (table) return table;
    pruneKept(store.folder, kTableEnding, std::max<std::int64_t>(0, store.most - bytes));
    TableWriter writer(lock.get(), partOfKept(path).string());
    TY_TRY(endTurnToMake(path, lock, write(writer)));
    table = open(digest, store);
    if (!table) return environmentError("cannot be read again after it was written", path.string(), "check the disk");
    return table;
}

double KeptTable::target(std::int64_t row, std::int64_t column) const {
    double number = 0;
    std::memcpy(&number, m_base + m_shape.targetsAt() + (row * m_shape.targets + column) * 8, sizeof number);
    return number;
}

std::int64_t KeptTable::group(std::int64_t row) const {
    std::int64_t number = 0;
    std::memcpy(&number, m_base + m_shape.groupsAt() + row * 8, sizeof number);
    return number;
}

Result<void> KeptTable::damaged() const {
    std::error_code ignored;
    fs::remove(m_path, ignored);
    return inputError("is damaged", m_path.string(), "start the run again: it is made anew from the table")
        .withCode(ErrorCode::DataUnreadable);
}

Result<void> KeptTable::checkTargets() const {
    const std::int64_t each = m_shape.rowsOfChunk();
    for (std::int64_t chunk = 0; chunk < m_shape.chunks(); ++chunk) {
        const std::int64_t first = chunk * each, count = std::min(each, m_shape.rows - first);
        std::array<std::uint32_t, 3> wanted{};
        std::memcpy(&wanted, m_base + m_shape.crcsAt() + chunk * kCrcsBytes, sizeof wanted);
        const std::byte* at = m_base + m_shape.targetsAt() + first * m_shape.targets * 8;
        const std::byte* groups = m_base + m_shape.groupsAt() + first * 8;
        if (sumOfBytes(at, count * m_shape.targets * 8) != wanted[1] ||
            (m_shape.groups && sumOfBytes(groups, count * 8) != wanted[2]))
            return damaged();
    }
    return {};
}

// A chunk that is read for the first time is read at once, and where a thread goes on in the file's order, more.
void KeptTable::readAhead(std::int64_t chunk, bool isFirst) const {
    thread_local const KeptTable* table = nullptr;
    thread_local std::int64_t last = 0, ahead = 0; // the chunk before, and the byte up to which more was asked for
    const std::int64_t bytes = m_shape.rowsOfChunk() * m_shape.rowBytes, from = chunk * bytes;
    const bool goesOn = table == this && chunk > last && chunk <= last + 4;
    const std::int64_t most = goesOn ? kAheadBytes : isFirst ? bytes : 0;
    if (table != this || !goesOn) ahead = 0;
    table = this;
    last = chunk;
    if (most == 0 || (goesOn && from + kAheadBytes / 2 < ahead)) return;
    const std::int64_t begin = kRowsPage + from, end = std::min(begin + most, m_shape.targetsAt());
    bringNear(m_base + begin, static_cast<std::size_t>(end - begin));
    if (goesOn) ahead = from + most;
}

Result<void> KeptTable::read(std::int64_t i, const CutDraw*, std::uint8_t* to) const {
    const std::int64_t each = m_shape.rowsOfChunk(), chunk = i / each;
    auto& looked = m_looked[static_cast<std::size_t>(chunk)];
    const bool isFirst = looked.load(std::memory_order_relaxed) == 0;
    readAhead(chunk, isFirst);
    if (isFirst) {
        const std::int64_t first = chunk * each, bytes = std::min(each, m_shape.rows - first) * m_shape.rowBytes;
        std::uint32_t wanted = 0;
        std::memcpy(&wanted, m_base + m_shape.crcsAt() + chunk * kCrcsBytes, sizeof wanted);
        if (sumOfBytes(m_base + kRowsPage + first * m_shape.rowBytes, bytes) != wanted) return damaged();
        looked.store(1, std::memory_order_relaxed);
    }
    std::memcpy(to, rowAt(i), static_cast<std::size_t>(m_shape.rowBytes));
    return {};
}

const std::byte* KeptTable::rowAt(std::int64_t i) const { return m_base + kRowsPage + i * m_shape.rowBytes; }

void KeptTable::announce(std::span<const std::int64_t> samples) const {
    constexpr std::int64_t kGap = 16384; // bytes that are read with what lies on both sides of them
    std::int64_t from = 0, to = 0;       // of the rows, and what was not said yet
    const auto say = [&] { bringNear(m_base + kRowsPage + from, static_cast<std::size_t>(to - from)); };
    const std::int64_t each = m_shape.rowsOfChunk(), all = m_shape.rows * m_shape.rowBytes;
    for (const std::int64_t i : samples) {
        const std::int64_t chunk = i / each;
        const bool isFirst = m_looked[static_cast<std::size_t>(chunk)].load(std::memory_order_relaxed) == 0;
        const std::int64_t begin = (isFirst ? chunk * each : i) * m_shape.rowBytes;
        const std::int64_t end = std::min(all, begin + (isFirst ? each : 1) * m_shape.rowBytes);
        if (begin < from || begin > to + kGap) {
            say();
            from = begin;
            to = end;
        }
        to = std::max(to, end);
    }
    say();
}

std::string KeptTable::nameOf(std::int64_t i) const { return m_path.string() + ", row " + std::to_string(i + 1); }

} // namespace trainyard::data
