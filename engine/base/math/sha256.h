// SPDX-License-Identifier: GPL-3.0-or-later
// SHA-256 (FIPS 180-4), by OpenSSL's libcrypto.
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace trainyard {

// Of bytes that come in pieces.
class Sha256 {
public:
    Sha256();
    ~Sha256();
    Sha256(const Sha256&) = delete;
    Sha256& operator=(const Sha256&) = delete;
    void add(const void* bytes, std::size_t size);
    std::string raw(); // 32 bytes, of all pieces; once, at the end
    std::string hex(); // the same in lower-case hexadecimal, as sha256sum prints it

private:
    evp_md_ctx_st* m_context;
};

std::string sha256Hex(std::span<const std::byte> bytes);
std::string sha256Raw(std::string_view bytes); // 32 bytes
// Of a file, in hexadecimal. Environment: it cannot be read.
Result<std::string> sha256HexOf(const std::filesystem::path& file);

// Each byte as two lower-case hexadecimal digits.
std::string toHex(std::string_view bytes);

} // namespace trainyard
