// SPDX-License-Identifier: GPL-3.0-or-later
// A text that was read once, as tokens in a mapped file. Its layout: a header of 4,096 bytes; the tokens, int32; a
// CRC-32C for each MiB of them; at the end the facts, a text.
#pragma once

#include "engine/base/files/kept_file.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace trainyard::data {

inline constexpr const char* kTokensEnding = ".tokens";

// Writes the tokens as they come.
class TokenWriter {
public:
    TokenWriter(int file, std::string path) : m_file(file), m_path(std::move(path)) {}

    // Environment: the disk is full.
    Result<void> add(std::span<const std::int32_t> tokens);
    std::int64_t count() const { return m_count; }
    Result<void> finish(const std::string& digest, const std::string& facts);

private:
    int m_file;
    std::string m_path;
    std::int64_t m_count = 0;
    std::vector<std::uint32_t> m_crcs;
};

// The tokens, for reading.
class KeptTokens {
public:
    // What is kept under the digest, or what `write` makes of it now; while another process makes it, waits for it.
    // Environment: it cannot be kept.
    static Result<std::shared_ptr<const KeptTokens>> make(const std::string& digest, const KeptStore& store,
                                                          std::int64_t bytes,
                                                          const std::function<Result<void>(TokenWriter&)>& write);
    // The same where it is kept already; null else, and where it is damaged: its index is checked, of the tokens the
    // first 512 MiB and each 64th MiB behind them.
    static std::shared_ptr<const KeptTokens> open(const std::string& digest, const KeptStore& store);
    ~KeptTokens();
    KeptTokens(const KeptTokens&) = delete;
    KeptTokens& operator=(const KeptTokens&) = delete;

    std::int64_t count() const { return m_count; }
    const std::int32_t* tokens() const;
    const std::string& facts() const { return m_facts; }
    const std::filesystem::path& file() const { return m_path; }

private:
    KeptTokens(std::filesystem::path path, UniqueFd file, const std::byte* base, std::int64_t mapped)
        : m_path(std::move(path)), m_file(std::move(file)), m_base(base), m_mapped(mapped) {}
    bool readIndex(const std::string& digest);
    bool isIntact() const;

    std::filesystem::path m_path;
    UniqueFd m_file; // marked as in use
    const std::byte* m_base;
    std::int64_t m_mapped, m_count = 0;
    std::string m_facts;
};

} // namespace trainyard::data
