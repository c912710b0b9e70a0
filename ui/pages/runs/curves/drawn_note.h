// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

namespace trainyard::ui {

// Where not all selected runs are drawn: how many are, and while more come, a button to have enough of it. Hidden else.
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
