// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/desktop/background.h"

#include <atomic>
#include <memory>

class QProcess;

namespace trainyard::ui {

// Exports a checkpoint's model to a file. Cancelling leaves nothing behind.
class ModelExport : public BackgroundJob {
    Q_OBJECT
public:
    // "safetensors" is written here, "state-dict" and "torchscript" by the worker program.
    ModelExport(const QString& checkpoint, const QString& format, const QString& out, QObject* parent);

    void start();
    QString title() const override;
    QString icon() const override { return QStringLiteral("export"); }
    QString cancelTip() const override;
    void cancel() override;

private:
    void startHere();
    void startWorker();

    QString m_checkpoint, m_format, m_out;
    std::shared_ptr<std::atomic<bool>> m_cancelled = std::make_shared<std::atomic<bool>>(false);
    QProcess* m_process = nullptr;
    qint64 m_pid = 0; // of the worker program
};

} // namespace trainyard::ui
