// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/failure_fix.h"

#include <QCoreApplication>

#include <algorithm>

namespace trainyard::ui {

namespace {

QString adviceText(const char* text) { return QCoreApplication::translate("FailureFix", text); }

bool says(const RunItem& run, std::initializer_list<const char*> parts) {
    const QString text = QString::fromStdString(run.row.error + ' ' + run.row.errorWhere + ' ' + run.row.errorRemedy);
    return std::any_of(parts.begin(), parts.end(),
                       [&text](const char* part) { return text.contains(QLatin1String(part), Qt::CaseInsensitive); });
}

} // namespace

FailureFix fixFor(const RunItem& run, bool hasCheckpoint) {
    auto parsed = spec::parseRunSpec(run.row.specJson);
    if (!parsed) return {adviceText("Resume"), std::nullopt};
    spec::RunSpec spec = std::move(*parsed);
    spec.name.clear();
    if (says(run, {"out of memory", "cannot allocate", "bad_alloc"}) && spec.perRankBatch() > 1) {
        auto& batch = spec.batch.perRank ? spec.batch.perRank : spec.batch.global;
        *batch = std::max<std::int64_t>(1, *batch / 2);
        return {adviceText("Halve the batch and retry"), spec};
    }
    if (spec.scaling.port != 0 && says(run, {"port", "address already in use", "EADDRINUSE"})) {
        spec.scaling.port = 0;
        return {adviceText("Use port 0 and retry"), spec};
    }
    if (says(run, {"not finite", "nan", "infinite"})) {
        const double lr = spec.optimizer.number("lr", 0.1);
        spec.optimizer.params["lr"] = lr / 10;
        return {adviceText("Retry with lr %1").arg(lr / 10), spec};
    }
    if (hasCheckpoint) return {adviceText("Resume"), std::nullopt};
    return {adviceText("Retry"), spec};
}

} // namespace trainyard::ui
