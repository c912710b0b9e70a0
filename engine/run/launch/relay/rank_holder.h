// SPDX-License-Identifier: GPL-3.0-or-later
// On a host: stands between a rank and the channel to its supervisor, so that the rank outlives the channel.
#pragma once

#include "engine/base/unique_fd.h"
#include "engine/run/launch/relay/held_link.h"

#include <poll.h>

#include <filesystem>
#include <vector>

namespace trainyard::run {

// Forwards messages between a rank and its supervisor, over one channel after another, and keeps those that the
// supervisor lacks (HeldLink); beyond kMostHeld the rank waits. When the time for a new channel is over (HoldWatch),
// closes the rank's line, so that the rank saves and ends by itself. One thread; blocks only in serve().
class RankHolder {
public:
    struct Channel {
        UniqueFd in, out; // of the channel
        UniqueFd control; // to who has brought it; none: the first
        // The standard descriptors of this process, which keeps them.
        static Channel standard();
    };
    // `frames`, `log`: this process's ends of the rank's line and of its stderr. Other channels are brought to `socket`
    // (bringChannel), a path in a private folder; empty: none can be.
    RankHolder(UniqueFd frames, UniqueFd log, Channel first, std::filesystem::path socket, double linkSeconds);
    ~RankHolder();
    RankHolder(const RankHolder&) = delete;
    RankHolder& operator=(const RankHolder&) = delete;

    // Waits for events at these descriptors or its own, at most a second, and handles its part.
    void serve(std::vector<pollfd>& entries);
    // The rank was told that its supervisor is gone. Takes no channel any more.
    bool hasLetGo() const { return m_letGo; }

    // Records the rank's end and takes its last output. Serve until all is delivered, or nobody is left to receive it.
    void tellEnd(const ExitStatus& status);
    bool isDone() const;

private:
    void letGo();
    void endChannel();
    void takeChannel();
    void fillChannel();
    void readChannel();
    void readRank(UniqueFd& from, RankOutput::Kind kind);
    void writeRank();

    UniqueFd m_frames, m_log, m_listening;
    Channel m_channel;
    const std::filesystem::path m_socket;
    HoldWatch m_watch;
    HeldLink m_link;
    std::string m_toRank, m_toChannel;
    double m_nextBeat = 0, m_nextAccept = 0;
    bool m_letGo = false, m_ended = false;
};

// The socket of a launch (kLaunchVariable) beside the worker program on its host.
std::filesystem::path holderSocket(const std::filesystem::path& worker, const std::string& launch);
// Hands this process's standard descriptors to the holder that listens there, and waits until it has finished with
// them. False: there is none, or it no longer holds the rank.
bool bringChannel(const std::filesystem::path& socket);

} // namespace trainyard::run
