// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/failure_fix.h"

#include <QCoreApplication>

#include <algorithm>

namespace trainyard::ui {

namespace {

QString adviceText(const char* text) { return QCoreApplication::translate("FailureFix", text); }

} // namespace

FailureFix fixFor(const RunItem& run, bool hasCheckpoint) {
    auto parsed = spec::parseRunSpec(run.row.specJson);
    if (!parsed) return {adviceText("Resume"), std::nullopt};
    spec::RunSpec spec = std::move(*parsed);
    spec.name.clear();
    if (run.row.errorCode == ErrorCode::OutOfMemory && spec.perRankBatch() > 1) {
        auto& batch = spec.batch.perRank ? spec.batch.perRank : spec.batch.global;
        *batch = std::max<std::int64_t>(1, *batch / 2);
        return {adviceText("Halve the batch and retry"), spec};
    }
    if (run.row.errorCode == ErrorCode::LossNotFinite) {
        const double lr = spec.optimizer.number("lr", 0.1);
        spec.optimizer.params["lr"] = lr / 10;
        return {adviceText("Retry with lr %1").arg(lr / 10), spec};
    }
    if (hasCheckpoint) return {adviceText("Resume"), std::nullopt};
    return {adviceText("Retry"), spec};
}

} // namespace trainyard::ui
