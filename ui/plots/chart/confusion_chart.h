// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/chart_tooltip.h"
#include "ui/plots/chart/chart_widget.h"
#include "ui/plots/chart/confusion_table.h"

#include <QPointer>

namespace trainyard::ui {

// A confusion table on the screen. Arrows, Home and End move between cells, Enter or a click selects one, Escape clears
// the selection; the wheel, + and - zoom if there are many classes, 0 or a double click shows all.
class ConfusionChart : public ChartWidget {
    Q_OBJECT
public:
    explicit ConfusionChart(QWidget* parent = nullptr);
    ~ConfusionChart() override;

    // The zoom and the chosen cell stay as long as the classes do.
    void setTable(ConfusionTable table);
    const ConfusionTable& table() const { return m_table; }
    void setShares(bool shares);
    void setTitle(const QString& title) { m_title = title; }
    // Marks a cell without choosing it; nothing: none.
    void setCurrent(const std::optional<ConfusionCell>& cell);
    std::optional<ConfusionCell> current() const { return m_view.current; }
    const ConfusionView& view() const { return m_view; }
    // The place of a cell; empty while it is out of view.
    QRect cellRect(const ConfusionCell& cell) const;

    // "Shirt, predicted as T-shirt/top: 74 of 1,000 (7.4%)"
    static QString describe(const ConfusionTable& table, const ConfusionCell& cell);

    QString title() const override { return m_title; }
    void exportChart(const QString& path, ChartFormat format, const QSize& size, ExportDone done) override;
    void exportCsv(const QString& path, ExportDone done) override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void moved(const trainyard::ui::ConfusionCell& cell); // by keys
    void chosen(const trainyard::ui::ConfusionCell& cell);
    void released(); // the selection was cleared

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QRectF area() const;
    ConfusionLayout layOut() const { return layOutConfusion(m_table, m_view, area(), Theme::current()); }
    void moveTo(ConfusionCell cell);
    void bringIntoView(const ConfusionCell& cell);
    // Shows this many classes, keeping the cell in place if possible.
    void zoomTo(int shown, const ConfusionCell& around);
    void showTip(const QPointF& place);
    void hideTip();

    ConfusionTable m_table;
    ConfusionView m_view;
    QString m_title;
    QPointer<ChartTooltip> m_tooltip;
};

} // namespace trainyard::ui
