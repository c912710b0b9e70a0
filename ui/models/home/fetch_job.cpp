// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/home/fetch_job.h"

#include "engine/base/error_json.h"
#include "ui/models/home/terminal_call.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace trainyard::ui {

FetchJob::FetchJob(store::Workspace workspace, const QString& what, const QString& name, QObject* parent)
    : BackgroundJob(parent), m_workspace(std::move(workspace)), m_what(what), m_name(name) {
    connect(&m_process, &QProcess::readyReadStandardError, this, &FetchJob::readOn);
    connect(&m_process, &QProcess::finished, this, &FetchJob::finish);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) end(notStarted(m_process)); // else finished() follows
    });
}

FetchJob::~FetchJob() {
    m_process.disconnect(this);
    m_process.kill();
    m_process.waitForFinished(1000);
}

void FetchJob::start() { startTerminal(m_process, m_workspace, {QStringLiteral("fetch"), m_what}); }

QString FetchJob::title() const { return tr("Fetching %1").arg(m_name); }

QString FetchJob::cancelTip() const { return tr("Click to cancel; the next fetch continues from here"); }

void FetchJob::cancel() {
    m_cancelled = true;
    m_process.terminate();
}

void FetchJob::readOn() {
    m_rest += m_process.readAllStandardError();
    for (qsizetype at; (at = m_rest.indexOf('\n')) >= 0; m_rest.remove(0, at + 1)) {
        const QByteArray line = m_rest.left(at);
        const QJsonObject json = QJsonDocument::fromJson(line).object();
        const double total = json[QLatin1String("total")].toDouble();
        if (json.isEmpty()) m_words += line + '\n';
        else if (total > 0) setShare(std::clamp(json[QLatin1String("bytes")].toDouble() / total, 0.0, 1.0));
    }
}

void FetchJob::finish() {
    readOn();
    if (m_process.exitStatus() == QProcess::NormalExit && m_process.exitCode() == 0) return end({});
    if (m_cancelled) return end(stoppedError("the transfer was cancelled"));
    end(programError("trainyardctl", m_process.exitCode(), m_process.readAllStandardOutput().toStdString(),
                     (m_words + m_rest).toStdString()));
}

} // namespace trainyard::ui
