// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/desktop/settings.h"
#include "ui/models/workbench.h"

namespace trainyard::ui {

// Keeps in the settings file how many selected runs are being drawn, on the disk before the work begins and forgotten
// after it. A window that hung and was killed leaves it there, and the next one does not select them again. GUI thread.
class DrawingWatch : public QObject {
    Q_OBJECT
public:
    explicit DrawingWatch(Workbench& bench, QObject* parent = nullptr);
    ~DrawingWatch() override { end(); }

    // Selects what was selected when the window was closed. Returns why it does not; empty: it does.
    QString restoreSelection();

private:
    void begin(qsizetype runs);
    void end();

    Workbench& m_bench;
    QString m_root;
    Setting<int> m_saved;
    QTimer m_drawn;
};

} // namespace trainyard::ui
