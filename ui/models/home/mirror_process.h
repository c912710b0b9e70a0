// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"

#include <QObject>
#include <QTimer>

class QProcess;

namespace trainyard::ui {

// Keeps `trainyardctl mirror` running while runs of the workspace live on hosts: it copies their news into the mirror
// that the feed reads. It ends with this object, and with this process however that ends. GUI thread.
class MirrorProcess : public QObject {
    Q_OBJECT
public:
    explicit MirrorProcess(store::Workspace workspace, QObject* parent = nullptr);
    ~MirrorProcess() override;

    // Starts it, and restarts it after a failure.
    void ensure();

Q_SIGNALS:
    void failed(const QString& why); // one line; a retry follows

private:
    void start();

    store::Workspace m_workspace;
    QProcess* m_process = nullptr;
    QTimer m_again;
};

} // namespace trainyard::ui
