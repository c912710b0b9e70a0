// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/new_run/samples/draws_paint.h"

#include "ui/models/text/format.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

namespace {

constexpr qreal kGap = 4;
constexpr int kPixelArt = 48;      // pictures of fewer pixels show them when enlarged
constexpr int kMostBeside = 3;     // labels of a picture that are written beside it
constexpr int kLabelRoom = 96;     // for each of them, in design pixels
constexpr qreal kOneLabel = 0.995; // a larger share is all of it

// Cells of one ratio (width to height), as large as they can be.
struct CellGrid {
    int columns = 1;
    QSizeF cell;
};

CellGrid gridOf(const QSizeF& room, qsizetype count, qreal ratio, qreal gap) {
    CellGrid best{1, {0, 0}};
    for (int columns = 1; columns <= count; ++columns) {
        const auto rows = static_cast<int>((count + columns - 1) / columns);
        const qreal wide = (room.width() - (columns - 1) * gap) / columns;
        const qreal high = (room.height() - (rows - 1) * gap) / rows;
        const qreal width = std::floor(std::min(wide, high * ratio));
        if (width > best.cell.width()) best = {columns, {width, std::floor(width / ratio)}};
    }
    return best;
}

qreal ratioOf(const QImage& image) {
    return image.isNull() ? 1 : static_cast<qreal>(image.width()) / static_cast<qreal>(image.height());
}

void paintPicture(QPainter& painter, const QRectF& box, const QImage& image) {
    QPainterPath clip;
    clip.addRoundedRect(box, 2, 2);
    painter.save();
    painter.setRenderHint(QPainter::SmoothPixmapTransform, box.width() < image.width() || image.width() > kPixelArt);
    painter.setClipPath(clip);
    painter.drawImage(box, image);
    painter.restore();
}

QRectF pictureArea(const QRectF& rect, const Draws& draws) {
    const qreal ratio = ratioOf(draws.picture), line = QFontMetricsF(Theme::current().small).lineSpacing();
    const qreal high = std::min(rect.height() - line - kGap, rect.width() / 4 / ratio);
    return {rect.left(), rect.top(), std::floor(high * ratio), std::floor(high)};
}

} // namespace

QRectF besidePicture(const QRectF& rect, const Draws& draws) {
    return rect.adjusted(pictureArea(rect, draws).width() + Theme::current().px(16), 0, 0, 0);
}

void paintDraws(QPainter& painter, const QRectF& rect, const Draws& draws) {
    const Theme& theme = Theme::current();
    const QFontMetricsF metrics(theme.small);
    const QRectF first = pictureArea(rect, draws), rest = besidePicture(rect, draws);
    paintPicture(painter, first, draws.picture);
    painter.setFont(theme.small);
    painter.setPen(theme.text2);
    painter.drawText(QRectF(first.left(), first.bottom() + kGap, first.width(), metrics.lineSpacing()), Qt::AlignCenter,
                     metrics.elidedText(draws.label, Qt::ElideRight, first.width()));
    if (!draws.changes) return;
    const CellGrid grid = gridOf(rest.size(), draws.changed.size(), ratioOf(draws.picture), kGap);
    for (int i = 0; i < draws.changed.size(); ++i)
        paintPicture(painter,
                     QRectF(QPointF(rest.left() + (i % grid.columns) * (grid.cell.width() + kGap),
                                    rest.top() + (i / grid.columns) * (grid.cell.height() + kGap)),
                            grid.cell),
                     draws.changed[i]);
}

QStringList labelLines(const Draws::Mixed& mixed) {
    QStringList lines;
    for (const auto& label : mixed.labels)
        lines << (label.share >= kOneLabel ? label.name
                                           : QStringLiteral("%1  %2").arg(label.name, percentText(label.share)));
    return lines;
}

// As large as they can be with the labels beside them.
QList<QRectF> batchAreas(const QSizeF& size, const Draws& draws) {
    QList<QRectF> areas;
    if (draws.batch.isEmpty()) return areas;
    const qreal ratio = ratioOf(draws.batch.front().picture), gap = Theme::current().px(8);
    const qreal words = Theme::current().px(kLabelRoom);
    QSizeF best;
    int columnsOfBest = 1;
    for (int columns = 1; columns <= draws.batch.size(); ++columns) {
        const auto rows = static_cast<int>((draws.batch.size() + columns - 1) / columns);
        const qreal wide = (size.width() - (columns - 1) * gap) / columns;
        const qreal high = std::min((size.height() - (rows - 1) * gap) / rows, (wide - words) / ratio);
        if (high <= best.height()) continue;
        best = {std::floor(wide), std::floor(high)};
        columnsOfBest = columns;
    }
    for (int i = 0; i < draws.batch.size(); ++i)
        areas << QRectF(
            QPointF((i % columnsOfBest) * (best.width() + gap), (i / columnsOfBest) * (best.height() + gap)), best);
    return areas;
}

void paintBatch(QPainter& painter, const QRectF& rect, const Draws& draws) {
    const Theme& theme = Theme::current();
    const QFontMetricsF metrics(theme.small);
    const QList<QRectF> areas = batchAreas(rect.size(), draws);
    for (qsizetype i = 0; i < areas.size(); ++i) {
        const QRectF area = areas[i].translated(rect.topLeft());
        const auto& mixed = draws.batch[i];
        const QRectF box(area.topLeft(), QSizeF(area.height() * ratioOf(mixed.picture), area.height()));
        paintPicture(painter, box, mixed.picture);
        const QRectF words = area.adjusted(box.width() + theme.px(6), 0, 0, 0);
        const QStringList lines = labelLines(mixed);
        const qreal height = metrics.lineSpacing();
        const auto room =
            std::min<qsizetype>({lines.size(), kMostBeside, static_cast<qsizetype>(words.height() / height)});
        painter.setFont(theme.small);
        for (qsizetype k = 0; k < room; ++k) {
            painter.setPen(k == 0 ? theme.text : theme.text2);
            painter.drawText(QRectF(words.left(), words.top() + static_cast<qreal>(k) * height, words.width(), height),
                             Qt::AlignVCenter, metrics.elidedText(lines[k], Qt::ElideMiddle, words.width()));
        }
    }
}

} // namespace trainyard::ui
