// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/workbench.h"

#include <QColor>

namespace trainyard::ui {

Workbench::Workbench(const store::Workspace& workspace, QObject* parent)
    : QObject(parent), feed(workspace), actions(workspace), queue(workspace),
      m_stats(QString::fromStdString(workspace.root.string())) {
    m_timer.setInterval(1000);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        m_load = m_stats.sample();
        Q_EMIT loadChanged();
    });
    const auto watch = [this] { feed.watch(QStringList(selection.selected()) << selection.current()); };
    connect(&selection, &RunSelection::selectedChanged, this, watch);
    connect(&selection, &RunSelection::currentChanged, this, watch);
}

void Workbench::start() {
    feed.start();
    catalog.load();
    m_load = m_stats.sample();
    m_timer.start();
    Q_EMIT loadChanged();
}

} // namespace trainyard::ui
