// SPDX-License-Identifier: GPL-3.0-or-later
// From the points of a card to the PlotScene of one frame.
#include "engine/spec/run/better.h"
#include "ui/plots/canvas/axis_ticks.h"
#include "ui/plots/canvas/in_parallel.h"
#include "ui/plots/card/metric_card_p.h"
#include "ui/plots/layers/band_layer.h"
#include "ui/series/rough_columns.h"
#include "ui/theme/theme.h"

#include <QCoreApplication>
#include <QPushButton>
#include <QStackedWidget>
#include <QThreadPool>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr std::size_t kLeastToSmooth = 16;        // an average of fewer points hides what each of them says
constexpr std::size_t kWorkerPoints = 20000;      // an average over more points leaves the GUI thread
constexpr std::size_t kColumnsAsked = 5000;       // of all curves, for what is typical of them
constexpr std::size_t kMostWholeAverages = 8;     // of more curves, every other column is enough
constexpr int kBandParts = 160;                   // straight pieces of a band
constexpr double kZoomSlack = 0.25;               // of a pixel that columns may be off by while a plot is zoomed
constexpr std::size_t kMostMovingColumns = 30000; // of all curves; beyond, a column is wider while a plot is moved
constexpr int kMovingColumn = 2;                  // pixels that it covers then
constexpr double kGrowth = 0.01;                  // of the axis: less than the room behind a live run
constexpr double kSteadyShare = 0.04;             // of the axis: less than the room beside the values

double quantile(std::vector<double>& values, double share) {
    const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + at, values.end());
    return values[static_cast<std::size_t>(at)];
}

struct Spread {
    std::vector<double> lows, highs; // of the columns, of very many only a part
    double min = std::numeric_limits<double>::infinity();
    double max = -std::numeric_limits<double>::infinity();
};

Spread spreadOf(const std::vector<CurveView>& views) {
    Spread spread;
    std::size_t all = 0;
    for (const CurveView& view : views) all += (view.smoothed ? view.raw : view.main).size();
    const std::size_t stride = all / kColumnsAsked + 1;
    spread.lows.reserve(all / stride + views.size());
    spread.highs.reserve(all / stride + views.size());
    for (const CurveView& view : views) {
        for (const Columns* columns : {&view.raw, &view.main}) {
            spread.min = std::min(spread.min, columns->bounds().min);
            spread.max = std::max(spread.max, columns->bounds().max);
        }
        const Columns& columns = view.smoothed ? view.raw : view.main;
        for (std::size_t i = 0; i < columns.size(); i += stride) {
            if (columns[i].extent.isEmpty()) continue;
            spread.lows.push_back(columns[i].extent.min);
            spread.highs.push_back(columns[i].extent.max);
        }
    }
    return spread;
}

// Where the runs are few a band reaches beyond them. What a log axis cannot show of it is left out.
void addBand(Spread& spread, const std::vector<BandPoint>& band, bool log) {
    for (const BandPoint& point : band) {
        if (point.runs < 2) continue;
        const double low = point.mean - point.deviation;
        spread.max = std::max(spread.max, point.mean + point.deviation);
        spread.highs.push_back(point.mean + point.deviation);
        if (log && !(low > 0)) continue;
        spread.min = std::min(spread.min, low);
        spread.lows.push_back(low);
    }
}

// Columns of so many pixels each; the last one may reach beyond the axis.
ColumnGrid gridOf(const AxisRange& x, XMode mode, int pixels, int columnWidth) {
    const int columns = (pixels + columnWidth - 1) / columnWidth;
    const double share = static_cast<double>(columns) * columnWidth / pixels;
    if (columns * columnWidth == pixels) return {mode, x.low, x.high, columns, x.log};
    const double high = x.log ? x.low * std::pow(x.high / x.low, share) : x.low + (x.high - x.low) * share;
    return {mode, x.low, high, columns, x.log};
}

} // namespace

