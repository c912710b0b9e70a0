// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/book/channel_choice.h"

#include <array>

namespace trainyard::remote {
namespace {

struct ReasonWords {
    ChannelReason reason;
    const char* word;
    const char* text;
};

constexpr std::array<ReasonWords, 12> kReasons{{
    {ChannelReason::None, "", ""},
    {ChannelReason::Asked, "asked", "as requested"},
    {ChannelReason::LeftOpen, "left-open", "the connection that a sign-in left open"},
    {ChannelReason::ProxyJump, "proxy-jump", "ProxyJump"},
    {ChannelReason::ProxyCommand, "proxy-command", "ProxyCommand"},
    {ChannelReason::Certificate, "certificate", "a certificate of the key"},
    {ChannelReason::Token, "token", "PKCS11Provider"},
    {ChannelReason::Kerberos, "kerberos", "GSSAPIAuthentication"},
    {ChannelReason::SecurityKey, "security-key", "a FIDO key"},
    {ChannelReason::RsaKey, "rsa-key", "an RSA key"},
    {ChannelReason::Methods, "methods", "the host's encryption methods or its RSA host key"},
    {ChannelReason::SignIn, "sign-in", "it signs in where the library cannot"},
}};

constexpr std::array<std::pair<ChannelWish, const char*>, 3> kWishes{
    {{ChannelWish::Auto, "auto"}, {ChannelWish::Library, "library"}, {ChannelWish::SystemSsh, "ssh"}}};

const ReasonWords& wordsOf(ChannelReason reason) {
    for (const auto& each : kReasons)
        if (each.reason == reason) return each;
    return kReasons[0];
}

} // namespace

ChannelReason chooseChannel(const ChannelFacts& facts) {
    if (facts.wish == ChannelWish::Library) return ChannelReason::None;
    if (facts.wish == ChannelWish::SystemSsh) return facts.leftOpen ? ChannelReason::LeftOpen : ChannelReason::Asked;
    if (!facts.installed) return ChannelReason::None;
    if (facts.leftOpen) return ChannelReason::LeftOpen;
    if (facts.configured != ChannelReason::None) return facts.configured;
    if (facts.hasCertificate) return ChannelReason::Certificate;
    if (facts.keyType.starts_with("sk-")) return ChannelReason::SecurityKey;
    if (facts.keyType == "ssh-rsa" && !facts.libraryDoesRsa) return ChannelReason::RsaKey;
    return facts.noted;
}

ChannelReason channelAfter(LibraryFailure failure, const ChannelFacts& facts) {
    if (facts.wish != ChannelWish::Auto || !facts.installed) return ChannelReason::None;
    switch (failure) {
    case LibraryFailure::Methods: return ChannelReason::Methods;
    case LibraryFailure::SignIn: return ChannelReason::SignIn;
    case LibraryFailure::Other: break;
    }
    return ChannelReason::None;
}

const char* toString(ChannelWish wish) {
    for (const auto& [each, word] : kWishes)
        if (each == wish) return word;
    return kWishes[0].second;
}

std::optional<ChannelWish> channelWish(std::string_view word) {
    for (const auto& [wish, each] : kWishes)
        if (word == each) return wish;
    return std::nullopt;
}

const char* toString(ChannelReason reason) { return wordsOf(reason).word; }

std::optional<ChannelReason> channelReason(std::string_view word) {
    for (const auto& each : kReasons)
        if (word == each.word) return each.reason;
    return std::nullopt;
}

std::string channelText(ChannelReason reason) {
    if (reason == ChannelReason::None) return "over the library";
    return std::string("over the system's ssh: ") + wordsOf(reason).text;
}

bool isWorthNoting(ChannelReason found, ChannelReason noted) {
    return found != noted && (found == ChannelReason::Methods || found == ChannelReason::SignIn);
}

bool isIndirect(ChannelReason reason) {
    return reason == ChannelReason::ProxyJump || reason == ChannelReason::ProxyCommand;
}

} // namespace trainyard::remote
