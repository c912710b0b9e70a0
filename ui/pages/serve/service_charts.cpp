// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/serve/service_charts.h"

#include "ui/models/serve/service_words.h"
#include "ui/models/text/format.h"
#include "ui/pages/serve/card_columns.h"
#include "ui/plots/chart/plot.h"
#include "ui/plots/layers/line_layer.h"
#include "ui/widgets/card.h"
#include "ui/widgets/inputs/segmented_control.h"
#include "ui/widgets/label.h"
#include "ui/widgets/layout.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace trainyard::ui {

namespace {

constexpr int kLiveHeight = 168, kLeastChart = 250; // design pixels
constexpr int kMostBars = 12;                       // of the histogram
constexpr double kLastMinute = 60;                  // seconds
constexpr double kGap = 2.5;                        // spans between two samples of one line
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

// "≤ 0.5 ms"; of the last bucket "> 10 s".
QString bucketText(const serve::LatencyCounts& latency, std::size_t bucket) {
    const auto& bounds = latency.boundsMs;
    if (bounds.empty()) return {};
    const auto words = [](double ms) {
        return ms >= 1000 ? ServiceCharts::tr("%1 s").arg(digitsText(ms / 1000, 2))
                          : ServiceCharts::tr("%1 ms").arg(digitsText(ms, ms < 100 ? 2 : 3));
    };
    return bucket < bounds.size() ? QStringLiteral("≤ ") + words(bounds[bucket])
                                  : QStringLiteral("> ") + words(bounds.back());
}

// Round places of ticks on a short axis.
QList<double> percentMarks(double most) {
    const double step = most > 50 ? 50 : most > 20 ? 20 : most > 10 ? 10 : 5;
    QList<double> marks;
    for (double at = 0; at <= most; at += step) marks << at;
    return marks;
}

QString momentText(double at) { return clockText(static_cast<std::int64_t>(at * 1000)); }

using KeyColor = QColor (*)(const Theme&);
QColor rateColor(const Theme& theme) { return theme.seq[3]; }
QColor errorColor(const Theme& theme) { return theme.error; }
QColor medianColor(const Theme& theme) { return theme.seq[2]; }
QColor slowestColor(const Theme& theme) { return theme.seq[4]; }

// The colours and names of a chart's lines.
class LineKey : public QWidget {
public:
    explicit LineKey(QList<std::pair<KeyColor, QString>> lines) : m_lines(std::move(lines)) {
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    }
    QSize sizeHint() const override {
        const Theme& theme = Theme::current();
        int width = 0;
        for (const auto& [color, name] : m_lines)
            width += theme.px(14 + 8) + QFontMetrics(theme.small).horizontalAdvance(name);
        return {width, theme.px(20)};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = Theme::current();
        QPainter painter(this);
        painter.setFont(theme.small);
        int x = 0;
        for (const auto& [color, name] : std::as_const(m_lines)) {
            painter.fillRect(QRect(x, theme.px(9), theme.px(10), 2), color(theme));
            painter.setPen(theme.text2);
            x += theme.px(14);
            painter.drawText(QRect(x, 0, width(), height()), Qt::AlignVCenter, name);
            x += painter.fontMetrics().horizontalAdvance(name) + theme.px(8);
        }
    }

private:
    const QList<std::pair<KeyColor, QString>> m_lines;
};

Card* chartCard(const QString& title, Plot* plot) {
    auto* card = new Card(title);
    plot->setFixedHeight(Theme::current().px(kLiveHeight));
    plot->setTitle(title);
    plot->leaveWheelToPage();
    card->body()->addWidget(plot);
    return card;
}

} // namespace

QList<Bar> latencyBars(const serve::LatencyCounts& latency, QStringList& names) {
    names.clear();
    const auto& counts = latency.counts;
    const auto total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    const auto isFull = [](std::int64_t count) { return count > 0; };
    const auto first = std::find_if(counts.begin(), counts.end(), isFull);
    const auto last = std::find_if(counts.rbegin(), counts.rend(), isFull).base();
    QList<Bar> bars;
    if (first == counts.end() || total <= 0) return bars;
    const auto together = std::max<std::ptrdiff_t>(1, (last - first + kMostBars - 1) / kMostBars);
    for (auto at = first; at < last;) {
        const auto end = at + std::min(together, last - at);
        const auto count = static_cast<double>(std::accumulate(at, end, std::int64_t{0}));
        const QString name = bucketText(latency, static_cast<std::size_t>(end - 1 - counts.begin()));
        bars << Bar{
            static_cast<int>(names.size()), 0, 100 * count / static_cast<double>(total), name,
            ServiceCharts::tr("%1 of %2 requests").arg(countText(count), countText(static_cast<double>(total)))};
        names << name;
        at = end;
    }
    return bars;
}

