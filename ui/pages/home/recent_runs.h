// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/runs/recent_work.h"
#include "ui/models/workbench.h"
#include "ui/widgets/card.h"

#include <QAbstractButton>
#include <QTimer>

#include <optional>

namespace trainyard::ui {

// A run or a sweep as a wide row of Home: chip, name, status, curve, best value, age.
class RecentRunRow : public QAbstractButton {
    Q_OBJECT
public:
    RecentRunRow(Workbench& bench, QWidget* parent = nullptr);
    void setWork(const std::optional<RecentWork>& work); // nothing: hides the row
    const std::optional<RecentWork>& work() const { return m_work; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void open();
    QString aboutText() const;
    QString statusText() const;

    Workbench& m_bench;
    std::optional<RecentWork> m_work;
};

// The five newest runs and sweeps, or a hint when there are none.
class RecentRuns : public Card {
    Q_OBJECT
public:
    explicit RecentRuns(Workbench& bench, QWidget* parent = nullptr);
    void refresh();

private:
    void showAges();

    Workbench& m_bench;
    QWidget* m_empty;
    SweepScores m_scores;
    QList<RecentRunRow*> m_rows;
    QTimer m_ages; // ages grow even when no run changes
};

} // namespace trainyard::ui
