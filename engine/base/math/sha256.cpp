// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/math/sha256.h"

#include "engine/base/unique_fd.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <openssl/evp.h>
#include <string_view>
#include <vector>

namespace trainyard {
namespace {

constexpr std::size_t kBlock = 1u << 20;

} // namespace

Sha256::Sha256() : m_context(EVP_MD_CTX_new()) {
    // Nothing but memory can be missing: every OpenSSL has SHA-256.
    if (m_context == nullptr || EVP_DigestInit_ex(m_context, EVP_sha256(), nullptr) != 1) throw std::bad_alloc();
}

Sha256::~Sha256() { EVP_MD_CTX_free(m_context); }

void Sha256::add(const void* bytes, std::size_t size) { EVP_DigestUpdate(m_context, bytes, size); }

std::string Sha256::raw() {
    std::string digest(EVP_MAX_MD_SIZE, '\0');
    unsigned length = 0;
    EVP_DigestFinal_ex(m_context, reinterpret_cast<unsigned char*>(digest.data()), &length);
    digest.resize(length);
    return digest;
}

std::string Sha256::hex() { return toHex(raw()); }

std::string sha256Hex(std::span<const std::byte> bytes) {
    Sha256 digest;
    digest.add(bytes.data(), bytes.size());
    return digest.hex();
}

std::string sha256Raw(std::string_view bytes) {
    Sha256 digest;
    digest.add(bytes.data(), bytes.size());
    return digest.raw();
}

Result<std::string> sha256HexOf(const std::filesystem::path& file) {
    const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd) return systemError("cannot be read", file.string(), "check its permissions");
    Sha256 digest;
    std::vector<char> block(kBlock);
    for (;;) {
        const ssize_t got = ::read(fd.get(), block.data(), block.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return systemError("cannot be read", file.string());
        if (got == 0) return digest.hex();
        digest.add(block.data(), static_cast<std::size_t>(got));
    }
}

std::string toHex(std::string_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    text.reserve(bytes.size() * 2);
    for (const char c : bytes) {
        const auto value = static_cast<unsigned char>(c);
        text += digits[value >> 4];
        text += digits[value & 15];
    }
    return text;
}

} // namespace trainyard
