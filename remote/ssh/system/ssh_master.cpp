// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/system/ssh_master.h"

#include "engine/base/clock.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/machine/mutex.h"
#include "engine/base/math/sha256.h"
#include "engine/base/text/printable.h"
#include "engine/run/launch/socket_path.h"
#include "remote/book/digest.h"
#include "remote/book/known_hosts.h"
#include "remote/ssh/library/raw_session.h"
#include "remote/ssh/system/ask_pass.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <charconv>
#include <random>
#include <span>
#include <sstream>

namespace fs = std::filesystem;

namespace trainyard::remote {
namespace {

std::string hexOf(const std::string& text) { return sha256Hex(std::as_bytes(std::span(text))); }

// The last line that says something. That of a connection through a program says less than what the program said.
std::string lastWords(const std::string& said) {
    std::istringstream lines(said);
    std::string last;
    for (std::string line; std::getline(lines, line);) {
        line.erase(line.find_last_not_of(" \t\r") + 1);
        if (line.empty() || (!last.empty() && line.starts_with("Connection closed by UNKNOWN"))) continue;
        last = printable(line, 300);
    }
    return last.empty() ? "it gave no reason" : last;
}

// The types that are known of the host come first: a key of another type would read as a change.
std::string preferredTypes(const KnownHosts& known, const HostEntry& host) {
    std::string list;
    for (const auto& type : known.typesOf(host.target(), host.port))
        list += (list.empty() ? "^" : ",") + (type == "ssh-rsa" ? "rsa-sha2-512,rsa-sha2-256" : type);
    return list;
}

// The host as ssh writes it into a known_hosts file: "name" or "[name]:port".
HostEntry asKnown(HostEntry host, const std::string& name) {
    if (name == hostPattern(host.target(), host.port)) return host;
    host.hostName = name;
    host.port = 22;
    if (const auto end = name.rfind("]:"); name.starts_with('[') && end != std::string::npos) {
        host.hostName = name.substr(1, end - 1);
        std::from_chars(name.data() + end + 2, name.data() + name.size(), host.port);
    }
    return host;
}

// "h1,root@h2:2200": the hosts on the way, the first one first.
Result<std::vector<HostEntry>> hopsOf(const std::string& proxyJump) {
    std::vector<HostEntry> hops;
    std::istringstream list(proxyJump);
    for (std::string hop; std::getline(list, hop, ',');) {
        TY_ASSIGN(HostEntry host, HostBook().resolve(hop));
        hops.push_back(std::move(host));
    }
    return hops;
}

// Calls ssh just to see the key; `by` are the hosts in between, as ProxyJump has them.
Result<void> acceptKey(const HostEntry& host, const ConnectOptions& options, const std::string& by) {
    TY_ASSIGN(const auto folder, run::socketFolder());
    TY_ASSIGN(const auto config, sshConfigFile(sshConfigText(options, false)));
    const KnownHosts known = KnownHosts::read(knownHostsFiles(options));
    const fs::path seen = folder / (privateName() + ".key");
    std::vector<std::string> words{"-F", config.string(), "-T", "-S", "none"};
    const auto set = [&words](const std::string& option) { words.insert(words.end(), {"-o", option}); };
    set("StrictHostKeyChecking=accept-new");
    set("UserKnownHostsFile=" + seen.string());
    set("PreferredAuthentications=none");
    if (!by.empty()) set("ProxyJump=" + by);
    if (const std::string types = preferredTypes(known, host); !types.empty()) set("HostKeyAlgorithms=" + types);
    const auto destination = sshDestination(host);
    words.insert(words.end(), destination.begin(), destination.end());
    words.emplace_back("true");
    TY_ASSIGN(SshProcess query, SshProcess::start(words, false));
    const bool ended = query.hasEnded(options.timeoutSeconds * 2);
    const auto text = readFile(seen, 1u << 20);
    std::error_code ignored;
    fs::remove(seen, ignored);
    std::string name, type, key;
    if (!text.ok() || !(std::istringstream(*text) >> name >> type >> key))
        return sshError(host, ended ? query.said() : "it timed out");
    SshFacts facts;
    return judgeHostKey(fromBase64(key), asKnown(host, name), options, known, facts);
}

} // namespace

std::string privateName() {
    std::random_device random;
    std::string bytes;
    for (int i = 0; i < 6; ++i) bytes += static_cast<char>(random() & 0xff);
    return "ssh-" + toHex(bytes);
}

Result<fs::path> sshConfigFile(const std::string& text) {
    TY_ASSIGN(const auto folder, run::socketFolder());
    fs::path file = folder / ("ssh-" + hexOf(text).substr(0, 12) + ".config");
    std::error_code ignored;
    if (!fs::exists(file, ignored)) TY_TRY(writeFileAtomic(file, text));
    return file;
}

Result<fs::path> leftMaster(const HostEntry& host) {
    TY_ASSIGN(const auto folder, run::socketFolder());
    std::string words;
    for (const auto& word : sshDestination(host)) words += word + '\n';
    return folder / ("ssh-" + hexOf(words).substr(0, 12) + ".left");
}

std::optional<UniqueFd> connectToMaster(const fs::path& socket) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = socket.string();
    if (path.size() >= sizeof address.sun_path) return std::nullopt;
    path.copy(address.sun_path, path.size());
    UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return std::nullopt;
    return fd;
}

Mutex& terminalMutex() {
    static Mutex s_mutex;
    return s_mutex;
}

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

Result<void> acceptKeys(const HostEntry& host, const ConnectOptions& options) {
    TY_ASSIGN(const HostEntry configured, sshConfigHost(host.sshName.empty() ? host.alias : host.sshName));
    std::string by;
    if (configured.proxyJump != "ProxyCommand") {
        TY_ASSIGN(const auto hops, hopsOf(configured.proxyJump));
        std::istringstream names(configured.proxyJump);
        for (const auto& hop : hops) {
            TY_TRY(acceptKey(hop, options, by));
            std::string name;
            std::getline(names, name, ',');
            by += (by.empty() ? "" : ",") + name;
        }
    }
    return acceptKey(host, options, {}); // ssh knows the way
}

Error sshError(const HostEntry& host, const std::string& said) {
    const std::string words = lastWords(said), ssh = sshWords(host);
    switch (sshTrouble(said)) {
    case SshTrouble::SignIn:
        return environmentError("the system's ssh may not sign in without a question: " + words, host.label(),
                                "unlock the key with ssh-add, or allow a key on the host with: ssh-copy-id " + ssh)
            .withCode(ErrorCode::SignInRefused);
    case SshTrouble::HostKey:
        return environmentError("the system's ssh does not know the key of a host: " + words, host.label(),
                                "accept it once with: trainyardctl hosts test " + commandWord(host) +
                                    " --accept-new-key")
            .withCode(ErrorCode::HostKeyUnknown);
    case SshTrouble::Unreachable:
    case SshTrouble::LinkCut:
    case SshTrouble::LinkReset:
        return environmentError("the system's ssh cannot connect: " + words, host.label(),
                                "check the host, and those on the way, with: ssh " + ssh)
            .withCode(ErrorCode::HostUnreachable);
    case SshTrouble::Other: break;
    }
    return environmentError("the system's ssh ended: " + words, host.label(), "try it with: ssh " + ssh)
        .withCode(ErrorCode::HostUnreachable);
}

} // namespace trainyard::remote
