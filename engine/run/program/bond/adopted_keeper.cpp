// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/bond/adopted_keeper.h"

#include "engine/base/files/atomic_file.h"
#include "engine/run/launch/pool/pool_connection.h"
#include "engine/run/launch/pool/pool_protocol.h"
#include "engine/run/launch/pool/worker_pool.h"
#include "engine/run/launch/private_socket.h"

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>

namespace trainyard::run {
namespace {

constexpr double kAdoptSeconds = 5; // for a keeper on a loaded computer

// The process that listens at the other end.
pid_t listenerOf(const UniqueFd& socket) {
    ucred peer{};
    socklen_t size = sizeof peer;
    const bool known = socket && ::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
    return known ? peer.pid : 0;
}

UniqueFd doorOf(const RankNote& note) {
    if (note.socket.empty() || note.ended || !fitsSocket(note.socket)) return {};
    UniqueFd door = connectToOwn(note.socket);
    return listenerOf(door) == note.keeper ? std::move(door) : UniqueFd();
}

UniqueFd handleOf(pid_t pid) { return UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))); }

class AdoptedKeeper final : public WorkerProcess {
public:
    AdoptedKeeper(std::filesystem::path note, pid_t pid, UniqueFd handle, WorkerChannels channels)
        : m_note(std::move(note)), m_pid(pid), m_handle(std::move(handle)), m_channels(std::move(channels)) {}
    ~AdoptedKeeper() override { signal(SIGKILL); }
    int frameFd() const override { return m_channels.frames.get(); }
    int logFd() const override { return m_channels.log.get(); }
    // Its program is in another group.
    void signal(int number) override {
        if (!exitStatus()) ::syscall(SYS_pidfd_send_signal, m_handle.get(), number, nullptr, 0);
    }
    std::optional<ExitStatus> exitStatus() override {
        if (!m_exit && waitReadable(m_handle.get(), 0)) m_exit = noted();
        return m_exit;
    }
    std::int64_t pid() const override { return m_pid; }

private:
    ExitStatus noted() const {
        const auto text = readFile(m_note, kLargestNote);
        const auto note = text ? RankNote::parse(*text, m_note.string()) : Result<RankNote>(text.error());
        if (note && note->keeper == m_pid && note->ended) return *note->ended;
        return {true, SIGKILL};
    }

    std::filesystem::path m_note;
    pid_t m_pid;
    UniqueFd m_handle;
    WorkerChannels m_channels;
    std::optional<ExitStatus> m_exit;
};

} // namespace

bool isKeeperAlive(const RankNote& note) { return bool(doorOf(note)); }

Result<std::unique_ptr<WorkerProcess>> adoptKeeper(const std::filesystem::path& runFolder, const RankNote& note) {
    const auto failed = [&](const std::string& why) {
        return environmentError("the keeper of rank " + std::to_string(note.rank) + " (process " +
                                std::to_string(note.keeper) + ") " + why);
    };
    const UniqueFd door = doorOf(note);
    auto handle = handleOf(note.keeper);
    if (!door || !handle) return failed("is gone");
    TY_ASSIGN(auto channels, WorkerChannels::make());
    char answer = 0;
    if (!sendWithFds(door.get(), &kAdoptWord, 1, {channels.workerFrames.get(), channels.workerLog.get()}) ||
        !waitReadable(door.get(), kAdoptSeconds) || ::recv(door.get(), &answer, 1, 0) != 1 || answer != kAdoptWord)
        return failed("does not answer");
    channels.workerFrames.reset();
    channels.workerLog.reset();
    return std::unique_ptr<WorkerProcess>(std::make_unique<AdoptedKeeper>(
        rankNoteFile(runFolder, note.rank), note.keeper, std::move(handle), std::move(channels)));
}

void endKeeper(const RankNote& note) {
    const auto handle = handleOf(note.keeper);
    if (handle && isKeeperAlive(note)) ::syscall(SYS_pidfd_send_signal, handle.get(), SIGKILL, nullptr, 0);
}

} // namespace trainyard::run
