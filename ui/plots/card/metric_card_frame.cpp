// SPDX-License-Identifier: GPL-3.0-or-later
// From the points of a card to the PlotScene of one frame.
#include "ui/plots/canvas/axis_labels.h"
#include "ui/plots/canvas/in_parallel.h"
#include "ui/plots/card/metric_card_p.h"
#include "ui/series/series_data.h"
#include "ui/theme/theme.h"

#include <QPushButton>
#include <QStackedWidget>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr std::size_t kMostWholeAverages = 8;     // with more curves, every other column is enough
constexpr int kBandParts = 240;                   // straight pieces of a band
constexpr double kZoomSlack = 0.25;               // pixels that columns may be off by while a plot is zoomed
constexpr std::size_t kMostMovingColumns = 30000; // of all curves; with more, columns are wider while a plot is moved
constexpr int kMovingColumn = 2;                  // width of such a column in pixels
constexpr double kGrowth = 0.01;                  // share of the axis: less than the room after a live run
constexpr double kSteadyShare = 0.04;             // share of the axis: less than the room beyond the values

// Columns of this many pixels each; the last one may reach beyond the axis.
ColumnGrid gridOf(const AxisRange& x, XMode mode, int pixels, int columnWidth) {
    const int columns = (pixels + columnWidth - 1) / columnWidth;
    const double share = static_cast<double>(columns) * columnWidth / pixels;
    if (columns * columnWidth == pixels) return {mode, x.low, x.high, columns, x.log};
    const double high = x.log ? x.low * std::pow(x.high / x.low, share) : x.low + (x.high - x.low) * share;
    return {mode, x.low, high, columns, x.log};
}

} // namespace

void MetricCard::Private::reportExtent() { group->reportExtent(q, curves.extent(group->xMode())); }

