// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/new_run/preview_paint.h"

#include "ui/models/text/format.h"
#include "ui/plots/canvas/axis_labels.h"
#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/widgets/marks/bars.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

namespace {

constexpr int kCheckHeight = 21; // design pixels, of a check's line

QString parametersText(std::int64_t count) {
    const auto value = static_cast<double>(count);
    return count < 10'000'000 ? countText(value) : fixedText(value / 1e6, 1) + QLatin1Char('M');
}

} // namespace

void paintWords(QPainter& painter, const QRectF& rect, const QString& words) {
    painter.setFont(Theme::current().small);
    painter.setPen(Theme::current().text3);
    painter.drawText(rect, Qt::AlignCenter | Qt::TextWordWrap, words);
}

// The cells of a table in columns, each as wide as its widest cell; omits columns that do not fit, but never the
// target.
static void paintTable(QPainter& painter, const QRectF& rect, const QList<QStringList>& rows) {
    const Theme& theme = Theme::current();
    const QFontMetricsF metrics(theme.small);
    const qreal gap = theme.px(12), most = theme.px(96);
    QList<qreal> widths;
    for (const QStringList& cells : rows)
        for (qsizetype i = 0; i < cells.size(); ++i) {
            if (i == widths.size()) widths << 0;
            widths[i] = std::max(widths[i], std::min(most, tabularWidth(theme.small, cells[i])));
        }
    const qsizetype target = widths.size() - 1;
    const qreal targetWidth = target < 0 ? 0 : widths[target];
    // How many columns fit before the target, with room for the number of the others.
    const auto fits = [&](qreal room) {
        qsizetype count = 0;
        for (qreal x = 0; count < target && x + widths[count] + gap + targetWidth <= room; ++count)
            x += widths[count] + gap;
        return count;
    };
    const auto more = [target](qsizetype shown) { return QStringLiteral("+ %1").arg(target - shown); };
    qsizetype shown = fits(rect.width());
    if (shown < target) shown = fits(rect.width() - tabularWidth(theme.small, more(0)) - gap);
    painter.setFont(theme.small);
    for (qsizetype row = 0; row < rows.size(); ++row) {
        const qreal top = rect.top() + static_cast<qreal>(row) * metrics.lineSpacing();
        if (top + metrics.height() > rect.bottom()) return;
        qreal x = rect.left();
        for (qsizetype i = 0; i < rows[row].size(); ++i) {
            const bool last = i == target;
            if (!last && i >= shown) continue;
            if (last) x = rect.right() - targetWidth;
            painter.setPen(row == 0 ? theme.text3 : last ? theme.text : theme.text2);
            const QString cell = metrics.elidedText(rows[row][i], Qt::ElideRight, widths[i] + 1);
            paintTabular(painter, QRectF(x, top, widths[i], metrics.height()), Qt::AlignRight | Qt::AlignVCenter,
                         theme.small, cell);
            x += widths[i] + gap;
        }
        if (row > 0 || shown >= target) continue;
        painter.setPen(theme.text3);
        painter.drawText(QRectF(x, top, rect.right() - targetWidth - x, metrics.height()), Qt::AlignVCenter,
                         more(shown));
    }
}

// Samples to read instead of images: rows of a table, lines of a text.
static void paintLines(QPainter& painter, const QRectF& rect, const QStringList& lines) {
    const Theme& theme = Theme::current();
    const QFontMetricsF metrics(theme.small);
    if (!lines.isEmpty() && lines.first().contains(QLatin1Char('\t'))) {
        QList<QStringList> rows;
        for (const QString& line : lines) rows << line.split(QLatin1Char('\t'));
        return paintTable(painter, rect, rows);
    }
    painter.setFont(theme.small);
    painter.setPen(theme.text2);
    qreal top = rect.top();
    for (const QString& line : lines) {
        if (top + metrics.height() > rect.bottom()) return;
        painter.drawText(QRectF(rect.left(), top, rect.width(), metrics.height()), Qt::AlignVCenter,
                         metrics.elidedText(line, Qt::ElideRight, rect.width()));
        top += metrics.lineSpacing();
    }
}

