// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/unique_fd.h"
#include "engine/wire/messages.h"

#include <poll.h>

#include <filesystem>
#include <functional>
#include <memory>

namespace trainyard::run {

// Where windows and terminals attach to a supervisor: a Unix socket for processes of the same user. A watcher that
// reads too slowly is dropped, so that none can hold a run up.
class AttachServer {
public:
    struct Handlers {
        std::function<std::vector<wire::Message>()> greeting; // what a new watcher is sent first
        std::function<void(wire::StopMode)> stop;
        std::function<void(const wire::Command&)> command;
    };
    // A socket whose folder is deleted is made anew within a second or two.
    static Result<std::unique_ptr<AttachServer>> listen(const std::filesystem::path& path, Handlers handlers);
    ~AttachServer(); // removes the socket

    void addPollEntries(std::vector<pollfd>& entries) const;
    void handle(); // accepts, reads and writes what is possible now; never blocks
    void broadcast(const wire::Message& message);
    bool hasUnsent() const;
    const std::filesystem::path& path() const { return m_path; }

private:
    struct Watcher {
        UniqueFd fd;
        wire::Decoder decoder;
        std::vector<std::byte> outgoing;
        bool attached = false, gone = false;
    };
    AttachServer(UniqueFd fd, std::filesystem::path path, Handlers handlers);
    void listenAgain();
    void acceptAll();
    void read(Watcher& watcher);
    void handle(Watcher& watcher, const wire::Message& message);
    void queue(Watcher& watcher, const std::vector<std::byte>& bytes);
    void write(Watcher& watcher);

    UniqueFd m_fd;
    std::filesystem::path m_path;
    Handlers m_handlers;
    std::vector<std::unique_ptr<Watcher>> m_watchers;
    double m_deafUntil = 0; // monotonic seconds: accepts no watcher before
    double m_lookDue = 0;   // monotonic seconds: whether the socket still has its name
};

} // namespace trainyard::run
