// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/chart/confusion_table.h"

#include "engine/run/record/series/metrics_csv.h"
#include "ui/models/text/format.h"
#include "ui/plots/layers/parallel_layer.h"
#include "ui/theme/paint.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

namespace {

constexpr double kLargestCell = 64, kGapFrom = 7; // design pixels; cells smaller than kGapFrom have no gap
constexpr double kWidestCell = 1.6;               // of its height
constexpr double kHeatBelow = 3;                  // smaller cells are a pixel or less
constexpr double kLabelLine = 14;                 // a label needs this much of its axis
constexpr double kMostLeft = 0.3, kMostBelow = 62;
constexpr double kManyMistakes = 0.1; // of a class: as many have the full colour, also where there are no more

int shownOf(const ConfusionTable& table, const ConfusionView& view) {
    return view.shown > 0 ? std::min(view.shown, table.size()) : table.size();
}

double widestName(const ConfusionTable& table, const QFontMetricsF& metrics) {
    double widest = 0;
    for (const QString& name : table.names()) widest = std::max(widest, metrics.horizontalAdvance(name));
    return widest;
}

QColor cellColor(const ConfusionTable& table, const ConfusionView& view, int truth, int predicted, const Theme& theme) {
    if (table.count(truth, predicted) == 0) return mix(theme.card, theme.seq[0], 0.22);
    // Correct predictions are the rule; the colours are for mistakes.
    if (truth == predicted) return mix(theme.card, theme.seq[0], 0.6);
    return rampColor(theme, table.mistakeStrength(truth, predicted, view.shares));
}

QString cellText(const ConfusionTable& table, const ConfusionView& view, int truth, int predicted) {
    if (table.count(truth, predicted) == 0) return {};
    if (!view.shares) return QString::number(table.count(truth, predicted));
    const double percent = 100 * table.share(truth, predicted);
    return percent < 0.5 ? QStringLiteral("<1") : QString::number(percent, 'f', 0);
}

QColor textOn(const QColor& fill, const Theme& theme) {
    const QColor other = theme.dark ? QColor(0x0E, 0x15, 0x18) : QColor(Qt::white);
    return contrastRatio(fill, theme.text) >= contrastRatio(fill, other) ? theme.text : other;
}

// Each pixel shows the strongest of its cells.
void paintHeat(QPainter& painter, const ConfusionTable& table, const ConfusionView& view, const ConfusionLayout& layout,
               const Theme& theme) {
    const int side = std::clamp(static_cast<int>(layout.cells.width()), 1, 4096);
    const int high = std::clamp(static_cast<int>(layout.cells.height()), 1, 4096);
    std::vector<float> strongest(static_cast<std::size_t>(side) * static_cast<std::size_t>(high), -1);
    const auto spot = [&](int cell, int pixels) { return std::min(pixels - 1, cell * pixels / layout.shown); };
    for (int row = 0; row < layout.shown; ++row)
        for (int column = 0; column < layout.shown; ++column) {
            const int truth = view.firstTruth + row, predicted = view.firstPredicted + column;
            if (table.count(truth, predicted) == 0) continue;
            const double strength = truth == predicted ? 0 : table.mistakeStrength(truth, predicted, view.shares);
            float& pixel = strongest[static_cast<std::size_t>(spot(row, high)) * static_cast<std::size_t>(side) +
                                     static_cast<std::size_t>(spot(column, side))];
            pixel = std::max(pixel, static_cast<float>(strength));
        }
    QImage image(side, high, QImage::Format_RGB32);
    const QColor none = mix(theme.card, theme.seq[0], 0.22);
    for (int y = 0; y < high; ++y)
        for (int x = 0; x < side; ++x) {
            const float strength =
                strongest[static_cast<std::size_t>(y) * static_cast<std::size_t>(side) + static_cast<std::size_t>(x)];
            image.setPixelColor(x, y, strength < 0 ? none : rampColor(theme, static_cast<double>(strength)));
        }
    painter.drawImage(layout.cells, image);
}

// The smaller font if the widest number would not fit: the largest counts are the last to disappear.
QFont cellFont(const ConfusionTable& table, const ConfusionView& view, int shown, double room, const Theme& theme) {
    double widest = room < theme.px(kLabelLine) ? room + 1 : 0; // so that not every one of very many cells is measured
    for (int row = 0; row < shown && widest <= room; ++row)
        for (int column = 0; column < shown; ++column)
            widest = std::max(widest, tabularWidth(theme.small, cellText(table, view, view.firstTruth + row,
                                                                         view.firstPredicted + column)));
    QFont font = theme.small;
    if (widest > room) font.setPixelSize(std::max(9, theme.px(10)));
    return font;
}

void paintCells(QPainter& painter, const ConfusionTable& table, const ConfusionView& view,
                const ConfusionLayout& layout, const Theme& theme) {
    const double gap = std::min(layout.cell.width(), layout.cell.height()) >= theme.px(kGapFrom) ? 1 : 0;
    const double room = layout.cell.width() - gap;
    const QFont font = cellFont(table, view, layout.shown, room, theme);
    const bool texts = layout.cell.height() >= QFontMetricsF(font).height() - 2;
    for (int row = 0; row < layout.shown; ++row)
        for (int column = 0; column < layout.shown; ++column) {
            const ConfusionCell at{view.firstTruth + row, view.firstPredicted + column};
            const QRectF cell = layout.of(view, at);
            const QColor fill = cellColor(table, view, at.truth, at.predicted, theme);
            painter.fillRect(QRectF(std::floor(cell.left()), std::floor(cell.top()),
                                    std::floor(cell.right()) - std::floor(cell.left()) - gap,
                                    std::floor(cell.bottom()) - std::floor(cell.top()) - gap),
                             fill);
            const QString text = texts ? cellText(table, view, at.truth, at.predicted) : QString();
            if (text.isEmpty() || tabularWidth(font, text) > room) continue;
            painter.setPen(at.truth == at.predicted ? theme.text2 : textOn(fill, theme));
            paintTabular(painter, cell.adjusted(0, 0, -gap, -gap), Qt::AlignCenter, font, text);
        }
}

void paintNames(QPainter& painter, const QRectF& area, const ConfusionTable& table, const ConfusionView& view,
                const ConfusionLayout& layout, const Theme& theme) {
    const QFontMetricsF metrics(theme.small);
    painter.setFont(theme.small);
    const auto every = [&](double side) {
        return std::max(1, static_cast<int>(std::ceil(theme.px(kLabelLine) / side)));
    };
    const auto color = [&](bool current) { return current ? theme.text : theme.text2; };
    const double left = layout.cells.left() - theme.px(8) - area.left();
    for (int row = 0; row < layout.shown; row += every(layout.cell.height())) {
        const int truth = view.firstTruth + row;
        painter.setPen(color(view.current && view.current->truth == truth));
        const QRectF line(area.left(), layout.cells.top() + row * layout.cell.height(), left, layout.cell.height());
        const double height = std::max(line.height(), metrics.height());
        painter.drawText(QRectF(line.left(), line.center().y() - height / 2, left, height),
                         Qt::AlignRight | Qt::AlignVCenter,
                         metrics.elidedText(table.name(truth), Qt::ElideRight, left));
    }
    // Slanted, each ending below its column.
    const double below = area.bottom() - layout.cells.bottom();
    const double length = (below - theme.px(4)) * std::sqrt(2.0) - metrics.height() / 2;
    for (int column = 0; column < layout.shown; column += every(layout.cell.width())) {
        const int predicted = view.firstPredicted + column;
        painter.setPen(color(view.current && view.current->predicted == predicted));
        painter.save();
        painter.translate(layout.cells.left() + (column + 0.5) * layout.cell.width() + metrics.height() / 4,
                          layout.cells.bottom() + theme.px(4));
        painter.rotate(-45);
        painter.drawText(QRectF(-length, 0, length, metrics.height()), Qt::AlignRight | Qt::AlignVCenter,
                         metrics.elidedText(table.name(predicted), Qt::ElideRight, length));
        painter.restore();
    }
}

} // namespace

