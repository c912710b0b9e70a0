// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/slot.h"

#include "engine/run/launch/slot_line.h"
#include "engine/run/launch/spawn.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/signalfd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>

namespace trainyard::run {
namespace {

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

int cannotServe(const Error& error) {
    std::fprintf(stderr, "trainyardctl: %s\n", error.text().c_str());
    return exitCode(error.kind);
}

} // namespace

int superviseSlot(const LauncherFor& launcherFor) {
    const auto line = lineOfSlot();
    if (!line) return cannotServe(line.error());
    const sigset_t set = requests();
    ::sigprocmask(SIG_BLOCK, &set, nullptr);
    const UniqueFd signals(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!signals) return cannotServe(systemError("cannot take signals"));
    std::shared_ptr<store::KeptStore> kept;
    while (waitForWord(line->get(), signals.get())) {
        auto order = receiveOrder(line->get());
        if (!order) return cannotServe(order.error());
        if (!*order) return 0;
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
