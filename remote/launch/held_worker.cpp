// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/held_worker.h"

#include "engine/base/clock.h"
#include "engine/base/machine/mutex.h"
#include "engine/run/launch/relay/held_link.h"
#include "remote/files/libraries.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

namespace trainyard::remote {
namespace {

constexpr double kBeatEvery = 1;      // seconds between two signs of life
constexpr double kQuietSeconds = 3;   // without one of the host, it is away
constexpr double kRetrySeconds = 0.5; // between two looks whether the host can be reached (RemoteHost paces them)
constexpr int kExitWaitMs = 20;       // between two looks how a program has ended whose channel has
constexpr double kExitSeconds = 2;    // for that to be known; else it has only closed the channel
constexpr auto kDoneSeconds = std::chrono::seconds(1);
constexpr std::size_t kHeldPiece = 128u << 10;

const run::ExitStatus kLostWithHost{false, 255, true};

// What the thread that serves the rank and its owner share.
struct Shared {
    Mutex mutex;
    std::optional<run::ExitStatus> exit TY_GUARDED_BY(mutex);
    std::shared_ptr<SshSession> session TY_GUARDED_BY(mutex); // none: it is tried to reach the host
    bool met TY_GUARDED_BY(mutex) = false;  // the host has said something, or the connection was lost before
    bool known TY_GUARDED_BY(mutex) = true; // the rank is at the other end of this connection, not only its host
    double heard TY_GUARDED_BY(mutex) = monotonicSeconds(); // from the host
    double looked TY_GUARDED_BY(mutex) = heard; // when nothing had come: this process may have been stopped since
    std::optional<Error> failure TY_GUARDED_BY(mutex); // of the last try to reach it
    int waitingSignal TY_GUARDED_BY(mutex) = 0;        // until the rank is heard, over this connection or another
    double signalled TY_GUARDED_BY(mutex) = 0;         // when that was sent, or was to be
    bool over TY_GUARDED_BY(mutex) = false;            // nobody waits for it
    bool done TY_GUARDED_BY(mutex) = false;            // the thread lets go of everything
    Condition changed;
    UniqueFd wake{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};

    // Until the first word, a host may be busy with starting a pool.
    double silence() const TY_REQUIRES(mutex) { return !met ? 0 : (session ? looked : monotonicSeconds()) - heard; }
    void ring() const {
        const std::uint64_t one = 1;
        [[maybe_unused]] const auto written = ::write(wake.get(), &one, sizeof one);
    }
};

struct LocalEnds { // of a pair of sockets that do not block
    UniqueFd owners, threads;
    static Result<LocalEnds> make() {
        int fds[2];
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds) != 0)
            return systemError("a socket pair cannot be made");
        return LocalEnds{UniqueFd(fds[0]), UniqueFd(fds[1])};
    }
};

// Writes what a descriptor takes; false when it takes nothing more for ever.
bool writeSome(int fd, std::string& bytes) {
    while (!bytes.empty()) {
        const ssize_t put = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return errno == EAGAIN;
        bytes.erase(0, static_cast<std::size_t>(put));
    }
    return true;
}

// Reads once: the bytes, none yet, or nothing as the other end is closed.
std::optional<std::string> readSome(int fd) {
    std::array<char, kHeldPiece> buffer; // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the read
    const ssize_t got = ::recv(fd, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got > 0) return std::string(buffer.data(), static_cast<std::size_t>(got));
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return std::string();
    return std::nullopt;
}

class HeldThread {
public:
    HeldThread(HeldStart start, std::shared_ptr<Shared> shared, UniqueFd frames, UniqueFd log)
        : m_start(std::move(start)), m_shared(std::move(shared)), m_frames(std::move(frames)), m_log(std::move(log)),
          m_pid(m_start.channel->pid()) {}

