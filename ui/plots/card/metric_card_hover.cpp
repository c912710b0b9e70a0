// SPDX-License-Identifier: GPL-3.0-or-later
// Crosshair, values in the header, tooltip and the run under the pointer.
#include "engine/spec/run/better.h"
#include "ui/models/text/format.h"
#include "ui/plots/canvas/axis_labels.h"
#include "ui/plots/card/chart_header.h"
#include "ui/plots/card/metric_card_p.h"
#include "ui/theme/theme.h"

#include <QLocale>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr std::size_t kMostMarks = 4;      // in a tooltip
constexpr std::size_t kFewValues = 6;      // in the header, in the order of their curves
constexpr std::ptrdiff_t kMostValues = 50; // more than any header has room for

// The value of one run at the crosshair.
struct Reading {
    const CardCurve* curve = nullptr;
    std::size_t index = 0;
    double value = 0;
    double raw = 0;
};

// The point nearest to x, unless x lies beyond the run's ends.
std::optional<Reading> readAt(const CardCurve& curve, const ValueSource& values, XMode mode, double x) {
    const std::size_t size = std::min(values.size(), curve.data->size());
    if (size == 0 || std::isnan(x)) return std::nullopt;
    const double first = curve.data->x(mode, 0);
    const double last = curve.data->x(mode, size - 1);
    const double slack = (last - first) * 0.01;
    if (x < first - slack || x > last + slack) return std::nullopt;
    const std::size_t index = std::min(size - 1, curve.data->nearest(mode, x));
    return Reading{&curve, index, values.value(index), curve.data->value(index)};
}

// The value of a group's mean at x; without x, where the first of its runs ends.
BandPoint meanAt(const CardBand& band, XMode mode, double x, bool logX) {
    if (std::isnan(x))
        for (const BandRun& run : band.runs) x = std::fmin(x, run.points->x(mode, run.points->size() - 1));
    return bandAt(band.runs, mode, x, logX);
}

// "0.93 ± 0.01", or the mean of a single run.
QString meanText(const BandPoint& point, int decimals) {
    const QString mean = formatValue(point.mean, decimals);
    return point.runs < 2 ? mean : QStringLiteral("%1 ± %2").arg(mean, formatValue(point.deviation, decimals));
}

// Decimal places that distinguish values on the visible y axis.
int shownDecimals(const PlotCanvas& canvas) {
    const AxisRange& y = canvas.scene().y.range;
    return decimalsFor(y.low, y.high, y.log);
}

} // namespace

PointerTip::~PointerTip() {
    delete m_tip;
    delete m_pinned;
}

void PointerTip::leave() {
    m_isInside = false;
    hide();
}

void PointerTip::hide() {
    if (m_tip != nullptr) m_tip->hide();
}

void PointerTip::show(QWidget& canvas, const TooltipContent& content) {
    if (content.rows.isEmpty()) return hide();
    if (m_tip == nullptr) m_tip = new ChartTooltip(canvas.window());
    m_tip->showAt(QPointF(canvas.mapTo(canvas.window(), QPoint())) + m_at, content);
}

void PointerTip::pin(QWidget& board, const QWidget& canvas, const TooltipContent& content) {
    if (isPinned()) return unpin();
    if (content.rows.isEmpty()) return;
    m_pinned = new ChartTooltip(&board);
    m_pinned->showAt(QPointF(canvas.mapTo(&board, QPoint())) + m_at, content);
}

void PointerTip::unpin() { delete m_pinned; }

