// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/share_run.h"

#include "engine/run/share/bundle.h"
#include "ui/models/desktop/background.h"
#include "ui/models/desktop/file_question.h"
#include "ui/report/report_job.h"

#include <QApplication>
#include <QClipboard>

namespace trainyard::ui {

namespace {

QString shareWords(const char* text) { return QCoreApplication::translate("ShareRun", text); }

QString copiedText(run::CopyForm form) {
    switch (form) {
    case run::CopyForm::Command: return shareWords(QT_TRANSLATE_NOOP("ShareRun", "Copied as a command"));
    case run::CopyForm::RunFile: return shareWords(QT_TRANSLATE_NOOP("ShareRun", "Copied as a run file"));
    case run::CopyForm::Cpp: return shareWords(QT_TRANSLATE_NOOP("ShareRun", "Copied as a C++ program"));
    case run::CopyForm::Python: return shareWords(QT_TRANSLATE_NOOP("ShareRun", "Copied as a Python loader"));
    }
    return {};
}

void writeReport(Workbench& bench, const QStringList& names, const QString& file) {
    std::vector<std::string> wanted;
    for (const QString& name : names) wanted.push_back(name.toStdString());
    auto* job = new ReportJob(bench.feed.workspace(), std::move(wanted), file, &bench.actions);
    QObject::connect(job, &BackgroundJob::ended, &bench.actions, [&bench, file](const Result<void>& written) {
        if (written) Q_EMIT bench.actions.done(shareWords(QT_TRANSLATE_NOOP("ShareRun", "Wrote %1")).arg(file), {});
        else if (written.error().kind == ErrorKind::Stopped)
            Q_EMIT bench.actions.done(shareWords(QT_TRANSLATE_NOOP("ShareRun", "The report was cancelled")), {});
        else
            Q_EMIT bench.actions.failed(shareWords(QT_TRANSLATE_NOOP("ShareRun", "The report was not written")),
                                        written.error());
    });
    Q_EMIT bench.actions.jobStarted(job);
    job->start();
}

void writeBundle(Workbench& bench, const std::vector<std::string>& ids, const QString& file) {
    inBackground(
        &bench.actions,
        [workspace = bench.feed.workspace(), ids, file] {
            return run::writeBundle(workspace, ids, file.toStdString());
        },
        [&bench, file](const Result<void>& written) {
            if (written) Q_EMIT bench.actions.done(shareWords(QT_TRANSLATE_NOOP("ShareRun", "Wrote %1")).arg(file), {});
            else
                Q_EMIT bench.actions.failed(shareWords(QT_TRANSLATE_NOOP("ShareRun", "The runs were not exported")),
                                            written.error());
        });
}

} // namespace

void askForReport(Workbench& bench, const QStringList& names, const QString& title, QWidget* parent) {
    const QString web = shareWords(QT_TRANSLATE_NOOP("ShareRun", "Web page (*.html)")),
                  pdf = shareWords(QT_TRANSLATE_NOOP("ShareRun", "PDF (*.pdf)"));
    askForFiles(parent,
                {.kind = FileQuestion::Kind::NewFile,
                 .title = shareWords(QT_TRANSLATE_NOOP("ShareRun", "Report")),
                 .filters = {web, pdf},
                 .name = title + QStringLiteral(".html")},
                [&bench, names, pdf](const ChosenFiles& chosen) {
                    QString file = chosen.path();
                    if (chosen.filter == pdf && file.endsWith(QStringLiteral(".html")))
                        file.replace(file.size() - 5, 5, QStringLiteral(".pdf"));
                    writeReport(bench, names, file);
                });
}

void askForBundle(Workbench& bench, const std::vector<RunItemPtr>& runs, QWidget* parent) {
    const QString name = runs.size() == 1 ? runs.front()->name : shareWords(QT_TRANSLATE_NOOP("ShareRun", "runs"));
    std::vector<std::string> ids;
    for (const RunItemPtr& run : runs) ids.push_back(run->id.toStdString());
    askForFiles(parent,
                {.kind = FileQuestion::Kind::NewFile,
                 .title = shareWords(QT_TRANSLATE_NOOP("ShareRun", "Export for another computer")),
                 .filters = {shareWords(QT_TRANSLATE_NOOP("ShareRun", "Bundle of runs (*.tar)"))},
                 .name = name + QStringLiteral(".trainyard.tar")},
                [&bench, ids](const ChosenFiles& chosen) { writeBundle(bench, ids, chosen.path()); });
}

void copyRunAs(Workbench& bench, const RunItem& run, run::CopyForm form) {
    inBackground(
        &bench.actions,
        [workspace = bench.feed.workspace(), id = run.id.toStdString(), form]() -> Result<std::string> {
            TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
            TY_ASSIGN(const auto row, query->run(id));
            return run::copyAs(*query, workspace, row, form);
        },
        [&bench, form](const Result<std::string>& text) {
            if (!text) {
                Q_EMIT bench.actions.failed(shareWords(QT_TRANSLATE_NOOP("ShareRun", "Nothing was copied")),
                                            text.error());
                return;
            }
            QApplication::clipboard()->setText(QString::fromStdString(*text));
            Q_EMIT bench.actions.done(copiedText(form), {});
        });
}

} // namespace trainyard::ui
