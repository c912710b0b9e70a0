// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/: the thread that owns a signed-in session and serves its channels.
#pragma once

#include "remote/channel_pump.h"
#include "remote/ssh_raw.h"

#include <atomic>
#include <deque>
#include <thread>

namespace trainyard::remote {

// The thread that owns one SSH connection of libssh2.
class SessionThread : public ChannelServer {
public:
    SessionThread(std::unique_ptr<RawSession> raw, std::string label);
    ~SessionThread() override;

    std::future<Result<void>> open(OpenRequest request) override;
    bool alive() const override { return !m_lost.load(); }
    std::string lossReason() const override;
    int channels() const override { return m_channels.load(); }

private:
    void wake();
    void loop();
    void waitForWork(bool busy);
    void openNext();
    Result<_LIBSSH2_CHANNEL*> openChannel(const OpenRequest& request);
    bool serviceAll(); // true when something moved
    void lose(const std::string& reason);
    bool done();

    std::unique_ptr<RawSession> m_raw;
    std::string m_label;
    UniqueFd m_wake; // eventfd
    std::vector<std::unique_ptr<ChannelPump>> m_pumps;
    double m_nextKeepalive = 0, m_stopDeadline = 0;
    bool m_readIdle = true; // with no channel, bytes of the host can wait

    mutable std::mutex m_mutex; // of what follows
    std::deque<OpenRequest> m_requests;
    std::string m_lossReason;
    bool m_stopping = false;

    std::atomic<bool> m_lost = false;
    std::atomic<int> m_channels = 0;
    std::thread m_thread;
};

} // namespace trainyard::remote
