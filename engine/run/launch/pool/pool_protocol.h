// SPDX-License-Identifier: GPL-3.0-or-later
// What goes between a launcher and the pool of workers on this computer: one SOCK_SEQPACKET message each, both sides of
// the same build. A request carries the rank's descriptors, and Started a pidfd. One without arguments asks for
// nothing but Ready.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::run {

inline constexpr std::size_t kMaxPoolRequest = 96 << 10; // well below what one message may hold

struct PoolRequest {
    std::vector<std::string> arguments, environment; // of the rank; the environment as "NAME=value"
    std::string folder;                              // to run in
    std::string runJson;                             // the run file, whose dataset the pool may load too; may be empty
};

// What a rank is given with a request, by number: whoever has made them owns them.
struct RankFds {
    int in = -1, out = -1; // frames to the rank and from it
    int log = -1;          // its stderr
    int lifeline = -1;     // none, or: when its other end is closed, the kernel kills the rank

    std::vector<int> list() const; // in the order in which they are sent
    static std::optional<RankFds>
    of(const std::vector<int>&); // of those that came; nothing when some could not come in
};

// What the pool says: of itself, or to a request.
struct PoolReply {
    enum Kind : std::int32_t { Started, Failed, Exited, Ready };
    std::int32_t kind = Failed;
    std::int32_t pid = 0;
    std::int32_t value = 0; // Failed: errno; Exited: the status as of waitpid
};

// Strings with a NUL behind each: the number of arguments, the folder, the run file, the arguments, the environment.
std::string encodePoolRequest(const PoolRequest& request);
// Nothing when the bytes are no request.
std::optional<PoolRequest> decodePoolRequest(std::string_view bytes);

// Sends one message with at most four descriptors; false with errno set.
bool sendWithFds(int socket, const void* data, std::size_t size, const std::vector<int>& fds);
// Receives one message: the size, 0 at the end of the connection, -1 with errno set. The descriptors that came with it
// are added to `fds`, close-on-exec, and belong to the caller; none when not all could come in (too many open files).
std::ptrdiff_t receiveWithFds(int socket, void* data, std::size_t size, std::vector<int>& fds);

} // namespace trainyard::run
