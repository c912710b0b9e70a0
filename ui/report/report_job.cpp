// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_job.h"

#include "ui/report/pdf_report.h"

#include <QFileInfo>

#include <cmath>

namespace trainyard::ui {

ReportJob::ReportJob(store::Workspace workspace, std::vector<std::string> names, const QString& file, QObject* parent)
    : BackgroundJob(parent), m_workspace(std::move(workspace)), m_names(std::move(names)), m_file(file) {}

void ReportJob::start() {
    setShare(0);
    const auto goesOn = [self = QPointer<ReportJob>(this), cancelled = m_cancelled, shown = 0.0](double share) mutable {
        if (share - shown >= 0.01) { // a table tells it of each cell
            shown = share;
            QMetaObject::invokeMethod(qApp, [self, share] {
                if (self) self->setShare(share);
            });
        }
        return !*cancelled;
    };
    inBackground(
        this,
        [workspace = m_workspace, names = m_names, file = m_file, goesOn] {
            return writeReportFile(workspace, names, file, true, goesOn);
        },
        [this](const Result<void>& result) { end(result); });
}

QString ReportJob::title() const { return tr("Writing %1").arg(QFileInfo(m_file).fileName()); }

QString ReportJob::cancelTip() const { return tr("Cancel; the file stays as it was"); }

} // namespace trainyard::ui
