// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/card/metric_card.h"

#include "ui/models/text/format.h"
#include "ui/plots/canvas/axis_labels.h"
#include "ui/plots/card/chart_header.h"
#include "ui/plots/card/metric_card_p.h"
#include "ui/plots/chart/chart_export.h"
#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/exposure.h"
#include "ui/widgets/layout.h"

#include <QEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QPixmap>
#include <QPushButton>
#include <QStackedWidget>
#include <QStyleOptionButton>
#include <QStylePainter>
#include <QVBoxLayout>

#include <tuple>

namespace trainyard::ui {

namespace {

constexpr int kMoveMs = 150; // between two steps of one movement
constexpr std::size_t kManyPoints = 10000;
constexpr std::size_t kMostTrained = 1000; // points in an update of a training run; loading stored points brings more

// A button above a widget that repaints often, which repaints the button too: its picture is cached while its look
// stays the same.
class KeptButton final : public QPushButton {
public:
    using QPushButton::QPushButton;

protected:
    void paintEvent(QPaintEvent*) override {
        QStyleOptionButton option;
        initStyleOption(&option);
        const double ratio = devicePixelRatioF();
        const QSize pixels = (QSizeF(size()) * ratio).toSize();
        const Look look(option.state.toInt(), option.text, option.icon.cacheKey(), pixels);
        if (m_picture.isNull() || look != m_look) {
            m_look = look;
            m_picture = QPixmap(pixels);
            m_picture.setDevicePixelRatio(ratio);
            m_picture.fill(Qt::transparent);
            QStylePainter(&m_picture, this).drawControl(QStyle::CE_PushButton, option);
        }
        QPainter(this).drawPixmap(0, 0, m_picture);
    }
    // Another theme, style, font or language.
    void changeEvent(QEvent* event) override {
        m_picture = {};
        QPushButton::changeEvent(event);
    }

private:
    using Look = std::tuple<int, QString, qint64, QSize>; // state, text, icon and pixels

