// SPDX-License-Identifier: GPL-3.0-or-later
// What the ranks and their computers are busy with, as series of the run.
#include "engine/base/clock.h"
#include "engine/run/supervise/supervisor.h"

namespace trainyard::run {

void Supervisor::on(WorkerLink& link, const wire::SystemSample& sample) {
    const bool trains = link.phase >= wire::Phase::Train && link.phase < wire::Phase::Done;
    if (trains) m_system.take(link.rank(), link.placement.host, sample, monotonicSeconds());
}

// They say nothing of how far the training is, and may reach the disk later than its own points.
void Supervisor::recordSystem(double now) {
    auto delta = m_series.accept(m_system.points({m_state.step, m_state.epoch}, now));
    if (delta.series.empty()) return;
    if (m_server) m_server->broadcast(delta);
    if (m_board) m_board->add(delta);
    m_recorder.slowPoints(std::move(delta.series), now);
}

} // namespace trainyard::run
