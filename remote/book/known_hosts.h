// SPDX-License-Identifier: GPL-3.0-or-later
// The known_hosts files of sshd(8): plain and hashed names, wildcards, @revoked.
#pragma once

#include "engine/base/result.h"
#include "remote/book/sign_in.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::remote {

struct HostEntry;

class KnownHosts {
public:
    // Reads the files in order; a missing file is empty, malformed lines are skipped.
    static KnownHosts read(const std::vector<std::filesystem::path>& files);
    void addText(std::string_view text, const std::filesystem::path& file);

    // Key types recorded for the host, in the order of the files: to be asked for first.
    std::vector<std::string> typesOf(const std::string& host, int port) const;

    enum class Verdict { Known, Unknown, Changed, OtherType, Revoked };
    struct Finding {
        Verdict verdict = Verdict::Unknown;
        std::string file; // of the line that decided
        int line = 0;
        std::string type; // recorded there
    };
    // `key` is the host's public key blob. Known if any line has it. OtherType: only keys of other types are recorded,
    // which counts as a change, since an attacker could offer an unseen type.
    Finding check(const std::string& host, int port, std::string_view key) const;

private:
    struct Line {
        std::string names, type, key;
        bool revoked = false;
        std::string file;
        int number = 0;
    };
    static bool matches(const Line& line, const std::string& host, int port);
    std::vector<Line> m_lines;
};

// The known_hosts files in order: that of accepted keys first.
std::vector<std::filesystem::path> knownHostsFiles(const ConnectOptions& options);

// "host" or "[host]:port": how known_hosts and people write it.
std::string hostPattern(const std::string& host, int port);
// The type at the start of a public key blob; empty if it is malformed.
std::string keyType(std::string_view blob);
std::string keyFingerprint(std::string_view blob); // "SHA256:..."

// Whether to trust a host with this public key: known, or accepted after a question and then recorded.
Result<void> judgeHostKey(std::string_view blob, const HostEntry& host, const ConnectOptions& options,
                          const KnownHosts& known);

} // namespace trainyard::remote
