// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/curves/curves_strip.h"

#include "engine/run/record/series/source_series.h"
#include "ui/pages/runs/curves/chart_desk.h"
#include "ui/theme/theme.h"

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr std::size_t kStripPoints = 300;
constexpr double kMostEpochs = 60; // more ticks than that are a grey bar

// A checkpoint's place on the x axis; it does not say how long the run had trained.
std::optional<double> checkpointX(const store::CheckpointRow& row, XMode mode) {
    switch (mode) {
    case XMode::Step: return static_cast<double>(row.step);
    case XMode::Epoch: return row.epoch;
    case XMode::WallTime: return static_cast<double>(row.wallMs) / 1000;
    case XMode::RelativeTime: break;
    }
    return std::nullopt;
}

QList<double> epochTicks(const RunItem& run, XMode mode) {
    QList<double> ticks;
    const double epochs = run.settings.value(QStringLiteral("epochs")).toDouble();
    if (!(epochs >= 1 && epochs <= kMostEpochs) || (mode != XMode::Step && mode != XMode::Epoch)) return ticks;
    const double unit = mode == XMode::Step ? static_cast<double>(run.row.totalSteps) / epochs : 1.0;
    for (int epoch = 1; unit > 0 && epoch <= static_cast<int>(epochs); ++epoch) ticks << epoch * unit;
    return ticks;
}

// The run's curve in one series: its loss or, for an imported run without one, the series of the first chart.
const SeriesData* course(const SeriesStore& store, const QString& run) {
    QStringList names = store.names(run);
    names.removeIf([](const QString& name) { return !hasChart(name) || run::isSourceSeries(name.toStdString()); });
    const auto first = std::min_element(names.begin(), names.end(), [](const QString& a, const QString& b) {
        return std::pair(seriesRank(a), a) < std::pair(seriesRank(b), b);
    });
    return first == names.end() ? nullptr : store.find(run, *first);
}

} // namespace

QList<CurveStyle> curveStyles(const Workbench& bench, const QStringList& runs) {
    std::vector<RunItemPtr> drawn;
    for (const QString& id : runs)
        if (RunItemPtr run = bench.feed.run(id)) drawn.push_back(std::move(run));
    const bool isGrouped = !bench.groups.all().empty();
    const auto groups = isGrouped ? bench.groups.all() : groupsOf(drawn, {RunGrouping::By::Configuration});
    QHash<QString, CurveGroup> groupOf;
    for (const RunGroup& group : groups)
        for (const QString& run : group.runs) groupOf.insert(run, {group.key, group.name, group.color, isGrouped});
    QList<CurveStyle> styles;
    for (const RunItemPtr& run : drawn) styles << CurveStyle{run->id, run->name, run->color, groupOf.value(run->id)};
    return styles;
}

void fillStrip(OverviewStrip& strip, const WorkspaceFeed& feed, const QList<CurveStyle>& runs, XMode mode) {
    QList<OverviewCurve> curves;
    QList<OverviewCheckpoint> marks;
    QList<double> ticks;
    for (const CurveStyle& style : runs) {
        const QColor color = Theme::current().curve(style.drawnColor());
        if (const SeriesData* points = course(feed.series(), style.runId))
            curves << OverviewCurve{color, outline(*points, mode, kStripPoints)};
        for (const auto& row : feed.checkpoints(style.runId))
            if (const auto x = checkpointX(row, mode)) marks << OverviewCheckpoint{*x, color, row.best};
        if (const RunItemPtr run = feed.run(style.runId); run && style == runs.first()) ticks = epochTicks(*run, mode);
    }
    strip.setCurves(curves);
    strip.setCheckpoints(marks);
    strip.setEpochTicks(ticks);
}

bool isWanted(const Workbench& bench, const QString& series) {
    const auto source = run::sourceOf(series.toStdString());
    return !source || bench.shownSources().contains(QLatin1String(program::wordOf(source->kind)));
}

} // namespace trainyard::ui
