// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/fetch/sha256.h"

#include "engine/base/unique_fd.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <openssl/evp.h>
#include <vector>

namespace trainyard::fetch {

Result<std::string> sha256Of(const std::filesystem::path& file) {
    UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd) return systemError("cannot be read", file.string(), "check its permissions");
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    if (!context || EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) != 1)
        return environmentError("OpenSSL offers no SHA-256", file.string());
    std::vector<unsigned char> block(1u << 20);
    for (;;) {
        const ssize_t got = ::read(fd.get(), block.data(), block.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return systemError("cannot be read", file.string());
        if (got == 0) break;
        EVP_DigestUpdate(context.get(), block.data(), static_cast<std::size_t>(got));
    }
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    EVP_DigestFinal_ex(context.get(), digest.data(), &length);
    static const char* const kDigits = "0123456789abcdef";
    std::string text;
    for (unsigned i = 0; i < length; ++i) {
        text += kDigits[digest[i] >> 4];
        text += kDigits[digest[i] & 15];
    }
    return text;
}

} // namespace trainyard::fetch