void MetricCard::Private::updateCrosshair() {
    const double x = group->crosshair();
    const int decimals = shownDecimals(*canvas);
    std::vector<CrosshairDot> dots;
    std::vector<std::pair<double, QColor>> values;
    const CardBands groups = bands();
    for (const auto& curve : curves) {
        if (groups.hides(*curve)) continue;
        const ValueSource& source = curves.shown(*curve);
        const QColor color = Theme::current().curve(curve->style.drawnColor());
        if (const auto reading = readAt(*curve, source, group->xMode(), x)) {
            dots.push_back({curve->data->x(group->xMode(), reading->index), reading->value, color});
            values.emplace_back(reading->value, color);
        } else if (std::isnan(x) && source.size() > 0) {
            values.emplace_back(source.value(source.size() - 1), color);
        }
    }
    for (const CardBand& band : groups) {
        const BandPoint mean = meanAt(band, group->xMode(), x, group->logX());
        if (!band.group.isOneLine || mean.runs == 0) continue;
        const QColor color = Theme::current().curve(band.group.color);
        if (!std::isnan(x)) dots.push_back({x, mean.mean, color});
        values.emplace_back(mean.mean, color);
    }
    canvas->setCrosshair(x, dots);
    if (values.size() > kFewValues && std::isnan(x)) { // in a row without names, they tell nothing
        values.clear();
    } else if (values.size() > kFewValues) { // not all fit: the best stay
        const spec::Better better = spec::betterOf(curves.metric().toStdString());
        std::stable_sort(values.begin(), values.end(),
                         [better](const auto& a, const auto& b) { return spec::isBetter(better, b.first, a.first); });
        if (std::ssize(values) > kMostValues) values.erase(values.begin(), values.end() - kMostValues);
    }
    QList<HeaderValue> shownValues;
    // At rest as in tables; under the pointer with as many places as the visible part tells apart.
    for (const auto& [value, color] : values)
        shownValues << HeaderValue{color, std::isnan(x) ? metricText(value) : formatValue(value, decimals)};
    header->setValues(shownValues, !std::isnan(x));
    QStringList tags{untoldUnit(curves.series())};
    tags.removeAll(QString());
    const bool isLog = canvas->scene().y.range.log;
    if (isLog) tags << tr("log");
    if (yScale.isTyped()) tags << tr("fixed y");
    if (std::any_of(curves.begin(), curves.end(), [this](const auto& curve) { return curves.isSmoothed(*curve); }))
        tags << tr("smoothed");
    header->setTag(tags.join(QStringLiteral(", ")));
    header->setLogChecked(isLog);
    updateTooltip();
}

QStringList MetricCard::Private::spokenValues() const {
    QStringList spoken;
    const int decimals = shownDecimals(*canvas);
    const CardBands groups = bands();
    for (const CardBand& band : groups) {
        const BandPoint mean = meanAt(band, group->xMode(), group->crosshair(), group->logX());
        if (band.group.isOneLine && mean.runs > 0 && spoken.size() < kMostValues)
            spoken << QStringLiteral("%1: %2").arg(band.name, meanText(mean, decimals));
    }
    for (const auto& curve : curves) {
        const ValueSource& source = curves.shown(*curve);
        const std::size_t size = std::min(source.size(), curve->data->size());
        if (size == 0 || spoken.size() == kMostValues || groups.hides(*curve)) continue;
        const double x = std::isnan(group->crosshair()) ? curve->data->x(group->xMode(), size - 1) : group->crosshair();
        if (const auto reading = readAt(*curve, source, group->xMode(), x))
            spoken << tr("%1: %2, step %3")
                          .arg(curves.nameOf(*curve), formatValue(reading->value, decimals),
                               QLocale().toString(curve->data->at(reading->index).step));
    }
    return spoken;
}

// A row for each curve and each group's mean at the crosshair, nearest first, and the step of the nearest curve.
TooltipContent MetricCard::Private::valuesUnderPointer() const {
    TooltipContent content;
    const double x = group->crosshair();
    const PlotFrame shownFrame = canvas->frame();
    const int decimals = shownDecimals(*canvas);
    std::vector<std::pair<double, TooltipRow>> rows;
    const auto add = [&](double value, const TooltipRow& row) {
        rows.emplace_back(std::abs(shownFrame.y.toPixel(value) - tip.at().y()), row);
        return rows.back().first;
    };
    const CardBands groups = bands();
    for (const CardBand& band : groups) {
        const BandPoint mean = meanAt(band, group->xMode(), x, group->logX());
        if (!band.group.isOneLine || mean.runs == 0) continue;
        add(mean.mean, {Theme::current().curve(band.group.color), band.name, meanText(mean, decimals), {}});
        content.heading = formatX(group->xMode(), x);
    }
    double nearest = std::numeric_limits<double>::infinity();
    for (const auto& curve : curves) {
        const auto reading = readAt(*curve, curves.shown(*curve), group->xMode(), x);
        if (!reading || groups.hides(*curve)) continue;
        const QString raw =
            curves.isSmoothed(*curve) ? formatValue(reading->raw, std::max(0, decimals - 1)) : QString();
        const double distance =
            add(reading->value, {Theme::current().curve(curve->style.drawnColor()), curves.nameOf(*curve),
                                 formatValue(reading->value, decimals), raw});
        if (!(distance < nearest)) continue;
        nearest = distance;
        const PlotPoint point = curve->data->at(reading->index);
        content.heading = formatX(group->xMode(), curve->data->x(group->xMode(), reading->index));
        content.note = group->xMode() == XMode::Step ? tr("epoch %1").arg(QLocale().toString(point.epoch, 'f', 1))
                                                     : tr("step %1").arg(QLocale().toString(point.step));
    }
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    content.more = std::max(0, static_cast<int>(rows.size()) - ChartTooltip::kMostRows);
    for (std::size_t i = 0; i + static_cast<std::size_t>(content.more) < rows.size(); ++i)
        content.rows << rows[i].second;
    return content;
}

