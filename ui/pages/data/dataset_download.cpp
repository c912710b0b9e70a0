// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/data/dataset_download.h"

#include "engine/base/error_json.h"
#include "engine/run/launch/programs.h"
#include "ui/models/text/format.h"
#include "ui/theme/icon.h"
#include "ui/widgets/layout.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace trainyard::ui {

DatasetDownload::DatasetDownload(const QString& dataset, Label* status, const QStringList& mirrors, QWidget* parent)
    : QWidget(parent), m_dataset(dataset), m_mirrors(mirrors), m_status(status),
      m_button(button(tr("Download"), QStringLiteral("import"))) {
    m_button->setAccessibleName(tr("Download %1").arg(dataset));
    row(this)->addWidget(m_button);
    connect(m_button, &QPushButton::clicked, this, &DatasetDownload::toggle);
    connect(&m_process, &QProcess::readyReadStandardError, this, &DatasetDownload::readOn);
    connect(&m_process, &QProcess::finished, this, &DatasetDownload::ended);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart) return; // else finished() follows
        say(m_process.errorString());
        showButton(false);
    });
}

DatasetDownload::~DatasetDownload() {
    m_process.disconnect(this);
    m_process.kill();
    m_process.waitForFinished(1000);
}

void DatasetDownload::toggle() {
    if (m_process.state() == QProcess::NotRunning) return start();
    m_cancelled = true;
    m_process.terminate();
}

void DatasetDownload::start() {
    m_cancelled = false;
    m_line.clear();
    m_rest.clear();
    showButton(true);
    say(tr("Asking the server…"));
    QStringList arguments{QStringLiteral("datasets"), QStringLiteral("download"), m_dataset, QStringLiteral("--json")};
    for (const QString& mirror : m_mirrors) arguments << QStringLiteral("--mirror") << mirror;
    m_process.start(QString::fromStdString((run::programFolder() / "trainyardctl").string()), arguments);
}

void DatasetDownload::say(const QString& words, const QString& tip) {
    if (!m_status) return;
    m_status->setText(words);
    m_status->setToolTip(tip);
}

void DatasetDownload::showButton(bool runs) {
    m_button->setText(runs ? tr("Cancel") : tr("Download"));
    m_button->setIcon(icon(runs ? QStringLiteral("close") : QStringLiteral("import")));
}

// A line for each change: {"file", "bytes", "total"}.
void DatasetDownload::readOn() {
    m_rest += m_process.readAllStandardError();
    for (qsizetype end; (end = m_rest.indexOf('\n')) >= 0; m_rest.remove(0, end + 1)) {
        const QByteArray text = m_rest.left(end);
        const auto line = QJsonDocument::fromJson(text).object();
        const double bytes = line.value(QLatin1String("bytes")).toDouble(),
                     total = line.value(QLatin1String("total")).toDouble();
        if (total > 0)
            say(tr("%1: %2 of %3")
                    .arg(line.value(QLatin1String("file")).toString(), percentText(bytes / total), bytesText(total)));
        else m_line = text;
    }
}

void DatasetDownload::ended() {
    readOn();
    showButton(false);
    if (m_process.exitStatus() == QProcess::NormalExit && m_process.exitCode() == 0) {
        Q_EMIT finished();
        return;
    }
    if (m_cancelled) return say(tr("Cancelled. The downloaded part is kept; Download continues from there."));
    const Error error = programError("trainyardctl", m_process.exitCode(),
                                     m_process.readAllStandardOutput().toStdString(), m_line.toStdString());
    const QString whole = QString::fromStdString(error.text()); // each server with its answer
    if (error.code == ErrorCode::HostUnreachable)
        return say(tr("No server delivered it. Check the network, then press Download again: it continues where it "
                      "stopped."),
                   whole);
    say(QString::fromStdString(error.message), whole);
}

} // namespace trainyard::ui
