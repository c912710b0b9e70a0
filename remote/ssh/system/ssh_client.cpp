// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/system/ssh_client.h"

#include "engine/base/text/printable.h"
#include "remote/book/host_book.h"
#include "remote/book/known_hosts.h"
#include "remote/book/shell_quote.h"
#include "remote/ssh/ssh_limits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
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

// The first value that is found holds.
std::string sshConfigText(const ConnectOptions& options, bool asks) {
    std::string files;
    for (const auto& file : knownHostsFiles(options)) files += " " + configValue(file.string());
    const int timeout = std::max(1, static_cast<int>(std::ceil(options.timeoutSeconds)));
    std::string text = std::string("BatchMode ") + (asks ? "no" : "yes") + "\n";
    text += "UserKnownHostsFile" + files + "\nGlobalKnownHostsFile none\n";
    text += "ConnectTimeout " + std::to_string(timeout) + "\n";
    text += "ServerAliveInterval " + std::to_string(kProbeSeconds) + "\n";
    text += "ServerAliveCountMax " + std::to_string(kUnansweredProbes) + "\n";
    text += "StrictHostKeyChecking yes\nUpdateHostKeys no\nHashKnownHosts no\nCheckHostIP no\nConnectionAttempts 1\n"
            "ForwardAgent no\nForwardX11 no\nPermitLocalCommand no\nRequestTTY no\nRemoteCommand none\nTunnel no\n"
            "EscapeChar none\nVisualHostKey no\nLogLevel INFO\n";
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

// The line of a connection through a program says less than what the program said.
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
    case SshTrouble::LinkReset: // OpenSSH 9.8 and later do so to who has failed to sign in (PerSourcePenalties)
        return environmentError("the host closed the connection: " + words, host.label(),
                                "wait half a minute, as it may refuse this computer for a while after failed "
                                "sign-ins; then try it with: ssh " +
                                    ssh)
            .withCode(ErrorCode::HostUnreachable);
    case SshTrouble::Unreachable:
    case SshTrouble::LinkCut:
        return environmentError("the system's ssh cannot connect: " + words, host.label(),
                                "check the host, and those on the way, with: ssh " + ssh)
            .withCode(ErrorCode::HostUnreachable);
    case SshTrouble::Other: break;
    }
    return environmentError("the system's ssh ended: " + words, host.label(), "try it with: ssh " + ssh)
        .withCode(ErrorCode::HostUnreachable);
}

} // namespace trainyard::remote
