// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/curves/chart_desk.h"

#include "engine/run/record/series/system_series.h"
#include "ui/models/desktop/settings.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QPointer>

#include <algorithm>

namespace trainyard::ui {

const QStringList& mainSeries() {
    static const QStringList series{QStringLiteral("train/loss"), QStringLiteral("val/accuracy"), QStringLiteral("lr"),
                                    QStringLiteral("samples_per_s")};
    return series;
}

int seriesRank(const QString& series) {
    static const QStringList more =
        mainSeries() +
        QStringList{QStringLiteral("val/loss"), QStringLiteral("train/accuracy"), QStringLiteral("grad_norm")};
    const auto at = more.indexOf(series);
    if (at >= 0) return static_cast<int>(at);
    return static_cast<int>(more.size()) +
           (run::isSystemSeries(series.toStdString()) ? 1 : 0); // below the charts of training
}

bool hasChart(const QString& series) { return !run::rankTimeOf(series.toStdString()); }

ChartDesk::ChartDesk(Workbench& bench, QObject* parent) : QObject(parent), m_bench(bench) {
    load();
    offer(mainSeries());
}

namespace {

QString rootOf(const Workbench& bench) { return QString::fromStdString(bench.feed.workspace().root.string()); }

auto layoutSetting(const Workbench& bench) { return Settings::chartLayout.of(rootOf(bench)); }
auto viewsSetting(const Workbench& bench) { return Settings::chartViews.of(rootOf(bench)); }

} // namespace

// Unreadable settings are reported once the window listens.
void ChartDesk::load() {
    const auto tell = [this](const QString& what, const Error& error) {
        QMetaObject::invokeMethod(
            this, [this, what, error] { Q_EMIT m_bench.actions.failed(what, error); }, Qt::QueuedConnection);
    };
    auto layout = chartLayoutFromText(layoutSetting(m_bench).get());
    if (layout) m_layout = std::move(*layout);
    else tell(tr("Back to the standard charts"), layout.error());
    auto read = chartViewsFromText(viewsSetting(m_bench).get());
    m_views = std::move(read.views);
    if (read.error) tell(tr("A saved view cannot be read"), *read.error);
}

void ChartDesk::offer(const QStringList& series) {
    for (const QString& each : series)
        if (!m_offered.contains(each)) m_offered << each;
    std::sort(m_offered.begin(), m_offered.end());
    if (m_layout.offer(m_offered, seriesRank)) Q_EMIT layoutChanged();
}

void ChartDesk::change(const QString& told, const std::function<bool(ChartLayout&)>& edit) {
    ChartLayout next = m_layout;
    if (!edit(next)) return;
    const auto undo = [self = QPointer<ChartDesk>(this), before = m_layout] {
        if (self) self->replace(before);
    };
    replace(next);
    Q_EMIT m_bench.actions.done(told, undo);
}

void ChartDesk::replace(const ChartLayout& layout) {
    m_layout = layout;
    m_layout.offer(m_offered, seriesRank);
    if (layout.isStandard()) layoutSetting(m_bench).forget();
    else layoutSetting(m_bench).set(chartLayoutToText(m_layout));
    Q_EMIT layoutChanged();
}

const ChartView* ChartDesk::view(const QString& name) const {
    const auto at = std::find_if(m_views.begin(), m_views.end(), [&](const auto& each) { return each.first == name; });
    return at == m_views.end() ? nullptr : &at->second;
}

void ChartDesk::keepViews(const ChartViews& views) {
    m_views = views;
    std::sort(m_views.begin(), m_views.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    if (m_views.isEmpty()) viewsSetting(m_bench).forget();
    else viewsSetting(m_bench).set(chartViewsToText(m_views));
    Q_EMIT viewsChanged();
}

void ChartDesk::setViews(ChartViews views, const QString& told) {
    const auto undo = [self = QPointer<ChartDesk>(this), before = m_views] {
        if (self) self->keepViews(before);
    };
    keepViews(views);
    Q_EMIT m_bench.actions.done(told, undo);
}

void ChartDesk::saveView(const QString& name, const ChartView& view) {
    ChartViews next = m_views;
    next.removeIf([&](const auto& each) { return each.first == name; });
    next.append({name, view});
    setViews(std::move(next), tr("View “%1” saved").arg(name));
}

bool ChartDesk::renameView(const QString& name, const QString& now) {
    if (now == name || view(now) != nullptr || view(name) == nullptr) return false;
    ChartViews next = m_views;
    for (auto& each : next)
        if (each.first == name) each.first = now;
    setViews(std::move(next), tr("View renamed to “%1”").arg(now));
    return true;
}

void ChartDesk::removeView(const QString& name) {
    ChartViews next = m_views;
    next.removeIf([&](const auto& each) { return each.first == name; });
    setViews(std::move(next), tr("View “%1” deleted").arg(name));
}

} // namespace trainyard::ui
