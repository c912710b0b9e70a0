// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/new_run/catalog_loader.h"

#include "engine/run/launch/catalog_cache.h"
#include "engine/run/launch/programs.h"
#include "ui/models/desktop/background.h"

namespace trainyard::ui {

std::filesystem::path CatalogLoader::workerProgram() { return run::programFolder() / "trainyard-worker"; }

void CatalogLoader::load() {
    if (std::exchange(m_busy, true)) return;
    inBackground(
        this, [] { return run::loadCatalog(workerProgram()); },
        [this](Result<run::SharedCatalog> result) {
            m_busy = false;
            if (result) {
                m_error.clear();
                m_catalog = std::move(*result);
                Q_EMIT loaded();
            } else {
                m_error = QString::fromStdString(result.error().text());
                Q_EMIT failed(m_error);
            }
        });
}

} // namespace trainyard::ui
