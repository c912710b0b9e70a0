// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/machine/mutex.h"
#include "engine/torch/base/rank_progress.h"
#include "engine/torch/group/point_outbox.h"
#include "engine/torch/group/system_sampler.h"
#include "engine/torch/group/unstored_points.h"
#include "engine/wire/messages.h"

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <thread>

namespace trainyard::train {

// What a rank sends to its supervisor, on a thread of its own: messages, points of series, heartbeats and system
// samples. Every function may be called from any thread; none but flush() waits for the supervisor.
class RankOutbox {
public:
    struct Options {
        int fd = 1;                                 // not owned
        const Progress& progress;                   // for heartbeats
        std::function<int()> localRank;             // among the ranks on this computer; 0 measures for all of it
        std::function<void(const Error&)> onBroken; // called on the thread: it cannot be written to
    };
    explicit RankOutbox(Options options);
    ~RankOutbox() { end(); }
    void end();    // sends what is queued (at most 2 s), then ends the thread; once
    bool giveUp(); // nothing more goes out; false where that was so before
    bool hasGivenUp() const { return m_givenUp; }

    void send(wire::Message message);
    void startHeartbeats();
    void measureGpu(int cudaDevice) { m_gpu = cudaDevice; }
    // Waits until everything queued is written; false when the time passes first.
    bool flush(std::chrono::milliseconds timeout);

    void addPoint(const std::string& series, const wire::Point& point);
    void sendPoints(); // those added so far leave now, or as soon as the last ones have left long enough ago
    std::uint64_t pointsStored() const;
    UnstoredPoints::Series unstoredPoints() const;
    void voidPointsAfter(std::int64_t step);
    void pointsStoredBefore(std::int64_t step); // as the supervisor says

private:
    void writeLoop();
    std::vector<std::byte> nextBytes() TY_REQUIRES(m_mutex);
    wire::Heartbeat heartbeat() const;
    bool writeAll(const std::vector<std::byte>& bytes);

    const Options m_options;
    mutable Mutex m_mutex;
    Condition m_wake, m_written;
    std::deque<wire::Message> m_queue TY_GUARDED_BY(m_mutex);
    PointOutbox m_points TY_GUARDED_BY(m_mutex);
    UnstoredPoints m_unstored TY_GUARDED_BY(m_mutex);
    bool m_ending TY_GUARDED_BY(m_mutex) = false, m_beating TY_GUARDED_BY(m_mutex) = false;
    bool m_writing TY_GUARDED_BY(m_mutex) = false;
    std::atomic<bool> m_givenUp{false};
    std::chrono::steady_clock::time_point m_nextBeat TY_GUARDED_BY(m_mutex), m_nextSample TY_GUARDED_BY(m_mutex);
    SystemSampler m_sampler; // for the thread
    std::atomic<int> m_gpu{-1};
    std::thread m_thread;
};

} // namespace trainyard::train
