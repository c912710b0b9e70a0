// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/text/base64.h"

#include <openssl/evp.h>

namespace trainyard {
namespace {

const unsigned char* octets(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

} // namespace

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

} // namespace trainyard
