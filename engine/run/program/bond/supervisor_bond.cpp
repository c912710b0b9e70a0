// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/bond/supervisor_bond.h"

#include "engine/base/files/atomic_file.h"
#include "engine/run/launch/pool/pool_connection.h"
#include "engine/run/launch/pool/pool_protocol.h"
#include "engine/run/launch/private_socket.h"
#include "engine/run/launch/socket_path.h"
#include "engine/run/program/bond/adopted_keeper.h"
#include "engine/run/program/bond/next_supervisor.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

namespace trainyard::run {
namespace {

constexpr double kAloneLookSeconds = 0.5; // between two looks while it is alone

} // namespace

SupervisorBond::SupervisorBond(int readFd, int writeFd)
    : m_channel(readFd, writeFd), m_environment(environmentOfParent()) {}

SupervisorBond::~SupervisorBond() {
    if (m_door) ::unlink(m_note.socket.c_str());
}

void SupervisorBond::begin(const std::filesystem::path& runFolder, RankNote note, bool mayOutlive, bool isTrial) {
    m_folder = runFolder;
    m_note = std::move(note);
    m_lost = LostSupervisor(m_note.rank, mayOutlive && !isTrial);
    m_mayOutlive = mayOutlive;
    if (mayOutlive) openDoor();
    m_mayOutlive = mayOutlive && m_door;
    writeNote();
}

void SupervisorBond::openDoor() {
    const auto folder = socketFolder();
    if (!folder) return;
    const auto socket = *folder / (m_folder.filename().string() + "-" + std::to_string(m_note.rank) + ".keeper");
    if (!fitsSocket(socket)) return;
    m_note.socket = socket.string();
    m_door = listenAt(socket);
    if (m_door) ::fcntl(m_door.get(), F_SETFL, O_NONBLOCK);
}

SupervisorBond::Event SupervisorBond::serve(double now) {
    if (m_folder.empty()) return Event::None;
    if (m_door && !isGivenUp() && takeIn()) {
        m_lost.found();
        return Event::Adopted;
    }
    if (!m_channel.isOver() || isGivenUp()) return Event::None;
    if (!isAlone()) {
        m_lost.lost(now);
        return m_mayOutlive ? Event::Lost : giveUp();
    }
    if (isSuperseded()) return Event::Superseded;
    switch (m_lost.next(now)) {
    case LostSupervisor::Action::Wait: return Event::None;
    case LostSupervisor::Action::Start: startAnother(now); return Event::None;
    case LostSupervisor::Action::GiveUp: break;
    }
    return giveUp();
}

SupervisorBond::Event SupervisorBond::giveUp() {
    m_isGivenUp = true; // for good: the program may be saving its last state
    m_note.isGivenUp = true;
    writeNote();
    return Event::GivenUp;
}

double SupervisorBond::due(double now) const { return std::min(m_lost.due(), now + kAloneLookSeconds); }

// Others only look whether somebody is there.
bool SupervisorBond::takeIn() {
    for (;;) {
        const UniqueFd visitor(::accept4(m_door.get(), nullptr, nullptr, SOCK_CLOEXEC));
        if (!visitor) return false;
        if (isOfThisUser(visitor.get()) && waitReadable(visitor.get(), 1) && changePlace(visitor.get())) return true;
    }
}

// One that comes with its ends of a rank's line takes the place of the one that is gone.
bool SupervisorBond::changePlace(int visitor) {
    std::vector<int> fds;
    char word = 0;
    const auto got = receiveWithFds(visitor, &word, 1, fds);
    std::vector<UniqueFd> owned;
    for (const int fd : fds) owned.emplace_back(fd);
    if (got != 1 || word != kAdoptWord || owned.size() != 2) return false;
    for (const int number : {0, 1}) ::dup2(owned[0].get(), number);
    ::dup2(owned[1].get(), 2);
    m_channel.reopen();
    return ::send(visitor, &kAdoptWord, 1, MSG_NOSIGNAL) == 1;
}

void SupervisorBond::startAnother(double now) {
    const auto lock = store::RunLock::acquire(m_folder);
    if (!lock) return m_lost.taken(now);
    (void)startNextSupervisor(m_folder, *lock, m_environment);
    m_lost.started(now); // also where that failed: it is tried again
}

// A killed supervisor may have been followed by one that could not use this keeper, and has started ranks of its own.
bool SupervisorBond::isSuperseded() const {
    const auto text = readFile(rankNoteFile(m_folder, m_note.rank), kLargestNote);
    if (!text) return text.error().code == ErrorCode::FileMissing;
    const auto note = RankNote::parse(*text, {});
    return note && note->keeper != m_note.keeper;
}

void SupervisorBond::retell() {
    for (const auto& message : m_told.all()) m_channel.send(message);
}

void SupervisorBond::noteStop(const NotedStop& stop) {
    m_note.stop = stop;
    writeNote();
}

void SupervisorBond::noteEnd(const ExitStatus& status) {
    m_note.ended = status;
    if (!m_folder.empty() && !isSuperseded()) writeNote();
}

// Without it the keeper would not be found: the run then starts again from its checkpoint.
void SupervisorBond::writeNote() {
    if (!m_folder.empty()) (void)writeRankNote(m_folder, m_note);
}

} // namespace trainyard::run
