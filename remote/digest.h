// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace trainyard::remote {

std::string sha256(std::string_view bytes);                           // 32 raw bytes
std::string hmacSha1(std::string_view key, std::string_view message); // 20 raw bytes
std::string toHex(std::string_view bytes);
std::string toBase64(std::string_view bytes); // with padding
// Empty when the text is not base64.
std::string fromBase64(std::string_view text);

// SHA-256 of bytes that come in pieces.
class Sha256 {
public:
    Sha256();
    ~Sha256();
    Sha256(const Sha256&) = delete;
    Sha256& operator=(const Sha256&) = delete;
    void add(const void* bytes, std::size_t size);
    std::string hex(); // of all pieces; once, at the end

private:
    evp_md_ctx_st* m_context;
};

// SHA-256 of a file in hexadecimal, as sha256sum prints it.
Result<std::string> fileSha256(const std::filesystem::path& file);

} // namespace trainyard::remote