void paintClasses(QPainter& painter, const QRectF& rect, const Preview& preview) {
    const Theme& theme = Theme::current();
    // As many as fit legibly; the last line counts the others.
    const auto room = std::max<qsizetype>(1, static_cast<qsizetype>(rect.height() / theme.px(13)));
    const auto lines = std::min<qsizetype>(preview.classes.size(), std::min<qsizetype>(room, 12));
    if (lines == 0) {
        return preview.learnedLines.isEmpty() ? paintWords(painter, rect, preview.learned)
                                              : paintLines(painter, rect, preview.learnedLines);
    }
    const qreal height = std::min<qreal>(theme.px(18), rect.height() / static_cast<qreal>(lines));
    std::int64_t most = 1;
    for (const auto& cls : preview.classes) most = std::max(most, cls.train);
    const QFontMetricsF metrics(theme.small);
    const qreal nameWidth = theme.px(80);
    const qreal countWidth = tabularWidth(theme.small, QStringLiteral("000,000"));
    for (qsizetype i = 0; i < lines; ++i) {
        const auto& cls = preview.classes[i];
        const QRectF line(rect.left(), rect.top() + static_cast<qreal>(i) * height, rect.width(), height);
        painter.setFont(theme.small);
        painter.setPen(theme.text2);
        const bool more = i + 1 == lines && preview.classes.size() > lines;
        painter.drawText(line, Qt::AlignVCenter,
                         more ? QCoreApplication::translate("Preview", "+ %1 more").arg(preview.classes.size() - i)
                              : metrics.elidedText(cls.name, Qt::ElideRight, nameWidth - 6));
        if (more) continue;
        const QRectF bar(line.left() + nameWidth, line.center().y() - theme.px(3),
                         line.width() - nameWidth - countWidth - theme.px(8), theme.px(6));
        paintBar(painter, bar, static_cast<double>(cls.train) / static_cast<double>(most), theme.seq[3], theme.track);
        paintTabular(painter, line, Qt::AlignRight | Qt::AlignVCenter, theme.small,
                     countText(static_cast<double>(cls.train)));
    }
}

void paintSamples(QPainter& painter, const QRectF& rect, const Preview& preview) {
    const Theme& theme = Theme::current();
    if (!preview.points.isEmpty()) {
        double low = 1e30;
        double high = -1e30;
        for (const auto& point : preview.points) {
            low = std::min({low, point.x, point.y});
            high = std::max({high, point.x, point.y});
        }
        const qreal side = std::min(rect.width(), rect.height());
        const QRectF box(rect.center().x() - side / 2, rect.top(), side, side);
        for (const auto& point : preview.points) {
            const QPointF at(box.left() + (point.x - low) / (high - low) * side,
                             box.bottom() - (point.y - low) / (high - low) * side);
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.curve(point.cls));
            painter.drawEllipse(at, 1.8, 1.8);
        }
        return;
    }
    const qreal gap = 3;
    const auto count = preview.thumbnails.size();
    if (count == 0) {
        paintLines(painter, rect, preview.lines);
        return;
    }
    const qreal side = std::max<qreal>(theme.px(20), std::min<qreal>(theme.px(34), (rect.height() - 3 * gap) / 4));
    const int columns = std::max(1, static_cast<int>((rect.width() + gap) / (side + gap)));
    const int rows = std::max(1, static_cast<int>((rect.height() + gap) / (side + gap)));
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    for (int i = 0; i < std::min<int>(static_cast<int>(count), columns * rows); ++i) {
        const QRectF box(rect.left() + (i % columns) * (side + gap), rect.top() + (i / columns) * (side + gap), side,
                         side);
        QPainterPath clip;
        clip.addRoundedRect(box, 2, 2);
        painter.save();
        painter.setClipPath(clip);
        painter.drawImage(box, preview.thumbnails[i]);
        painter.restore();
    }
}

