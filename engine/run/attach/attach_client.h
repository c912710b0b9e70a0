// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/unique_fd.h"
#include "engine/store/store.h"
#include "engine/wire/messages.h"

#include <filesystem>

namespace trainyard::run {

// The watcher's end of an attach socket.
class AttachClient {
public:
    // Connects and attaches. Environment: there is no listener, or the socket belongs to another user.
    static Result<AttachClient> connect(const std::filesystem::path& socket);

    // Connects to the supervisor of a run: at the socket in its row, which may come from another environment, or at
    // this environment's default while the row names none.
    static Result<AttachClient> connect(const store::RunRow& row);

    int fd() const { return m_fd.get(); }
    Result<void> send(const wire::Message& message); // waits at most 2 s for a busy supervisor
    // Messages that have arrived; waits at most timeoutMs for the first one. `closed`: no more will come.
    Result<std::vector<wire::Message>> receive(int timeoutMs, bool& closed);

private:
    explicit AttachClient(UniqueFd fd) : m_fd(std::move(fd)) {}
    UniqueFd m_fd;
    wire::Decoder m_decoder;
};

} // namespace trainyard::run
