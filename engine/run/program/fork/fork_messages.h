// SPDX-License-Identifier: GPL-3.0-or-later
// Messages between a keeper and a fork server (FORK_SERVER.md): one SOCK_SEQPACKET message each. A request carries two
// descriptors: the file that the rank prints to, and the end of a line whose other end the keeper holds.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace trainyard::run {

inline constexpr std::size_t kMaxForkRequest = 96 << 10; // well below what one message may hold
inline constexpr std::size_t kMaxForkReply = 4096;

struct ForkRequest {
    std::string mark;                     // "NAME=value": what /proc is to show as the rank's environment
    std::vector<std::string> early;       // the variables that a script must not change any more (import_variables.h)
    std::string folder;                   // where it runs
    std::vector<std::string> words;       // interpreter; script, -m and module or -c and code; arguments
    std::vector<std::string> environment; // all of it, "NAME=value"
};

// Strings with a NUL after each. Nothing in them may hold one.
std::string encodeForkRequest(const ForkRequest& request);

// An answer of the server, or of the process that holds a rank.
struct ForkReply {
    enum class Kind {
        Rank,    // it runs; the process that holds it is its parent
        Exited,  // value: exit code
        Killed,  // value: signal
        Unfit,   // this rank has to be started as a program, for the reason
        Gone,    // this server is out of date: another one has to be started
        Useless, // no rank can be forked from these modules, for the reason
        Bad,     // none of these
    };
    Kind kind = Kind::Bad;
    pid_t rank = 0, holder = 0;
    int value = 0;
    std::string reason{}; // for people, printable
};

// Total: whatever the bytes are.
ForkReply parseForkReply(std::string_view bytes);

} // namespace trainyard::run