void paintLayers(QPainter& painter, const QRectF& rect, const Preview& preview) {
    const Theme& theme = Theme::current();
    const qreal height = theme.px(19);
    const auto room = std::max<qsizetype>(1, static_cast<qsizetype>(rect.height() / height));
    const QFontMetricsF metrics(theme.small);
    for (qsizetype i = 0; i < std::min(room, preview.layers.size()); ++i) {
        const QRectF line(rect.left(), rect.top() + static_cast<qreal>(i) * height, rect.width(), height);
        painter.setFont(theme.small);
        if (i + 1 == room && preview.layers.size() > room) {
            painter.setPen(theme.text3);
            painter.drawText(line, Qt::AlignVCenter,
                             QCoreApplication::translate("Preview", "+ %1 more layers").arg(preview.layers.size() - i));
            return;
        }
        const auto& layer = preview.layers[i];
        const qreal column = rect.width() * 0.27;
        QFont bold = theme.small;
        bold.setWeight(QFont::DemiBold);
        painter.setFont(bold);
        painter.setPen(theme.text);
        painter.drawText(line, Qt::AlignVCenter,
                         QFontMetricsF(bold).elidedText(layer.name, Qt::ElideMiddle, column - 6));
        painter.setFont(theme.small);
        painter.setPen(theme.text2);
        painter.drawText(line.adjusted(column, 0, 0, 0), Qt::AlignVCenter,
                         metrics.elidedText(layer.kind, Qt::ElideRight, column - 6));
        painter.drawText(line.adjusted(2 * column, 0, 0, 0), Qt::AlignVCenter,
                         metrics.elidedText(layer.shape, Qt::ElideRight, column - 6));
        painter.setPen(theme.text);
        paintTabular(painter, line, Qt::AlignRight | Qt::AlignVCenter, theme.small,
                     layer.parameters > 0 ? parametersText(layer.parameters) : kNoValue);
        paintHLine(painter, line.left(), line.bottom(), line.width(), theme.grid);
    }
}

void paintLearningRates(QPainter& painter, const QRectF& rect, const Preview& preview,
                        const QList<double>& learningRates, double base) {
    const Theme& theme = Theme::current();
    if (preview.lr.size() < 2 || base <= 0) return;
    double top = 0;
    for (const auto& point : preview.lr) top = std::max(top, point.y());
    const double largest =
        learningRates.isEmpty() ? base : *std::max_element(learningRates.begin(), learningRates.end());
    const double high = top * largest / base;
    const auto ticks = linearTicks(0, high, 3);
    qreal left = theme.px(44);
    for (const Tick& tick : ticks)
        left = std::max(left, QFontMetricsF(theme.small).horizontalAdvance(tick.label) + theme.px(12));
    const QRectF plot = rect.adjusted(left, theme.px(9), -theme.px(8), -theme.px(18));
    painter.setFont(theme.small);
    for (const Tick& tick : ticks) {
        const qreal y = plot.bottom() - tick.position / high * plot.height();
        paintHLine(painter, plot.left(), y, plot.width(), tick.position == 0 ? theme.axis : theme.grid);
        painter.setPen(theme.text3);
        painter.drawText(QRectF(rect.left(), y - 8, left - 8, 16), Qt::AlignRight | Qt::AlignVCenter, tick.label);
    }
    const double steps = std::max(1.0, preview.lr.back().x());
    const double perEpoch = static_cast<double>(std::max<std::int64_t>(1, preview.stepsPerEpoch));
    for (const Tick& tick : linearTicks(0, steps / perEpoch, 5)) {
        const qreal x = plot.left() + plot.width() * tick.position * perEpoch / steps;
        painter.drawText(QRectF(x - 30, plot.bottom() + 2, 60, 16), Qt::AlignCenter, tick.label);
    }
    painter.setClipRect(plot.adjusted(-1, -2, 2, 2));
    // More lines than this are one patch of colour.
    const qsizetype lines = std::clamp<qsizetype>(learningRates.size(), 1, 64);
    for (qsizetype trial = 0; trial < lines; ++trial) {
        const double factor = learningRates.isEmpty() ? 1.0 : learningRates[trial] / base;
        QPainterPath path;
        for (qsizetype i = 0; i < preview.lr.size(); ++i) {
            const QPointF at(plot.left() + preview.lr[i].x() / steps * plot.width(),
                             plot.bottom() - preview.lr[i].y() * factor / high * plot.height());
            i == 0 ? path.moveTo(at) : path.lineTo(at);
        }
        painter.setPen(QPen(theme.curve(static_cast<int>(trial)), 1.5));
        painter.drawPath(path);
    }
    painter.setClipping(false);
}

