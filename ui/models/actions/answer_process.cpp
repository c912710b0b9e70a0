// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/actions/answer_process.h"

#include "engine/base/error_json.h"
#include "engine/run/launch/programs.h"

#include <QJsonDocument>
#include <QPointer>
#include <QProcess>

#include <utility>

namespace trainyard::ui {

namespace {

constexpr const char* kNextQuestion = "the next question starts it again";

QString answerProgram() { return QString::fromStdString(run::workerProgram().string()); }

Error missingProgram() {
    return environmentError("cannot be started", answerProgram().toStdString(),
                            "install Trainyard again, or set TRAINYARD_BIN to the folder of its programs")
        .withCode(ErrorCode::FileMissing);
}

// What the worker wrote as an error, in one sentence.
Error errorOf(const QJsonObject& reply) {
    const auto object = reply.value(QLatin1String("error")).toObject();
    if (auto error = errorFromJson(QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString())) return *error;
    return environmentError("the worker program gave an invalid answer");
}

} // namespace

AnswerProcess::AnswerProcess(QObject* parent, bool atOnce) : QObject(parent), m_atOnce(atOnce) {}

AnswerProcess::~AnswerProcess() { stop(); }

qint64 AnswerProcess::processId() const { return m_process == nullptr ? 0 : m_process->processId(); }

void AnswerProcess::ask(QJsonObject question, QObject* context, Reply reply) {
    const qint64 id = m_next++;
    question.insert(QLatin1String("id"), id);
    m_waiting.insert(id, [guard = QPointer<QObject>(context), reply = std::move(reply)](Result<WorkerAnswer> answer) {
        if (guard) reply(std::move(answer));
    });
    if (m_process == nullptr) start();
    if (m_process != nullptr) m_process->write(QJsonDocument(question).toJson(QJsonDocument::Compact) + '\n');
}

void AnswerProcess::start() {
    m_process = new QProcess(this);
    connect(m_process, &QProcess::readyReadStandardOutput, this, &AnswerProcess::read);
    connect(m_process, &QProcess::finished, this, &AnswerProcess::ended);
    connect(
        m_process, &QProcess::errorOccurred, this,
        [this, process = m_process](QProcess::ProcessError error) {
            if (error != QProcess::FailedToStart || process != m_process) return;
            std::exchange(m_process, nullptr)->deleteLater();
            refuse(missingProgram());
        },
        Qt::QueuedConnection); // start() itself may emit it
    QStringList words{QStringLiteral("answer")};
    if (m_atOnce) words << QStringLiteral("--at-once");
    m_process->start(answerProgram(), words);
}

void AnswerProcess::read() {
    while (m_process != nullptr && m_process->canReadLine()) {
        const auto reply = QJsonDocument::fromJson(m_process->readLine()).object();
        const auto at = m_waiting.find(reply.value(QLatin1String("id")).toInteger(-1));
        if (at == m_waiting.end()) continue;
        const Reply told = std::move(*at);
        m_waiting.erase(at);
        if (reply.contains(QLatin1String("answer")))
            told(WorkerAnswer{reply.value(QLatin1String("answer")).toObject(),
                              reply.value(QLatin1String("milliseconds")).toDouble()});
        else told(errorOf(reply));
    }
}

void AnswerProcess::ended() {
    auto* process = std::exchange(m_process, nullptr);
    process->deleteLater();
    if (process->exitStatus() == QProcess::CrashExit)
        return refuse(
            environmentError("the worker program crashed or was killed before it answered", {}, kNextQuestion));
    Error why =
        programError("the worker program", process->exitCode(), {}, process->readAllStandardError().toStdString());
    if (why.remedy.empty()) why.remedy = kNextQuestion;
    refuse(why);
}

void AnswerProcess::refuse(const Error& error) {
    const auto waiting = std::exchange(m_waiting, {});
    for (const Reply& reply : waiting) reply(error);
}

// It holds nothing that could be lost, so it may be killed in the middle of an answer.
void AnswerProcess::stop() {
    m_waiting.clear();
    auto* process = std::exchange(m_process, nullptr);
    if (process == nullptr) return;
    process->disconnect(this);
    process->setParent(nullptr);
    connect(process, &QProcess::finished, process, &QObject::deleteLater);
    process->kill();
    if (process->state() == QProcess::NotRunning) process->deleteLater();
}

} // namespace trainyard::ui
