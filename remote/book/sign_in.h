// SPDX-License-Identifier: GPL-3.0-or-later
// What connecting to a host may ask its user, and how it is answered.
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::remote {

// A host that is connected to for the first time. Show type and fingerprint; after a yes, recordHostKey().
struct HostKeyQuestion {
    std::string host;         // as named by the user: "h1", "[10.0.0.7]:2222"
    std::string type;         // "ssh-ed25519"
    std::string fingerprint;  // "SHA256:...", as ssh-keygen -l prints it
    std::string line;         // for the known_hosts file
    std::string text() const; // the question as one line, without "yes/no"
};

// A private key that is encrypted. Answer nothing to give up this key.
struct PassphraseQuestion {
    std::string keyFile;
    int attempt = 1; // 1..3
};

// What the system's ssh asks for, where it cannot ask on a terminal: a password, a passphrase, a code. Answer nothing
// to give up.
struct SecretQuestion {
    std::string host; // as its label
    std::string text; // ssh's words: "root@h1's password"
};
using SecretAsker = std::function<std::optional<std::string>(const SecretQuestion&)>;

// How to reach and trust a host. Callbacks are called on the thread that connects.
struct ConnectOptions {
    double timeoutSeconds = 10; // for each of: TCP connect, handshake, sign-in
    // Own file of accepted keys, read and written; empty: configFolder()/known_hosts.
    std::filesystem::path knownHosts;
    // More files, only read; empty: ~/.ssh/known_hosts and /etc/ssh/ssh_known_hosts.
    std::vector<std::filesystem::path> readOnlyKnownHosts;
    // Yes records the key and continues. Not set, or no: connecting fails and says how to accept the key.
    std::function<bool(const HostKeyQuestion&)> askHostKey;
    std::function<std::optional<std::string>(const PassphraseQuestion&)> askPassphrase;
    bool useAgent = true; // SSH_AUTH_SOCK
    // This process has a terminal, on which the system's ssh may ask for passwords and what else a host wants.
    bool terminal = false;
    // Without a terminal: who answers what the system's ssh asks, in signInForSupervisor(). What was answered is handed
    // to ssh alone, over a private socket.
    SecretAsker askSecret;
};

// In the environment of an ssh whose questions are answered elsewhere, and of what it starts to ask them.
inline constexpr const char* kAskPassVariable = "TRAINYARD_ASKPASS";

// If such an ssh has started this program with that question: prints the answer and returns the exit code, which is 1
// where there is none.
std::optional<int> answeredForSsh(const std::string& question);

// Appends the accepted key to `knownHosts` (empty: the default file), mode 0600.
Result<void> recordHostKey(const HostKeyQuestion& question, const std::filesystem::path& knownHosts = {});

} // namespace trainyard::remote
