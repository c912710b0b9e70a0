// SPDX-License-Identifier: GPL-3.0-or-later
// Questions that connecting to a host may ask its user, and their answers.
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::remote {

// A first connection to a host. Show type and fingerprint; call recordHostKey() after a yes.
struct HostKeyQuestion {
    std::string host;         // as named by the user: "h1", "[10.0.0.7]:2222"
    std::string type;         // "ssh-ed25519"
    std::string fingerprint;  // "SHA256:...", as ssh-keygen -l prints it
    std::string line;         // for the known_hosts file
    std::string text() const; // the question as one line, without "yes/no"
};

// An encrypted private key. Return nothing to skip this key.
struct PassphraseQuestion {
    std::string keyFile;
    int attempt = 1; // 1..3
};

// A question of the system's ssh without a terminal: a password, a passphrase, a code. Return nothing to give up.
struct SecretQuestion {
    std::string host; // as its label
    std::string text; // ssh's words: "root@h1's password"
};
using SecretAsker = std::function<std::optional<std::string>(const SecretQuestion&)>;

// How to reach and trust a host. Callbacks run on the connecting thread.
struct ConnectOptions {
    double timeoutSeconds = 10; // for each of: TCP connect, handshake, sign-in
    // Own file of accepted keys, read and written; empty: configFolder()/known_hosts.
    std::filesystem::path knownHosts;
    // More files, only read; empty: ~/.ssh/known_hosts and /etc/ssh/ssh_known_hosts.
    std::vector<std::filesystem::path> readOnlyKnownHosts;
    // Yes records the key and continues. Unset, or no: connecting fails, and the error says how to accept the key.
    std::function<bool(const HostKeyQuestion&)> askHostKey;
    std::function<std::optional<std::string>(const PassphraseQuestion&)> askPassphrase;
    bool useAgent = true; // SSH_AUTH_SOCK
    // This process has a terminal on which the system's ssh may ask questions.
    bool terminal = false;
    // Without a terminal: answers questions of the system's ssh in signInForSupervisor(). Answers go only to ssh, over
    // a private socket.
    SecretAsker askSecret;
};

// Set in the environment of an ssh whose questions are answered elsewhere, and of its helper.
inline constexpr const char* kAskPassVariable = "TRAINYARD_ASKPASS";

// If such an ssh started this program with that question: prints the answer and returns the exit code; 1 without an
// answer.
std::optional<int> answeredForSsh(const std::string& question);

// Appends the accepted key to `knownHosts` (empty: the default file), mode 0600.
Result<void> recordHostKey(const HostKeyQuestion& question, const std::filesystem::path& knownHosts = {});

} // namespace trainyard::remote