ConfusionTable::ConfusionTable(QStringList names, std::vector<std::vector<std::int64_t>> counts)
    : m_names(std::move(names)), m_counts(std::move(counts)), m_ofTruth(m_counts.size()),
      m_ofPredicted(m_counts.size()) {
    for (std::size_t truth = 0; truth < m_counts.size(); ++truth)
        for (std::size_t predicted = 0; predicted < m_counts.size(); ++predicted) {
            const std::int64_t count = m_counts[truth][predicted];
            m_ofTruth[truth] += count;
            m_ofPredicted[predicted] += count;
            m_samples += count;
            if (truth != predicted) m_largestMistake = std::max(m_largestMistake, count);
        }
    for (int truth = 0; truth < size(); ++truth)
        for (int predicted = 0; predicted < size(); ++predicted)
            if (truth != predicted) m_largestShare = std::max(m_largestShare, share(truth, predicted));
}

double ConfusionTable::mistakeStrength(int truth, int predicted, bool shares) const {
    const double ofClass = size() > 0 ? static_cast<double>(m_samples) / size() : 0;
    const double most = shares ? std::max(m_largestShare, kManyMistakes)
                               : std::max(static_cast<double>(m_largestMistake), kManyMistakes * ofClass);
    const double value = shares ? share(truth, predicted) : static_cast<double>(count(truth, predicted));
    return most > 0 ? std::sqrt(value / most) : 0;
}

