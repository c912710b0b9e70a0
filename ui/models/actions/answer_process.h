// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QHash>
#include <QJsonObject>
#include <QObject>

#include <functional>

class QProcess;

namespace trainyard::ui {

// The answer of `trainyard-worker answer` to one question.
struct WorkerAnswer {
    QJsonObject body;
    double milliseconds = 0; // time the worker needed
};

// A `trainyard-worker answer` that keeps models and a dataset in memory (engine/torch/worker/ANSWER.md). A question
// starts it if it is not running. GUI thread; no call blocks.
class AnswerProcess : public QObject {
    Q_OBJECT
public:
    using Reply = std::function<void(Result<WorkerAnswer>)>;

    // `atOnce`: at the priority of the window, for short questions that somebody waits for.
    explicit AnswerProcess(QObject* parent = nullptr, bool atOnce = false);
    ~AnswerProcess() override;

    // Queues a question. Calls `reply` once, with an error if the worker cannot be started, refuses the question or
    // ends before its answer; drops it if `context` is gone by then, or after stop().
    void ask(QJsonObject question, QObject* context, Reply reply);
    // Ends the process without calling pending replies.
    void stop();
    bool isRunning() const { return m_process != nullptr; }
    bool isBusy() const { return !m_waiting.isEmpty(); }
    qint64 processId() const; // 0: none runs

private:
    void start();
    void read();
    void ended();
    void refuse(const Error& error);

    bool m_atOnce;
    QProcess* m_process = nullptr;
    QHash<qint64, Reply> m_waiting; // by question id
    qint64 m_next = 1;
};

} // namespace trainyard::ui
