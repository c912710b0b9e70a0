// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/hosts/host_questions.h"

#include "engine/base/machine/mutex.h"

#include <termios.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <memory>

namespace trainyard::ctl {
namespace {

// Typed without being shown.
std::optional<std::string> askSecret(const std::string& question) {
    termios before{};
    if (::tcgetattr(STDIN_FILENO, &before) != 0) return std::nullopt; // no terminal to ask on
    termios silent = before;
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent);
    std::fprintf(stderr, "%s: ", question.c_str());
    std::string secret;
    const bool got = static_cast<bool>(std::getline(std::cin, secret));
    ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
    std::fprintf(stderr, "\n");
    if (!got) return std::nullopt;
    return secret;
}

} // namespace

bool askYesNo(const std::string& question) {
    if (!::isatty(STDIN_FILENO)) return false;
    std::fprintf(stderr, "%s (yes/no) ", question.c_str());
    std::string answer;
    std::getline(std::cin, answer);
    return answer == "yes" || answer == "y";
}

remote::ConnectOptions askingOptions(bool yes) {
    remote::ConnectOptions options;
    const auto asks = std::make_shared<Mutex>();
    if (yes || ::isatty(STDIN_FILENO) != 0) // else what is refused says how to accept it
        options.askHostKey = [yes, asks](const remote::HostKeyQuestion& question) {
            const MutexLock lock(*asks);
            if (yes) std::fprintf(stderr, "accepted: %s\n", question.text().c_str());
            return yes || askYesNo(question.text());
        };
    options.askPassphrase = [asks](const remote::PassphraseQuestion& question) {
        const MutexLock lock(*asks);
        return askSecret("Passphrase of " + question.keyFile);
    };
    options.terminal = ::isatty(STDIN_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0;
    return options;
}

} // namespace trainyard::ctl