namespace {

QFont checkFont() {
    QFont bold = Theme::current().small;
    bold.setWeight(QFont::Medium);
    return bold;
}

// The detail's part of a check's area.
QRectF detailOf(const RunCheck& check, const QRectF& area) {
    const Theme& theme = Theme::current();
    const qreal named = theme.px(22) + QFontMetricsF(checkFont()).horizontalAdvance(check.name) + theme.px(6);
    return area.adjusted(named, 0, 0, 0);
}

} // namespace

bool isCheckCut(const RunCheck& check, const QRectF& area) {
    const QFontMetricsF metrics(Theme::current().small);
    const QRectF room = detailOf(check, area);
    if (area.height() > Theme::current().px(kCheckHeight)) return false; // it has lines of its own
    return metrics.horizontalAdvance(check.detail) > room.width();
}

QList<QRectF> checkAreas(qreal width, const QList<RunCheck>& checks) {
    const Theme& theme = Theme::current();
    const qreal height = theme.px(kCheckHeight);
    const QRectF half(0, 0, width / 2 - theme.px(8), height);
    const auto isBelow = [&](const RunCheck& check) { return check.state != RunCheck::Ok && isCheckCut(check, half); };
    const auto below = std::count_if(checks.begin(), checks.end(), isBelow);
    const auto lines = (checks.size() - below + 1) / 2;
    QList<QRectF> areas;
    qsizetype beside = 0;
    qreal bottom = static_cast<qreal>(lines) * height;
    for (const RunCheck& check : checks) {
        if (!isBelow(check)) {
            areas << half.translated(beside < lines ? 0 : width / 2, static_cast<qreal>(beside % lines) * height);
            ++beside;
            continue;
        }
        QRectF area(0, bottom, width, height);
        const QRectF room = detailOf(check, area);
        const QRectF words =
            QFontMetricsF(theme.small).boundingRect(QRectF(0, 0, room.width(), 1000), Qt::TextWordWrap, check.detail);
        area.setHeight(std::max(height + 1, std::ceil(words.height()) + theme.px(6)));
        areas << area;
        bottom = area.bottom();
    }
    return areas;
}

void paintChecks(QPainter& painter, const QRectF& rect, const QList<RunCheck>& checks) {
    const Theme& theme = Theme::current();
    const qreal height = theme.px(kCheckHeight), side = theme.px(14);
    const QList<QRectF> areas = checkAreas(rect.width(), checks);
    for (qsizetype i = 0; i < checks.size(); ++i) {
        const QRectF area = areas[i].translated(rect.topLeft());
        const QRectF line(area.left(), area.top(), area.width(), height); // the first one
        const RunCheck& check = checks[i];
        const QColor color = check.state == RunCheck::Ok      ? theme.success
                             : check.state == RunCheck::Wait  ? theme.warn
                             : check.state == RunCheck::Wrong ? theme.error
                                                              : theme.text3;
        const char* const icons[] = {"check", "clock", "error", "clock"};
        paintIcon(painter, QLatin1String(icons[check.state]),
                  QRectF(line.left(), line.center().y() - side / 2, side, side), color);
        painter.setFont(checkFont());
        painter.setPen(theme.text);
        painter.drawText(line.adjusted(theme.px(22), 0, 0, 0), Qt::AlignVCenter, check.name);
        painter.setFont(theme.small);
        painter.setPen(check.state == RunCheck::Wrong ? theme.error : theme.text2);
        const QRectF room = detailOf(check, area);
        const QFontMetricsF metrics(theme.small);
        if (area.height() > height)
            painter.drawText(room.adjusted(0, (height - metrics.height()) / 2, 0, 0), Qt::TextWordWrap, check.detail);
        else painter.drawText(room, Qt::AlignVCenter, metrics.elidedText(check.detail, Qt::ElideRight, room.width()));
    }
}

} // namespace trainyard::ui