    void run() {
        while (serveChannel() && attachAgain()) {}
        m_start = {};
        const MutexLock lock(m_shared->mutex);
        m_shared->done = true;
        m_shared->changed.notifyAll();
    }

private:
    bool serveChannel(); // until it ends; false when the worker has
    bool attachAgain();
    bool isOver() const;
    void wait(bool ended) const;
    void readChannel();
    void take(run::RankOutput output);
    bool judgeEnd(const run::ExitStatus& end);
    bool finish(const run::ExitStatus& status);
    void pause() const;     // unless nobody waits any more
    double silence() const; // seconds
    void noteSilence(double now);
    void noteFailure(std::optional<Error> failure);

    HeldStart m_start;
    const std::shared_ptr<Shared> m_shared;
    UniqueFd m_frames, m_log; // of which the supervisor has the other ends
    const std::int64_t m_pid;
    run::HeldLink m_link;
    run::RankOutputReader m_reader;
    std::string m_toChannel, m_toFrames, m_toLog; // not yet written
    std::optional<run::ExitStatus> m_toldEnd;
    double m_nextBeat = 0;
    double m_endedAt = 0; // of the channel
    double m_toldAt = 0;  // m_toldEnd
    bool m_first = true, m_channelEnded = false, m_logEnded = false;
};

double HeldThread::silence() const {
    const MutexLock lock(m_shared->mutex);
    return m_shared->silence();
}

void HeldThread::noteSilence(double now) {
    const MutexLock lock(m_shared->mutex);
    m_shared->looked = now;
}

void HeldThread::noteFailure(std::optional<Error> failure) {
    const MutexLock lock(m_shared->mutex);
    m_shared->failure = std::move(failure);
}

bool HeldThread::isOver() const {
    const MutexLock lock(m_shared->mutex);
    return m_shared->over;
}

// The worker has ended so. The supervisor reads to the end of both lines.
bool HeldThread::finish(const run::ExitStatus& status) {
    {
        const MutexLock lock(m_shared->mutex);
        if (!m_shared->exit) {
            m_shared->exit = status;
            m_start.mark->state = status.hostLost ? HeldMark::State::Left : HeldMark::State::Ended;
        }
    }
    m_frames.reset();
    m_log.reset();
    return false;
}

// True: another channel may lead to it.
bool HeldThread::judgeEnd(const run::ExitStatus& end) {
    if (end.hostLost) return true;
    if (m_first) return finish(end); // of the relay, which stands for the rank
    // kNothingHeld, or there is no relay any more: the host was installed anew.
    if (!end.signalled && end.code != 0) return finish(kLostWithHost);
    pause(); // the connection is there, so nothing else holds back the next try
    return true;
}

void HeldThread::pause() const {
    pollfd entry{m_shared->wake.get(), POLLIN, 0};
    ::poll(&entry, 1, static_cast<int>(kRetrySeconds * 1000));
}

void HeldThread::wait(bool ended) const {
    std::array<pollfd, 5> entries{{{m_shared->wake.get(), POLLIN, 0}}};
    std::size_t count = 1;
    const auto add = [&](int fd, int events) {
        if (fd >= 0 && events != 0) entries[count++] = {fd, static_cast<short>(events), 0};
    };
    const bool takes = m_toFrames.size() + m_toLog.size() < run::kMostHeld;
    if (!ended) add(m_start.channel->dataFd(), (takes ? POLLIN : 0) | (m_toChannel.empty() ? 0 : POLLOUT));
    if (!ended && !m_logEnded) add(m_start.channel->logFd(), POLLIN);
    add(m_frames.get(), (m_link.isFull() ? 0 : POLLIN) | (m_toFrames.empty() ? 0 : POLLOUT));
    if (!m_toLog.empty()) add(m_log.get(), POLLOUT);
    ::poll(entries.data(), count, ended ? kExitWaitMs : static_cast<int>(kBeatEvery * 1000));
    std::uint64_t rung = 0;
    [[maybe_unused]] const auto got = ::read(m_shared->wake.get(), &rung, sizeof rung);
}