ServiceCharts::ServiceCharts(const ServiceWatch& watch, QWidget* parent)
    : QWidget(parent), m_watch(watch),
      m_range(new SegmentedControl({tr("10 min"), tr("1 hour"), tr("1 day"), tr("30 days")})),
      m_reach(new NumberLabel(TextRole::SmallSecondary)), m_rate(new Plot), m_latency(new Plot), m_histogram(new Plot),
      m_period(new SegmentedControl({tr("1 min"), tr("All")})) {
    m_rateCard = chartCard(tr("Rate"), m_rate);
    m_latencyCard = chartCard(tr("Latency"), m_latency);
    m_histogramCard = chartCard(tr("Histogram"), m_histogram);
    m_histogram->setTitle(tr("Latency histogram"));
    m_rateCard->addAction(new LineKey({{rateColor, tr("requests")}, {errorColor, tr("errors")}}));
    m_latencyCard->addAction(
        new LineKey({{medianColor, QStringLiteral("p50")}, {slowestColor, QStringLiteral("p99")}}));
    m_period->setCompact();
    m_period->setAccessibleName(tr("Requests in the histogram"));
    m_period->setToolTip(tr("Requests of the last minute, or all since the start"));
    m_histogramCard->addAction(m_period);
    m_range->setCompact();
    m_range->setAccessibleName(tr("Time that the charts show"));
    m_range->setToolTip(tr("The last minutes second by second, or what the service has kept: points of ten seconds for "
                           "an hour, of a minute for a day, of ten minutes for 30 days"));
    m_reach->setAlignment(Qt::AlignLeft);
    auto* layout = column(this, 8);
    auto* line = row();
    line->addWidget(m_range);
    line->addWidget(m_reach, 1);
    line->setSpacing(Theme::current().px(12));
    layout->addLayout(line);
    layout->addWidget(new CardColumns({m_rateCard, m_latencyCard, m_histogramCard}, kLeastChart));
    connect(m_period, &SegmentedControl::currentIndexChanged, this, &ServiceCharts::showHistogram);
    connect(m_range, &SegmentedControl::currentIndexChanged, this, [this] {
        for (Plot* each : {m_rate, m_latency}) each->fit();
        showLines();
    });
    connect(&m_history, &ServiceHistory::changed, this, [this] {
        showLines();
        Q_EMIT historyRead();
    });
    m_rate->setAxes({.unit = AxisUnit::WallTime, .title = tr("Time")}, {.title = tr("Requests per second")});
    m_latency->setAxes({.unit = AxisUnit::WallTime, .title = tr("Time")}, {.title = tr("Milliseconds")});
}

void ServiceCharts::setService(const serve::ServiceView& service) {
    const QString name = QString::fromStdString(service.spec.name);
    if (name != m_name) {
        m_name = name;
        for (Plot* each : {m_rate, m_latency, m_histogram}) each->fit();
    }
    m_history.look(service, m_watch.samples(name));
    showLines();
    showHistogram();
}

void ServiceCharts::showLines() {
    const Theme& theme = Theme::current();
    const auto samples = m_history.samples(static_cast<ServiceRange>(m_range->currentIndex()));
    PlotLine rate{tr("Requests"), rateColor(theme), {}}, errors{tr("Errors"), errorColor(theme), {}},
        median{QStringLiteral("p50"), medianColor(theme), {}}, slowest{QStringLiteral("p99"), slowestColor(theme), {}};
    const auto known = [](double ms) { return ms > 0 ? ms : kNothing; };
    bool hasErrors = false;
    for (qsizetype i = 0; i < samples.size(); ++i) {
        const FigureSample& each = samples[i];
        const double expected = i > 0 ? samples[i - 1].at + kGap * samples[i - 1].span : each.at;
        if (each.at > expected) // nobody looked, or it did not run
            for (PlotLine* line : {&rate, &errors, &median, &slowest}) line->points << QPointF(expected, kNothing);
        rate.points << QPointF(each.at, each.qps);
        errors.points << QPointF(each.at, each.errors);
        median.points << QPointF(each.at, known(each.p50Ms));
        slowest.points << QPointF(each.at, known(each.p99Ms));
        hasErrors = hasErrors || each.errors > 0;
    }
    if (!hasErrors) // a line along the axis would tell nothing
        for (QPointF& each : errors.points) each.setY(kNothing);
    m_rate->setLayers({std::make_shared<LineLayer>(QList{rate, errors}, QStringLiteral("time"), momentText, rateText)});
    m_latency->setLayers(
        {std::make_shared<LineLayer>(QList{median, slowest}, QStringLiteral("time"), momentText, latencyText)});
    m_rateCard->setNote(samples.isEmpty() ? tr("none yet") : tr("per second"));
    m_latencyCard->setNote(samples.isEmpty() ? tr("none yet") : tr("ms"));
    m_reach->setText(samples.isEmpty()
                         ? QString()
                         : tr("%1 to %2").arg(momentText(samples.first().at), momentText(samples.last().at)));
}

void ServiceCharts::showHistogram() {
    const serve::ServiceView* service = m_watch.service(m_name);
    serve::LatencyCounts counts = service ? service->status.latency : serve::LatencyCounts{};
    const auto& samples = m_watch.samples(m_name);
    if (m_period->currentIndex() == 0 && !samples.isEmpty()) {
        const double from = samples.last().at - kLastMinute;
        const auto before =
            std::find_if(samples.begin(), samples.end(), [&](const ServiceSample& each) { return each.at >= from; });
        // Younger than that: everything that was sampled, with what came before the first sample.
        counts = before == samples.begin() ? samples.last().latency : between(before->latency, samples.last().latency);
    }
    QStringList names;
    const QList<Bar> bars = latencyBars(counts, names);
    double most = 1;
    for (const Bar& each : bars) most = std::max(most, each.to);
    const bool isBlank = bars.isEmpty(); // a single 0 would say nothing
    m_histogram->setAxes({.unit = isBlank ? AxisUnit::None : AxisUnit::Number,
                          .title = tr("Share of the requests, %"),
                          .marks = percentMarks(most)},
                         {.unit = isBlank ? AxisUnit::None : AxisUnit::Names, .title = tr("Latency"), .names = names});
    m_histogram->setLayers({std::make_shared<BarLayer>(bars, QStringLiteral("from"), QStringLiteral("percent"))});
    m_histogramCard->setNote(bars.isEmpty() ? tr("none yet") : QStringLiteral("%"));
}

} // namespace trainyard::ui
