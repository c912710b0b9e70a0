// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/: requests for channels of a connection's thread, and why it gives none any more.
#pragma once

#include "engine/base/machine/mutex.h"
#include "remote/ssh/transport.h"

#include <atomic>
#include <deque>
#include <optional>

namespace trainyard::remote {

// Between the threads that request channels and the one that serves them.
class ChannelQueue {
public:
    explicit ChannelQueue(std::string label); // the host's, for errors

    // Any thread. ConnectionLost after the connection was lost.
    std::future<Result<void>> push(OpenRequest request);
    // Any thread: serves earlier requests, for at most 2 s.
    void stop();
    void wake();
    bool lost() const { return m_lost.load(); }
    std::string lossReason() const;                    // empty while the connection lives
    int channels() const { return m_channels.load(); } // asked for or served
    bool stopping() const { return m_stopping.load(); }

    // For the serving thread.
    int wakeFd() const { return m_wake.get(); } // readable after wake()
    void drainWake();
    bool empty() const;
    std::optional<OpenRequest> next();
    void channelEnded() { --m_channels; }
    // After the connection is lost: refuses the requests. The first reason is reported.
    void lose(const std::string& reason);
    // Whether the thread may end. `sending`: a channel without a holder still has work.
    bool mayEnd(bool sending);

private:
    const std::string m_label;
    UniqueFd m_wake; // eventfd
    mutable Mutex m_mutex;
    std::deque<OpenRequest> m_requests TY_GUARDED_BY(m_mutex);
    std::string m_lossReason TY_GUARDED_BY(m_mutex);
    std::atomic<bool> m_stopping = false, m_lost = false;
    std::atomic<int> m_channels = 0;
    double m_stopDeadline = 0; // of the serving thread; monotonic seconds
};

} // namespace trainyard::remote
