// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/table/scaling_sheet.h"

#include "engine/base/machine/cores.h"
#include "ui/models/desktop/background.h"
#include "ui/models/text/format.h"
#include "ui/plots/chart/plot.h"
#include "ui/plots/layers/bar_layer.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/marks/cell_delegate.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QTableView>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr run::BriefLimits kLimits{.steps = 0, .seconds = 5};
constexpr int kMostRows = 6; // of the table; more scroll

QString whereText(const spec::RunSpec& spec) {
    QStringList hosts;
    for (const auto& host : spec.hosts) hosts << QString::fromStdString(host);
    return hosts.isEmpty() ? ScalingSheet::tr("on this computer, %n cores", nullptr, availableCores())
                           : ScalingSheet::tr("on %1").arg(hosts.join(QStringLiteral(", ")));
}

} // namespace

ScalingSheet::ScalingSheet(Workbench& bench, const RunItemPtr& run, QWidget* window)
    : Sheet(window, QSize(920, 600)), m_bench(bench) {
    build(run->name);
    connect(this, &Sheet::closed, this, &QObject::deleteLater);
    auto spec = spec::parseRunSpec(run->row.specJson, "run " + run->row.name);
    if (!spec) {
        m_result->setText(QString::fromStdString(spec.error().text()));
        m_measure->setEnabled(false);
        return;
    }
    m_spec = std::move(*spec);
    // On hosts, the run file says how many fit.
    const int most = m_spec.hosts.empty() ? std::max(m_spec.scaling.workers, availableCores()) : m_spec.scaling.workers;
    m_counts = run::scalingCounts(most);
    m_table.setCounts(m_counts);
    m_where->setText(whereText(m_spec));
    fitTable();
    draw();
    const int active = m_bench.feed.activeCount();
    m_state->setText(
        active > 0
            ? tr("%n runs are training and would distort the result: wait for them, or stop them", nullptr, active)
            : tr("Trains for %1 s with each number of workers, and keeps nothing.").arg(kLimits.seconds));
}

ScalingSheet::~ScalingSheet() { stop(); }

void ScalingSheet::build(const QString& name) {
    m_view = plainTable(&m_table, tr("Numbers of workers"));
    auto* titles = m_view->horizontalHeader();
    titles->setSectionResizeMode(QHeaderView::Interactive);
    titles->setStretchLastSection(true);
    for (int column = 0; column < ScalingTable::StragglerColumn; ++column) {
        const int usual = Theme::current().px(column == ScalingTable::LimitColumn ? 230 : 80);
        m_view->setColumnWidth(column, std::max(usual, titles->sectionSizeHint(column)));
    }
    m_plot = new Plot;
    m_plot->showTitles();
    m_plot->setTitle(tr("Speed by number of workers"));
    auto* measured = new Surface(SurfaceColor::Card);
    auto* lines = column(measured, 4);
    setMargins(lines, 0, 0, 0, 12);
    auto* told = column(nullptr, 4);
    setMargins(told, 16, 4, 16, 0);
    m_result = new Label(QString(), TextRole::Heading);
    m_result->setWordWrap(true);
    m_state = new Label(QString(), TextRole::SmallSecondary);
    m_state->setWordWrap(true);
    told->addWidget(m_result);
    told->addWidget(m_state);
    lines->addWidget(m_view);
    lines->addWidget(m_plot, 1);
    lines->addStretch();
    lines->addLayout(told);
    body()->addWidget(buildHead(name));
    body()->addWidget(measured, 1);
    body()->addWidget(buildFooter());
    setFirst(m_measure);
}

QWidget* ScalingSheet::buildHead(const QString& name) {
    auto* head = new Surface(SurfaceColor::Panel, BottomEdge);
    auto* top = row(head, 8);
    setMargins(top, 16, 8, 8, 8);
    top->addWidget(new Label(tr("Scaling of %1").arg(name), TextRole::Title));
    m_where = new Label(QString(), TextRole::Secondary);
    top->addWidget(m_where, 1);
    auto* close = iconButton(QStringLiteral("close"), tr("Close"));
    connect(close, &QToolButton::clicked, this, &Sheet::close);
    top->addWidget(close);
    return head;
}

QWidget* ScalingSheet::buildFooter() {
    auto* foot = new Surface(SurfaceColor::Panel, TopEdge);
    auto* bottom = row(foot, 8);
    setMargins(bottom, 16, 8, 16, 8);
    m_stop = button(tr("Stop"), QStringLiteral("stop"));
    m_apply = button(tr("New run with this…"), QStringLiteral("plus"));
    m_measure = button(tr("Measure"), QStringLiteral("play"), "primary");
    m_stop->setEnabled(false);
    m_apply->setEnabled(false);
    bottom->addStretch();
    bottom->addWidget(m_stop);
    bottom->addWidget(m_apply);
    bottom->addWidget(m_measure);
    connect(m_measure, &QPushButton::clicked, this, &ScalingSheet::start);
    connect(m_stop, &QPushButton::clicked, this, [this] {
        stop();
        finish();
    });
    connect(m_apply, &QPushButton::clicked, this, &ScalingSheet::apply);
    return foot;
}

