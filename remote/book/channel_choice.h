// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the program that speaks SSH with a host: the library in this process, or the system's OpenSSH client, which
// can do more.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace trainyard::remote {

// The user's choice for a host.
enum class ChannelWish { Auto, Library, SystemSsh };

// Why the system's ssh is used.
enum class ChannelReason {
    None,      // it is not
    Asked,     // the user wants it
    LeftOpen,  // a sign-in on a terminal has left a connection open
    ProxyJump, // the SSH config says so, as the next four
    ProxyCommand,
    Certificate, // of the user's key; or there is one beside the key
    Token,       // PKCS11Provider
    Kerberos,    // GSSAPIAuthentication
    SecurityKey, // a FIDO key
    RsaKey,      // the library signs with SHA-1 only
    Methods,     // the library has no key exchange, host key type, cipher or MAC in common with the host
    SignIn,      // the host took nothing that the library could offer
};

// The facts that decide.
struct ChannelFacts {
    ChannelWish wish = ChannelWish::Auto;
    bool installed = true; // the system's ssh
    bool leftOpen = false;
    ChannelReason configured = ChannelReason::None; // what the SSH config asks for now
    ChannelReason noted = ChannelReason::None;      // what an earlier connection found out
    std::string keyType;                            // of the host's identity file: "ssh-rsa"; empty: unknown
    bool hasCertificate = false;                    // beside that file
    bool libraryDoesRsa = false;                    // with SHA-2
};

// None: try the library first.
ChannelReason chooseChannel(const ChannelFacts& facts);

// How the library has failed.
enum class LibraryFailure { Methods, SignIn, Other };
// Why to try the system's ssh after that failure; None: do not, as it is not wanted, not installed, or would fail,
// too.
ChannelReason channelAfter(LibraryFailure failure, const ChannelFacts& facts);

// "auto", "library", "ssh": the words in options and files. Nothing for other words.
const char* toString(ChannelWish wish);
std::optional<ChannelWish> channelWish(std::string_view word);
// "proxy-jump": the word in files; empty for None.
const char* toString(ChannelReason reason);
std::optional<ChannelReason> channelReason(std::string_view word);
// "over the system's ssh: ProxyJump"; "over the library" for None.
std::string channelText(ChannelReason reason);
// Whether to note a reason for the next connection: only if a failure of the library revealed it.
bool isWorthNoting(ChannelReason found, ChannelReason noted);
// Whether the host is reached by other means than a TCP connection from here.
bool isIndirect(ChannelReason reason);

} // namespace trainyard::remote
