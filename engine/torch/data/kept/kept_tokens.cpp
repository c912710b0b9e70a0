// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/kept/kept_tokens.h"

#include "engine/base/math/crc32c.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace trainyard::data {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kTokensPage = 4096, kTokensOfChunk = std::int64_t{1} << 18,
                       kMostTokenFacts = std::int64_t{1} << 30;
constexpr std::int64_t kAllChecked = 512, kCheckedEvery = 64; // chunks of a MiB
constexpr std::uint64_t kTokensMagic = 0x31304E454B4F5459;    // "YTOKEN01"

struct TokensHeader {
    std::uint64_t magic = kTokensMagic;
    std::int64_t count = 0, facts = 0;
    std::uint32_t indexCrc = 0, whole = 1;
    char digest[64] = {};
};
static_assert(sizeof(TokensHeader) <= kTokensPage);

std::int64_t chunksOf(std::int64_t count) { return (count + kTokensOfChunk - 1) / kTokensOfChunk; }
std::int64_t crcsBehind(std::int64_t count) { return kTokensPage + count * 4; }

std::uint32_t sumOfTokens(const void* bytes, std::int64_t size, std::uint32_t seed = 0) {
    return crc32c({static_cast<const std::byte*>(bytes), static_cast<std::size_t>(size)}, seed);
}

TokensHeader tokensHeader(std::int64_t count, std::int64_t facts, const std::string& digest) {
    TokensHeader header;
    header.count = count;
    header.facts = facts;
    std::memcpy(header.digest, digest.data(), std::min(digest.size(), sizeof header.digest));
    return header;
}

Result<void> putAll(int file, const void* bytes, std::int64_t size, std::int64_t at, const std::string& path) {
    const char* from = static_cast<const char*>(bytes);
    while (size > 0) {
        const ssize_t done = ::pwrite(file, from, static_cast<std::size_t>(size), at);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return systemError("cannot be written", path);
        from += done;
        size -= done;
        at += done;
    }
    return {};
}

} // namespace

Result<void> TokenWriter::add(std::span<const std::int32_t> tokens) {
    if (m_count == 0 && ::ftruncate(m_file, 0) != 0) return systemError("cannot be written", m_path);
    TY_TRY(putAll(m_file, tokens.data(), static_cast<std::int64_t>(tokens.size_bytes()), kTokensPage + m_count * 4,
                  m_path));
    for (std::size_t done = 0; done < tokens.size();) {
        const std::int64_t at = m_count % kTokensOfChunk;
        const auto some = std::min(tokens.size() - done, static_cast<std::size_t>(kTokensOfChunk - at));
        if (at == 0) m_crcs.push_back(0);
        m_crcs.back() = sumOfTokens(tokens.data() + done, static_cast<std::int64_t>(some * 4), m_crcs.back());
        done += some;
        m_count += static_cast<std::int64_t>(some);
    }
    return {};
}

Result<void> TokenWriter::finish(const std::string& digest, const std::string& facts) {
    const auto size = static_cast<std::int64_t>(facts.size()), crcs = static_cast<std::int64_t>(m_crcs.size() * 4);
    TokensHeader header = tokensHeader(m_count, size, digest);
    header.indexCrc =
        sumOfTokens(facts.data(), size, sumOfTokens(m_crcs.data(), crcs, sumOfTokens(&header, sizeof header)));
    TY_TRY(putAll(m_file, m_crcs.data(), crcs, crcsBehind(m_count), m_path));
    TY_TRY(putAll(m_file, facts.data(), size, crcsBehind(m_count) + crcs, m_path));
    return putAll(m_file, &header, sizeof header, 0, m_path);
}

KeptTokens::~KeptTokens() { ::munmap(const_cast<std::byte*>(m_base), static_cast<std::size_t>(m_mapped)); }

const std::int32_t* KeptTokens::tokens() const { return reinterpret_cast<const std::int32_t*>(m_base + kTokensPage); }

std::shared_ptr<const KeptTokens> KeptTokens::open(const std::string& digest, const KeptStore& store) {
    if (store.folder.empty()) return nullptr;
    const fs::path path = store.folder / (digest + kTokensEnding);
    UniqueFd file = openKept(path);
    struct stat info{};
    if (!file || ::fstat(file.get(), &info) != 0 || info.st_size < kTokensPage) return nullptr;
    void* base = ::mmap(nullptr, static_cast<std::size_t>(info.st_size), PROT_READ, MAP_SHARED, file.get(), 0);
    if (base == MAP_FAILED) return nullptr;
    ::futimens(file.get(), nullptr); // the newest use
    std::shared_ptr<KeptTokens> kept(
        new KeptTokens(path, std::move(file), static_cast<const std::byte*>(base), info.st_size));
    return kept->readIndex(digest) && kept->isIntact() ? kept : nullptr;
}

bool KeptTokens::readIndex(const std::string& digest) {
    TokensHeader found;
    std::memcpy(&found, m_base, sizeof found);
    if (found.magic != kTokensMagic || found.whole != 1 || found.count < 1 || found.count > m_mapped / 4 ||
        found.facts < 0 || found.facts > kMostTokenFacts)
        return false;
    const std::int64_t crcs = chunksOf(found.count) * 4, crcsAt = crcsBehind(found.count);
    if (crcsAt + crcs + found.facts != m_mapped) return false;
    const TokensHeader header = tokensHeader(found.count, found.facts, digest);
    const std::uint32_t sum = sumOfTokens(m_base + crcsAt, crcs, sumOfTokens(&header, sizeof header));
    if (sumOfTokens(m_base + crcsAt + crcs, found.facts, sum) != found.indexCrc) return false;
    m_count = found.count;
    m_facts.assign(reinterpret_cast<const char*>(m_base + crcsAt + crcs), static_cast<std::size_t>(found.facts));
    return true;
}

bool KeptTokens::isIntact() const {
    for (std::int64_t chunk = 0; chunk < chunksOf(m_count); ++chunk) {
        if (chunk >= kAllChecked && chunk % kCheckedEvery != 0) continue;
        const std::int64_t first = chunk * kTokensOfChunk, count = std::min(kTokensOfChunk, m_count - first);
        std::uint32_t wanted = 0;
        std::memcpy(&wanted, m_base + crcsBehind(m_count) + chunk * 4, sizeof wanted);
        if (sumOfTokens(tokens() + first, count * 4) != wanted) return false;
    }
    return true;
}

Result<std::shared_ptr<const KeptTokens>> KeptTokens::make(const std::string& digest, const KeptStore& store,
                                                           std::int64_t bytes,
                                                           const std::function<Result<void>(TokenWriter&)>& write) {
    if (store.folder.empty())
        return environmentError("a text that is larger than memory is kept in the cache folder, and there is none",
                                "HOME", "set HOME or XDG_CACHE_HOME");
    const fs::path path = store.folder / (digest + kTokensEnding);
    std::shared_ptr<const KeptTokens> kept;
    TY_ASSIGN(UniqueFd lock, turnToMake(path, [&] { return (kept = open(digest, store)) != nullptr; }));
    if (kept) return kept;
    pruneKept(store.folder, kTokensEnding, std::max<std::int64_t>(0, store.most - bytes));
    TokenWriter writer(lock.get(), partOfKept(path).string());
    TY_TRY(endTurnToMake(path, lock, write(writer)));
    kept = open(digest, store);
    if (!kept) return environmentError("cannot be read again after it was written", path.string(), "check the disk");
    return kept;
}

} // namespace trainyard::data
