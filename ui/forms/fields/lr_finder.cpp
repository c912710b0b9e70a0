// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/fields/lr_finder.h"

#include "engine/base/error_json.h"
#include "engine/run/launch/launcher.h"
#include "engine/run/launch/programs.h"
#include "ui/forms/fields/lr_curve.h"
#include "ui/models/text/format.h"
#include "ui/widgets/layout.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryFile>

#include <cmath>

namespace trainyard::ui {

LrFinder::LrFinder(std::function<std::optional<spec::RunSpec>()> run, QWidget* parent)
    : QWidget(parent), m_run(std::move(run)), m_button(button(tr("Find a learning rate"), QStringLiteral("search"))),
      m_back(button({}, {}, "flat")), m_sweep(button({}, QStringLiteral("sweeps"))), m_curve(new LrCurve),
      m_note(new Label(QString(), TextRole::SmallSecondary)) {
    m_button->setToolTip(tr("Trains a copy of this run for a hundred steps with a rising learning rate"));
    m_note->setWordWrap(true);
    auto* layout = column(this, 6);
    auto* first = row(nullptr, 4);
    first->addWidget(m_button);
    first->addWidget(m_back);
    first->addStretch();
    layout->addLayout(first);
    layout->addWidget(m_note);
    layout->addWidget(m_curve);
    layout->addWidget(m_sweep, 0, Qt::AlignLeft);
    for (QWidget* later : std::initializer_list<QWidget*>{m_back, m_note, m_curve, m_sweep}) later->hide();
    connect(m_button, &QPushButton::clicked, this, &LrFinder::start);
    connect(m_back, &QPushButton::clicked, this, [this] {
        m_back->hide();
        Q_EMIT takenBack(m_before);
    });
    connect(m_curve, &LrCurve::rangeChanged, this,
            [this](double from, double to) { m_sweep->setText(tr("Sweep from %1 to %2").arg(from).arg(to)); });
    connect(m_sweep, &QPushButton::clicked, this, [this] { Q_EMIT rangeChosen(m_curve->from(), m_curve->to()); });
}

void LrFinder::offerBack(double lr) {
    m_before = lr;
    m_back->setText(tr("Back to %1").arg(lr));
    m_back->show();
}

void LrFinder::say(const QString& words) {
    m_note->setText(words);
    m_note->show();
}

void LrFinder::start() {
    const auto run = m_run();
    for (QWidget* later : std::initializer_list<QWidget*>{m_back, m_curve, m_sweep}) later->hide();
    if (!run) return say(tr("Fix the highlighted fields first."));
    auto* process = new QProcess(qApp); // outlives a closed sheet, and cleans up when it ends
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
        if (error != QProcess::FailedToStart) return; // else finished() follows
        if (self) self->ended(-1, {}, process->errorString().toUtf8());
        process->deleteLater();
    });
    m_busy = true;
    m_button->setEnabled(false);
    say(tr("Training with a rising learning rate…"));
    process->start(QString::fromStdString((run::programFolder() / "trainyardctl").string()),
                   {QStringLiteral("lr-find"), file->fileName(), QStringLiteral("--json")});
}

void LrFinder::showCourse(const QJsonObject& result) {
    // The points have the rates used by the workers; a run file has the rates before its scaling rule.
    const double factor = result.value(QLatin1String("lr_rule_factor")).toDouble(1);
    LrCurve::Course course;
    for (const auto& entry : result.value(QLatin1String("points")).toArray()) {
        const auto point = entry.toObject();
        const double lr = point.value(QLatin1String("lr")).toDouble() / factor;
        const auto loss = point.value(QLatin1String("smoothed"));
        if (lr > 0) course.points << QPointF(lr, loss.isDouble() ? loss.toDouble() : std::nan(""));
    }
    course.suggested = result.value(QLatin1String("suggested")).toDouble();
    course.lowestAt = result.value(QLatin1String("lowest_loss_at")).toDouble();
    m_curve->setCourse(course);
    for (QWidget* each : std::initializer_list<QWidget*>{m_curve, m_sweep}) each->setVisible(course.points.size() > 1);
}

void LrFinder::ended(int code, const QByteArray& out, const QByteArray& err) {
    m_busy = false;
    m_button->setEnabled(true);
    if (code != 0)
        return say(
            QString::fromStdString(programError("trainyardctl", code, out.toStdString(), err.toStdString()).text()));
    const QJsonObject result = QJsonDocument::fromJson(out).object();
    showCourse(result);
    const QJsonValue suggested = result.value(QLatin1String("suggested"));
    if (!suggested.isDouble())
        return say(tr("The loss does not fall at any learning rate: check the data and the model."));
    // Two digits: a hundred noisy losses justify no more.
    const double lr = QString::number(suggested.toDouble(), 'g', 2).toDouble();
    say(tr("%1: the loss falls fastest there, and is lowest at %2.")
            .arg(digitsText(lr, 2), digitsText(result.value(QLatin1String("lowest_loss_at")).toDouble(), 2)));
    Q_EMIT found(lr);
}

} // namespace trainyard::ui
