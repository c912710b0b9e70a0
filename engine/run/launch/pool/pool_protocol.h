// SPDX-License-Identifier: GPL-3.0-or-later
// Messages between a launcher and the pool of workers on this computer: one SOCK_SEQPACKET message each, both sides of
// the same build. A request carries the rank's descriptors, Started a pidfd. A request without arguments only asks for
// Ready.
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

// The descriptors that go with a request, owned by their maker.
struct RankFds {
    int in = -1, out = -1; // frames to the rank and from it
    int log = -1;          // its stderr
    int lifeline = -1;     // none, or: when its other end is closed, the kernel kills the rank

    std::vector<int> list() const; // in the order in which they are sent
    static std::optional<RankFds>
    of(const std::vector<int>&); // of those that came; nothing when some could not come in
};

// A message of the pool: about itself, or an answer.
struct PoolReply {
    enum Kind : std::int32_t { Started, Failed, Exited, Ready };
    std::int32_t kind = Failed;
    std::int32_t pid = 0;
    std::int32_t value = 0; // Failed: errno; Exited: the status as of waitpid
};

// Strings, each with a NUL after it: the number of arguments, the folder, the run file, the arguments, the
// environment.
std::string encodePoolRequest(const PoolRequest& request);
// Nothing if the bytes are no request.
std::optional<PoolRequest> decodePoolRequest(std::string_view bytes);

// Sends one message with at most four descriptors; false with errno set.
bool sendWithFds(int socket, const void* data, std::size_t size, const std::vector<int>& fds);
// Receives one message: its size, 0 at the end of the connection, -1 with errno set. Adds its descriptors to `fds`,
// close-on-exec, owned by the caller; none if not all could be received (too many open files).
std::ptrdiff_t receiveWithFds(int socket, void* data, std::size_t size, std::vector<int>& fds);

} // namespace trainyard::run
