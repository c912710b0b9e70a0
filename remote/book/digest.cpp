// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/book/digest.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

namespace trainyard::remote {
namespace {

const unsigned char* octets(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

} // namespace

std::string hmacSha1(std::string_view key, std::string_view message) {
    std::string digest(20, '\0');
    unsigned length = 0;
    HMAC(EVP_sha1(), key.data(), static_cast<int>(key.size()), octets(message), message.size(),
         reinterpret_cast<unsigned char*>(digest.data()), &length);
    return digest;
}

} // namespace trainyard::remote
