// SPDX-License-Identifier: GPL-3.0-or-later
// The legend of all charts: the drawn runs by name, their groups or, once coloured by a setting, its values. A click
// hides or shows them.
#pragma once

#include "ui/models/workbench.h"
#include "ui/plots/canvas/curve_style.h"

#include <QSet>
#include <QWidget>

class QAbstractButton;

namespace trainyard::ui {

class Label;

// An entry: runs that share a name and a colour.
struct LegendItem {
    QString name;
    RunColor color{};
    QStringList runs;
    bool operator==(const LegendItem&) const = default;
};
// A legend by the values of a setting if they and the colours of the runs correspond, else of the runs themselves.
struct LegendOfRuns {
    QString setting; // its path; empty: of the runs
    QList<LegendItem> items;
    bool operator==(const LegendOfRuns&) const = default;
};
LegendOfRuns legendOf(const std::vector<RunItemPtr>& runs, const QString& coloredBy);

// One or two lines of entries, and a picker for those that have no room. Empty for a single run.
class RunLegend : public QWidget {
    Q_OBJECT
public:
    explicit RunLegend(Workbench& bench, QWidget* parent = nullptr);

    // The runs that are drawn; those among them that the user has hidden stay hidden.
    void setRuns(const QList<CurveStyle>& runs);

Q_SIGNALS:
    void shownChanged(const QList<trainyard::ui::CurveStyle>& runs); // those not hidden; after each setRuns()

protected:
    void resizeEvent(QResizeEvent* event) override;
    int heightForWidth(int width) const override;
    bool hasHeightForWidth() const override { return true; }
    QSize sizeHint() const override;

private:
    void rebuild();
    int place(int width, bool move) const;
    void toggle(const LegendItem& item);
    void showOnly(const LegendItem& item);
    void openPicker();
    bool isHidden(const LegendItem& item) const;
    void tellShown();

    Workbench& m_bench;
    QList<CurveStyle> m_runs;
    LegendOfRuns m_legend;
    QSet<QString> m_hidden; // runs
    Label* m_title;
    QList<QAbstractButton*> m_entries;
    QAbstractButton* m_more;
};

} // namespace trainyard::ui
