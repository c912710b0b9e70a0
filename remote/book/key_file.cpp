// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/book/key_file.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/text/base64.h"
#include "remote/book/known_hosts.h"
#include "remote/book/shell_quote.h"

#include <optional>
#include <sstream>

namespace fs = std::filesystem;

namespace trainyard::remote {
namespace {

// The next length-prefixed string of OpenSSH's PROTOCOL.key.
std::optional<std::string_view> popString(std::string_view& bytes) {
    if (bytes.size() < 4) return std::nullopt;
    std::size_t length = 0;
    for (std::size_t i = 0; i < 4; ++i) length = length << 8 | static_cast<unsigned char>(bytes[i]);
    if (length > bytes.size() - 4) return std::nullopt;
    const std::string_view text = bytes.substr(4, length);
    bytes.remove_prefix(4 + length);
    return text;
}

bool readOpenSshKey(const std::string& text, KeyFile& key) {
    constexpr std::string_view begin = "-----BEGIN OPENSSH PRIVATE KEY-----", end = "-----END";
    const auto start = text.find(begin);
    const auto stop = text.find(end, start + begin.size());
    if (stop == std::string::npos) return false;
    std::string body;
    for (std::size_t i = start + begin.size(); i < stop; ++i)
        if (text[i] != '\n' && text[i] != '\r' && text[i] != ' ') body += text[i];
    const std::string bytes = fromBase64(body);
    constexpr std::string_view magic("openssh-key-v1\0", 15);
    if (!std::string_view(bytes).starts_with(magic)) return false;
    std::string_view rest = std::string_view(bytes).substr(magic.size());
    const auto cipher = popString(rest);
    if (!cipher || !popString(rest) || !popString(rest) || rest.size() < 4) return false;
    rest.remove_prefix(4); // number of keys: always 1
    const auto blob = popString(rest);
    if (!blob || keyType(*blob).empty() || !popString(rest)) return false; // the private part follows
    key.encrypted = *cipher != "none";
    key.blob = *blob;
    key.type = keyType(*blob);
    return true;
}

} // namespace

Result<KeyFile> inspectKeyFile(const fs::path& file) {
    const std::string maker = "ssh-keygen -t ed25519 -f " + shellQuote(file.string()).valueOr(file.string());
    std::error_code failure;
    if (!fs::exists(file, failure))
        return inputError("the key file does not exist", file.string(), "correct the path, or make one with: " + maker);
    TY_ASSIGN(const std::string text, readFile(file, 1u << 20));
    KeyFile key;
    key.path = file.string();
    if (text.find("-----BEGIN OPENSSH PRIVATE KEY-----") != std::string::npos) {
        if (readOpenSshKey(text, key)) return key;
        return inputError("the private key is damaged", file.string(), "restore it, or make a new one with: " + maker);
    }
    const auto begin = text.find("-----BEGIN ");
    const auto kind = text.find("PRIVATE KEY-----", begin == std::string::npos ? text.size() : begin);
    if (kind != std::string::npos && text.substr(begin, kind - begin).find('\n') == std::string::npos) {
        key.encrypted = text.find("ENCRYPTED") != std::string::npos;
        if (text.find("BEGIN RSA") != std::string::npos) key.type = "ssh-rsa";
        return key;
    }
    const bool isPublic = text.starts_with("ssh-") || text.starts_with("ecdsa-");
    return inputError(isPublic ? "this is a public key" : "this is not a private key", file.string(),
                      isPublic ? "give the file without .pub"
                               : "name the file of a private key, or make one with: ssh-keygen -t ed25519");
}

std::string publicKeyIn(const fs::path& file) {
    std::istringstream words(readFile(file, 64u << 10).valueOr(std::string()));
    std::string type, body;
    words >> type >> body;
    std::string blob = fromBase64(body);
    return !type.empty() && keyType(blob) == type ? blob : std::string();
}

} // namespace trainyard::remote
