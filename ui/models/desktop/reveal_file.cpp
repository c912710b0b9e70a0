// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/desktop/reveal_file.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QUrl>

#ifdef TRAINYARD_HAVE_DBUS
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#endif

namespace trainyard::ui {

namespace {

void openItsFolder(const QString& path) {
    QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(path).absolutePath()));
}

} // namespace

void revealFile(const QString& path) {
#ifdef TRAINYARD_HAVE_DBUS
    auto bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return openItsFolder(path);
    // The File Manager D-Bus Interface of freedesktop.org: ShowItems(uris, startup id).
    auto call = QDBusMessage::createMethodCall(
        QStringLiteral("org.freedesktop.FileManager1"), QStringLiteral("/org/freedesktop/FileManager1"),
        QStringLiteral("org.freedesktop.FileManager1"), QStringLiteral("ShowItems"));
    call.setArguments({QStringList{QUrl::fromLocalFile(path).toString()}, QString()});
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(call, 3000));
    QObject::connect(watcher, &QDBusPendingCallWatcher::finished, watcher, [path](QDBusPendingCallWatcher* done) {
        const QDBusPendingReply<> reply = *done;
        if (reply.isError()) openItsFolder(path);
        done->deleteLater();
    });
#else
    openItsFolder(path);
#endif
}

} // namespace trainyard::ui
