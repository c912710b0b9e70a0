// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/layers/event_layer.h"

#include <QCoreApplication>
#include <QLocale>
#include <QPainter>
#include <QPolygonF>
#include <QStringList>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr double kMarkReach = 6;      // pixels from a mark to the pointer
constexpr double kHalfDiamond = 4;    // pixels
constexpr qsizetype kMostLegends = 8; // more lines than that leave no room for the curves

bool areOfOneRun(const std::vector<EventMark>& marks) {
    return std::all_of(marks.begin(), marks.end(), [&](const auto& mark) { return mark.run == marks.front().run; });
}

// On the straight line between the two points around the step.
double epochAt(const SeriesData& series, std::int64_t step) {
    if (series.isEmpty()) return 0;
    const std::size_t after = series.lowerBound(XMode::Step, static_cast<double>(step), series.size() / 2);
    if (after == series.size()) return series.x(XMode::Epoch, after - 1);
    const double right = series.x(XMode::Step, after);
    const double left = after == 0 ? 0 : series.x(XMode::Step, after - 1);
    const double from = after == 0 ? 0 : series.x(XMode::Epoch, after - 1);
    if (!(right > left)) return series.x(XMode::Epoch, after);
    return from + (series.x(XMode::Epoch, after) - from) * (static_cast<double>(step) - left) / (right - left);
}

} // namespace

double eventX(const PlotEvent& event, const SeriesData& series, XMode mode) {
    switch (mode) {
    case XMode::Epoch: return epochAt(series, event.step);
    case XMode::RelativeTime: return event.seconds;
    case XMode::WallTime: return event.wall;
    case XMode::Step: break;
    }
    return static_cast<double>(event.step);
}

std::vector<EventMark> marksOf(const std::vector<MarkedRun>& runs, XMode mode, const QString& hovered) {
    std::vector<EventMark> marks;
    for (const MarkedRun& run : runs) {
        if (run.events == nullptr || (runs.size() > kMostMarkedRuns && run.style.runId != hovered)) continue;
        for (const PlotEvent& event : *run.events)
            marks.push_back({eventX(event, *run.points, mode), event.step, run.style.runId, run.style.name,
                             Theme::current().curve(run.style.drawnColor()), event.text});
    }
    return marks;
}

QString markText(const EventMark& mark, bool withRun) {
    const QString at =
        QCoreApplication::translate("Plots", "step %1: %2").arg(QLocale().toString(qint64{mark.step}), mark.text);
    return withRun ? QStringLiteral("%1, %2").arg(mark.name, at) : at;
}

void EventLayer::paint(QPainter& painter, const PlotFrame& frame) const {
    for (const EventMark& mark : m_marks) {
        const double x = std::floor(frame.x.toPixel(mark.x)) + 0.5;
        if (!(x >= frame.area.left() && x <= frame.area.right())) continue;
        const QColor color = frame.emphasised(mark.color, mark.run);
        QPen dash(mix(frame.theme.card, color, 0.75), 1);
        dash.setDashPattern({4, 3});
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(dash);
        painter.drawLine(QLineF(x, frame.area.top(), x, frame.area.bottom() - kHalfDiamond));
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(QPen(frame.theme.card, 1));
        painter.setBrush(color);
        const QPointF at(x, frame.area.bottom() - 1);
        painter.drawPolygon(QPolygonF({at + QPointF(-kHalfDiamond, 0), at + QPointF(0, -kHalfDiamond - 1),
                                       at + QPointF(kHalfDiamond, 0), at + QPointF(0, kHalfDiamond + 1)}));
    }
}

double EventLayer::changedFrom(const PlotLayer& before, const PlotFrame&) const {
    constexpr double kNowhere = std::numeric_limits<double>::infinity();
    const auto* last = dynamic_cast<const EventLayer*>(&before);
    return last != nullptr && last->m_marks == m_marks ? kNowhere : -kNowhere;
}

std::vector<EventMark> EventLayer::marksAt(const QPointF& pixel, const PlotFrame& frame) const {
    std::vector<EventMark> near;
    for (const EventMark& mark : m_marks)
        if (std::abs(frame.x.toPixel(mark.x) - pixel.x()) <= kMarkReach) near.push_back(mark);
    return near;
}

QList<LegendEntry> EventLayer::legend(const Theme&) const {
    QList<LegendEntry> entries;
    const bool one = areOfOneRun(m_marks);
    for (const EventMark& mark : m_marks)
        if (entries.size() < kMostLegends) entries << LegendEntry{markText(mark, !one), mark.color, true};
    return entries;
}

QString EventLayer::description() const {
    QStringList texts;
    const bool one = areOfOneRun(m_marks);
    for (const EventMark& mark : m_marks) texts << markText(mark, !one);
    return texts.join(QStringLiteral("; "));
}

} // namespace trainyard::ui
