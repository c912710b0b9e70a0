// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/desktop/settings.h"
#include "ui/models/workbench.h"

namespace trainyard::ui {

// Records in the settings file how many selected runs are being drawn: written to disk before drawing and cleared
// after it. If the window hung and was killed, the number is still there, and the next window does not select those
// runs. GUI thread.
class DrawingWatch : public QObject {
    Q_OBJECT
public:
    explicit DrawingWatch(Workbench& bench, QObject* parent = nullptr);
    ~DrawingWatch() override { end(); }

    // Restores the selection of the last session. Returns why it does not; empty: it does.
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
