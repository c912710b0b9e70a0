// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/serve/served_checkpoints.h"

#include "engine/run/actions/list_checkpoints.h"
#include "engine/run/share/import_runs.h"
#include "engine/spec/run/run_spec.h"
#include "ui/models/text/format.h"
#include "ui/models/text/free_name.h"

#include <QCoreApplication>

#include <algorithm>
#include <filesystem>

namespace trainyard::ui {

namespace {

constexpr std::size_t kMostOffered = 500;

struct ServedWords {
    Q_DECLARE_TR_FUNCTIONS(Serve)
};

bool hasModel(const store::RunRow& run) {
    const auto spec = spec::parseRunSpec(run.specJson);
    return spec && !spec->program && !run::importSource(run);
}

} // namespace

ServedCheckpoint servedCheckpoint(const std::string& run, const store::CheckpointRow& row) {
    const QString name = QString::fromStdString(run);
    const QString place = row.epoch > 0 ? ServedWords::tr("epoch %1").arg(digitsText(row.epoch, 4))
                                        : ServedWords::tr("step %1").arg(countText(static_cast<double>(row.step)));
    QString title = QStringLiteral("%1 · %2").arg(name, place);
    if (row.best) title = ServedWords::tr("%1, best").arg(title);
    else if (row.last) title = ServedWords::tr("%1, last").arg(title);
    return {title, {serve::serviceNameOf(run), row.path, run, row.step}};
}

Result<std::vector<ServedCheckpoint>> servedCheckpoints(const store::Workspace& workspace) {
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(auto runs, run::listCheckpoints(*query, false));
    std::vector<ServedCheckpoint> found;
    for (auto& each : runs) {
        if (!hasModel(each.run)) continue;
        std::stable_sort(each.rows.begin(), each.rows.end(),
                         [](const auto& a, const auto& b) { return a.best != b.best ? a.best : a.step > b.step; });
        for (const store::CheckpointRow& row : each.rows) {
            std::error_code none;
            if (found.size() < kMostOffered && std::filesystem::exists(row.path, none))
                found.push_back(servedCheckpoint(each.run.name, row));
        }
    }
    return found;
}

QString freeServiceName(const std::string& run, const QStringList& taken) {
    const std::string wanted = serve::serviceNameOf(run);
    return freeName(QString::fromStdString(wanted.empty() ? "model" : wanted), taken);
}

} // namespace trainyard::ui
