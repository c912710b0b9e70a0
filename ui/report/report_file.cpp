// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_file.h"

#include "engine/report/write_report.h"
#include "ui/report/pdf_report.h"

namespace trainyard::ui {

Result<void> writeReportFile(const store::Workspace& workspace, const std::vector<std::string>& names,
                             const QString& file, bool replace) {
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    if (!file.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive)) {
        TY_ASSIGN([[maybe_unused]] const auto bytes, report::writeReport(*query, names, file.toStdString(), replace));
        return {};
    }
    TY_TRY(report::mayWriteReport(file.toStdString(), replace));
    TY_ASSIGN(const auto report, report::findReport(*query, names));
    return writePdf(report, file);
}

} // namespace trainyard::ui
