// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/runs_tree.h"

#include "ui/models/text/format.h"

#include <cmath>

namespace trainyard::ui {

bool RunOrder::before(const RunNode& a, const RunNode& b) const {
    // Groups have a fixed order: by status, or by value.
    if (!a.run && !a.isSweep() && a.heading.place != b.heading.place) return a.heading.place < b.heading.place;
    if (column || (!a.run && !a.isSweep()))
        if (const int order = compareValues(a.sort, b.sort, direction); order != 0) return order < 0;
    if (a.madeMs() != b.madeMs()) return a.madeMs() > b.madeMs();
    return a.run && b.run ? a.run->id > b.run->id : a.heading.key < b.heading.key;
}

SortValue RunOrder::valueOf(const RunNode& node) const {
    if (node.run) return column ? sortValueIn(*node.run, *column) : SortValue{};
    if (node.isSweep()) {
        const RunItem* best = column ? bestRunOf(node) : nullptr;
        return best ? sortValueIn(*best, *column) : SortValue{};
    }
    if (column && isNumeric(*column)) return {statsOf(node, *column).mean, {}};
    bool isNumber = false;
    const double value = node.heading.key.toDouble(&isNumber);
    return isNumber ? SortValue{value, {}} : SortValue{std::nan(""), node.heading.title};
}

void eachRun(const RunNode& node, const std::function<void(const RunItem&)>& visit) {
    if (node.run) visit(*node.run);
    for (const auto& child : node.children) eachRun(*child, visit);
}

sweep::SeedStats statsOf(const RunNode& node, const RunColumn& column) {
    std::vector<double> values;
    QString score;
    bool isMixed = false; // scores of different series have no mean
    eachRun(node, [&](const RunItem& run) {
        values.push_back(numberIn(run, column));
        isMixed = isMixed || (!score.isEmpty() && score != run.scoreSeries);
        score = run.scoreSeries;
    });
    return isMixed && column.kind == RunColumn::Kind::Score ? sweep::SeedStats{} : sweep::seedStats(values);
}

const RunItem* bestRunOf(const RunNode& node) {
    const RunItem* best = nullptr;
    eachRun(node, [&best](const RunItem& run) {
        if (!std::isfinite(run.best)) return;
        if (!best || (best->scoreSeries == run.scoreSeries && spec::isBetter(run.better, run.best, best->best)))
            best = &run;
    });
    return best;
}

QString seedStatsText(const sweep::SeedStats& stats) {
    if (stats.count == 0) return kNoValue;
    if (stats.count == 1) return metricText(stats.mean);
    return QStringLiteral("%1 ± %2").arg(metricText(stats.mean), metricText(stats.sd));
}

void placeRows(RunNode& parent, std::size_t from) {
    for (std::size_t row = from; row < parent.children.size(); ++row) parent.children[row]->row = static_cast<int>(row);
}

} // namespace trainyard::ui
