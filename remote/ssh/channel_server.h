// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/: what serves the channels of one connection, whichever program speaks SSH for it.
#pragma once

#include "engine/base/machine/mutex.h"
#include "engine/base/unique_fd.h"
#include "engine/run/launch/launcher.h"

#include <future>
#include <memory>
#include <string>

namespace trainyard::remote {

// What serves a channel and the holder of its SshChannel share.
struct ChannelState {
    // For what serves the channel. The end is told once.
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

// A channel that is asked for.
struct OpenRequest {
    std::string command, marker;
    std::string address; // instead of a command: a TCP connection from the host to it
    int port = 0;
    unsigned windowBytes = 2u << 20;
    std::shared_ptr<ChannelState> state = std::make_shared<ChannelState>();
    UniqueFd data, log; // the server's ends; without them nothing is fed and what comes is dropped
    std::promise<Result<void>> opened;
};

// What is told to those who ask for a channel of a connection that is gone, or wait for one.
Error connectionLost(const std::string& reason, const std::string& label);

// Thread-safe.
class ChannelServer {
public:
    virtual ~ChannelServer() = default; // serves what was asked before, for at most 2 s

    // The answer comes when the command was accepted by the host, or not.
    virtual std::future<Result<void>> open(OpenRequest request) = 0;
    // A signal is sent to this process group of the host, by a command of another channel.
    virtual void signalled(std::int64_t /*pid*/, int /*signalNumber*/) {}
    virtual bool alive() const = 0;
    virtual std::string lossReason() const = 0; // empty while alive
    virtual int channels() const = 0;
};

} // namespace trainyard::remote
