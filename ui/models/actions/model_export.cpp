// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/actions/model_export.h"

#include "engine/base/error_json.h"
#include "engine/base/files/atomic_file.h"
#include "engine/run/share/export_run.h"
#include "ui/models/desktop/background.h"
#include "ui/models/new_run/catalog_loader.h"

#include <QFileInfo>
#include <QPointer>
#include <QProcess>

namespace trainyard::ui {

ModelExport::ModelExport(const QString& checkpoint, const QString& format, const QString& out, QObject* parent)
    : BackgroundJob(parent), m_checkpoint(checkpoint), m_format(format), m_out(out) {}

void ModelExport::start() {
    if (m_format == QLatin1String("safetensors")) startHere();
    else startWorker();
}

void ModelExport::startHere() {
    const auto goesOn = [self = QPointer<ModelExport>(this), cancelled = m_cancelled](double share) {
        QMetaObject::invokeMethod(qApp, [self, share] {
            if (self) self->setShare(share);
        });
        return !*cancelled;
    };
    inBackground(
        this,
        [from = m_checkpoint.toStdString(), to = m_out.toStdString(), goesOn] {
            return run::exportSafetensors(from, to, goesOn);
        },
        [this](const Result<void>& result) { end(result); });
}

void ModelExport::startWorker() {
    const QString program = QString::fromStdString(CatalogLoader::workerProgram().string());
    m_process = new QProcess(this);
    connect(m_process, &QProcess::errorOccurred, this, [this, program](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            end(environmentError("the worker program could not be started", program.toStdString(),
                                 "install trainyard-worker beside this program"));
    });
    connect(m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        if (*m_cancelled) {
            removeTemporaryFiles(QFileInfo(m_out).absolutePath().toStdString(), m_pid);
            end(stoppedError("the export was cancelled"));
        } else if (status == QProcess::NormalExit && code == 0) end({});
        else
            end(programError("the worker program", code, m_process->readAllStandardOutput().toStdString(),
                             m_process->readAllStandardError().toStdString()));
    });
    connect(m_process, &QProcess::started, this, [this] {
        m_pid = m_process->processId();
        if (*m_cancelled) m_process->terminate();
    });
    // The file dialog has already asked whether to replace an existing file.
    m_process->start(program, {QStringLiteral("export"), m_checkpoint, QStringLiteral("--format"), m_format,
                               QStringLiteral("--out"), m_out, QStringLiteral("--force")});
}

void ModelExport::cancel() {
    *m_cancelled = true;
    if (m_process) m_process->terminate();
}

QString ModelExport::title() const { return tr("Exporting %1").arg(QFileInfo(m_out).fileName()); }

QString ModelExport::cancelTip() const { return tr("Click to cancel and discard the file"); }

} // namespace trainyard::ui