void HeldThread::readChannel() {
    const auto said = m_logEnded ? std::nullopt : readSome(m_start.channel->logFd());
    m_logEnded = !said;
    if (said) m_toLog += *said;
    if (m_toFrames.size() + m_toLog.size() >= run::kMostHeld) return;
    const double now = monotonicSeconds();
    const auto bytes = readSome(m_start.channel->dataFd());
    m_channelEnded = !bytes;
    if (!bytes || bytes->empty()) return noteSilence(now);
    {
        const MutexLock lock(m_shared->mutex);
        m_shared->heard = monotonicSeconds();
        m_shared->met = true;
        // Not before: after a boot of the host the number may be that of another process group.
        const bool isNew = !std::exchange(m_shared->known, true);
        const int number = isNew ? std::exchange(m_shared->waitingSignal, 0) : 0;
        if (number != 0) m_start.session->signalGroup(m_pid, number);
        if (now - m_shared->signalled >= kQuietSeconds) m_shared->waitingSignal = 0; // the connection took it there
    }
    const auto fresh = m_link.input(*bytes);
    m_channelEnded = !fresh;
    if (!fresh) return;
    m_reader.feed(*fresh);
    for (;;) {
        auto output = m_reader.next();
        if (!output) m_channelEnded = true;
        if (!output || !*output) return;
        take(std::move(**output));
    }
}

void HeldThread::take(run::RankOutput output) {
    switch (output.kind) {
    case run::RankOutput::Kind::Frames: m_toFrames += output.bytes; return;
    case run::RankOutput::Kind::Log: m_toLog += output.bytes; return;
    case run::RankOutput::Kind::End:
        m_toldEnd = run::decodeEnd(output.bytes).valueOr(run::ExitStatus{false, -1});
        m_link.acknowledge(); // so that the relay ends
        return;
    }
}

bool HeldThread::serveChannel() {
    m_channelEnded = m_logEnded = false;
    while (!isOver()) {
        const double now = monotonicSeconds();
        if (!m_channelEnded) m_endedAt = now;
        if (silence() >= m_start.linkSeconds) return finish(kLostWithHost);
        if (now >= m_nextBeat) {
            m_link.acknowledge();
            m_nextBeat = now + kBeatEvery;
        }
        if (!m_channelEnded) {
            if (m_toChannel.empty()) m_toChannel = m_link.output(kHeldPiece);
            if (!writeSome(m_start.channel->dataFd(), m_toChannel)) m_channelEnded = true;
        }
        const bool given = m_toFrames.empty() && m_toLog.empty();
        if (!m_toldEnd) m_toldAt = now;
        // The relay ends when it knows that this was heard.
        if (m_toldEnd && given && (m_channelEnded || now - m_toldAt >= kExitSeconds)) return finish(*m_toldEnd);
        if (m_channelEnded && !m_toldEnd && given) {
            if (const auto end = m_start.channel->exitStatus()) return judgeEnd(*end);
            if (now - m_endedAt >= kExitSeconds) return true;
        }
        wait(m_channelEnded);
        if (m_channelEnded) noteSilence(now);
        else readChannel();
        writeSome(m_log.get(), m_toLog);
        writeSome(m_frames.get(), m_toFrames);
        if (m_link.isFull()) continue;
        if (const auto bytes = readSome(m_frames.get()); bytes && !bytes->empty()) m_link.send(*bytes);
    }
    return finish(kLostWithHost);
}

