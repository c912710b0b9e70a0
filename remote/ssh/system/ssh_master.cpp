// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/system/ssh_master.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/math/sha256.h"
#include "engine/base/text/base64.h"
#include "engine/run/launch/socket_path.h"
#include "remote/book/known_hosts.h"
#include "remote/book/ssh_config.h"
#include "remote/ssh/system/ssh_client.h"
#include "remote/ssh/system/ssh_process.h"

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
    return judgeHostKey(fromBase64(key), asKnown(host, name), options, known);
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
    fs::path file = folder / ("ssh-" + sha256Hex(std::as_bytes(std::span(text))).substr(0, 12) + ".config");
    std::error_code ignored;
    if (!fs::exists(file, ignored)) TY_TRY(writeFileAtomic(file, text));
    return file;
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

} // namespace trainyard::remote
