// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/failure_fix.h"

#include "engine/run/record/run_folder.h"
#include "engine/spec/half_batch.h"
#include "engine/spec/learning_rate.h"

#include <QCoreApplication>

#include <filesystem>
#include <utility>

namespace trainyard::ui {

namespace {

struct FixWords {
    Q_DECLARE_TR_FUNCTIONS(FailureFix)
};

// Of a fork, which stays one; `anew`: with new weights.
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
    if (run.row.errorCode == ErrorCode::DatasetMissing || run.row.errorCode == ErrorCode::FileMissing)
        return {FixWords::tr("Set the path…"), std::nullopt, true}; // as it is it would fail again
    auto parsed = spec::parseRunSpec(run.row.specJson);
    if (!parsed) return {FixWords::tr("Resume"), std::nullopt, false};
    spec::RunSpec spec = std::move(*parsed);
    spec.name.clear();
    if (run.row.errorCode == ErrorCode::OutOfMemory)
        if (auto half = spec::withHalfTheBatch(spec))
            return {FixWords::tr("Halve the batch and retry"), std::move(half), false, beginning(run.row, false)};
    const auto* optimizer = catalog ? spec::Catalog::find(catalog->optimizers, spec.optimizer.name) : nullptr;
    const double lr = spec.optimizer.number("lr", spec::defaultLearningRate(optimizer).value_or(0));
    if (run.row.errorCode == ErrorCode::LossNotFinite && lr > 0) {
        spec.optimizer.params["lr"] = lr / 10;
        return {FixWords::tr("Retry with lr %1").arg(lr / 10), spec, false, beginning(run.row, false)};
    }
    if (run.row.errorCode == ErrorCode::CheckpointMisfit) // with its checkpoint it would fail again
        return {FixWords::tr("Start with new weights"), spec, false, beginning(run.row, true)};
    if (hasCheckpoint) return {FixWords::tr("Resume"), std::nullopt, false};
    return {FixWords::tr("Retry"), spec, false, beginning(run.row, false)};
}

} // namespace trainyard::ui