// As high as its rows, so that the chart has the rest.
void ScalingSheet::fitTable() {
    const int rows = std::min(kMostRows, m_table.rowCount());
    m_view->setFixedHeight(m_view->horizontalHeader()->height() +
                           rows * m_view->verticalHeader()->defaultSectionSize() + Theme::current().px(8) +
                           m_view->horizontalScrollBar()->sizeHint().height());
}

// A bar for each number of workers, the fewest at the top, and behind it the speed of as many that never wait.
void ScalingSheet::draw() {
    const auto& card = m_table.card();
    QList<Bar> ideal, measured;
    PlotAxis workers{.unit = AxisUnit::Names, .title = tr("Workers")};
    for (std::size_t i = 0; i < m_counts.size(); ++i) {
        const std::size_t place = m_counts.size() - 1 - i;
        const int row = static_cast<int>(i), count = m_counts[place];
        workers.names << QString::number(count);
        if (card.empty()) continue;
        const double each = card.front().times.samplesPerSecond / m_counts.front();
        const QString name = tr("%n workers", nullptr, count);
        ideal << Bar{.row = row,
                     .to = each * count,
                     .name = name,
                     .note = tr("Ideally %1 samples/s").arg(countText(each * count)),
                     .color = Theme::current().border};
        if (place >= card.size()) continue;
        const double speed = card[place].times.samplesPerSecond;
        measured << Bar{
            .row = row,
            .to = speed,
            .name = name,
            .note = tr("%1 samples/s, %2 of the ideal").arg(countText(speed), percentText(card[place].efficiency))};
    }
    m_plot->setVisible(!measured.isEmpty()); // else an empty frame
    m_plot->setAxes({.title = tr("Samples/s")}, workers);
    m_plot->setLayers({std::make_shared<BarLayer>(ideal, tr("from"), tr("samples/s")),
                       std::make_shared<BarLayer>(measured, tr("from"), tr("samples/s"))});
}

void ScalingSheet::start() {
    m_times.clear();
    m_table.setCounts(m_counts);
    draw();
    m_result->setText(QString());
    m_stop->setEnabled(true);
    m_stop->setFocus();
    m_measure->setEnabled(false);
    m_apply->setEnabled(false);
    measureNext();
}

void ScalingSheet::measureNext() {
    const int workers = m_counts[m_times.size()];
    m_state->setText(tr("Measuring %n workers…", nullptr, workers));
    m_stopped = std::make_shared<std::atomic<bool>>(false);
    inBackground(
        this,
        [spec = m_spec, workers, stopped = m_stopped] {
            return run::measureWorkers(spec, workers, kLimits, [stopped] { return stopped->load(); });
        },
        [this, asked = m_stopped](const Result<run::BriefTimes>& times) {
            if (asked == m_stopped) take(times);
        });
}

void ScalingSheet::take(const Result<run::BriefTimes>& times) {
    m_stopped.reset();
    if (!times) {
        finish();
        m_state->setText(sentence(QString::fromStdString(times.error().text())));
        return;
    }
    m_times.push_back(*times);
    m_table.setCard(run::scalingCard(m_times, m_spec.batch.global.has_value()));
    draw();
    if (m_times.size() < m_counts.size()) measureNext();
    else finish();
}

void ScalingSheet::finish() {
    m_measure->setEnabled(true);
    if (m_stop->hasFocus()) m_measure->setFocus();
    m_stop->setEnabled(false);
    if (m_times.empty()) {
        m_state->setText(tr("Stopped before the first measurement ended."));
        return;
    }
    m_advice = run::scalingAdvice(m_table.card());
    m_table.setRecommended(m_advice.workers);
    m_result->setText(sentence(QString::fromStdString(m_advice.text)));
    m_state->setText(m_spec.batch.global ? tr("The workers share the samples of a step.")
                                         : tr("Each worker takes the same number of samples a step."));
    m_apply->setEnabled(true);
}

void ScalingSheet::stop() {
    if (m_stopped) *m_stopped = true;
    m_stopped.reset();
}

void ScalingSheet::apply() {
    spec::RunSpec spec = m_spec;
    spec.scaling.workers = m_advice.workers;
    const QString json = QString::fromStdString(spec::toJson(spec));
    close();
    Q_EMIT m_bench.newRunRequested(json, false);
}

} // namespace trainyard::ui
