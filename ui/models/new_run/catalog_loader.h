// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/catalog.h"

#include <QObject>

#include <filesystem>
#include <memory>

namespace trainyard::ui {

// Loads the worker's catalog in the background after the first paint. GUI thread.
class CatalogLoader : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    void load();
    // Null until loaded() or after failed().
    std::shared_ptr<const spec::Catalog> catalog() const { return m_catalog; }
    QString error() const { return m_error; }

    static std::filesystem::path workerProgram();

Q_SIGNALS:
    void loaded();
    void failed(const QString& why);

private:
    bool m_busy = false;
    std::shared_ptr<const spec::Catalog> m_catalog;
    QString m_error;
};

} // namespace trainyard::ui
