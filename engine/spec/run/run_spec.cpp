// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/run/run_spec.h"

#include "engine/spec/run/catalog.h"
#include "engine/spec/run/task_kind.h"

#include <algorithm>

namespace trainyard::spec {
namespace {

// A file or folder is asked for, which only the user knows.
bool asksForPath(const Entry& entry) {
    return std::any_of(entry.params.begin(), entry.params.end(),
                       [](const ParamInfo& info) { return info.type == ParamType::Path; });
}

void fitChoice(Choice& choice, const std::vector<Entry>& entries, const std::string& task, const std::string& liked) {
    const Entry* now = Catalog::find(entries, choice.name);
    if (now == nullptr || now->serves(task)) return;
    const Entry* best = nullptr;
    const auto rank = [&](const Entry& entry) { return entry.name == liked ? 2 : asksForPath(entry) ? 0 : 1; };
    for (const Entry& entry : entries)
        if (entry.available && entry.serves(task) && (best == nullptr || rank(entry) > rank(*best))) best = &entry;
    if (best != nullptr) choice = {best->name, {}};
}

} // namespace

std::int64_t RunSpec::perRankBatch() const {
    if (batch.perRank) return *batch.perRank;
    const std::int64_t shares =
        std::max<std::int64_t>(1, scaling.workers * std::max<std::int64_t>(1, batch.accumulate));
    return batch.global.value_or(0) / shares;
}

std::int64_t RunSpec::globalBatch() const {
    if (batch.global) return *batch.global;
    return batch.perRank.value_or(0) * scaling.workers * batch.accumulate;
}

std::optional<RunSpec> withHalfTheBatch(RunSpec spec) {
    const std::int64_t perRank = spec.perRankBatch(), half = perRank / 2;
    if (half < 1) return std::nullopt;
    if (spec.batch.perRank) *spec.batch.perRank = half;
    // A batch of all is dealt evenly to the passes of all workers.
    else spec.batch.global = half * std::max<std::int64_t>(1, spec.scaling.workers * spec.batch.accumulate);
    return spec;
}

void fitToTask(RunSpec& spec, const Catalog& catalog) {
    fitChoice(spec.dataset, catalog.datasets, spec.task, "fashion-mnist");
    fitChoice(spec.model, catalog.models, spec.task, "mlp");
    fitChoice(spec.loss, catalog.losses, spec.task, "mse");
    const CheckpointPolicy usual;
    if (spec.task == toString(TaskKind::Classification) || spec.checkpoint.scoreBy != usual.scoreBy) return;
    spec.checkpoint.scoreBy = "val/loss";
    spec.checkpoint.mode = "min";
}

} // namespace trainyard::spec
