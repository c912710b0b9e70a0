// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/filter/filter.h"

namespace trainyard::run {

// A run as the store has it, to be asked by a filter.
class StoredRun : public RunFacts {
public:
    StoredRun(store::RunRow row, std::vector<store::SeriesSummary> summaries);

    const store::RunRow& row() const override { return m_row; }
    int workers() const override;
    void settings(const FilterName& name, const Visit& visit) const override;
    void words(const Visit& visit) const override;
    const store::SeriesSummary* series(std::string_view name) const override;
    Score score() const override { return m_score; }
    const std::vector<store::SeriesSummary>& summaries() const { return m_summaries; }
    const std::vector<std::pair<std::string, std::string>>& settings() const { return m_settings; }

private:
    store::RunRow m_row;
    std::vector<store::SeriesSummary> m_summaries;
    std::vector<std::pair<std::string, std::string>> m_settings;
    Score m_score;
};

// The runs that a filter finds, newest first.
struct FoundRuns {
    std::vector<store::RunRow> runs;
    std::size_t of = 0; // all that were asked
};
// Input, with the column: the filter is wrong, or names a setting or series that no run has.
Result<FoundRuns> findRuns(store::RunQuery& query, bool withArchived, std::string_view filter);

} // namespace trainyard::run
