// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/filter/stored_runs.h"

#include "engine/spec/values/flat_settings.h"

#include <algorithm>
#include <cstdlib>

namespace trainyard::run {

StoredRun::StoredRun(store::RunRow row, std::vector<store::SeriesSummary> summaries)
    : m_row(std::move(row)), m_summaries(std::move(summaries)), m_settings(spec::flatSettings(m_row.specJson)),
      m_score(scoreOf(m_row, m_summaries)) {}

int StoredRun::workers() const {
    if (m_row.worldSize > 0) return m_row.worldSize;
    int planned = 1;
    static const FilterName kWorkers = filterName("scaling.workers");
    settings(kWorkers, [&](std::string_view value) { planned = std::max(1, std::atoi(std::string(value).c_str())); });
    return planned;
}

void StoredRun::settings(const FilterName& name, const Visit& visit) const {
    for (const auto& [path, value] : m_settings)
        if (isNamed(std::string_view(path), name)) visit(value);
}

void StoredRun::words(const Visit& visit) const {
    for (const auto& [path, value] : m_settings)
        if (path == "model" || path == "dataset") visit(value);
}

const store::SeriesSummary* StoredRun::series(std::string_view name) const {
    const auto at = std::find_if(m_summaries.begin(), m_summaries.end(),
                                 [name](const store::SeriesSummary& each) { return each.series == name; });
    return at == m_summaries.end() ? nullptr : &*at;
}

Result<FoundRuns> findRuns(store::RunQuery& query, bool withArchived, std::string_view text) {
    const Filter filter(text);
    if (filter.problem()) return filter.problem()->error("filter");
    TY_ASSIGN(auto rows, query.runs(withArchived));
    FoundRuns found;
    found.of = rows.size();
    if (filter.empty()) {
        found.runs = std::move(rows);
        return found;
    }
    FilterNames names;
    std::vector<StoredRun> runs;
    for (store::RunRow& row : rows) {
        TY_ASSIGN(auto summaries, query.summaries(row.id));
        for (const auto& summary : summaries) names.series.insert(summary.series);
        names.add(row);
        runs.emplace_back(std::move(row), std::move(summaries));
    }
    if (const auto unknown = filter.unknownName(names)) return unknown->error("filter");
    for (const StoredRun& run : runs)
        if (filter.matches(run)) found.runs.push_back(run.row());
    return found;
}

} // namespace trainyard::run