    Look m_look;
    QPixmap m_picture;
};

} // namespace

WaitingPlot::WaitingPlot(const QString& metric)
    : m_checklist(new Checklist), m_what(new Label(tr("No points yet"), TextRole::Heading)),
      m_why(new Label(tr("The curve starts with the first value of %1.").arg(metric), TextRole::Secondary)) {
    auto* rows = column(this, 2);
    setMargins(rows, 12, 4, 12, 12);
    m_checklist->hide();
    m_why->setWordWrap(true);
    for (QWidget* each : std::initializer_list<QWidget*>{m_checklist, m_what, m_why}) rows->addWidget(each);
    rows->addStretch(1);
}

void WaitingPlot::setChecklist(const QList<ChecklistStep>& steps) {
    m_checklist->setSteps(steps);
    m_checklist->setVisible(!steps.isEmpty());
    m_what->setVisible(steps.isEmpty());
    m_why->setVisible(steps.isEmpty());
}

void WaitingPlot::setWords(const QString& what, const QString& why) {
    m_what->setText(what);
    m_why->setText(why);
}

MetricCard::Private::Private(MetricCard* card, const QString& metricName, PlotGroup* plotGroup,
                             SeriesStore* seriesStore)
    : q(card), group(plotGroup), curves(metricName, seriesStore) {
    rest.setSingleShot(true);
    rest.setInterval(kMoveMs);
    QObject::connect(&rest, &QTimer::timeout, q, [this] { schedule(); });
}

// A plot is drawn coarsely while zoomed or dragged, and once more in full when it rests; one with very many curves from
// the first step on. New points of a live run do not count as movement.
void MetricCard::Private::noteMove() {
    const bool again = sinceMove.isValid() && sinceMove.elapsed() < kMoveMs;
    if (group->isZoomed() && (again || isHeavy(columns()))) rest.start();
    sinceMove.start();
}

void MetricCard::Private::build() {
    const Theme& theme = Theme::current();
    auto* column = new QVBoxLayout(q);
    column->setContentsMargins(1, 1, 1, theme.px(5)); // keeps the canvas off the round corners
    column->setSpacing(0);
    header = new ChartHeader(seriesTitle(curves.metric()));
    header->setToolTip(curves.metric());
    column->addWidget(header);
    stack = new QStackedWidget;
    column->addWidget(stack, 1);
    canvas = new PlotCanvas;
    stack->addWidget(canvas);
    waiting = new WaitingPlot(seriesText(curves.metric()));
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

void MetricCard::Private::schedule(FrameCause cause) {
    frame.isStale = true;
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
    yScale.setZoom(range, isLive && range && !curves.showsIn(*range));
}

// A minimised or scrolled-away chart stays dirty. That check costs more than an update of points, so it runs once per
// frame.
void MetricCard::Private::drawFrame() {
    wait.drawn();
    if (!q->isVisible()) return;
    if (isOnScreen(*q) && !q->visibleRegion().isEmpty()) return refresh();
    reportExtent(); // the others share its range
}

// The points of one series from index `first` on are new.
void MetricCard::Private::applyPoints(const QString& run, const QString& name, std::size_t first) {
    const CardCurve* curve = curves.find(run, name);
    if (curve == nullptr) return;
    if (!isLive && first > 0 && curve->data->size() < first + kMostTrained) {
        reportExtent();
        group->goLive();
        isLive = true;
        yScale.setForeign(yScale.zoom() && !curves.showsIn(*yScale.zoom()));
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
    : ChartWidget(parent), d(std::make_unique<Private>(this, metric, group, store)) {
    d->build();
    setAccessibleName(tr("Chart of %1").arg(seriesText(metric)));
    setFocusPolicy(Qt::TabFocus);
    connect(store, &SeriesStore::changed, this, [this](const QString& run, const QString& series, std::size_t first) {
        if (d->curves.series().contains(series)) d->applyPoints(run, series, first);
    });
    connect(&d->curves, &CardCurves::smoothed, this, [this] { d->schedule(); });
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
    connect(d->canvas, &PlotCanvas::clicked, this, [this](QPointF pixel) { d->onClick(pixel); });
    connect(d->canvas, &PlotCanvas::xRangeRequested, group, &PlotGroup::requestRange);
    connect(d->canvas, &PlotCanvas::yRangeRequested, this, [this](double low, double high) {
        if (high > low && std::isfinite(low) && std::isfinite(high)) {
            d->yScale.setZoom(AxisRange{low, high, yRange().log}); // belongs to these runs, whatever it shows
            d->schedule();
            Q_EMIT yZoomed();
        }
    });
    connect(d->canvas, &PlotCanvas::fitRequested, group, &PlotGroup::fit);
    connect(d->canvas, &PlotCanvas::handleGrabbed, this, [this] {
        d->onLeave();
        setFocus(Qt::MouseFocusReason); // so that this card gets Escape
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
    if (d->group != nullptr) d->group->reportExtent(this, {});
}

QString MetricCard::title() const { return seriesTitle(series()); }

// By the names that other programs know.
QString MetricCard::fileName() const {
    return series().join(QLatin1Char('+')).replace(QLatin1Char('/'), QLatin1Char('-'));
}

QString MetricCard::metric() const { return d->curves.metric(); }

void MetricCard::setNote(const QString& note) { d->header->setNote(note); }

void MetricCard::setCurves(const QList<CurveStyle>& curves) {
    const auto isSameRun = [](const CurveStyle& one, const CurveStyle& other) { return one.runId == other.runId; };
    if (!std::equal(curves.begin(), curves.end(), d->curves.runs().begin(), d->curves.runs().end(), isSameRun)) {
        d->isLive = false;
        d->yScale.setForeign(false);
        d->tip.unpin();
    }
    std::erase_if(d->eventsOf, [&](const auto& each) {
        return std::none_of(curves.begin(), curves.end(), [&](const auto& run) { return run.runId == each.first; });
    });
    d->curves.setRuns(curves);
    d->schedule();
}

QList<CurveStyle> MetricCard::curves() const { return d->curves.runs(); }

void MetricCard::setSeries(const QStringList& series) {
    if (series == d->curves.series() || series.isEmpty()) return;
    d->curves.setSeries(series);
    QStringList titles, words;
    for (const QString& each : series) titles << seriesTitle(each);
    for (const QString& each : series) words << seriesText(each);
    d->header->setTitles(titles);
    d->header->setToolTip(series.join(QStringLiteral(", ")));
    setAccessibleName(tr("Chart of %1").arg(words.join(QStringLiteral(", "))));
    d->setYZoom({});
    d->schedule();
}

QStringList MetricCard::series() const { return d->curves.series(); }

void MetricCard::setOnBoard(bool on) { d->header->setOnBoard(on); }

void MetricCard::setPinned(bool on) { d->header->setPinned(on); }

void MetricCard::setEvents(const QString& runId, const std::vector<PlotEvent>& events) {
    auto& known = d->eventsOf[runId];
    if (known == events) return;
    known = events;
    d->schedule();
}

void MetricCard::setLive(const QString& runId, bool live) {
    if (d->curves.setLive(runId, live)) d->schedule();
}

void MetricCard::setSteered(const QString& runId) {
    if (runId == d->steered) return;
    d->steered = runId;
    d->canvas->hideHandle();
    d->schedule();
}

void MetricCard::setChecklist(const QList<ChecklistStep>& steps) { d->waiting->setChecklist(steps); }

void MetricCard::setEmptyText(const QString& what, const QString& why) { d->waiting->setWords(what, why); }

void MetricCard::setAxes(const ChartAxes& axes) {
    if (d->yScale.setAxes(axes)) d->schedule();
}

ChartAxes MetricCard::axes() const { return d->yScale.axes(); }

void MetricCard::setYMode(YMode mode) { setAxes({mode, axes().yRange}); }

std::optional<std::pair<double, double>> MetricCard::yZoom() const {
    const auto& zoom = d->yScale.zoom();
    return zoom ? std::optional(std::pair{zoom->low, zoom->high}) : std::nullopt;
}

void MetricCard::setYZoom(const std::optional<std::pair<double, double>>& range) {
    d->setYZoom(range ? std::optional(AxisRange{range->first, range->second, yRange().log}) : std::nullopt);
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

QString MetricCard::spokenSummary() const {
    double first = INFINITY, end = -INFINITY;
    Bounds values;
    int drawn = 0;
    const CardBands groups = d->bands();
    for (const auto& curve : d->curves) {
        const SeriesData& points = *curve->data;
        if (points.isEmpty() || groups.hides(*curve)) continue;
        ++drawn;
        first = std::min(first, points.x(d->group->xMode(), 0));
        end = std::max(end, points.x(d->group->xMode(), points.size() - 1));
        const Bounds each = points.bounds(0, points.size());
        values.add(&each, &each + 1);
    }
    if (drawn == 0) return tr("%1: no points yet").arg(title());
    const auto x = [this](double at) { return formatX(d->group->xMode(), at); };
    return tr("%1: %n curves from %2 to %3, values from %4 to %5", nullptr, drawn)
        .arg(title(), x(first), x(end), metricText(values.min), metricText(values.max));
}

void MetricCard::refreshNow() {
    d->frame.isStale = true;
    d->refresh();
}

QSize MetricCard::sizeHint() const { return {Theme::current().px(360), Theme::current().px(320)}; }

QSize MetricCard::minimumSizeHint() const { return {Theme::current().px(300), Theme::current().px(220)}; }

void MetricCard::exportChart(const QString& path, ChartFormat format, const QSize& size, ExportDone done) {
    d->curves.smooth(d->group->smoothing());
    const double weight = d->curves.smoothing();
    ChartSnapshot snapshot{d->makeScene(std::max(64, size.width() - 80), false, std::make_shared<CurvePictures>()),
                           title(),
                           {},
                           Theme::current()};
    d->addEvents(snapshot.scene, {});
    if (weight > 0) snapshot.note = tr("smoothed %1, raw behind").arg(digitsText(weight, 3));
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
    case Qt::Key_Escape:
        if (!d->tip.isPinned()) return ChartWidget::keyPressEvent(event);
        return d->tip.unpin();
    case Qt::Key_Space: d->group->setPaused(!d->group->isPaused()); return;
    default: ChartWidget::keyPressEvent(event);
    }
}

void MetricCard::contextMenuEvent(QContextMenuEvent* event) {
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    d->onLeave(); // else a tooltip would stay as long as the menu
    Q_EMIT menuRequested(byKey ? d->header->menuPosition() : event->globalPos());
}

bool MetricCard::event(QEvent* event) {
    const QEvent::Type type = event->type();
    if (type == QEvent::Hide || type == QEvent::Resize || type == QEvent::Move) d->tip.unpin();
    if (type == QEvent::Show || type == QEvent::Resize) {
        d->wait.forgetLast();
        const bool handled = ChartWidget::event(event);
        d->schedule();
        return handled;
    }
    if (event->type() == QEvent::Paint && d->dirty) d->scheduleFrame(); // scrolled into sight
    if (event->type() == QEvent::FocusOut && d->canvas->handle().isHeld()) d->canvas->dropHandle();
    if (event->type() == QEvent::Hide) d->tip.hide();
    return ChartWidget::event(event);
}

} // namespace trainyard::ui
