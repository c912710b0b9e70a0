// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <algorithm>
#include <limits>

namespace trainyard::ui {

// Tells the charts of a page when to draw. All draw at the same moment, so that their window is painted once and not
// once per chart. GUI thread.
class FrameClock : public QObject {
    Q_OBJECT
public:
    // A chart that is due within this many milliseconds is drawn along with those due now.
    static constexpr int kTogetherMs = 10;

    explicit FrameClock(QObject* parent = nullptr);
    // due() follows within this many milliseconds.
    void request(int waitMs);

Q_SIGNALS:
    void due();

private:
    QTimer m_timer;
};

// The time of one chart's next frame.
class FrameWait {
public:
    // Requests a frame `paceMs` after the last one. False: a frame is due by then anyway.
    bool ask(int paceMs) {
        if (paceMs >= m_pace) return false;
        m_pace = paceMs;
        return true;
    }
    bool isAsked() const { return m_pace < kNever; }
    // Milliseconds until the next frame.
    int left() const {
        const qint64 passed = m_since.isValid() ? m_since.elapsed() : m_pace;
        return m_pace - static_cast<int>(std::min<qint64>(passed, m_pace));
    }
    void drawn() {
        m_since.start();
        m_pace = kNever;
    }
    // The next frame is due at once.
    void forgetLast() { m_since.invalidate(); }

private:
    static constexpr int kNever = std::numeric_limits<int>::max();

    QElapsedTimer m_since{}; // the last frame
    int m_pace = kNever;     // between that and the next one
};

// The reason to redraw a chart: a user action, points of a training run, or very many points at once.
enum class FrameCause { User, Points, Load };

// The shortest time between two frames, in milliseconds. `inUse`: the user works in the chart's window.
constexpr int framePaceMs(FrameCause cause, bool inUse) {
    constexpr int kSwift = 20, kCalm = 100;
    if (cause == FrameCause::User) return kSwift;
    return cause == FrameCause::Load || !inUse ? kCalm : kSwift;
}

} // namespace trainyard::ui
