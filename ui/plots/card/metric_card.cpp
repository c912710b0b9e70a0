// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/card/metric_card.h"

#include "ui/plots/card/chart_header.h"
#include "ui/plots/card/metric_card_p.h"
#include "ui/plots/chart/chart_export.h"
#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/exposure.h"
#include "ui/widgets/inputs/kept_button.h"
#include "ui/widgets/label.h"

#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace trainyard::ui {

namespace {

constexpr int kMoveMs = 150; // between two steps of one movement
constexpr std::size_t kManyPoints = 10000;
constexpr std::size_t kMostTrained = 1000; // points of one update of a run that trains; reading what it had takes more

} // namespace

MetricCard::Private::Private(MetricCard* card, const QString& metricName, PlotGroup* plotGroup,
                             SeriesStore* seriesStore)
    : q(card), metric(metricName), series{metricName}, group(plotGroup), groupAlive(plotGroup), store(seriesStore) {
    rest.setSingleShot(true);
    rest.setInterval(kMoveMs);
    QObject::connect(&rest, &QTimer::timeout, q, [this] { schedule(); });
}

// A plot that is zoomed or dragged is drawn faster, and once more when it rests; one with very many curves from the
// first step on. What a live run adds is no movement.
void MetricCard::Private::noteMove() {
    const bool again = sinceMove.isValid() && sinceMove.elapsed() < kMoveMs;
    if (group->isZoomed() && (again || isHeavy(columns()))) rest.start();
    sinceMove.start();
}

void MetricCard::Private::build() {
    const Theme& theme = Theme::current();
    auto* column = new QVBoxLayout(q);
    column->setContentsMargins(1, 1, 1, theme.px(5)); // the canvas leaves the round corners alone
    column->setSpacing(0);
    header = new ChartHeader(metric);
    column->addWidget(header);
    stack = new QStackedWidget;
    column->addWidget(stack, 1);
    canvas = new PlotCanvas;
    stack->addWidget(canvas);
    waiting = new QWidget;
    auto* rows = new QVBoxLayout(waiting);
    rows->setContentsMargins(theme.px(12), theme.px(4), theme.px(12), theme.px(12));
    rows->setSpacing(theme.px(2));
    checklist = new Checklist;
    checklist->hide();
    emptyWhat = new Label(tr("No points yet"), TextRole::Heading);
    emptyWhy = new Label(tr("The curve starts with the first value of %1.").arg(metric), TextRole::Secondary);
    emptyWhy->setWordWrap(true);
    rows->addWidget(checklist);
    rows->addWidget(emptyWhat);
    rows->addWidget(emptyWhy);
    rows->addStretch(1);
    stack->addWidget(waiting);
    stack->setCurrentIndex(1);
    jump = new KeptButton(tr("Jump to live"), canvas);
    setButtonIcon(jump, QStringLiteral("live"));
    jump->setObjectName(QStringLiteral("jumpToLive"));
    jump->hide();
    auto* corner = new QVBoxLayout(canvas);
    corner->setContentsMargins(0, theme.px(10), theme.px(20), 0);
    corner->addWidget(jump, 0, Qt::AlignTop | Qt::AlignRight);
}

CardCurve* MetricCard::Private::find(const QString& runId) const {
    for (const auto& curve : curves)
        if (curve->style.runId == runId) return curve.get();
    return nullptr;
}

CardCurve* MetricCard::Private::find(const QString& runId, const QString& name) const {
    for (const auto& curve : curves)
        if (curve->style.runId == runId && curve->series == name) return curve.get();
    return nullptr;
}

QString MetricCard::Private::nameOf(const CardCurve& curve) const {
    return series.size() == 1 ? curve.style.name : tr("%1, %2").arg(curve.style.name, curve.series);
}

void MetricCard::Private::follow() {
    std::vector<std::unique_ptr<CardCurve>> next;
    for (const CurveStyle& style : std::as_const(styles)) {
        for (int part = 0; part < series.size(); ++part) {
            std::unique_ptr<CardCurve> curve;
            for (auto& old : curves)
                if (old != nullptr && old->style.runId == style.runId && old->series == series[part])
                    curve = std::move(old);
            if (curve == nullptr) {
                curve = std::make_unique<CardCurve>();
                curve->data = store->series(style.runId, series[part]);
            }
            curve->style = style;
            curve->series = series[part];
            curve->pattern = part;
            next.push_back(std::move(curve));
        }
    }
    curves = std::move(next);
    schedule();
}