TooltipContent MetricCard::Private::tooltipContent() const {
    TooltipContent content = valuesUnderPointer();
    if (content.rows.isEmpty()) return content;
    const PlotFrame shownFrame = canvas->frame();
    const bool smoothed =
        std::any_of(content.rows.begin(), content.rows.end(), [](const auto& row) { return !row.raw.isEmpty(); });
    for (const CardBand& band : bands()) {
        const BandPoint point = bandAt(band.runs, group->xMode(), group->crosshair(), group->logX());
        if (band.group.isOneLine || point.runs < 2) continue;
        const QString words = tr("mean ± std of %1").arg(point.runs);
        const bool isAll = band.name.isEmpty();
        content.rows << TooltipRow{isAll ? Theme::current().text2 : Theme::current().curve(band.group.color),
                                   isAll ? words : QStringLiteral("%1: %2").arg(band.name, words),
                                   meanText(point, shownDecimals(*canvas)), QString()};
    }
    if (marks) {
        const auto near = marks->marksAt(tip.at(), shownFrame);
        for (std::size_t i = 0; i < std::min(near.size(), kMostMarks); ++i)
            content.rows << TooltipRow{near[i].color, markText(near[i], false), {}, {}};
    }
    if (canvas->handle().isNear(tip.at(), shownFrame)) content.footer = tr("Drag up or down to change it");
    else if (smoothed) content.footer = tr("Smoothed %1, then raw").arg(QLocale().toString(curves.smoothing(), 'g', 3));
    return content;
}

void MetricCard::Private::updateTooltip() {
    if (!tip.isInside() || std::isnan(group->crosshair())) return tip.hide();
    tip.show(*canvas, tooltipContent());
}

void MetricCard::Private::onHover(double x, QPointF pixel) {
    tip.move(pixel);
    const double before = group->crosshair();
    group->setCrosshair(x);
    group->setHoveredRun(runNear(pixel, 14));
    if (!(before < x) && !(before > x)) updateTooltip(); // moved only up or down: the order of the rows may change
}

// A click chooses the run at the pointer, and keeps the values there in sight while the pointer moves on.
void MetricCard::Private::onClick(QPointF pixel) {
    tip.move(pixel);
    TooltipContent content = tooltipContent();
    content.footer = tr("Click again to let go");
    if (q->parentWidget() != nullptr) tip.pin(*q->parentWidget(), *canvas, content);
    tip.hide(); // until the pointer moves on
    if (const QString run = runNear(pixel, 10); !run.isEmpty()) Q_EMIT group->runClicked(run);
}

void MetricCard::Private::onLeave() {
    tip.leave();
    group->clearCrosshair();
    group->setHoveredRun(QString());
}

// The curve nearest to the pixel among those that have a point there in x.
std::pair<QString, qint64> MetricCard::Private::pointAt(const QPointF& pixel) const {
    const PlotFrame shownFrame = canvas->frame();
    const double x = shownFrame.x.toValue(pixel.x());
    std::pair<QString, qint64> best{QString(), -1};
    if (!shownFrame.area.contains(pixel)) return best;
    double nearest = std::numeric_limits<double>::infinity();
    for (const auto& curve : curves) {
        const auto reading = readAt(*curve, curves.shown(*curve), group->xMode(), x);
        if (!reading) continue;
        const double distance = std::abs(shownFrame.y.toPixel(reading->value) - pixel.y());
        if (!(distance < nearest) && !best.first.isEmpty()) continue;
        nearest = distance;
        best = {curve->style.runId, curve->data->at(reading->index).step};
    }
    return best;
}

QString MetricCard::Private::runNear(const QPointF& pixel, double reach) const {
    const PlotFrame shownFrame = canvas->frame();
    const double x = shownFrame.x.toValue(pixel.x());
    QString best;
    double nearest = reach;
    const auto take = [&](double value, const QString& run) {
        const double distance = std::abs(shownFrame.y.toPixel(value) - pixel.y());
        if (!std::isfinite(value) || !(distance < nearest)) return;
        nearest = distance;
        best = run;
    };
    const CardBands groups = bands();
    for (const CardBand& band : groups) // a group's line is near: its first run, by which the whole group stands out
        if (const BandPoint mean = bandAt(band.runs, group->xMode(), x, group->logX());
            band.group.isOneLine && mean.runs > 0)
            take(mean.mean, band.ids.first());
    for (const auto& curve : curves)
        if (const auto reading = readAt(*curve, curves.shown(*curve), group->xMode(), x);
            reading && !groups.hides(*curve))
            take(reading->value, curve->style.runId);
    return best;
}

} // namespace trainyard::ui
