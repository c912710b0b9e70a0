// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

namespace trainyard::ui {

// Shown when only some of the selected runs are drawn: how many, and a button to stop while more are being drawn.
class DrawnNote : public QWidget {
    Q_OBJECT
public:
    explicit DrawnNote(Workbench& bench, QWidget* parent = nullptr);

private:
    void refresh();

    Workbench& m_bench;
    Label* m_words;
    QPushButton* m_stop;
};

} // namespace trainyard::ui
