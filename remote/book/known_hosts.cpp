// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/book/known_hosts.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/machine/mutex.h"
#include "engine/base/math/sha256.h"
#include "remote/book/digest.h"
#include "remote/book/host_book.h"

#include <algorithm>
#include <fnmatch.h>
#include <sstream>

namespace fs = std::filesystem;

namespace trainyard::remote {
namespace {

std::string lowerCase(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

bool matchesHashed(const std::string& names, const std::string& pattern) { // |1|salt|hash
    const auto bar = names.find('|', 3);
    if (bar == std::string::npos) return false;
    const std::string salt = fromBase64(std::string_view(names).substr(3, bar - 3));
    const std::string hash = fromBase64(std::string_view(names).substr(bar + 1));
    return !salt.empty() && hash == hmacSha1(salt, pattern);
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

} // namespace trainyard::remote
