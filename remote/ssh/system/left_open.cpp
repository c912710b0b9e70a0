// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/system/left_open.h"

#include "engine/base/clock.h"
#include "engine/base/math/sha256.h"
#include "engine/run/launch/socket_path.h"
#include "remote/book/host_book.h"
#include "remote/ssh/ssh_limits.h"
#include "remote/ssh/system/ask_pass.h"
#include "remote/ssh/system/ssh_client.h"
#include "remote/ssh/system/ssh_master.h"
#include "remote/ssh/system/ssh_process.h"

#include <span>

namespace fs = std::filesystem;

namespace trainyard::remote {
namespace {

// As leaveOpen(), without a terminal.
Result<void> leaveOpenAsking(const HostEntry& host, const ConnectOptions& options,
                             const std::vector<std::string>& words, const fs::path& socket) {
    TY_ASSIGN(const auto asked, AskPass::open());
    TY_ASSIGN(auto process, SshProcess::start(words, false, asked.environment()));
    const double end = monotonicSeconds() + kTerminalSeconds;
    while (!process.hasEnded(0) && monotonicSeconds() < end)
        if (!asked.serve(0.05, host.label(), options.askSecret))
            return environmentError("nothing was typed", host.label(), "sign in again, or unlock the key with ssh-add")
                .withCode(ErrorCode::SignInRefused);
    if (connectToMaster(socket)) return {};
    if (sshTrouble(process.said()) != SshTrouble::SignIn) return sshError(host, process.said());
    return environmentError("the host refused what was typed: " + lastWords(process.said()), host.label(),
                            "sign in again, or allow a key on the host with: ssh-copy-id " + sshWords(host))
        .withCode(ErrorCode::SignInRefused);
}

} // namespace

Result<fs::path> leftMaster(const HostEntry& host) {
    TY_ASSIGN(const auto folder, run::socketFolder());
    std::string words;
    for (const auto& word : sshDestination(host)) words += word + '\n';
    return folder / ("ssh-" + sha256Hex(std::as_bytes(std::span(words))).substr(0, 12) + ".left");
}

bool isLeftOpen(const HostEntry& host) {
    const auto socket = leftMaster(host);
    return socket && connectToMaster(*socket);
}

Mutex& terminalMutex() {
    static Mutex s_mutex;
    return s_mutex;
}

Result<void> leaveOpen(const HostEntry& host, const ConnectOptions& options) {
    TY_ASSIGN(const auto socket, leftMaster(host));
    TY_ASSIGN(const auto config, sshConfigFile(sshConfigText(options, true)));
    std::vector<std::string> words{"-F", config.string(), "-f", "-N", "-T", "-M", "-S", socket.string()};
    words.insert(words.end(), {"-o", "ControlPersist=" + std::to_string(kLeftSeconds)});
    const auto destination = sshDestination(host);
    words.insert(words.end(), destination.begin(), destination.end());
    const MutexLock lock(terminalMutex());
    std::error_code ignored;
    if (!connectToMaster(socket)) fs::remove(socket, ignored); // of one that was killed
    if (options.askSecret) return leaveOpenAsking(host, options, words, socket);
    TY_ASSIGN(auto process, SshProcess::start(words, true));
    if (process.hasEnded(kTerminalSeconds) && connectToMaster(socket)) return {};
    return sshError(host, process.said());
}

} // namespace trainyard::remote