void MetricCard::Private::reportExtent() {
    const XMode mode = group->xMode();
    XExtent extent;
    auto& [range, least] = extent;
    bool first = true;
    for (const auto& curve : curves) {
        const SeriesData& data = *curve->data;
        if (data.isEmpty()) continue;
        const double low = data.x(mode, 0);
        const double high = data.x(mode, data.size() - 1);
        range.low = first ? low : std::min(range.low, low);
        range.high = first ? high : std::max(range.high, high);
        first = false;
        const std::size_t positive = data.lowerBound(mode, std::numeric_limits<double>::min());
        if (positive < data.size())
            least = least > 0 ? std::min(least, data.x(mode, positive)) : data.x(mode, positive);
    }
    if (!first && range.isEmpty()) range.high = range.low + 1; // one point: give it room
    group->reportExtent(q, extent);
}

bool MetricCard::Private::isSmoothed(const CardCurve& curve) const {
    return smoothing(curve) > 0 && curve.data->size() >= kLeastToSmooth && curve.smooth->weight() > 0 &&
           curve.smooth->size() > 0 && curve.smooth->matches(*curve.data);
}

const ValueSource& MetricCard::Private::shown(const CardCurve& curve) const {
    if (isSmoothed(curve)) return *curve.smooth;
    return *curve.data;
}

double MetricCard::Private::smoothing(const CardCurve& curve) const {
    return isNoisy(curve.series) ? group->smoothing() : 0;
}

double MetricCard::Private::smoothing() const {
    return std::any_of(series.begin(), series.end(), isNoisy) ? group->smoothing() : 0;
}

void MetricCard::Private::updateSmoothing() {
    for (const auto& curve : curves) {
        const double weight = smoothing(*curve);
        if (!(weight > 0)) continue;
        const double have = curve->smooth->weight();
        const bool same = !(have < weight) && !(have > weight) && curve->smooth->matches(*curve->data);
        const std::size_t missing = curve->data->size() - (same ? curve->smooth->size() : 0);
        if (missing > kWorkerPoints) {
            smoothInWorker(*curve, weight);
        } else {
            if (!same) curve->smooth = std::make_shared<SmoothSeries>(weight);
            curve->smooth->follow(*curve->data);
        }
    }
}

void MetricCard::Private::smoothInWorker(CardCurve& curve, double weight) {
    if (!(curve.smoothingAsked < weight) && !(curve.smoothingAsked > weight)) return; // under way
    curve.smoothingAsked = weight;
    auto points = std::make_shared<SeriesData>(*curve.data);
    const QPointer<MetricCard> card(q);
    const QString runId = curve.style.runId, name = curve.series;
    QThreadPool::globalInstance()->start([points, weight, card, runId, name] {
        auto smooth = std::make_shared<SmoothSeries>(weight);
        smooth->follow(*points);
        QMetaObject::invokeMethod(qApp, [smooth, weight, card, runId, name] {
            if (card == nullptr) return;
            CardCurve* done = card->d->find(runId, name);
            if (done == nullptr) return;
            const bool last = !(done->smoothingAsked < weight) && !(done->smoothingAsked > weight);
            if (last) {
                done->smoothingAsked = 0;
                if (smooth->matches(*done->data)) done->smooth = smooth;
                card->d->schedule();
            }
        });
    });
}

// Losses and errors do; an accuracy or a learning rate reads better on a line. All values decide, not those in sight: a
// zoom changes no scale.
bool MetricCard::Private::fallsOverDecades() const {
    const auto isError = [](const QString& each) {
        return spec::betterOf(each.toStdString()) == spec::Better::Smaller;
    };
    if (!std::all_of(series.begin(), series.end(), isError)) return false;
    double min = std::numeric_limits<double>::infinity(), max = 0;
    for (const auto& curve : curves) {
        const Bounds all = curve->data->bounds(0, curve->data->size());
        if (all.isEmpty()) continue;
        min = std::min(min, all.min);
        max = std::max(max, all.max);
    }
    return min > 0 && max / min > 5;
}

