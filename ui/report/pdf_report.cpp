// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/pdf_report.h"

#include "engine/report/write_report.h"
#include "ui/report/report_document.h"
#include "ui/theme/theme.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QTextDocument>

namespace trainyard::ui {

namespace {

// A part of the whole, from one share of it to another.
report::Progress partOf(const report::Progress& whole, double from, double to) {
    if (!whole) return {};
    return [&whole, from, to](double share) { return whole(from + (to - from) * share); };
}

// Each page of the document, with its number. False: it was stopped.
bool paintPages(QTextDocument& document, QPdfWriter& pdf, const ThemeColors& colors, const report::Progress& progress) {
    QPainter painter(&pdf);
    const qreal scale = pdf.resolution() / kDotsPerInch;
    const int pages = document.pageCount();
    for (int page = 0; page < pages; ++page) {
        if (progress && !progress(page / static_cast<double>(pages))) return false;
        if (page > 0) pdf.newPage();
        painter.save();
        painter.scale(scale, scale);
        painter.translate(0, -page * kPageHeight);
        QAbstractTextDocumentLayout::PaintContext context;
        context.clip = QRectF(0, page * kPageHeight, kPageWidth, kPageHeight);
        context.palette.setColor(QPalette::Text, colors.text);
        painter.setClipRect(context.clip);
        document.documentLayout()->draw(&painter, context);
        painter.restore();
        painter.save();
        painter.scale(scale, scale);
        QFont font(reportFamily());
        font.setPixelSize(10);
        painter.setFont(font);
        painter.setPen(colors.text2);
        painter.drawText(QRectF(kPageMargin, kPageHeight - kPageMargin * 0.75, kPageWidth - 2 * kPageMargin, 16),
                         Qt::AlignRight, QStringLiteral("%1 / %2").arg(page + 1).arg(pages));
        painter.restore();
    }
    return true;
}

} // namespace

Result<void> writePdf(const report::Report& report, const QString& file, const report::Progress& progress) {
    const auto failure = [&](const QString& why) {
        return environmentError("cannot be written: " + why.toStdString(), "report " + file.toStdString(),
                                "choose a folder that you can write to");
    };
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly)) return failure(out.errorString());
    const Theme colors = buildTheme({});
    QTextDocument document;
    bool whole = layOutReport(document, report, colors, partOf(progress, 0, 0.5));
    if (whole) {
        QPdfWriter pdf(&out);
        pdf.setPageSize(QPageSize(QPageSize::A4));
        pdf.setPageMargins(QMarginsF(0, 0, 0, 0));
        pdf.setResolution(300);
        pdf.setTitle(QString::fromStdString(report.title));
        pdf.setCreator(QStringLiteral("Trainyard"));
        whole = paintPages(document, pdf, colors, partOf(progress, 0.5, 1));
    }
    if (!whole) return stoppedError("the report was stopped");
    if (!out.commit()) return failure(out.errorString());
    return {};
}

Result<void> writeReportFile(const store::Workspace& workspace, const std::vector<std::string>& names,
                             const QString& file, bool replace, const report::Progress& progress) {
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    if (!file.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive)) {
        TY_ASSIGN([[maybe_unused]] const auto bytes,
                  report::writeReport(*query, names, file.toStdString(), replace, progress));
        return {};
    }
    TY_TRY(report::mayWriteReport(file.toStdString(), replace));
    TY_ASSIGN(const auto report, report::findReport(*query, names, partOf(progress, 0, 0.4)));
    return writePdf(report, file, partOf(progress, 0.4, 1));
}

} // namespace trainyard::ui
