// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/data/dataset_download.h"

#include "engine/run/launch/programs.h"
#include "ui/theme/icon.h"
#include "ui/widgets/layout.h"

namespace trainyard::ui {

namespace {

constexpr const char* kProgram = "trainyardctl: "; // begins its error messages

} // namespace

DatasetDownload::DatasetDownload(const QString& dataset, Label* status, const QStringList& mirrors, QWidget* parent)
    : QWidget(parent), m_dataset(dataset), m_mirrors(mirrors), m_status(status),
      m_button(button(tr("Download"), QStringLiteral("import"))) {
    m_button->setAccessibleName(tr("Download %1").arg(dataset));
    row(this)->addWidget(m_button);
    m_process.setStandardOutputFile(QProcess::nullDevice());
    connect(m_button, &QPushButton::clicked, this, &DatasetDownload::toggle);
    connect(&m_process, &QProcess::readyReadStandardError, this, &DatasetDownload::readOn);
    connect(&m_process, &QProcess::finished, this, &DatasetDownload::ended);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart) return; // else finished() follows
        m_line = m_process.errorString().toUtf8();
        ended();
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
    m_button->setText(tr("Cancel"));
    m_button->setIcon(icon(QStringLiteral("close")));
    if (m_status) m_status->setText(tr("Asking the server…"));
    QStringList arguments{QStringLiteral("datasets"), QStringLiteral("download"), m_dataset};
    for (const QString& mirror : m_mirrors) arguments << QStringLiteral("--mirror") << mirror;
    m_process.start(QString::fromStdString((run::programFolder() / "trainyardctl").string()), arguments);
}

void DatasetDownload::readOn() {
    m_rest += m_process.readAllStandardError();
    for (qsizetype end; (end = m_rest.indexOf('\n')) >= 0; m_rest.remove(0, end + 1))
        if (end > 0) m_line = m_rest.left(end).trimmed();
    if (m_line.startsWith(kProgram)) m_line.remove(0, static_cast<qsizetype>(qstrlen(kProgram)));
    if (m_status && !m_line.isEmpty()) m_status->setText(QString::fromUtf8(m_line));
}

void DatasetDownload::ended() {
    readOn();
    const bool done = m_process.exitStatus() == QProcess::NormalExit && m_process.exitCode() == 0 &&
                      m_process.error() != QProcess::FailedToStart;
    m_button->setText(tr("Download"));
    m_button->setIcon(icon(QStringLiteral("import")));
    if (done) {
        Q_EMIT finished();
    } else if (m_status) {
        m_status->setText(m_cancelled ? tr("Cancelled. The downloaded part is kept; Download continues from there.")
                                      : QString::fromUtf8(m_line));
    }
}

} // namespace trainyard::ui
