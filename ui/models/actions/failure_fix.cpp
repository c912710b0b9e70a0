// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/actions/failure_fix.h"

#include "engine/run/record/run_folder.h"
#include "engine/spec/run/learning_rate.h"
#include "engine/spec/run/run_spec.h"

#include <QCoreApplication>

#include <filesystem>
#include <utility>

namespace trainyard::ui {

namespace {

struct FixWords {
    Q_DECLARE_TR_FUNCTIONS(FailureFix)
};

// For a fork, the retry is a fork again; `anew`: with new weights.
run::StartOptions beginning(const store::RunRow& fork, bool anew) {
    run::StartOptions options;
    options.forkedFrom = fork.forkedFrom;
    const auto checkpoint = run::RunFolder{fork.folder}.startCheckpoint();
    std::error_code gone;
    if (!anew && !fork.forkedFrom.empty() && std::filesystem::exists(checkpoint, gone))
        options.resumeFrom = checkpoint.string();
    return options;
}

} // namespace

FailureFix fixFor(const RunItem& run, bool hasCheckpoint, const spec::Catalog* catalog) {
    if (run.row.error.code == ErrorCode::DatasetMissing || run.row.error.code == ErrorCode::FileMissing)
        return {.label = FixWords::tr("Set the path…"), .asksForPath = true}; // unchanged, it would fail again
    if (run.row.error.code == ErrorCode::DataChanged)
        return {.label = FixWords::tr("Resume with this data"), .acceptsData = true};
    auto parsed = spec::parseRunSpec(run.row.specJson);
    if (!parsed) return {.label = FixWords::tr("Resume")};
    spec::RunSpec spec = std::move(*parsed);
    spec.name.clear();
    if (run.row.error.code == ErrorCode::OutOfMemory)
        if (auto half = spec::withHalfTheBatch(spec))
            return {.label = FixWords::tr("Halve the batch and retry"),
                    .retry = std::move(half),
                    .options = beginning(run.row, false)};
    const auto* optimizer = catalog ? spec::Catalog::find(catalog->optimizers, spec.optimizer.name) : nullptr;
    const double lr = spec.optimizer.number("lr", spec::defaultLearningRate(optimizer).value_or(0));
    if (run.row.error.code == ErrorCode::LossNotFinite && lr > 0 && !spec.program) {
        spec.optimizer.params["lr"] = lr / 10;
        return {.label = FixWords::tr("Retry with lr %1").arg(lr / 10),
                .retry = spec,
                .options = beginning(run.row, false)};
    }
    if (run.row.error.code == ErrorCode::CheckpointMisfit) // with its checkpoint it would fail again
        return {.label = FixWords::tr("Start with new weights"), .retry = spec, .options = beginning(run.row, true)};
    if (hasCheckpoint) return {.label = FixWords::tr("Resume")};
    return {.label = FixWords::tr("Retry"), .retry = spec, .options = beginning(run.row, false)};
}

} // namespace trainyard::ui
