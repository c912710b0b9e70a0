// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/values/seed_stats.h"
#include "ui/models/runs/run_column.h"
#include "ui/models/runs/run_grouping.h"

#include <functional>
#include <map>
#include <memory>

namespace trainyard::ui {

// A row of the runs table: a heading with rows below it, or a run.
struct RunNode {
    RunNode* parent = nullptr;
    int row = 0;    // its place below the parent
    RunItemPtr run; // null for a heading
    RunHeading heading;
    SortValue sort;
    std::vector<std::unique_ptr<RunNode>> children;
    // Mean and spread of the runs below, by column; cleared when one of them changes.
    mutable std::map<int, sweep::SeedStats> stats;

    bool isSweep() const { return !run && heading.kind == RunHeading::Kind::Sweep; }
    std::int64_t madeMs() const { return run ? run->row.createdMs : heading.madeMs; }
};

// The order of rows below one heading.
struct RunOrder {
    std::optional<RunColumn> column; // nothing: the newest first
    Qt::SortOrder direction = Qt::AscendingOrder;
    bool operator==(const RunOrder&) const = default;

    bool before(const RunNode& a, const RunNode& b) const;
    // A row's sort key: a run's value, a sweep's best run, a group's mean.
    SortValue valueOf(const RunNode& node) const;
};

// Every run below a heading.
void eachRun(const RunNode& node, const std::function<void(const RunItem&)>& visit);
// Mean and spread of a numeric column over the runs below a heading.
sweep::SeedStats statsOf(const RunNode& node, const RunColumn& column);
// The best of them by their common score; null if there is none.
const RunItem* bestRunOf(const RunNode& node);
// "0.9412 ± 0.0031"; for a single run its value.
QString seedStatsText(const sweep::SeedStats& stats);

// Numbers the children from `from` on.
void placeRows(RunNode& parent, std::size_t from = 0);

} // namespace trainyard::ui
