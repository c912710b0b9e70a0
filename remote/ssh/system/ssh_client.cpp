// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/system/ssh_client.h"

#include "remote/book/shell_quote.h"

#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace fs = std::filesystem;

namespace trainyard::remote {
namespace {

// A value of ssh_config(5): in quotes, and '%' as it stands.
std::string configValue(const std::string& value) {
    std::string text = "\"";
    for (const char c : value) {
        if (c == '"' || c == '\\') text += '\\';
        text += c;
        if (c == '%') text += '%';
    }
    return text + '"';
}

std::string withoutPercent(const std::string& value) {
    std::string text;
    for (const char c : value) text += c == '%' ? std::string("%%") : std::string(1, c);
    return text;
}

} // namespace

std::string sshProgram() {
    const char* path = std::getenv("PATH");
    std::string_view folders = path != nullptr ? path : "/usr/bin:/bin";
    while (!folders.empty()) {
        const auto end = std::min(folders.find(':'), folders.size());
        const fs::path program = fs::path(folders.substr(0, end)) / "ssh";
        std::error_code ignored;
        if (program.is_absolute() && fs::is_regular_file(program, ignored) && ::access(program.c_str(), X_OK) == 0)
            return program.string();
        folders.remove_prefix(std::min(end + 1, folders.size()));
    }
    return {};
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

// The first value that is found holds. A probe each 2 s, and three without an answer, notice a cut link as soon as
// the library does.
std::string sshConfigText(const ConnectOptions& options, bool asks) {
    std::string files;
    for (const auto& file : knownHostsFiles(options)) files += " " + configValue(file.string());
    const int timeout = std::max(1, static_cast<int>(std::ceil(options.timeoutSeconds)));
    std::string text = std::string("BatchMode ") + (asks ? "no" : "yes") + "\n";
    text += "UserKnownHostsFile" + files + "\nGlobalKnownHostsFile none\n";
    text += "ConnectTimeout " + std::to_string(timeout) + "\n";
    text += "StrictHostKeyChecking yes\nUpdateHostKeys no\nHashKnownHosts no\nCheckHostIP no\nConnectionAttempts 1\n"
            "ServerAliveInterval 2\nServerAliveCountMax 3\nForwardAgent no\nForwardX11 no\nPermitLocalCommand no\n"
            "RequestTTY no\nRemoteCommand none\nTunnel no\nEscapeChar none\nVisualHostKey no\nLogLevel INFO\n";
    if (!options.useAgent) text += "IdentityAgent none\n";
    text += "Include " + configValue((homeFolder() / ".ssh" / "config").string()) + "\n";
    return text + "Include /etc/ssh/ssh_config\n";
}

std::vector<std::string> sshDestination(const HostEntry& host) {
    std::vector<std::string> words;
    if (!host.hostName.empty()) words.insert(words.end(), {"-o", "HostName=" + withoutPercent(host.hostName)});
    if (!host.user.empty()) words.insert(words.end(), {"-l", host.user});
    if (host.port != 22) words.insert(words.end(), {"-p", std::to_string(host.port)});
    if (!host.identityFile.empty()) words.insert(words.end(), {"-i", withoutPercent(host.identityFile)});
    words.insert(words.end(), {"--", host.sshName.empty() ? host.alias : host.sshName});
    return words;
}

std::string sshWords(const HostEntry& host) {
    const std::string& name = host.sshName.empty() ? host.alias : host.sshName;
    std::string text;
    if (host.target() != name && !host.hostName.empty()) text += "-o HostName=" + withoutPercent(host.hostName) + " ";
    if (host.port != 22) text += "-p " + std::to_string(host.port) + " ";
    if (!host.identityFile.empty()) text += "-i " + shellQuote(host.identityFile).valueOr(host.identityFile) + " ";
    return text + (host.user.empty() ? "" : shellQuote(host.user).valueOr(host.user) + "@") + name;
}

SshTrouble sshTrouble(std::string_view said) {
    // The first that is found: a jump host's trouble is followed by that of the connection through it.
    static constexpr std::array<std::pair<std::string_view, SshTrouble>, 17> kWords{{
        {"Host key verification failed", SshTrouble::HostKey},
        {"Permission denied", SshTrouble::SignIn},
        {"Too many authentication failures", SshTrouble::SignIn},
        {"No more authentication methods", SshTrouble::SignIn},
        {"not responding", SshTrouble::LinkCut},
        {"Could not resolve hostname", SshTrouble::Unreachable},
        {"Connection refused", SshTrouble::Unreachable},
        {"Connection timed out", SshTrouble::Unreachable},
        {"No route to host", SshTrouble::Unreachable},
        {"Network is unreachable", SshTrouble::Unreachable},
        {"Unable to negotiate", SshTrouble::Unreachable},
        {"timed out", SshTrouble::Unreachable},
        {"Connection reset", SshTrouble::LinkReset},
        {"Broken pipe", SshTrouble::LinkReset},
        {"banner exchange", SshTrouble::Unreachable},
        {"kex_exchange_identification", SshTrouble::Unreachable},
        {"Connection closed by UNKNOWN", SshTrouble::Unreachable},
    }};
    for (const auto& [words, trouble] : kWords)
        if (said.find(words) != std::string_view::npos) return trouble;
    return SshTrouble::Other;
}

} // namespace trainyard::remote