AxisRange MetricCard::Private::yRange(const std::vector<CurveView>& views, const std::vector<BandPoint>& band) const {
    Spread spread = spreadOf(views);
    if (spread.lows.empty()) return {0, 1, false};
    const YMode mode = axes.y.value_or(group->yMode());
    const bool belowZero = axes.yRange && !(axes.yRange->first > 0); // a typed range decides
    const bool log =
        spread.min > 0 && !belowZero && (mode == YMode::Log || (mode == YMode::Auto && fallsOverDecades()));
    const bool zoomShows = yZoom && !yIsForeign && yZoom->low <= spread.max && yZoom->high >= spread.min;
    if (zoomShows && (!log || yZoom->low > 0)) return {yZoom->low, yZoom->high, log};
    if (axes.yRange) return {axes.yRange->first, axes.yRange->second, log};
    addBand(spread, band, log);
    const auto scaled = [log](double value) { return log ? std::log10(value) : value; };
    double low = scaled(spread.min);
    double high = scaled(spread.max);
    // What is drawn as it is has no outliers: the warm-up of a learning rate is part of its schedule.
    if (mode == YMode::Auto && spread.lows.size() > 20 && std::any_of(series.begin(), series.end(), isNoisy)) {
        const double typicalLow = scaled(quantile(spread.lows, 0.02));
        const double typicalHigh = scaled(quantile(spread.highs, 0.98));
        const double room = std::max(typicalHigh - typicalLow, 0.0) * 0.5;
        low = low < typicalLow - room && room > 0 ? typicalLow - room * 0.2 : low;
        high = high > typicalHigh + room && room > 0 ? typicalHigh + room * 0.2 : high;
    }
    // A series that stands still but for rounding is drawn as standing still.
    if (!(high - low > 1e-6 * std::max(std::abs(low), std::abs(high)))) {
        const double pad = log ? 0.1 : std::max(std::abs(high) * 0.05, 1e-9);
        low -= pad;
        high += pad;
    }
    const double pad = (high - low) * 0.05;
    const double floor = low;
    low -= pad;
    high += pad;
    if (!log && spread.min >= 0 && floor < (high - low) * 0.25) low = 0;
    return log ? AxisRange{std::pow(10.0, low), std::pow(10.0, high), true} : AxisRange{low, high, false};
}

CurveView MetricCard::Private::viewOf(CardCurve& curve, const ColumnGrid& grid, bool zooming) const {
    CurveView view;
    view.runId = curve.style.runId;
    view.name = nameOf(curve);
    view.pattern = curve.pattern;
    view.color = Theme::current().curve(curve.style.color);
    view.live = curve.live;
    view.smoothed = isSmoothed(curve);
    view.end = {std::nan(""), std::nan("")};
    if (curve.data->isEmpty()) return view;
    const ValueSource& values = shown(curve);
    auto bounds = columnBounds(*curve.data, grid);
    const std::size_t block = zooming ? alignToBlocks(bounds, kZoomSlack) : 1;
    if (view.smoothed) { // a summary, and its raw values stand behind it
        const std::size_t stride = curves.size() > kMostWholeAverages ? 2 : 1;
        view.main = endsOfColumns(*curve.data, values, grid.mode, bounds, stride);
    }
    Columns& columns = view.smoothed ? view.raw : view.main;
    columns = block > 1 ? roughColumns(*curve.data, grid.mode, bounds, block)
                        : curve.columns.reduce(*curve.data, grid.mode, std::move(bounds));
    const std::size_t last = std::min(values.size(), curve.data->size()) - 1;
    view.end = {curve.data->x(grid.mode, last), values.value(last)};
    return view;
}

