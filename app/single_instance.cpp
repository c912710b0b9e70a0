// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/single_instance.h"

#include <QCryptographicHash>
#include <QLocalSocket>

#include <unistd.h>

namespace trainyard {

SingleInstance::SingleInstance(const QString& workspace) {
    const QByteArray hash = QCryptographicHash::hash(workspace.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
    m_name = QStringLiteral("trainyard-%1-%2").arg(::getuid()).arg(QString::fromLatin1(hash));
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    connect(&m_server, &QLocalServer::newConnection, this, [this] {
        QLocalSocket* socket = m_server.nextPendingConnection();
        connect(socket, &QLocalSocket::readyRead, this, [this, socket] {
            if (!socket->canReadLine()) return;
            const QString file = QString::fromUtf8(socket->readLine(8192)).trimmed();
            socket->write("ok\n");
            socket->disconnectFromServer();
            Q_EMIT asked(file);
        });
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
    });
}

bool SingleInstance::handOver(const QString& file) {
    QLocalSocket socket;
    socket.connectToServer(m_name);
    if (!socket.waitForConnected(200)) return false;
    socket.write(file.toUtf8() + '\n');
    // A process that is there but does not answer is stuck: better a second window than none.
    return socket.waitForBytesWritten(500) && socket.waitForReadyRead(1000);
}

void SingleInstance::listen() {
    if (!m_server.listen(m_name)) {
        QLocalServer::removeServer(m_name); // left behind by a process that was killed
        m_server.listen(m_name);
    }
}

} // namespace trainyard
