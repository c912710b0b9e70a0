// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QObject>
#include <QString>

#include <atomic>
#include <memory>

class QProcess;

namespace trainyard::ui {

// One export of a checkpoint's model to a file, which can be cancelled: nothing is left of it then. Deletes itself once
// it has ended. GUI thread.
class ModelExport : public QObject {
    Q_OBJECT
public:
    // As "safetensors" here, as "state-dict" or "torchscript" by the worker program.
    ModelExport(const QString& checkpoint, const QString& format, const QString& out, QObject* parent);

    void start();
    void cancel();
    const QString& out() const { return m_out; }
    double share() const { return m_share; } // of the work; -1: not known

Q_SIGNALS:
    void progressed();
    void ended(const trainyard::Result<void>& result); // kind Stopped when it was cancelled

private:
    void startHere();
    void startWorker();
    void end(const Result<void>& result);

    QString m_checkpoint, m_format, m_out;
    double m_share = -1;
    std::shared_ptr<std::atomic<bool>> m_cancelled = std::make_shared<std::atomic<bool>>(false);
    QProcess* m_process = nullptr;
    qint64 m_pid = 0; // of the worker program
};

} // namespace trainyard::ui
