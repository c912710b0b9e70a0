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
    // Connects and attaches. Environment when there is no listener or the socket is another user's.
    static Result<AttachClient> connect(const std::filesystem::path& socket);

    // The same for the supervisor of a run: where its row says that it listens, which may follow another environment
    // than this process has, or where it would by this one's while the row says nothing.
    static Result<AttachClient> connect(const store::RunRow& row);

    int fd() const { return m_fd.get(); }
    Result<void> send(const wire::Message& message); // waits at most 2 s for a busy supervisor
    // What has arrived, waiting at most timeoutMs for the first of it. `closed` tells that no more will come.
    Result<std::vector<wire::Message>> receive(int timeoutMs, bool& closed);

private:
    explicit AttachClient(UniqueFd fd) : m_fd(std::move(fd)) {}
    UniqueFd m_fd;
    wire::Decoder m_decoder;
};

} // namespace trainyard::run
