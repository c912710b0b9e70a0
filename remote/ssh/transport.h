// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/: the server for the channels of one connection, whichever program speaks SSH for it.
#pragma once

#include "engine/base/machine/mutex.h"
#include "engine/base/unique_fd.h"
#include "engine/run/launch/launcher.h"

#include <future>
#include <memory>
#include <string>

namespace trainyard::remote {

// Shared by the server of a channel and the holder of its SshChannel.
struct ChannelState {
    // For the server. Reports the end once.
    bool isAbandoned();
    void recordStart(std::int64_t process);
    void recordEnd(const run::ExitStatus& how, std::string said); // said: before the marker
    void recordLoss(const std::string& reason);                   // the link is gone

    Mutex mutex;
    Condition changed;
    std::int64_t pid TY_GUARDED_BY(mutex) = 0; // known once the program has started
    bool ended TY_GUARDED_BY(mutex) = false;
    bool abandoned TY_GUARDED_BY(mutex) = false; // the channel has no owner any more
    run::ExitStatus status TY_GUARDED_BY(mutex);
    std::string lossReason TY_GUARDED_BY(mutex);
    std::string chatter TY_GUARDED_BY(mutex); // what came before the marker, for the error when there never is one
};

// A request for a channel.
struct OpenRequest {
    std::string command, marker;
    std::string address; // instead of a command: a TCP connection from the host to it
    int port = 0;
    unsigned windowBytes = 2u << 20;
    std::shared_ptr<ChannelState> state = std::make_shared<ChannelState>();
    UniqueFd data, log; // the server's ends; without them nothing is fed and what comes is dropped
    std::promise<Result<void>> opened;
};

// The error for requests to a lost connection.
Error connectionLost(const std::string& reason, const std::string& label);

// Thread-safe.
class ChannelServer {
public:
    virtual ~ChannelServer() = default; // serves what was asked before, for at most 2 s

    // The answer comes once the host accepted or refused the command.
    virtual std::future<Result<void>> open(OpenRequest request) = 0;
    // A command of another channel sends a signal to this process group on the host.
    virtual void signalled(std::int64_t /*pid*/, int /*signalNumber*/) {}
    virtual bool alive() const = 0;
    virtual std::string lossReason() const = 0; // empty while alive
    virtual int channels() const = 0;
};

} // namespace trainyard::remote
