// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/drawing_watch.h"

namespace trainyard::ui {

namespace {

constexpr int kDrawnMs = 500; // after the last slice; a hung window never gets this far

} // namespace

DrawingWatch::DrawingWatch(Workbench& bench, QObject* parent)
    : QObject(parent), m_bench(bench), m_root(QString::fromStdString(bench.feed.workspace().root.string())),
      m_saved(Settings::drawing.of(m_root)) {
    m_drawn.setSingleShot(true);
    m_drawn.setInterval(kDrawnMs);
    connect(&m_drawn, &QTimer::timeout, this, [this] {
        if (m_bench.drawn.isFilling() || !m_bench.feed.loaded()) m_drawn.start();
        else end();
    });
    connect(&bench.drawn, &DrawnRuns::fillingChanged, this, [this] {
        if (m_bench.drawn.isFilling()) begin(m_bench.selection.selected().size());
    });
}

QString DrawingWatch::restoreSelection() {
    const auto saved = Settings::selection.of(m_root);
    if (const int runs = m_saved.get(); runs > 0) {
        saved.forget();
        end();
        return tr("Trainyard ended while drawing %Ln selected runs, so it did not select them again", nullptr, runs);
    }
    const QStringList chosen = saved.get(); // the current one first
    if (chosen.isEmpty()) return {};
    begin(chosen.size() - 1);
    m_bench.selection.setSelected(chosen.mid(1));
    m_bench.selection.setCurrent(chosen.first());
    return {};
}

void DrawingWatch::begin(qsizetype runs) {
    if (runs == 0) return;
    m_saved.setAtOnce(static_cast<int>(runs));
    m_drawn.start();
}

void DrawingWatch::end() {
    m_drawn.stop();
    if (m_saved.get() > 0) m_saved.forget();
}

} // namespace trainyard::ui
