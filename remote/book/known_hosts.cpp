// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/book/known_hosts.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/machine/mutex.h"
#include "engine/base/math/sha256.h"
#include "engine/base/text/base64.h"
#include "remote/book/host_book.h"

#include <algorithm>
#include <fnmatch.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <sstream>

namespace fs = std::filesystem;

namespace trainyard::remote {
namespace {

std::string lowerCase(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

std::string hmacSha1(std::string_view key, std::string_view message) {
    std::string digest(20, '\0');
    unsigned length = 0;
    HMAC(EVP_sha1(), key.data(), static_cast<int>(key.size()), reinterpret_cast<const unsigned char*>(message.data()),
         message.size(), reinterpret_cast<unsigned char*>(digest.data()), &length);
    return digest;
}

bool matchesHashed(const std::string& names, const std::string& pattern) { // |1|salt|hash
    const auto bar = names.find('|', 3);
    if (bar == std::string::npos) return false;
    const std::string salt = fromBase64(std::string_view(names).substr(3, bar - 3));
    const std::string hash = fromBase64(std::string_view(names).substr(bar + 1));
    return !salt.empty() && hash == hmacSha1(salt, pattern);
}

Error changedKeyError(const HostEntry& host, const KnownHosts::Finding& finding, const std::string& fingerprint,
                      const std::string& type) {
    const std::string place = finding.file + " line " + std::to_string(finding.line);
    const std::string forget = "ssh-keygen -f " + finding.file + " -R '" + hostPattern(host.target(), host.port) + "'";
    if (finding.verdict == KnownHosts::Verdict::Revoked)
        return environmentError("the host's key " + fingerprint + " is marked as revoked in " + place, host.label(),
                                "do not connect; ask who runs the host");
    if (finding.verdict == KnownHosts::Verdict::OtherType)
        return environmentError("the host shows a " + type + " key (" + fingerprint + "), but only a " + finding.type +
                                    " key is recorded in " + place,
                                host.label(), "if you know why, forget the old key with: " + forget);
    return environmentError(
        "THE HOST KEY HAS CHANGED: the " + type + " key is now " + fingerprint + ", another one is recorded in " +
            place + "; the connection may be intercepted, or the host was reinstalled",
        host.label(), "ask who runs the host; if the new key is right, forget the old one with: " + forget);
}

} // namespace

std::string hostPattern(const std::string& host, int port) {
    return port == 22 ? lowerCase(host) : "[" + lowerCase(host) + "]:" + std::to_string(port);
}

std::string keyType(std::string_view blob) {
    if (blob.size() < 4) return {};
    std::size_t length = 0;
    for (std::size_t i = 0; i < 4; ++i) length = length << 8 | static_cast<unsigned char>(blob[i]);
    return length > 64 || length > blob.size() - 4 ? std::string() : std::string(blob.substr(4, length));
}

std::string keyFingerprint(std::string_view blob) {
    std::string text = toBase64(sha256Raw(blob));
    while (text.ends_with('=')) text.pop_back();
    return "SHA256:" + text;
}

std::string HostKeyQuestion::text() const {
    return "The host " + host + " is not known yet. Its " + type + " key has the fingerprint " + fingerprint +
           ". Is this the right host?";
}

std::vector<fs::path> knownHostsFiles(const ConnectOptions& options) {
    std::vector<fs::path> files{options.knownHosts.empty() ? configFolder() / "known_hosts" : options.knownHosts};
    if (options.readOnlyKnownHosts.empty()) {
        files.push_back(homeFolder() / ".ssh" / "known_hosts");
        files.emplace_back("/etc/ssh/ssh_known_hosts");
    } else {
        files.insert(files.end(), options.readOnlyKnownHosts.begin(), options.readOnlyKnownHosts.end());
    }
    return files;
}

KnownHosts KnownHosts::read(const std::vector<fs::path>& files) {
    KnownHosts known;
    for (const auto& file : files)
        if (auto text = readFile(file, 16u << 20); text.ok()) known.addText(*text, file);
    return known;
}

void KnownHosts::addText(std::string_view text, const fs::path& file) {
    std::istringstream stream{std::string(text)};
    std::string row;
    for (int number = 1; std::getline(stream, row); ++number) {
        std::istringstream words(row);
        Line line;
        line.file = file.string();
        line.number = number;
        std::string marker, key;
        if (!(words >> line.names) || line.names.starts_with('#')) continue;
        if (line.names.starts_with('@')) {
            marker = line.names;
            if (!(words >> line.names)) continue;
        }
        if (!(words >> line.type >> key)) continue;
        line.key = fromBase64(key);
        // Certificates of hosts are not looked at, so a certificate authority's key vouches for nothing here.
        if (marker == "@cert-authority" || (!marker.empty() && marker != "@revoked")) continue;
        line.revoked = marker == "@revoked";
        if (line.key.empty() || keyType(line.key) != line.type) continue;
        m_lines.push_back(std::move(line));
    }
}

bool KnownHosts::matches(const Line& line, const std::string& host, int port) {
    const std::string name = hostPattern(host, port);
    if (line.names.starts_with("|1|")) return matchesHashed(line.names, name);
    bool matched = false;
    std::istringstream patterns(line.names);
    for (std::string pattern; std::getline(patterns, pattern, ',');) {
        const bool negated = pattern.starts_with('!');
        std::string wanted = lowerCase(negated ? pattern.substr(1) : pattern);
        std::string escaped; // '[' and '\' mean themselves here, unlike in fnmatch
        for (const char c : wanted) {
            if (c == '[' || c == '\\') escaped += '\\';
            escaped += c;
        }
        if (::fnmatch(escaped.c_str(), name.c_str(), 0) != 0) continue;
        if (negated) return false;
        matched = true;
    }
    return matched;
}

std::vector<std::string> KnownHosts::typesOf(const std::string& host, int port) const {
    std::vector<std::string> types;
    for (const auto& line : m_lines)
        if (!line.revoked && matches(line, host, port) && std::ranges::find(types, line.type) == types.end())
            types.push_back(line.type);
    return types;
}

KnownHosts::Finding KnownHosts::check(const std::string& host, int port, std::string_view key) const {
    Finding finding;
    const std::string type = keyType(key);
    for (const auto& line : m_lines) {
        if (!matches(line, host, port)) continue;
        const bool same = line.key == key;
        if (line.revoked) {
            if (same) return {Verdict::Revoked, line.file, line.number, line.type};
            continue;
        }
        if (finding.verdict == Verdict::Known) continue;
        if (same) finding = {Verdict::Known, line.file, line.number, line.type};
        else if (line.type == type && finding.verdict != Verdict::Changed)
            finding = {Verdict::Changed, line.file, line.number, line.type};
        else if (finding.verdict == Verdict::Unknown) finding = {Verdict::OtherType, line.file, line.number, line.type};
    }
    return finding;
}

Result<void> recordHostKey(const HostKeyQuestion& question, const fs::path& knownHosts) {
    static Mutex s_mutex; // several hosts may be connected to at once
    const MutexLock lock(s_mutex);
    const fs::path file = knownHosts.empty() ? configFolder() / "known_hosts" : knownHosts;
    if (question.line.empty() || question.line.find_first_of("\r\n") != std::string::npos)
        return inputError("the host key cannot be recorded: its line is malformed", file.string());
    std::error_code failure;
    if (fs::create_directories(file.parent_path(), failure); failure)
        return environmentError("the folder cannot be made: " + failure.message(), file.parent_path().string());
    std::string text;
    if (fs::exists(file, failure)) { TY_ASSIGN(text, readFile(file, 16u << 20)); }
    if (!text.empty() && text.back() != '\n') text += '\n';
    TY_TRY(writeFileAtomic(file, text + question.line + "\n"));
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write, failure);
    return {};
}

Result<void> judgeHostKey(std::string_view blob, const HostEntry& host, const ConnectOptions& options,
                          const KnownHosts& known) {
    const std::string type = keyType(blob);
    const auto finding = known.check(host.target(), host.port, blob);
    const std::string fingerprint = keyFingerprint(blob);
    if (finding.verdict == KnownHosts::Verdict::Known) return {};
    if (finding.verdict != KnownHosts::Verdict::Unknown)
        return changedKeyError(host, finding, fingerprint, type).withCode(ErrorCode::HostKeyChanged);
    const std::string pattern = hostPattern(host.target(), host.port);
    const HostKeyQuestion question{pattern, type, fingerprint, pattern + " " + type + " " + toBase64(blob)};
    if (!options.askHostKey)
        return environmentError(
                   "the host is not known yet; its " + question.type + " key is " + fingerprint, host.label(),
                   "accept it once with: trainyardctl hosts test " + commandWord(host) + " --accept-new-key")
            .withCode(ErrorCode::HostKeyUnknown);
    if (!options.askHostKey(question))
        return environmentError("the host's key " + fingerprint + " was not accepted", host.label(),
                                "compare it on the host with: ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub")
            .withCode(ErrorCode::HostKeyUnknown);
    return recordHostKey(question, options.knownHosts);
}

} // namespace trainyard::remote
