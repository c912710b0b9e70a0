// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/new_run/drop_use.h"

#include "engine/run/share/import_sources.h"

#include <QMimeData>
#include <QUrl>

namespace trainyard::ui {

DropUse dropUse(const QStringList& paths, DropPlace place) {
    std::optional<TrainingSource> first;
    for (const QString& path : paths) {
        const auto source = trainingSourceAt(path);
        const bool isData = place == DropPlace::Elsewhere && source && source->kind == TrainingSource::Table;
        if (!isData && run::holdsImports(path.toStdString())) return {.kind = DropUse::Import, .imports = paths};
        if (!first) first = source;
    }
    if (!first) return {};
    return {.kind = DropUse::Train, .source = first};
}

QStringList localPaths(const QMimeData& dragged) {
    QStringList paths;
    for (const QUrl& url : dragged.urls())
        if (url.isLocalFile()) paths << url.toLocalFile();
    return paths;
}

} // namespace trainyard::ui
