// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QList>
#include <QWidget>

namespace trainyard::ui {

// One run in the tooltip, nearest first.
struct TooltipRow {
    QColor color;
    QString name;
    QString value;
    QString raw; // empty when not smoothed
};

// What the tooltip of a chart says.
struct TooltipContent {
    QString heading; // "Step 5,480"
    QString note;    // "epoch 46.4"
    QList<TooltipRow> rows;
    int more = 0;   // runs left out
    QString footer; // "Smoothed 0.93, then raw"
};

// What the curves are under the pointer. It lies over the window, takes no mouse events, and is
// as wide as its longest name.
class ChartTooltip : public QWidget {
    Q_OBJECT
public:
    explicit ChartTooltip(QWidget* window);

    // Shows it right of `anchor` (in window pixels), or left where there is no room; it keeps
    // 16 px off the anchor and stays inside the window.
    void showAt(const QPointF& anchor, const TooltipContent& content);

    static constexpr int kMostRows = 8;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QSize contentSize() const;

    TooltipContent m_content;
};

} // namespace trainyard::ui
