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

// The content of a chart's tooltip.
struct TooltipContent {
    QString heading; // "Step 5,480"
    QString note;    // "epoch 46.4"
    QList<TooltipRow> rows;
    int more = 0;   // runs left out
    QString footer; // "Smoothed 0.93, then raw"
};

// The values of the curves under the pointer. It lies over the window, ignores the mouse, and is as wide as its longest
// name.
class ChartTooltip : public QWidget {
    Q_OBJECT
public:
    explicit ChartTooltip(QWidget* window);

    // Shows it right of `anchor` (in window pixels), or left if space is short, 16 px away from the anchor and inside
    // the window.
    void showAt(const QPointF& anchor, const TooltipContent& content);

    static constexpr int kMostRows = 8;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QSize contentSize() const;

    TooltipContent m_content;
};

} // namespace trainyard::ui
