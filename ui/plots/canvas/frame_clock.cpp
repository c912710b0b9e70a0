// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/canvas/frame_clock.h"

namespace trainyard::ui {

FrameClock::FrameClock(QObject* parent) : QObject(parent) {
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &FrameClock::due);
}

void FrameClock::request(int waitMs) {
    if (!m_timer.isActive() || m_timer.remainingTime() > waitMs) m_timer.start(waitMs);
}

} // namespace trainyard::ui
