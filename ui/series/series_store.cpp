// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/series/series_store.h"

namespace trainyard::ui {

std::shared_ptr<SeriesData>& SeriesStore::held(const QString& run, const QString& name) {
    auto& held = m_runs[run][name];
    if (held) return held;
    held = std::make_shared<SeriesData>();
    held->setClock(m_clocks.value(run));
    return held;
}

std::shared_ptr<const SeriesData> SeriesStore::series(const QString& run, const QString& name) {
    return held(run, name);
}

const SeriesData* SeriesStore::find(const QString& run, const QString& name) const {
    const auto of = m_runs.constFind(run);
    if (of == m_runs.constEnd()) return nullptr;
    const auto at = of->find(name);
    return at == of->end() || at->second->isEmpty() ? nullptr : at->second.get();
}

QStringList SeriesStore::names(const QString& run) const {
    QStringList names;
    const auto of = m_runs.constFind(run);
    if (of == m_runs.constEnd()) return names;
    for (const auto& [name, data] : *of)
        if (!data->isEmpty()) names << name;
    return names;
}

void SeriesStore::append(const QString& run, const QString& name, std::span<const PlotPoint> points) {
    if (points.empty()) return;
    const auto data = held(run, name); // a listener may change the table
    const std::size_t first = data->append(points);
    Q_EMIT changed(run, name, first);
}

void SeriesStore::truncateAfter(const QString& run, qint64 step) {
    const Run series = m_runs.value(run); // a listener may ask for more series
    for (const auto& [name, data] : series) {
        const std::size_t before = data->size();
        data->truncateAfter(step);
        if (data->size() < before) Q_EMIT changed(run, name, data->size());
    }
}

void SeriesStore::setClock(const QString& run, const WallClock& clock) {
    auto& known = m_clocks[run];
    if (known && *known == clock) return;
    known = std::make_shared<const WallClock>(clock);
    const Run series = m_runs.value(run);
    for (const auto& [name, data] : series) {
        data->setClock(known);
        if (!data->isEmpty()) Q_EMIT changed(run, name, 0);
    }
}

void SeriesStore::drop(const QString& run) {
    m_clocks.remove(run);
    for (const auto& [name, data] : m_runs.take(run)) {
        if (data.use_count() > 1) m_runs[run][name] = data; // so that holders get the next points, too
        if (data->isEmpty()) continue;
        data->clear();
        Q_EMIT changed(run, name, 0);
    }
}

} // namespace trainyard::ui
