// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/unique_fd.h"
#include "engine/run/program/bond/keeper_channel.h"
#include "engine/run/program/bond/lost_supervisor.h"
#include "engine/run/program/bond/rank_note.h"
#include "engine/run/program/bond/told_news.h"

#include <filesystem>

namespace trainyard::run {

// A keeper's tie to whoever supervises its run. When the supervisor is killed, another one finds the keeper by its note
// and takes the old one's place at the keeper's standard descriptors; where none comes, one is started. One thread;
// waits at most a second.
class SupervisorBond {
public:
    enum class Event {
        None,
        Lost,      // the supervisor is gone; the program goes on
        Adopted,   // another one has the channel: greet it, then retell()
        GivenUp,   // none has come: end the program
        Superseded // other ranks have taken the place of this one's group: end at once
    };

    SupervisorBond(int readFd, int writeFd);
    ~SupervisorBond();
    SupervisorBond(const SupervisorBond&) = delete;
    SupervisorBond& operator=(const SupervisorBond&) = delete;

    KeeperChannel& channel() { return m_channel; }
    bool isAlone() const { return m_lost.isLost(); }
    bool isGivenUp() const { return m_isGivenUp; }

    // The program runs, and may outlive the supervisor from here on. `note`: without a socket. `mayOutlive`: false
    // where ranks of other hosts take part: then the loss of the supervisor is GivenUp at once.
    void begin(const std::filesystem::path& runFolder, RankNote note, bool mayOutlive, bool isTrial);
    Event serve(double now);
    double due(double now) const; // when to serve it again, while it is alone
    int doorFd() const {
        return isGivenUp() ? -1 : m_door.get();
    } // to poll: another supervisor may stand there; -1: none can

    // Sends it, and keeps what the store may not have yet.
    template <class News>
    void tell(News news, double now) {
        m_channel.send(news);
        if constexpr (requires { m_told.add(news, now); }) m_told.add(std::move(news), now);
        else m_told.add(news);
    }
    void stored(std::int64_t step, double now) { m_told.stored(step, now); }
    void retell();
    void noteStop(const NotedStop& stop); // the next supervisor goes on with it
    void noteEnd(const ExitStatus& status);

private:
    void openDoor();
    bool takeIn();
    bool changePlace(int visitor);
    Event giveUp();
    void startAnother(double now);
    void writeNote();
    bool isSuperseded() const;

    KeeperChannel m_channel;
    std::vector<std::string> m_environment; // of the supervisor
    std::filesystem::path m_folder;         // of the run; empty: not begun
    RankNote m_note;
    LostSupervisor m_lost{0, false};
    ToldNews m_told;
    UniqueFd m_door;
    bool m_mayOutlive = false, m_isGivenUp = false;
};

} // namespace trainyard::run
