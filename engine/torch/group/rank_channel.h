// SPDX-License-Identifier: GPL-3.0-or-later
// A rank's line to its supervisor: frames in both directions over two descriptors, on two threads of its own.
#pragma once

#include "engine/torch/base/peer_lost.h"
#include "engine/torch/group/dead_mans_switch.h"
#include "engine/torch/group/rank_inbox.h"
#include "engine/torch/group/rank_outbox.h"

#include <thread>

namespace trainyard::train {

// Every function may be called from any thread. Sending never waits for the supervisor: messages are queued, points of
// series are gathered and go out with sendPoints(), at the latest after 50 ms, and when the supervisor does not read
// for long, points are thinned out rather than kept without end. Heartbeats go out every 0.5 s, also while the rank
// waits in a collective, and about once a second a system sample.
class RankChannel {
public:
    struct Options {
        int readFd = 0, writeFd = 1; // not owned
        // Called once, on a thread of the channel, when the rank has to end at once: the supervisor is gone and there
        // is nothing to save, or saving takes too long; it sent something that is no frame, or asked for the rank to be
        // killed (kind Stopped).
        std::function<void(const Error&)> onLost;
        // Called on a thread of the channel when the group has to be left, with the abort flag raised: a Regroup has
        // arrived, before any other thread sees it, or the rank is to save alone.
        std::function<void()> onRegroup;
    };
    explicit RankChannel(Options options);
    ~RankChannel(); // sends what is queued (at most 2 s), then ends the threads

    // The supervisor's Start. Blocks until it is there.
    wire::Start waitForStart() { return m_inbox.waitForStart(); }
    void startHeartbeats() { m_outbox.startHeartbeats(); } // once the rank knows what it does
    // System samples tell of this CUDA device, too.
    void measureGpu(int cudaDevice) { m_outbox.measureGpu(cudaDevice); }

    void send(wire::Message message);
    void addPoint(const std::string& series, const wire::Point& point) { m_outbox.addPoint(series, point); }
    // The points added so far leave now, or as soon as the last ones have left long enough ago.
    void sendPoints() { m_outbox.sendPoints(); }
    // How many of the points added are in the store: neither the end of this process nor the supervisor's takes them
    // with it.
    std::uint64_t pointsStored() const { return m_outbox.pointsStored(); }
    UnstoredPoints::Series unstoredPoints() const { return m_outbox.unstoredPoints(); } // the others
    void voidPointsAfter(std::int64_t step) { m_outbox.voidPointsAfter(step); } // training goes back to this step
    // Waits until everything queued is written; false when the time passes first.
    bool flush(std::chrono::milliseconds timeout) { return m_outbox.flush(timeout); }

    // The strongest stop asked for so far, by frame or by requestStop.
    std::optional<wire::StopMode> stopRequested() const;
    void requestStop(wire::StopMode mode);
    // Somebody else than the supervisor asks the rank to save and stop: one that is not heard is hardly waited for any
    // more (LinkWatch::askedToEnd). May be called in a signal handler.
    void terminate();

    // What a rank does without its supervisor, see LinkWatch. Set once the run file is read.
    void setLinkSeconds(double seconds) { m_switch.setLinkSeconds(seconds); }
    // From now on this rank has a state worth saving, and saves it when it isOrphaned(). One that has not ends when its
    // supervisor is gone, and takes its silence for a request to save and stop.
    void saveWhenOrphaned() { m_savesOrphaned = true; }
    bool isOrphaned() const { return m_savesOrphaned && m_switch.isOrphaned(); }
    bool isAlone() const { return m_savesOrphaned && m_switch.isAlone(); } // it has left its group, to save alone

    // Commands that have arrived; taking them empties the list.
    bool commandWaits() const { return m_inbox.commandWaits(); }
    std::vector<wire::Command> takeCommands() { return m_inbox.takeCommands(); }

    // Sends a store request that `makeMessage` builds around its number, and waits for the reply. Run error when it
    // does not come in time.
    Result<wire::StoreReply> ask(const std::function<wire::Message(std::int64_t)>& makeMessage,
                                 std::chrono::milliseconds timeout);

    // The newest Regroup of a generation after `generation`; waits for it. Run error when it does not come in time, or
    // the rank is orphaned.
    Result<wire::Regroup> waitForRegroup(int generation, std::chrono::milliseconds timeout);
    int newestGeneration() const { return m_inbox.newestGeneration(); } // of the Regroups that came; -1: none
    AbortFlag& abortFlag() { return m_abort; }                          // raised with each Regroup

    Progress& progress() { return m_progress; }

private:
    void readLoop();
    bool readInput(wire::Decoder& decoder); // false at the end of the input
    void handle(wire::Message message);
    void leaveGroup();
    void supervisorGone(Error error);
    void watchLink();
    void lost(Error error);

    const Options m_options;
    Progress m_progress;
    AbortFlag m_abort;
    std::atomic<int> m_stop{-1};
    std::atomic<bool> m_terminated{false};
    DeadMansSwitch m_switch;
    std::atomic<bool> m_savesOrphaned{false}, m_saving{false}; // m_saving: it validates or saves
    bool m_leftGroup = false;                                  // for the reader: isAlone() was acted on
    std::atomic<bool> m_lostCalled{false};                     // onLost was
    int m_wakeReader = -1;                                     // eventfd
    RankInbox m_inbox;
    RankOutbox m_outbox; // its thread calls the members above
    std::thread m_reader;
};

} // namespace trainyard::train
