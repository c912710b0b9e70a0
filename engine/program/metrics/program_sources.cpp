// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/metrics/program_sources.h"

#include <algorithm>
#include <utility>

namespace trainyard::program {

const char* toString(SourceKind kind) {
    switch (kind) {
    case SourceKind::MetricsFile: return "metrics file";
    case SourceKind::EventFiles: return "event files";
    case SourceKind::Wandb: return "W&B";
    case SourceKind::Mlflow: return "MLflow";
    case SourceKind::JsonLog: return "JSON log";
    case SourceKind::Table: return "table";
    case SourceKind::Printed: return "printed lines";
    }
    return "";
}

const char* wordOf(SourceKind kind) {
    switch (kind) {
    case SourceKind::MetricsFile: return "metrics-file";
    case SourceKind::EventFiles: return "event-files";
    case SourceKind::Wandb: return "wandb";
    case SourceKind::Mlflow: return "mlflow";
    case SourceKind::JsonLog: return "json-log";
    case SourceKind::Table: return "table";
    case SourceKind::Printed: return "printed";
    }
    return "";
}

std::optional<SourceKind> sourceKindOf(std::string_view word) {
    for (const auto kind : {SourceKind::MetricsFile, SourceKind::EventFiles, SourceKind::Wandb, SourceKind::Mlflow,
                            SourceKind::JsonLog, SourceKind::Table, SourceKind::Printed})
        if (word == wordOf(kind)) return kind;
    return std::nullopt;
}

void ProgramSources::add(SourceKind kind, std::string_view series, const imports::Point& point, SourceNews& news,
                         int file) {
    Source& source = m_sources[kind];
    source.summary.kind = kind;
    auto known = source.lasts.find(series);
    if (known == source.lasts.end() && source.lasts.size() == kMostSeries) {
        ++source.summary.late;
        if (!std::exchange(source.saidFull, true))
            news.notices.push_back(std::string(toString(kind)) + ": more than " + std::to_string(kMostSeries) +
                                   " names; \"" + std::string(series) + "\" and further ones are left out");
        return;
    }
    speaks(kind, news);
    shiftAfterRestart(source, point.step, news);
    SeriesPoint told{std::string(series), point};
    const std::int64_t step = told.point.step += source.shift;
    if (!source.firstStep) source.firstStep = step;
    if (known == source.lasts.end()) {
        known = source.lasts.emplace(told.series, Last{}).first;
        auto& names = source.summary.series;
        names.insert(std::lower_bound(names.begin(), names.end(), told.series), told.series);
    } else if (step < known->second.step) {
        // A validation that comes late does not take the training back, nor does a summary in another file.
        const Last& last = known->second;
        if (last.step < source.lead || (last.file != file && !last.isVoid)) {
            ++source.summary.late;
            return;
        }
        rewind(kind, source, step - 1, news);
    } else if (step == known->second.step && !known->second.isVoid) {
        ++source.summary.repeated;
        return;
    }
    known->second = {.step = step, .file = file};
    source.lead = source.summary.lastStep = std::max(source.lead, step);
    ++source.summary.points;
    newsOf(kind, news).points.push_back(std::move(told));
}

SeriesNews& ProgramSources::newsOf(SourceKind kind, SourceNews& news) {
    return kind == m_feeding ? news.curves : news.beside[kind];
}

// What a lesser source has told the curves so far leaves them: its names are others.
void ProgramSources::speaks(SourceKind kind, SourceNews& news) {
    if (m_feeding && *m_feeding <= kind) return;
    if (m_feeding) {
        m_sources[*m_feeding].summary.feeds = false;
        news.beside[*m_feeding] = std::move(news.curves);
        news.curves = {.rewoundTo = -1};
        news.notices.push_back("the curves now come from the " + std::string(toString(kind)) + ", no longer from the " +
                               toString(*m_feeding));
    }
    m_feeding = news.feeds = kind;
    m_sources[kind].summary.feeds = true;
}

// Its first step since the restart tells: at most the first that it ever had, where it had come beyond the checkpoint.
void ProgramSources::shiftAfterRestart(Source& source, std::int64_t step, SourceNews& news) {
    if (!source.resumedAt) return;
    const std::int64_t resumed = *std::exchange(source.resumedAt, std::nullopt);
    const bool countsFromZero = source.firstStep && step <= *source.firstStep && step < resumed;
    if (!countsFromZero) return;
    source.shift = resumed;
    news.notices.push_back("the " + std::string(toString(source.summary.kind)) + " count from " + std::to_string(step) +
                           " although the run was resumed at step " + std::to_string(resumed) +
                           ": their steps are shifted by it");
}

void ProgramSources::rewind(SourceKind kind, Source& source, std::int64_t to, SourceNews& news) {
    for (auto& [name, last] : source.lasts)
        if (last.step > to) last = {to, true, last.file};
    source.lead = source.summary.lastStep = std::min(source.lead, to);
    SeriesNews& told = newsOf(kind, news);
    std::erase_if(told.points, [to](const SeriesPoint& point) { return point.point.step > to; });
    told.rewoundTo = std::min(told.rewoundTo.value_or(to), to);
}

void ProgramSources::beginAgain(SourceKind kind, std::int64_t step, SourceNews& news) {
    const auto found = m_sources.find(kind);
    if (found != m_sources.end() && found->second.lead >= step) rewind(kind, found->second, step - 1, news);
}

void ProgramSources::restarted(std::int64_t step, SourceNews& news) {
    for (auto& [kind, source] : m_sources) {
        const bool cameSoFar = source.lead >= step; // else it counts something else, such as epochs
        if (source.lead > step) rewind(kind, source, step, news);
        source.shift = 0;
        source.resumedAt = cameSoFar && step > 0 ? std::optional(step) : std::nullopt;
    }
}

void ProgramSources::goesOn(std::int64_t step, const SourcesMemory& before) {
    m_feeding = before.feeds;
    for (const auto& each : before.sources) {
        Source& source = m_sources[each.kind];
        source.summary.kind = each.kind;
        source.summary.feeds = each.kind == m_feeding;
        source.summary.points = each.points;
        source.firstStep = each.firstStep;
        source.lead = source.summary.lastStep = std::min(each.lastStep, step);
        if (step > 0 && each.lastStep >= step) source.resumedAt = step;
    }
}

SourcesMemory ProgramSources::memory() const {
    SourcesMemory memory{m_feeding, {}};
    for (const auto& [kind, source] : m_sources)
        if (source.firstStep) memory.sources.push_back({kind, *source.firstStep, source.lead, source.summary.points});
    return memory;
}

std::vector<SourceSummary> ProgramSources::list() const {
    std::vector<SourceSummary> all;
    for (const auto& [kind, source] : m_sources) all.push_back(source.summary);
    return all;
}

const SourceSummary* ProgramSources::of(SourceKind kind) const {
    const auto found = m_sources.find(kind);
    return found == m_sources.end() ? nullptr : &found->second.summary;
}

} // namespace trainyard::program