double ConfusionTable::share(int truth, int predicted) const {
    const std::int64_t all = ofTruth(truth);
    return all > 0 ? static_cast<double>(count(truth, predicted)) / static_cast<double>(all) : 0;
}

std::string ConfusionTable::csv() const {
    std::string text = "true,predicted,count,share\n";
    for (int truth = 0; truth < size(); ++truth)
        for (int predicted = 0; predicted < size(); ++predicted) {
            if (count(truth, predicted) == 0) continue;
            text += run::csvField(name(truth).toStdString()) + ',' + run::csvField(name(predicted).toStdString()) +
                    ',' + std::to_string(count(truth, predicted)) + ',' +
                    csvNumber(share(truth, predicted)).toStdString() + '\n';
        }
    return text;
}

QRectF ConfusionLayout::of(const ConfusionView& view, const ConfusionCell& at) const {
    return {cells.left() + (at.predicted - view.firstPredicted) * cell.width(),
            cells.top() + (at.truth - view.firstTruth) * cell.height(), cell.width(), cell.height()};
}

std::optional<ConfusionCell> ConfusionLayout::at(const ConfusionView& view, const QPointF& place) const {
    if (shown == 0 || !cells.contains(place)) return std::nullopt;
    const auto number = [&](double pixels, double side) {
        return std::min(shown - 1, static_cast<int>(pixels / side));
    };
    return ConfusionCell{view.firstTruth + number(place.y() - cells.top(), cell.height()),
                         view.firstPredicted + number(place.x() - cells.left(), cell.width())};
}

ConfusionLayout layOutConfusion(const ConfusionTable& table, const ConfusionView& view, const QRectF& area,
                                const Theme& theme) {
    ConfusionLayout layout;
    layout.shown = shownOf(table, view);
    if (layout.shown == 0) return layout;
    const QFontMetricsF metrics(theme.small);
    const double widest = widestName(table, metrics);
    const double left = std::min(widest, area.width() * kMostLeft) + theme.px(8);
    const double below =
        std::min(widest / std::sqrt(2.0) + metrics.height() / 2, double(theme.px(kMostBelow))) + theme.px(6);
    const double most = theme.px(kLargestCell) * std::max(1.0, std::min(area.width(), area.height()) / theme.px(520));
    const double height = std::clamp((area.height() - below) / layout.shown, 0.01, most);
    const double width = std::clamp((area.width() - left) / layout.shown, 0.01, std::max(most, kWidestCell * height));
    layout.cell = {width, height};
    layout.cells = {area.left() + left, area.top(), width * layout.shown, height * layout.shown};
    return layout;
}

void paintConfusion(QPainter& painter, const QRectF& area, const ConfusionTable& table, const ConfusionView& view,
                    const Theme& theme) {
    const ConfusionLayout layout = layOutConfusion(table, view, area, theme);
    if (layout.shown == 0) return;
    const QRectF used(area.left(), area.top(), area.width(),
                      std::min(area.height(), layout.cells.height() + theme.px(kMostBelow) + theme.px(6)));
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (std::min(layout.cell.width(), layout.cell.height()) < kHeatBelow)
        paintHeat(painter, table, view, layout, theme);
    else paintCells(painter, table, view, layout, theme);
    paintNames(painter, used, table, view, layout, theme);
    if (!view.current) return;
    const QRectF current = layout.of(view, *view.current).intersected(layout.cells);
    if (current.isEmpty()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    paintFrame(painter, current.adjusted(-1, -1, 0, 0), theme.px(2), {}, theme.focus, 2);
}

} // namespace trainyard::ui