OutlierMark MetricCard::Private::outliers(const AxisRange& x, const AxisRange& y,
                                          const std::vector<CurveView>& views) const {
    struct Outside {
        std::size_t above = 0, below = 0, begin = 0;
    };
    std::vector<Outside> all(curves.size());
    inParallel(static_cast<int>(curves.size()), [&](int index) {
        const auto i = static_cast<std::size_t>(index);
        const Bounds& extent = (views[i].smoothed ? views[i].raw : views[i].main).bounds();
        if (extent.isEmpty() || (extent.max <= y.high && extent.min >= y.low)) return;
        const SeriesData& data = *curves[i]->data;
        const std::size_t begin = data.lowerBound(group->xMode(), x.low);
        const auto [above, below] =
            data.countOutside(begin, data.lowerBound(group->xMode(), x.high, data.size()), y.low, y.high);
        all[i] = {above, below, begin};
    });
    OutlierMark mark;
    Outside most;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& [above, below, begin] = all[i];
        if (above == 0 && below == 0) continue;
        const QColor color = Theme::current().curve(curves[i]->style.color);
        const double at = curves[i]->data->x(group->xMode(), begin);
        if (above > most.above) {
            most.above = above;
            mark.aboveColor = color;
            mark.aboveX = at;
        }
        if (below > most.below) {
            most.below = below;
            mark.belowColor = color;
            mark.belowX = at;
        }
        mark.above = std::min<std::size_t>(mark.above + above, 1000);
        mark.below = std::min<std::size_t>(mark.below + below, 1000);
    }
    return mark;
}

std::vector<BandRun> MetricCard::Private::bandRuns() const {
    std::vector<BandRun> runs;
    if (!group->showBand()) return runs;
    for (const auto& curve : curves)
        if (curve->pattern == 0 && !curve->data->isEmpty()) runs.push_back({curve->data.get(), &shown(*curve)});
    return runs.size() < 2 ? std::vector<BandRun>{} : runs;
}

std::vector<EventMark> MetricCard::Private::eventMarks(const QString& hovered) const {
    std::vector<MarkedRun> marked;
    for (const auto& curve : curves) {
        if (curve->pattern != 0 || curve->data->isEmpty() || !group->showEvents()) continue;
        const auto known = eventsOf.find(curve->style.runId);
        marked.push_back({curve->style, known == eventsOf.end() ? nullptr : &known->second, curve->data.get()});
    }
    return marksOf(marked, group->xMode(), hovered);
}

bool MetricCard::Private::trains() const {
    return std::any_of(curves.begin(), curves.end(), [](const auto& curve) { return curve->live; });
}

bool MetricCard::Private::isHeavy(int columns) const {
    return curves.size() * static_cast<std::size_t>(columns) > kMostMovingColumns;
}

// Where a plot is moved by a part of a column the last frame's columns would all be others: it is moved by whole ones.
// Where it grows, the axis stays until the end of the run has used up the room behind it.
AxisRange MetricCard::Private::shownX(const AxisRange& wanted, int columns, int columnWidth) const {
    const AxisRange& last = curvesScene.x.range;
    const double width = wanted.high - wanted.low;
    if (wanted.log || last.log || columns != lastColumns) return wanted;
    const double column = width / columns * columnWidth;
    const double grown = wanted.high - last.high;
    // The room before a first point above 0 grows along, by a hundredth of what the axis does: less than a pixel.
    const bool sameStart = std::abs(wanted.low - last.low) < 2e-4 * width;
    if (sameStart && grown > 0 && grown < kGrowth * width) return last;
    const bool moved = std::abs(last.high - last.low - width) < 1e-9 * width;
    if (!moved) return wanted;
    const double moves = std::round((wanted.low - last.low) / column);
    if (std::abs(moves) < 1) return last;
    const double low = last.low + moves * column;
    return {low, low + width, false};
}

// What each new point changed a little would have to be painted anew, axis and all: where a run trains the axis stays
// as long as the values keep within the room beside them.
AxisRange MetricCard::Private::shownY(const AxisRange& wanted, int columns) const {
    const bool isFree = !yZoom && !axes.yRange && !group->isZoomed();
    return trains() && isFree && columns == lastColumns ? steady(curvesScene.y.range, wanted, kSteadyShare) : wanted;
}