void MetricCard::Private::schedule(FrameCause cause) {
    curvesColumns = 0;
    scheduleFrame(cause);
}

void MetricCard::Private::scheduleFrame(FrameCause cause) {
    dirty = true;
    if (!q->isVisible()) return;
    if (wait.ask(framePaceMs(cause, q->isActiveWindow()))) group->frames().request(wait.left());
}

void MetricCard::Private::drawIfDue() {
    if (!wait.isAsked()) return;
    if (const int left = wait.left(); left > FrameClock::kTogetherMs) return group->frames().request(left);
    drawFrame();
}

void MetricCard::Private::setYZoom(const std::optional<AxisRange>& range) {
    yZoom = range;
    yIsForeign = isLive && range && !showsInY(*range);
}

bool MetricCard::Private::showsInY(const AxisRange& range) const {
    return std::any_of(curves.begin(), curves.end(), [&](const auto& curve) {
        const Bounds all = curve->data->bounds(0, curve->data->size());
        return !all.isEmpty() && range.low <= all.max && range.high >= all.min;
    });
}

// A chart that is minimised or scrolled away stays dirty. Whether it is, takes longer to find out than points take to
// come, so it is asked for each frame.
void MetricCard::Private::drawFrame() {
    wait.drawn();
    if (!q->isVisible()) return;
    if (isOnScreen(*q) && !q->visibleRegion().isEmpty()) return refresh();
    reportExtent(); // the others share its range
}

// The points of one series from index `first` on are new.
void MetricCard::Private::applyPoints(const QString& run, const QString& name, std::size_t first) {
    const CardCurve* curve = find(run, name);
    if (curve == nullptr) return;
    if (!isLive && first > 0 && curve->data->size() < first + kMostTrained) {
        reportExtent();
        group->goLive();
        isLive = true;
        yIsForeign = yZoom && !showsInY(*yZoom);
    }
    if (group->isPaused()) return;
    schedule(curve->data->size() > first + kManyPoints ? FrameCause::Load : FrameCause::Points);
}

void MetricCard::Private::applyTheme() {
    canvas->applyTheme();
    schedule();
    q->update();
}

MetricCard::MetricCard(const QString& metric, PlotGroup* group, SeriesStore* store, QWidget* parent)
    : Chart(parent), d(std::make_unique<Private>(this, metric, group, store)) {
    d->build();
    setAccessibleName(tr("Chart of %1").arg(metric));
    setFocusPolicy(Qt::TabFocus);
    connect(store, &SeriesStore::changed, this, [this](const QString& run, const QString& series, std::size_t first) {
        if (d->series.contains(series)) d->applyPoints(run, series, first);
    });
    connectGroup();
    connectCanvas();
    connectHeader();
    connect(&ThemeController::instance(), &ThemeController::changed, this, [this] { d->applyTheme(); });
}

void MetricCard::connectGroup() {
    const PlotGroup* group = d->group;
    const auto redraw = [this] { d->schedule(); };
    connect(&group->frames(), &FrameClock::due, this, [this] { d->drawIfDue(); });
    connect(group, &PlotGroup::modesChanged, this, [this] {
        d->setYZoom({});
        if (!isHidden()) d->reportExtent();
        d->schedule();
    });
    connect(group, &PlotGroup::smoothingChanged, this, redraw);
    connect(group, &PlotGroup::showEventsChanged, this, redraw);
    connect(group, &PlotGroup::visibleRangeChanged, this, [this] {
        d->noteMove();
        d->schedule(d->group->isZoomed() ? FrameCause::User : FrameCause::Points);
    });
    connect(group, &PlotGroup::fullRangeChanged, this, [this] { d->schedule(FrameCause::Points); });
    connect(group, &PlotGroup::hoveredRunChanged, this, [this] { d->scheduleFrame(); });
    connect(group, &PlotGroup::pausedChanged, this, redraw);
    connect(group, &PlotGroup::fitted, this, [this] {
        d->setYZoom({});
        d->schedule();
    });
    connect(group, &PlotGroup::crosshairChanged, this, [this] { d->updateCrosshair(); });
}

