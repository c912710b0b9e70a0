// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/hosts/connect.h"

#include "remote/book/key_file.h"
#include "remote/book/ssh_config.h"
#include "remote/ssh/library/library_transport.h"
#include "remote/ssh/system/left_open.h"
#include "remote/ssh/system/system_transport.h"

namespace fs = std::filesystem;

namespace trainyard::remote {
namespace {

Error withSshRemedy(Error error) {
    error.remedy += (error.remedy.empty() ? "" : "; or ") +
                    std::string("install the system's ssh (sudo apt install openssh-client), which can do more");
    return error;
}

// The system's ssh is there, and the list of hosts says not to use it.
Error withChannelRemedy(Error error, const HostEntry& host) {
    error.remedy += std::string(error.remedy.empty() ? "" : "; or ") +
                    "let the system's ssh connect: trainyardctl hosts add " + commandWord(host) +
                    " --replace --channel auto";
    return error;
}

// A connection that was left open may be one to a host that has been off since.
Result<std::shared_ptr<SshSession>> connectOverLeftOpen(const HostEntry& host, const ConnectOptions& options) {
    TY_ASSIGN(auto session, connectOverSystem(host, options, ChannelReason::LeftOpen));
    TY_TRY(session->exec({"true"}));
    return session;
}

} // namespace

ChannelFacts channelFacts(const HostEntry& host) {
    ChannelFacts facts;
    facts.wish = host.channel;
    facts.installed = !sshProgram().empty();
    facts.noted = host.sshReason;
    facts.libraryDoesRsa = libraryDoesRsa();
    if (const auto configured = sshConfigHost(host.sshName.empty() ? host.alias : host.sshName))
        facts.configured = configured->sshReason;
    facts.leftOpen = isLeftOpen(host);
    if (host.identityFile.empty()) return facts;
    if (const auto key = inspectKeyFile(host.identityFile)) facts.keyType = key->type;
    std::error_code ignored;
    facts.hasCertificate = fs::exists(host.identityFile + "-cert.pub", ignored);
    return facts;
}

Result<std::shared_ptr<SshSession>> connectToHost(const HostEntry& host, const ConnectOptions& options) {
    ChannelFacts facts = channelFacts(host);
    if (chooseChannel(facts) == ChannelReason::LeftOpen) {
        if (auto session = connectOverLeftOpen(host, options)) return session;
        facts.leftOpen = false;
    }
    if (const auto reason = chooseChannel(facts); reason != ChannelReason::None)
        return connectOverSystem(host, options, reason);
    HostEntry plain = host;
    if (isIndirect(facts.configured) && host.proxyJump.empty()) plain.proxyJump = toString(facts.configured);
    LibraryFailure failure{};
    auto session = connectOverLibrary(plain, options, failure);
    if (session.ok()) return session;
    const Error& error = session.error();
    const auto reason = channelAfter(failure, facts);
    if (reason == ChannelReason::None) {
        const bool lacking = !facts.installed && (failure != LibraryFailure::Other || isIndirect(facts.configured));
        const bool canDo = facts.installed && (failure == LibraryFailure::Methods || isIndirect(facts.configured));
        return lacking ? withSshRemedy(error) : canDo ? withChannelRemedy(error, host) : error;
    }
    auto other = connectOverSystem(host, options, reason);
    // Where both are refused, the library says more exactly why.
    if (!other && other.error().code == ErrorCode::SignInRefused && failure == LibraryFailure::SignIn) return error;
    return other;
}

Result<void> signInForSupervisor(const HostEntry& host, const ConnectOptions& options) {
    ConnectOptions silent = options;
    silent.askPassphrase = nullptr;
    silent.terminal = false;
    const auto session = connectToHost(host, silent);
    if (session.ok()) return {};
    const ChannelFacts facts = channelFacts(host);
    const bool mayAsk =
        (options.terminal || options.askSecret) && facts.installed && facts.wish != ChannelWish::Library;
    if (mayAsk && session.error().code == ErrorCode::SignInRefused) return leaveOpen(host, options);
    return session.error();
}

} // namespace trainyard::remote