PlotScene MetricCard::Private::makeScene(int columns, bool moving, std::shared_ptr<CurvePictures> shown) const {
    PlotScene scene;
    const XMode mode = group->xMode();
    const CurveDetail detail{moving, moving && isHeavy(columns) ? kMovingColumn : 1};
    scene.x = {shownX(group->xAxis(), columns, detail.columnWidth), xUnit(mode), xTitle(mode)};
    const AxisRange& x = scene.x.range;
    const ColumnGrid grid = gridOf(x, mode, columns, detail.columnWidth);
    const AxisRange& last = curvesScene.x.range; // where only its place is another, most columns are those of then
    const double width = x.high - x.low;
    const bool zooming = moving && !x.log && std::abs(last.high - last.low - width) > 1e-9 * width;
    std::vector<CurveView> views(curves.size());
    inParallel(static_cast<int>(curves.size()), [&](int i) {
        const auto at = static_cast<std::size_t>(i);
        views[at] = viewOf(*curves[at], grid, zooming);
    });
    std::vector<BandPoint> band;
    const double bandEnd = std::min(x.high, group->fullRange().high); // beyond it there is only the live disc's room
    if (const auto runs = bandRuns(); !runs.empty() && bandEnd > x.low)
        band = bandOver(runs, {mode, x.low, bandEnd, kBandParts, x.log});
    scene.y = {shownY(yRange(views, band), columns), AxisUnit::Number, series.join(QStringLiteral(", "))};
    const OutlierMark outside = outliers(x, scene.y.range, views);
    if (!band.empty()) scene.layers.push_back(std::make_shared<BandLayer>(std::move(band)));
    auto lines = std::make_shared<const CurveLayer>(std::move(views), detail, std::move(shown));
    scene.layers.push_back(lines);
    scene.layers.push_back(std::make_shared<OutlierLayer>(outside, std::move(lines)));
    return scene;
}

// Between the band, if there is one, and the curves with their outliers.
void MetricCard::Private::addEvents(PlotScene& scene, const QString& hovered) const {
    if (auto shown = eventMarks(hovered); !shown.empty())
        scene.layers.insert(scene.layers.end() - 2, std::make_shared<EventLayer>(std::move(shown)));
}

int MetricCard::Private::columns() const { return std::max(1, static_cast<int>(canvas->plotRect().width())); }

// What the pointer and a screen reader find of the marks.
void MetricCard::Private::applyMarks(const PlotScene& scene) {
    marks.reset();
    for (const auto& layer : scene.layers)
        if (auto events = std::dynamic_pointer_cast<const EventLayer>(layer)) marks = std::move(events);
    const QString words = marks ? marks->description() : QString();
    if (words != q->accessibleDescription()) q->setAccessibleDescription(words);
}

// At the last point of the run that can be steered.
void MetricCard::Private::placeHandle() {
    const CardCurve* curve = steered.isEmpty() ? nullptr : find(steered, metric);
    if (curve == nullptr || curve->data->isEmpty()) return canvas->hideHandle();
    const std::size_t last = curve->data->size() - 1;
    canvas->showHandle({curve->data->x(group->xMode(), last), curve->data->value(last)},
                       Theme::current().curve(curve->style.color));
}

void MetricCard::Private::refresh() {
    reportExtent(); // first, as a range that grows by it asks every card for a frame: this one is that of this card
    wait.drawn();
    dirty = false;
    const bool any =
        std::any_of(curves.begin(), curves.end(), [](const auto& curve) { return !curve->data->isEmpty(); });
    if (!any) {
        stack->setCurrentIndex(1);
        updateCrosshair();
        return;
    }
    stack->setCurrentIndex(0);
    updateSmoothing();
    if (curvesColumns != columns()) {
        curvesColumns = columns();
        curvesScene = makeScene(curvesColumns, rest.isActive(), pictures);
        lastColumns = curvesColumns;
    }
    PlotScene scene = curvesScene;
    if (find(group->hoveredRun()) != nullptr) scene.hovered = group->hoveredRun();
    addEvents(scene, scene.hovered);
    applyMarks(scene);
    logY = scene.y.range.log;
    canvas->setScene(std::move(scene));
    placeHandle();
    jump->setVisible(trains() && group->isBehindLive());
    updateCrosshair();
}

} // namespace trainyard::ui
