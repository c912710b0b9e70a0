// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/: the thread that owns a signed-in session and serves its channels.
#pragma once

#include "remote/ssh/channel_thread.h"
#include "remote/ssh/library/library_channel.h"
#include "remote/ssh/library/raw_session.h"

#include <thread>

namespace trainyard::remote {

// The thread that owns one SSH connection of libssh2.
class SessionThread : public ChannelServer {
public:
    SessionThread(std::unique_ptr<RawSession> raw, std::string label);
    ~SessionThread() override;

    std::future<Result<void>> open(OpenRequest request) override { return m_queue.push(std::move(request)); }
    bool alive() const override { return !m_queue.lost(); }
    std::string lossReason() const override { return m_queue.lossReason(); }
    int channels() const override { return m_queue.channels(); }

private:
    void loop();
    void waitForWork(bool busy);
    void openNext();
    Result<_LIBSSH2_CHANNEL*> openChannel(const OpenRequest& request);
    bool serviceAll(); // true when something moved
    void lose(const std::string& reason);
    bool done();

    std::unique_ptr<RawSession> m_raw;
    std::string m_label;
    ChannelQueue m_queue;
    std::vector<std::unique_ptr<ChannelPump>> m_pumps;
    double m_nextKeepalive = 0;
    bool m_readIdle = true; // with no channel, bytes of the host can wait
    std::thread m_thread;
};

} // namespace trainyard::remote
