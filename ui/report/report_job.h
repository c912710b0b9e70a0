// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"
#include "ui/models/desktop/background.h"

#include <atomic>
#include <memory>

namespace trainyard::ui {

// Writes the report of runs or of a sweep (writeReportFile). Cancelling leaves the file as it was.
class ReportJob : public BackgroundJob {
    Q_OBJECT
public:
    ReportJob(store::Workspace workspace, std::vector<std::string> names, const QString& file, QObject* parent);

    void start();
    QString title() const override;
    QString icon() const override { return QStringLiteral("export"); }
    QString cancelTip() const override;
    void cancel() override { *m_cancelled = true; }

private:
    store::Workspace m_workspace;
    std::vector<std::string> m_names;
    QString m_file;
    std::shared_ptr<std::atomic<bool>> m_cancelled = std::make_shared<std::atomic<bool>>(false);
};

} // namespace trainyard::ui
