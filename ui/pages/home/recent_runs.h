// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/widgets/card.h"

#include <QAbstractButton>

namespace trainyard::ui {

// One run as a wide row of Home: chip, name, status, curve, best value, age.
class RecentRunRow : public QAbstractButton {
    Q_OBJECT
public:
    RecentRunRow(Workbench& bench, QWidget* parent = nullptr);
    void setRun(const RunItemPtr& run);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Workbench& m_bench;
    RunItemPtr m_run;
};

// The five newest runs, or what to expect when there are none.
class RecentRuns : public Card {
    Q_OBJECT
public:
    explicit RecentRuns(Workbench& bench, QWidget* parent = nullptr);
    void refresh();

private:
    Workbench& m_bench;
    QWidget* m_empty;
    QList<RecentRunRow*> m_rows;
};

} // namespace trainyard::ui
