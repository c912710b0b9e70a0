// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/bond/supervisor_guard.h"

#include "engine/base/clock.h"
#include "engine/run/launch/spawn.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <utility>

namespace trainyard::run {
namespace {

constexpr char kDismissed = 'e';
constexpr int kMostShortLives = 5;
constexpr double kShortLife = 60;
constexpr auto kPauseMs = std::chrono::milliseconds(500); // keepers, and users, come first

// True when the supervisor was killed.
bool awaitEnd(int line) {
    char word = 0;
    ssize_t got = 0;
    do got = ::read(line, &word, 1);
    while (got < 0 && errno == EINTR);
    return got == 0;
}

int shortLivesBefore() {
    const char* given = std::getenv(kShortLives);
    return given ? std::clamp(std::atoi(given), 0, kMostShortLives) : 0;
}

} // namespace

bool getsAnotherSupervisor(const std::vector<RankNote>& notes, int shortLives) {
    const auto isAskedToStop = [](const RankNote& note) { return note.stop.has_value() || note.isGivenUp; };
    const auto hasEndedWell = [](const RankNote& note) {
        return note.ended && !note.ended->signalled && note.ended->code == 0;
    };
    if (shortLives >= kMostShortLives || std::ranges::any_of(notes, isAskedToStop)) return false;
    return notes.empty() || !std::ranges::all_of(notes, hasEndedWell);
}

void SupervisorGuard::begin(const std::filesystem::path& runFolder) {
    int ends[2];
    if (m_line || ::pipe2(ends, O_CLOEXEC) != 0) return;
    const UniqueFd reading(ends[0]);
    UniqueFd writing(ends[1]);
    if (spawnGuard(runFolder, reading.get())) m_line = std::move(writing);
}

void SupervisorGuard::dismiss() {
    if (!m_line) return;
    [[maybe_unused]] const auto written = ::write(m_line.get(), &kDismissed, 1);
    m_line.reset();
}

// Where somebody else has the run's lock, there is another supervisor already, with its own guard.
int guardSupervisor(const std::filesystem::path& runFolder, int line) {
    const double begun = monotonicSeconds();
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::signal(number, SIG_IGN); // as the supervisor, which stops
    if (!awaitEnd(line)) return 0;
    const int shortLives = monotonicSeconds() - begun < kShortLife ? shortLivesBefore() + 1 : 0;
    std::this_thread::sleep_for(kPauseMs);
    const auto lock = store::RunLock::acquire(runFolder);
    if (!lock || !getsAnotherSupervisor(readRankNotes(runFolder), shortLives)) return 0;
    ::setenv(kShortLives, std::to_string(shortLives).c_str(), 1);
    const auto started = spawnSupervisor("supervise", runFolder, Detachment::Full, &*lock);
    return started ? 0 : exitCode(started.error().kind);
}

} // namespace trainyard::run