CurveView MetricCard::Private::viewOf(CardCurve& curve, const ColumnGrid& grid, bool zooming) const {
    CurveView view;
    view.runId = curve.style.runId;
    view.name = curves.nameOf(curve);
    view.pattern = curve.pattern;
    view.color = Theme::current().curve(curve.style.drawnColor());
    view.live = curve.live;
    view.smoothed = curves.isSmoothed(curve);
    view.end = {std::nan(""), std::nan("")};
    if (curve.data->isEmpty()) return view;
    const ValueSource& values = curves.shown(curve);
    auto bounds = columnBounds(*curve.data, grid);
    const std::size_t block = zooming ? alignToBlocks(bounds, kZoomSlack) : 1;
    if (view.smoothed) { // an average, with its raw values behind it
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
        const SeriesData& data = *curves[i].data;
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
        const QColor color = Theme::current().curve(curves[i].style.drawnColor());
        const double at = curves[i].data->x(group->xMode(), begin);
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

CardBands MetricCard::Private::bands() const { return group->showBand() ? CardBands(curves) : CardBands(); }

std::vector<EventMark> MetricCard::Private::eventMarks(const QString& hovered) const {
    std::vector<MarkedRun> marked;
    const CardBands shownBands = bands();
    for (const auto& curve : curves) {
        if (curve->pattern != 0 || shownBands.hides(*curve) || curve->data->isEmpty() || !group->showEvents()) continue;
        const auto known = eventsOf.find(curve->style.runId);
        marked.push_back({curve->style, known == eventsOf.end() ? nullptr : &known->second, curve->data.get()});
    }
    return marksOf(marked, group->xMode(), hovered);
}

bool MetricCard::Private::isHeavy(int columns) const {
    return curves.size() * static_cast<std::size_t>(columns) > kMostMovingColumns;
}

// Moves a plot by whole columns: after a move by part of one, no column of the last frame could be reused. When the
// plot grows, the axis stays until the run has used up the room after its end.
AxisRange LastFrame::shownX(const AxisRange& wanted, int columnsNow, int columnWidth) const {
    const AxisRange& last = scene.x.range;
    const double width = wanted.high - wanted.low;
    if (wanted.log || last.log || columnsNow != columns) return wanted;
    const double column = width / columnsNow * columnWidth;
    const double grown = wanted.high - last.high;
    // The room before a first point above 0 grows along, by a hundredth of the axis' growth: less than a pixel.
    const bool sameStart = std::abs(wanted.low - last.low) < 2e-4 * width;
    if (sameStart && grown > 0 && grown < kGrowth * width) return last;
    const bool moved = std::abs(last.high - last.low - width) < 1e-9 * width;
    if (!moved) return wanted;
    const double moves = std::round((wanted.low - last.low) / column);
    if (std::abs(moves) < 1) return last;
    const double low = last.low + moves * column;
    return {low, low + width, false};
}

// If each new point changed the axis a little, everything would have to be repainted: while a run trains, the axis
// stays as long as the values fit into the room beyond them.
AxisRange LastFrame::steadyY(const AxisRange& wanted, int columnsNow) const {
    return columnsNow == columns ? steady(scene.y.range, wanted, kSteadyShare) : wanted;
}

PlotScene MetricCard::Private::makeScene(int columns, bool moving, std::shared_ptr<CurvePictures> shown) const {
    PlotScene scene;
    const XMode mode = group->xMode();
    const CurveDetail detail{moving, moving && isHeavy(columns) ? kMovingColumn : 1};
    scene.x = {frame.shownX(group->xAxis(), columns, detail.columnWidth), xUnit(mode), xTitle(mode)};
    const AxisRange& x = scene.x.range;
    const ColumnGrid grid = gridOf(x, mode, columns, detail.columnWidth);
    const AxisRange& last = frame.scene.x.range; // if it is only moved, most columns can be reused
    const double width = x.high - x.low;
    const bool zooming = moving && !x.log && std::abs(last.high - last.low - width) > 1e-9 * width;
    std::vector<CurveView> views(curves.size());
    const CardBands groups = bands();
    inParallel(static_cast<int>(curves.size()), [&](int i) {
        const auto at = static_cast<std::size_t>(i);
        if (!groups.hides(curves[at])) views[at] = viewOf(curves[at], grid, zooming);
    });
    std::vector<Band> drawnBands;
    const double bandEnd = std::min(x.high, group->fullRange().high); // only the live disc lies beyond it
    if (bandEnd > x.low) drawnBands = groups.over({mode, x.low, bandEnd, kBandParts, x.log});
    const AxisRange wanted = yScale.range(views, drawnBands, curves, group->yMode());
    const bool isSteady = curves.trains() && yScale.isFree() && !group->isZoomed();
    scene.y = {isSteady ? frame.steadyY(wanted, columns) : wanted, AxisUnit::Number, yTitle(curves.series())};
    const OutlierMark outside = outliers(x, scene.y.range, views);
    if (!drawnBands.empty()) scene.layers.push_back(std::make_shared<BandLayer>(std::move(drawnBands)));
    std::erase_if(views, [](const CurveView& view) { return view.runId.isEmpty(); }); // a mean stands for them
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

// The marks for the pointer and for screen readers.
void MetricCard::Private::applyMarks(const PlotScene& scene) {
    marks.reset();
    for (const auto& layer : scene.layers)
        if (auto events = std::dynamic_pointer_cast<const EventLayer>(layer)) marks = std::move(events);
    const QString words = marks ? marks->description() : QString();
    if (words != q->accessibleDescription()) q->setAccessibleDescription(words);
}

// At the last point of the run that can be steered.
void MetricCard::Private::placeHandle() {
    const CardCurve* curve = steered.isEmpty() ? nullptr : curves.find(steered, curves.metric());
    if (curve == nullptr || curve->data->isEmpty() || bands().hides(*curve)) return canvas->hideHandle();
    const std::size_t last = curve->data->size() - 1;
    canvas->showHandle({curve->data->x(group->xMode(), last), curve->data->value(last)},
                       Theme::current().curve(curve->style.drawnColor()));
}

void MetricCard::Private::refresh() {
    reportExtent(); // first, because a growing range requests a frame from every card: this frame is this card's
    wait.drawn();
    dirty = false;
    stack->setCurrentIndex(curves.hasPoints() ? 0 : 1);
    if (!curves.hasPoints()) return updateCrosshair();
    curves.smooth(group->smoothing());
    if (frame.isStale || frame.columns != columns()) {
        frame.scene = makeScene(columns(), rest.isActive(), frame.pictures);
        frame.columns = columns();
        frame.isStale = false;
    }
    PlotScene scene = frame.scene;
    if (curves.find(group->hoveredRun()) != nullptr) scene.hovered = group->hoveredRun();
    addEvents(scene, scene.hovered);
    applyMarks(scene);
    canvas->setScene(std::move(scene));
    placeHandle();
    jump->setVisible(curves.trains() && group->isBehindLive());
    updateCrosshair();
}

} // namespace trainyard::ui
