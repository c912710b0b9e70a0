// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocalServer>

namespace trainyard {

// One window for each workspace of a user: a later start hands its file to the first one.
class SingleInstance : public QObject {
    Q_OBJECT
public:
    explicit SingleInstance(const QString& workspace);
    // True when another process has the workspace and took the file (empty: just come to the front).
    bool handOver(const QString& file);
    void listen();

Q_SIGNALS:
    void asked(const QString& file);

private:
    QString m_name;
    QLocalServer m_server;
};

} // namespace trainyard