// True once there is a channel to it again, or to what says that it is gone.
bool HeldThread::attachAgain() {
    {
        const MutexLock lock(m_shared->mutex);
        m_shared->session.reset();
        m_shared->met = true;
        m_shared->known = false;
    }
    m_start.channel.reset();
    m_start.session.reset();
    m_first = false;
    while (!isOver() && silence() < m_start.linkSeconds) {
        noteSilence(monotonicSeconds());
        auto session = m_start.host->sessionAgain();
        if (session) {
            auto channel = (*session)->start({m_start.relay, "attach", m_start.worker, m_start.launch},
                                             withLibraries(m_start.libraries));
            if (channel) {
                m_start.session = std::move(*session);
                m_start.channel = std::move(*channel);
                break;
            }
        }
        noteFailure(session ? std::nullopt : std::optional(session.error()));
        pause();
    }
    if (!m_start.channel) return finish(kLostWithHost);
    m_link.reconnected();
    m_toChannel.clear();
    const MutexLock lock(m_shared->mutex);
    m_shared->session = m_start.session;
    m_shared->failure.reset();
    return true;
}

class HeldWorker : public run::WorkerProcess {
public:
    HeldWorker(std::shared_ptr<Shared> shared, std::shared_ptr<HeldMark> mark, std::int64_t pid, UniqueFd frames,
               UniqueFd log)
        : m_shared(std::move(shared)), m_mark(std::move(mark)), m_pid(pid), m_frames(std::move(frames)),
          m_log(std::move(log)) {}
    ~HeldWorker() override {
        HeldWorker::signal(SIGKILL);
        leave();
        // So that its connection ends with the launcher, and not with the process; one that connects takes longer.
        MutexLock lock(m_shared->mutex);
        const auto until = std::chrono::steady_clock::now() + kDoneSeconds;
        while (m_shared->session && !m_shared->done && m_shared->changed.waitUntil(lock, until)) {}
    }
    int frameFd() const override { return m_frames.get(); }
    int logFd() const override { return m_log.get(); }
    void signal(int number) override {
        const MutexLock lock(m_shared->mutex);
        if (m_shared->exit) return;
        if (m_shared->session && m_shared->known) m_shared->session->signalGroup(m_pid, number);
        // A connection that is cut in silence takes it, too, and the rank never hears it: then it is sent once more.
        if (m_shared->waitingSignal != SIGKILL) m_shared->waitingSignal = number;
        m_shared->signalled = monotonicSeconds();
    }
    std::optional<run::ExitStatus> exitStatus() override {
        const MutexLock lock(m_shared->mutex);
        return m_shared->exit;
    }
    std::int64_t pid() const override { return m_pid; }
    std::optional<double> awaySince() const override {
        const MutexLock lock(m_shared->mutex);
        const bool away = !m_shared->exit && m_shared->silence() >= kQuietSeconds;
        return away ? std::optional(m_shared->heard) : std::nullopt;
    }
    std::optional<Error> awayError() const override {
        const MutexLock lock(m_shared->mutex);
        return m_shared->failure;
    }
    void giveUp() override { leave(); }

private:
    // What is left on the host is ended by the next connection to it.
    void leave() {
        const MutexLock lock(m_shared->mutex);
        if (!m_shared->exit) {
            m_shared->exit = kLostWithHost;
            m_mark->state = HeldMark::State::Left;
        }
        m_shared->over = true;
        m_shared->ring();
    }

    const std::shared_ptr<Shared> m_shared;
    const std::shared_ptr<HeldMark> m_mark;
    const std::int64_t m_pid;
    UniqueFd m_frames, m_log;
};

} // namespace

Result<std::unique_ptr<run::WorkerProcess>> holdWorker(HeldStart start) {
    TY_ASSIGN(LocalEnds frames, LocalEnds::make());
    TY_ASSIGN(LocalEnds log, LocalEnds::make());
    auto shared = std::make_shared<Shared>();
    {
        const MutexLock lock(shared->mutex);
        shared->session = start.session;
    }
    auto worker = std::make_unique<HeldWorker>(shared, start.mark, start.channel->pid(), std::move(frames.owners),
                                               std::move(log.owners));
    auto served =
        std::make_shared<HeldThread>(std::move(start), shared, std::move(frames.threads), std::move(log.threads));
    std::thread([served] { served->run(); }).detach(); // it may be connecting when its owner goes
    return std::unique_ptr<run::WorkerProcess>(std::move(worker));
}

} // namespace trainyard::remote