void MetricCard::connectCanvas() {
    PlotGroup* group = d->group;
    connect(d->canvas, &PlotCanvas::hovered, this, [this](double x, QPointF pixel) { d->onHover(x, pixel); });
    connect(d->canvas, &PlotCanvas::left, this, [this] { d->onLeave(); });
    connect(d->canvas, &PlotCanvas::clicked, this, [this](QPointF pixel) {
        if (const QString run = d->runNear(pixel, 10); !run.isEmpty()) Q_EMIT d->group->runClicked(run);
    });
    connect(d->canvas, &PlotCanvas::xRangeRequested, group, &PlotGroup::requestRange);
    connect(d->canvas, &PlotCanvas::yRangeRequested, this, [this](double low, double high) {
        if (high > low && std::isfinite(low) && std::isfinite(high)) {
            d->setYZoom(AxisRange{low, high, d->logY});
            d->yIsForeign = false; // of these runs, whatever it shows
            d->schedule();
            Q_EMIT yZoomed();
        }
    });
    connect(d->canvas, &PlotCanvas::fitRequested, group, &PlotGroup::fit);
    connect(d->canvas, &PlotCanvas::handleGrabbed, this, [this] {
        d->onLeave();
        setFocus(Qt::MouseFocusReason); // Escape comes here
    });
    connect(d->canvas, &PlotCanvas::handleSet, this, [this](double value) { Q_EMIT valueSteered(d->steered, value); });
    connect(d->jump, &QPushButton::clicked, group, &PlotGroup::jumpToLive);
}

void MetricCard::connectHeader() {
    connect(d->header, &ChartHeader::logToggled, this, [this](bool on) {
        setYMode(on ? YMode::Log : YMode::Linear);
        Q_EMIT axesChanged();
    });
    connect(d->header, &ChartHeader::exportRequested, this, &MetricCard::exportRequested);
    connect(d->header, &ChartHeader::expandRequested, this, &MetricCard::expandRequested);
    connect(d->header, &ChartHeader::menuRequested, this, &MetricCard::menuRequested);
    connect(d->header, &ChartHeader::dragged, this, &MetricCard::headerDragged);
    connect(d->header, &ChartHeader::dragCancelled, this, &MetricCard::headerDragCancelled);
}

MetricCard::~MetricCard() {
    delete d->tooltip;
    if (d->groupAlive != nullptr) d->groupAlive->reportExtent(this, {});
}

QString MetricCard::metric() const { return d->metric; }

void MetricCard::setNote(const QString& note) { d->header->setNote(note); }

void MetricCard::setCurves(const QList<CurveStyle>& curves) {
    const auto isSameRun = [](const CurveStyle& one, const CurveStyle& other) { return one.runId == other.runId; };
    if (!std::equal(curves.begin(), curves.end(), d->styles.begin(), d->styles.end(), isSameRun))
        d->isLive = d->yIsForeign = false;
    d->styles = curves;
    std::erase_if(d->eventsOf, [&](const auto& each) {
        return std::none_of(curves.begin(), curves.end(), [&](const auto& run) { return run.runId == each.first; });
    });
    d->follow();
}

QList<CurveStyle> MetricCard::curves() const { return d->styles; }

void MetricCard::setSeries(const QStringList& series) {
    if (series == d->series || series.isEmpty()) return;
    d->series = series;
    d->header->setTitles(series);
    setAccessibleName(tr("Chart of %1").arg(series.join(QStringLiteral(", "))));
    d->setYZoom({});
    d->follow();
}

QStringList MetricCard::series() const { return d->series; }

void MetricCard::setOnBoard(bool on) { d->header->setOnBoard(on); }

void MetricCard::setPinned(bool on) { d->header->setPinned(on); }

void MetricCard::setEvents(const QString& runId, const std::vector<PlotEvent>& events) {
    auto& known = d->eventsOf[runId];
    if (known == events) return;
    known = events;
    d->schedule();
}

void MetricCard::setLive(const QString& runId, bool live) {
    for (const auto& curve : d->curves) {
        if (curve->style.runId != runId || curve->live == live) continue;
        curve->live = live;
        d->schedule();
    }
}

void MetricCard::setSteered(const QString& runId) {
    if (runId == d->steered) return;
    d->steered = runId;
    d->canvas->hideHandle();
    d->schedule();
}

