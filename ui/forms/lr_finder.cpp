// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/lr_finder.h"

#include "engine/base/error_json.h"
#include "engine/run/launch/launcher.h"
#include "engine/run/launch/programs.h"
#include "ui/models/format.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/sparkline.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryFile>

namespace trainyard::ui {

LrFinder::LrFinder(std::function<std::optional<spec::RunSpec>()> run, QWidget* parent)
    : QWidget(parent), m_run(std::move(run)), m_button(button(tr("Find a learning rate"), QStringLiteral("search"))),
      m_curve(new Sparkline), m_note(new Label(QString(), TextRole::SmallSecondary)) {
    m_button->setToolTip(tr("Trains a copy of this run for a hundred steps with a rising learning rate"));
    m_note->setWordWrap(true);
    m_curve->hide();
    auto* line = row(this, 8);
    line->addWidget(m_button, 0, Qt::AlignTop);
    line->addWidget(m_curve, 0, Qt::AlignVCenter);
    line->addWidget(m_note, 1);
    connect(m_button, &QPushButton::clicked, this, &LrFinder::start);
}

void LrFinder::say(const QString& words) { m_note->setText(words); }

void LrFinder::start() {
    const auto run = m_run();
    m_curve->hide();
    if (!run) return say(tr("Fix the highlighted fields first."));
    auto* process = new QProcess(qApp); // outlives a closed sheet: it tidies up after itself when it has ended
    auto* file = new QTemporaryFile(process);
    if (!file->open() || file->write(QByteArray::fromStdString(spec::toJson(*run))) < 0 || !file->flush()) {
        say(tr("The run file cannot be written: %1").arg(file->errorString()));
        process->deleteLater();
        return;
    }
    const QPointer<LrFinder> self(this);
    connect(process, &QProcess::finished, process, [self, process](int code, QProcess::ExitStatus status) {
        if (self)
            self->ended(status == QProcess::NormalExit ? code : -1, process->readAllStandardOutput(),
                        process->readAllStandardError());
        process->deleteLater();
    });
    connect(process, &QProcess::errorOccurred, process, [self, process](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart) return; // else it has an end, too
        if (self) self->ended(-1, {}, process->errorString().toUtf8());
        process->deleteLater();
    });
    m_busy = true;
    m_button->setEnabled(false);
    say(tr("Training with a rising learning rate…"));
    process->start(QString::fromStdString((run::programFolder() / "trainyardctl").string()),
                   {QStringLiteral("lr-find"), file->fileName(), QStringLiteral("--json")});
}

void LrFinder::ended(int code, const QByteArray& out, const QByteArray& err) {
    m_busy = false;
    m_button->setEnabled(true);
    if (code != 0)
        return say(
            QString::fromStdString(programError("trainyardctl", code, out.toStdString(), err.toStdString()).text()));
    const QJsonObject result = QJsonDocument::fromJson(out).object();
    QList<double> course;
    for (const auto& point : result.value(QLatin1String("points")).toArray())
        course << point.toObject().value(QLatin1String("smoothed")).toDouble();
    m_curve->setValues(course, Theme::current().accent);
    m_curve->setVisible(!course.isEmpty());
    const QJsonValue suggested = result.value(QLatin1String("suggested"));
    if (!suggested.isDouble())
        return say(tr("The loss does not fall at any learning rate: check the data and the model."));
    // Two digits: the course of a hundred noisy losses says no more.
    const double lr = QString::number(suggested.toDouble(), 'g', 2).toDouble();
    say(tr("%1: the loss falls fastest there, and is lowest at %2.")
            .arg(QString::number(lr),
                 QString::number(result.value(QLatin1String("lowest_loss_at")).toDouble(), 'g', 2)));
    Q_EMIT found(lr);
}

} // namespace trainyard::ui
