// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/feed/log_model.h"
#include "ui/models/runs/taken_values.h"
#include "ui/models/workbench.h"

class QListView;

namespace trainyard::ui {

// Rule: whose printed numbers count. Those of rank 0 of a program; empty for other lines.
QList<PrintedNumber> numbersOf(const WorkspaceFeed& feed, const LogModel::Line& line);

// Lets a click on a number in a log, or the menu key on its line, take its name as a metric of the run, or drop it.
class PrintedNames : public QObject {
    Q_OBJECT
public:
    // `textLeft`: how far to the right of a line's left edge its text begins.
    PrintedNames(Workbench& bench, LogModel& model, QListView& view, std::function<int()> textLeft);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Hit {
        LogModel::Line line{};
        PrintedNumber number{};
    };
    std::optional<Hit> at(const QPoint& point) const;
    void offer(const LogModel::Line& line, const QString& name, const QPoint& where);

    Workbench& m_bench;
    LogModel& m_model;
    QListView& m_view;
    std::function<int()> m_textLeft;
};

} // namespace trainyard::ui
