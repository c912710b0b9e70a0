// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/launch/launcher.h"
#include "engine/wire/messages.h"

#include <deque>
#include <fstream>

namespace trainyard::run {

// One rank as its supervisor sees it: the process, the frames to and from it, what it printed and when it last gave a
// sign of life. Never blocks.
class WorkerLink {
public:
    struct Place {
        int rank = 0, localRank = 0, localWorldSize = 1;
        std::string host; // empty: this computer
    };
    WorkerLink(Place place, std::unique_ptr<WorkerProcess> process, const std::filesystem::path& logFile, double now);

    const Place& place() const { return m_place; }
    int rank() const { return m_place.rank; }
    void movedTo(const Place& place) { // another number in a smaller group
        m_place = place;
        state.rank = place.rank;
    }
    WorkerProcess& process() { return *m_process; }
    std::string name() const; // "rank 1 on this computer"

    // Reads what is there and gives whole messages; an error means that the channel is beyond repair.
    Result<std::vector<wire::Message>> receive(double now);
    bool channelClosed() const { return m_closed; }
    // Takes what the worker printed; whole lines, escaped, also written to its log file.
    std::vector<std::string> readLog();
    bool logClosed() const { return m_logClosed; }
    const std::deque<std::string>& lastLines() const { return m_tail; } // at most 20

    void send(const wire::Message& message); // queued; what cannot be sent now goes out with flush()
    void flush();
    bool hasUnsent() const { return m_sent < m_outgoing.size() && !m_closed; }

    double advancedAt = -1; // when a heartbeat last told of another step or another thing done
    double slowSince = -1;  // it computes much longer than the others
    bool slowNoted = false;
    double launchedAt = 0, lastSign = 0; // monotonic seconds
    bool started = false;                // Start was sent
    bool greeted = false;                // Hello was received
    bool failureNoted = false;
    bool trained = false;   // it has taken a step, so it holds a state that the others can go on from
    bool rejoins = false;   // it takes a Regroup
    bool joining = false;   // launched into a group that trains already
    bool meets = false;     // it has used the rendezvous store to meet the newest group that it was told of
    double lostPeerAt = -1; // when it reported that its group has lost another rank, and waits for the next group
    wire::Phase phase = wire::Phase::Start;
    wire::WorkerState state;
    std::optional<wire::Finished> finished;
    std::optional<ExitStatus> exit;

private:
    void takeLogBytes(std::string_view bytes, std::vector<std::string>& lines);
    void closeLine(std::vector<std::string>& lines);

    Place m_place;
    std::unique_ptr<WorkerProcess> m_process;
    wire::Decoder m_decoder;
    std::vector<std::byte> m_outgoing;
    std::size_t m_sent = 0;
    bool m_closed = false, m_logClosed = false;
    std::string m_line;
    std::deque<std::string> m_tail;
    std::ofstream m_logFile;
};

} // namespace trainyard::run
