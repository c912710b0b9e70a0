// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/home/mirror_process.h"

#include "engine/run/launch/programs.h"

#include <QProcess>

namespace trainyard::ui {

namespace {

constexpr int kAgainMs = 2000; // after a failure
constexpr int kEndMs = 1000;   // it ends as soon as its input does

} // namespace

MirrorProcess::MirrorProcess(store::Workspace workspace, QObject* parent)
    : QObject(parent), m_workspace(std::move(workspace)) {
    m_again.setSingleShot(true);
    m_again.setInterval(kAgainMs);
    connect(&m_again, &QTimer::timeout, this, &MirrorProcess::start);
}

MirrorProcess::~MirrorProcess() {
    if (!m_process) return;
    m_process->disconnect(this);
    m_process->closeWriteChannel();
    if (!m_process->waitForFinished(kEndMs)) m_process->kill();
    m_process->waitForFinished(kEndMs);
}

void MirrorProcess::ensure() {
    if (!m_process && !m_again.isActive()) start();
}

void MirrorProcess::start() {
    m_process = new QProcess(this);
    m_process->setStandardOutputFile(QProcess::nullDevice());
    const auto ended = [this] {
        if (m_process) {
            const QString why = QString::fromUtf8(m_process->readAllStandardError()).trimmed();
            if (!why.isEmpty()) Q_EMIT failed(why.section(QLatin1Char('\n'), -1));
            m_process->deleteLater();
        }
        m_process = nullptr;
        m_again.start();
    };
    connect(m_process, &QProcess::finished, this, ended);
    connect(m_process, &QProcess::errorOccurred, this, [ended](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) ended();
    });
    m_process->start(
        QString::fromStdString((run::programFolder() / "trainyardctl").string()),
        {QStringLiteral("mirror"), QStringLiteral("--workspace"), QString::fromStdString(m_workspace.root.string())});
}

} // namespace trainyard::ui
