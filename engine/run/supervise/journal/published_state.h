// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/wire/messages.h"

#include <deque>
#include <utility>

namespace trainyard::run {

// The state of a run that watchers see, with everything derived from the ranks' messages, and when it is sent: at once
// when it matters, at most four times a second for progress, and at most once a second into the store. A value: the
// caller passes times in monotonic seconds.
class PublishedState : public wire::RunState {
public:
    // Something changed that may wait.
    void change() { m_changed = true; }
    double due() const; // when it is to be sent; infinity: there is nothing new
    // It is being sent; true when it is to be written into the store as well.
    bool send(double now);

    void setWorker(const wire::WorkerState& worker); // may wait
    // Rank 0's; `samples`: per second, of all ranks. The time left follows from the steps of the last seconds, so it
    // includes validation, saving and waiting.
    void applyBeat(const wire::Heartbeat& beat, double samples, bool paused, double now);
    // Rank 0's; true when the run begins to train with it.
    bool applyPhase(const wire::PhaseChange& change);
    void applyPoints(const std::vector<wire::SeriesPoints>& series);
    void applyPause(bool paused, std::int64_t step);
    void rewind(std::int64_t step); // later points are void; -1: all
    void relaunch();                // no worker is there yet

    // Step of the newest point.
    std::int64_t newestPoint() const { return m_newestPoint; }

private:
    void updateEta(double now);

    bool m_changed = false;
    double m_sent = 0, m_stored = 0; // when
    double m_phaseEntered = 0;       // seconds since rank 0's process started
    std::int64_t m_newestPoint = 0;
    std::deque<std::pair<double, std::int64_t>> m_steps; // monotonic seconds, step
};

} // namespace trainyard::run
