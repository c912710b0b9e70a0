// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/slot.h"

#include "engine/run/launch/pool/slot_line.h"
#include "engine/run/launch/spawn.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>
#include <thread>
#include <utility>

namespace trainyard::run {
namespace {

constexpr int kLookMs = 500;

// What this process says of a run goes into the log of that run, as if the run had a supervisor of its own.
class LogOfRun {
public:
    explicit LogOfRun(const std::filesystem::path& folder) : m_before(::fcntl(2, F_DUPFD_CLOEXEC, 10)) {
        const auto path = folder / "supervisor.log";
        const UniqueFd log(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
        if (log) write(log.get());
    }
    ~LogOfRun() { write(m_before.get()); }
    LogOfRun(const LogOfRun&) = delete;
    LogOfRun& operator=(const LogOfRun&) = delete;

private:
    static void write(int fd) {
        std::fflush(nullptr);
        for (const int standard : {1, 2}) (void)::dup2(fd, standard);
    }
    UniqueFd m_before;
};

sigset_t requests() {
    sigset_t set;
    sigemptyset(&set);
    for (const int number : {SIGTERM, SIGINT}) sigaddset(&set, number);
    return set;
}

// Waits until there is something on the line; false when this process was asked to end meanwhile.
bool waitForWord(int line, int signals) {
    for (;;) {
        pollfd entries[] = {{line, POLLIN, 0}, {signals, POLLIN, 0}};
        if (::poll(entries, 2, -1) < 0) {
            if (errno == EINTR) continue;
            return false;
        }
        if (entries[0].revents != 0) return true;
        if (entries[1].revents != 0) return false;
    }
}

// What was meant for the run that has just ended must not stop the next.
void forgetRequests(const sigset_t& set) {
    const timespec now{};
    while (::sigtimedwait(&set, nullptr, &now) > 0) {}
}

// Calls `lost` when the other end of the line is closed, also while a run is being supervised, and then twice a second:
// what takes its place may be lost, too. On a thread of its own, which takes no signal. A slot that cannot have one
// works without.
class LineWatch {
public:
    LineWatch(int line, std::function<void()> lost) : m_end(::eventfd(0, EFD_CLOEXEC)) {
        if (!m_end) return;
        sigset_t all, before;
        sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before);
        try {
            m_thread = std::thread([line, end = m_end.get(), lost = std::move(lost)] {
                if (!isClosed(line, end)) return;
                do lost();
                while (!isEnding(end));
            });
        } catch (const std::system_error& error) {
            std::fprintf(stderr, "trainyardctl: cannot watch for the end of the sweep: %s\n", error.what());
        }
        ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }
    ~LineWatch() { // waits for the call, if it has begun
        if (!m_thread.joinable()) return;
        (void)::eventfd_write(m_end.get(), 1);
        m_thread.join();
    }
    LineWatch(const LineWatch&) = delete;
    LineWatch& operator=(const LineWatch&) = delete;

private:
    static bool isClosed(int line, int end) {
        pollfd entries[] = {{line, 0, 0}, {end, POLLIN, 0}}; // POLLHUP comes unasked
        while (::poll(entries, 2, -1) < 0 && errno == EINTR) {}
        return (entries[0].revents & POLLHUP) != 0;
    }
    static bool isEnding(int end) {
        pollfd entry{end, POLLIN, 0};
        return ::poll(&entry, 1, kLookMs) > 0;
    }
    UniqueFd m_end;
    std::thread m_thread;
};

int cannotServe(const Error& error) {
    std::fprintf(stderr, "trainyardctl: %s\n", error.text().c_str());
    return exitCode(error.kind);
}

} // namespace

int superviseSlot(const LauncherFor& launcherFor, const std::function<void()>& sweepLost) {
    const auto line = lineOfSlot();
    if (!line) return cannotServe(line.error());
    const sigset_t set = requests();
    ::sigprocmask(SIG_BLOCK, &set, nullptr);
    const UniqueFd signals(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!signals) return cannotServe(systemError("cannot take signals"));
    std::shared_ptr<store::KeptStore> kept;
    const LineWatch watch(line->get(), sweepLost);
    while (waitForWord(line->get(), signals.get())) {
        auto order = receiveOrder(line->get());
        if (!order) return cannotServe(order.error());
        if (!*order) {
            sweepLost(); // what was started then may have died since
            return 0;
        }
        if (!(*order)->lock) continue; // it was taken back
        const auto folder = (*order)->folder;
        {
            const LogOfRun log(folder);
            const auto terms = (*order)->terms;
            (void)supervise(folder, std::move(*(*order)->lock), launcherFor, terms, kept); // the store says the end
        }
        forgetRequests(set);
        sendEnd(line->get(), folder);
    }
    return 0;
}

} // namespace trainyard::run
