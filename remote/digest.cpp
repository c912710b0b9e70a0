// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/digest.h"

#include <array>
#include <cstdio>
#include <memory>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <vector>

namespace trainyard::remote {
namespace {

const unsigned char* octets(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

} // namespace

std::string sha256(std::string_view bytes) {
    std::string digest(32, '\0');
    unsigned length = 0;
    EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(digest.data()), &length, EVP_sha256(),
               nullptr);
    return digest;
}

std::string hmacSha1(std::string_view key, std::string_view message) {
    std::string digest(20, '\0');
    unsigned length = 0;
    HMAC(EVP_sha1(), key.data(), static_cast<int>(key.size()), octets(message), message.size(),
         reinterpret_cast<unsigned char*>(digest.data()), &length);
    return digest;
}

std::string toHex(std::string_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const char c : bytes) {
        const auto value = static_cast<unsigned char>(c);
        text += digits[value >> 4];
        text += digits[value & 15];
    }
    return text;
}

std::string toBase64(std::string_view bytes) {
    std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
    const int length =
        EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), octets(bytes), static_cast<int>(bytes.size()));
    text.resize(static_cast<std::size_t>(length));
    return text;
}

std::string fromBase64(std::string_view text) {
    if (text.empty() || text.size() % 4 != 0 || text.size() > (1u << 20)) return {};
    std::string bytes(text.size() / 4 * 3, '\0');
    const int length =
        EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()), octets(text), static_cast<int>(text.size()));
    if (length < 0) return {};
    std::size_t size = static_cast<std::size_t>(length);
    for (std::size_t i = text.size(); i > text.size() - 2 && text[i - 1] == '=' && size > 0; --i) --size;
    bytes.resize(size);
    return bytes;
}

Sha256::Sha256() : m_context(EVP_MD_CTX_new()) { EVP_DigestInit_ex(m_context, EVP_sha256(), nullptr); }
Sha256::~Sha256() { EVP_MD_CTX_free(m_context); }
void Sha256::add(const void* bytes, std::size_t size) { EVP_DigestUpdate(m_context, bytes, size); }

std::string Sha256::hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    EVP_DigestFinal_ex(m_context, digest.data(), &length);
    return toHex({reinterpret_cast<const char*>(digest.data()), length});
}

Result<std::string> fileSha256(const std::filesystem::path& file) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rbe"), &std::fclose);
    if (!stream) return systemError("the file cannot be read", file.string());
    Sha256 digest;
    std::vector<char> buffer(1u << 20);
    for (std::size_t n; (n = std::fread(buffer.data(), 1, buffer.size(), stream.get())) > 0;)
        digest.add(buffer.data(), n);
    if (std::ferror(stream.get())) return systemError("the file cannot be read", file.string());
    return digest.hex();
}

} // namespace trainyard::remote
