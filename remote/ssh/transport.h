// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/: one connection as a way to speak SSH has it. There are two ways, remote/ssh/library and
// remote/ssh/system; ChannelThread runs either.
#pragma once

#include "engine/base/machine/mutex.h"
#include "engine/base/unique_fd.h"
#include "engine/run/launch/launcher.h"
#include "remote/ssh/marked_stream.h"

#include <poll.h>

#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace trainyard::remote {

// Shared by the thread that serves a channel and the holder of its SshChannel.
struct ChannelState {
    // For the thread. Reports the end once.
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
    std::int64_t signalledGroup = 0; // the command sends it signalNumber
    int signalNumber = 0;
    std::shared_ptr<ChannelState> state = std::make_shared<ChannelState>();
    UniqueFd data, log; // the thread's ends; without them nothing is fed and what comes is dropped
    std::promise<Result<void>> opened;

    bool connects() const { return !address.empty(); }
};

// Why the host opens no channel, or runs no command on it. `said`: its own words, or none.
Error channelRefused(const OpenRequest& request, const std::string& label, const std::string& said = {});
Error commandRefused(const std::string& label, const std::string& said = {});

// One channel, on the thread of its connection.
class TransportChannel {
public:
    explicit TransportChannel(OpenRequest& request); // takes over its descriptors
    virtual ~TransportChannel() = default;
    TransportChannel(const TransportChannel&) = delete;
    TransportChannel& operator=(const TransportChannel&) = delete;

    enum class Outcome { Idle, Progress, Ended, LinkLost };
    // Moves available bytes, and records how the program ended once it has.
    virtual Outcome service() = 0;
    // Adds the descriptors that it waits for.
    virtual void addPollFds(std::vector<pollfd>& fds) const = 0;
    // Whether it can take bytes from the host now. With a slow reader they stay in the channel's window.
    virtual bool wantsInbound() const { return true; }
    // A signal was sent to this process group.
    virtual void signalled(std::int64_t /*group*/, int /*signalNumber*/) {}
    // After the link is lost: passes on what has arrived, closes the descriptors and reports an exit status with
    // hostLost.
    virtual void lose(const std::string& reason);
    bool hasHolder() const { return m_hasHolder; }

protected:
    bool isAbandoned() const { return m_hasHolder && m_state->isAbandoned(); }
    bool blocked() const { return m_out.blocked() || m_err.blocked(); }
    bool give(); // pending bytes to the readers; true if any moved
    void closeDescriptors();

    const std::shared_ptr<ChannelState> m_state;
    UniqueFd m_data, m_log;
    const bool m_hasHolder, m_isConnection;
    MarkedStream m_out, m_err;
};

using TransportChannels = std::vector<std::unique_ptr<TransportChannel>>;

// A connection. All calls come from one thread, and begin() and end() once.
class Transport {
public:
    virtual ~Transport() = default;
    // Signs in, unless it is signed in.
    virtual Result<void> begin() { return {}; }
    virtual void end(bool lost) = 0;
    // An answer to the request may come later. ConnectionLost: the connection is lost, for the reason in whyLost().
    virtual Result<std::unique_ptr<TransportChannel>> open(OpenRequest& request) = 0;
    // Adds its own descriptors, those of the channels aside.
    virtual void addPollFds(std::vector<pollfd>& fds, const TransportChannels& channels) = 0;
    // Looks after the connection, with what happened to these descriptors; returns why it is lost, or nothing.
    virtual std::optional<std::string> check(std::span<const pollfd> happened) = 0;
    virtual double secondsUntilCheck() const = 0; // the next one without an event
    virtual std::string whyLost() = 0;
};

} // namespace trainyard::remote