void MetricCard::setChecklist(const QList<ChecklistStep>& steps) {
    d->checklist->setSteps(steps);
    d->checklist->setVisible(!steps.isEmpty());
    d->emptyWhat->setVisible(steps.isEmpty());
    d->emptyWhy->setVisible(steps.isEmpty());
}

void MetricCard::setEmptyText(const QString& what, const QString& why) {
    d->emptyWhat->setText(what);
    d->emptyWhy->setText(why);
}

void MetricCard::setAxes(const ChartAxes& axes) {
    if (axes == d->axes) return;
    d->axes = axes;
    d->setYZoom({});
    d->schedule();
}

ChartAxes MetricCard::axes() const { return d->axes; }

void MetricCard::setYMode(YMode mode) { setAxes({mode, d->axes.yRange}); }

std::optional<std::pair<double, double>> MetricCard::yZoom() const {
    if (!d->yZoom) return std::nullopt;
    return std::pair{d->yZoom->low, d->yZoom->high};
}

void MetricCard::setYZoom(const std::optional<std::pair<double, double>>& range) {
    d->setYZoom(range ? std::optional(AxisRange{range->first, range->second, d->logY}) : std::nullopt);
    d->schedule();
}

AxisRange MetricCard::yRange() const { return d->canvas->scene().y.range; }

std::pair<QString, qint64> MetricCard::pointAt(const QPoint& position) const {
    return d->pointAt(d->canvas->mapFrom(this, position));
}

QString MetricCard::spokenValue() const {
    QStringList spoken = d->spokenValues();
    if (!accessibleDescription().isEmpty()) spoken << accessibleDescription();
    return spoken.join(QStringLiteral("; "));
}

void MetricCard::refreshNow() {
    d->curvesColumns = 0;
    d->refresh();
}

QSize MetricCard::sizeHint() const { return {Theme::current().px(360), Theme::current().px(320)}; }

QSize MetricCard::minimumSizeHint() const { return {Theme::current().px(320), Theme::current().px(220)}; }

void MetricCard::exportChart(const QString& path, ChartFormat format, const QSize& size, ExportDone done) {
    d->updateSmoothing();
    const double weight = d->smoothing();
    ChartSnapshot snapshot{d->makeScene(std::max(64, size.width() - 80), false, std::make_shared<CurvePictures>()),
                           title(),
                           {},
                           Theme::current()};
    d->addEvents(snapshot.scene, {});
    if (weight > 0) snapshot.note = tr("smoothed %1, raw behind").arg(weight, 0, 'g', 3);
    writeChartAsync(snapshot, path, format, size, std::move(done));
}

std::vector<CsvSeries> MetricCard::points() const {
    std::vector<CsvSeries> all;
    for (const auto& curve : d->curves) all.push_back({curve->style, curve->series, *curve->data});
    return all;
}

void MetricCard::exportCsv(const QString& path, ExportDone done) { writeCsvAsync(points(), path, std::move(done)); }

void MetricCard::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    paintFrame(painter, rect(), 6, theme.card, theme.border);
}

void MetricCard::keyPressEvent(QKeyEvent* event) {
    if (!(event->modifiers() & Qt::AltModifier) && d->canvas->takeKey(*event)) return;
    switch (event->key()) {
    case Qt::Key_End: d->group->jumpToLive(); return;
    case Qt::Key_Space: d->group->setPaused(!d->group->isPaused()); return;
    default: Chart::keyPressEvent(event);
    }
}

void MetricCard::contextMenuEvent(QContextMenuEvent* event) {
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    d->onLeave(); // a tooltip behind the menu would stay as long as it
    Q_EMIT menuRequested(byKey ? d->header->menuPosition() : event->globalPos());
}

bool MetricCard::event(QEvent* event) {
    if (event->type() == QEvent::Show || event->type() == QEvent::Resize) {
        d->wait.forgetLast();
        const bool handled = Chart::event(event);
        d->schedule();
        return handled;
    }
    if (event->type() == QEvent::Paint && d->dirty) d->scheduleFrame(); // scrolled into sight
    if (event->type() == QEvent::FocusOut && d->canvas->handle().isHeld()) d->canvas->dropHandle();
    if (event->type() == QEvent::Hide && d->tooltip != nullptr) d->tooltip->hide();
    return Chart::event(event);
}

} // namespace trainyard::ui
