// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/: the thread that owns a connection and serves its channels, whichever program speaks SSH for it.
#pragma once

#include "remote/ssh/transport.h"

#include <atomic>
#include <deque>
#include <thread>

namespace trainyard::remote {

// Public calls come from any thread.
class ChannelThread {
public:
    // Blocks until the transport has signed in or failed. `label`: the host's, for errors.
    static Result<std::unique_ptr<ChannelThread>> start(std::unique_ptr<Transport> transport, std::string label);
    ~ChannelThread(); // serves earlier requests, for at most kLastSeconds

    // The answer comes once the host accepted or refused the command. ConnectionLost after the connection was lost.
    std::future<Result<void>> open(OpenRequest request);
    bool alive() const { return !m_lost; }
    std::string lossReason() const; // empty while alive
    int channels() const { return m_count; }

private:
    ChannelThread(std::unique_ptr<Transport> transport, std::string label);
    void wake() const;
    bool hasRequests() const;
    // For the thread.
    void run(std::promise<Result<void>> ready);
    void loop();
    bool mayEnd();
    void waitForWork(bool busy);
    std::optional<OpenRequest> next();
    void openNext();
    bool serviceAll(); // true when something moved
    void lose(const std::string& reason);

    const std::string m_label;
    const UniqueFd m_wake; // eventfd
    mutable Mutex m_mutex;
    std::deque<OpenRequest> m_requests TY_GUARDED_BY(m_mutex);
    std::string m_lossReason TY_GUARDED_BY(m_mutex);
    std::atomic<bool> m_stopping = false, m_lost = false;
    std::atomic<int> m_count = 0; // channels that were asked for or are served

    const std::unique_ptr<Transport> m_transport;
    TransportChannels m_channels;
    double m_stopDeadline = 0; // monotonic
    std::thread m_thread;
};

} // namespace trainyard::remote
