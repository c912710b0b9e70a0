// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/desktop/notice_bus.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QVariantMap>

namespace trainyard::ui {

namespace {

const QString kService = QStringLiteral("org.freedesktop.Notifications");
const QString kPath = QStringLiteral("/org/freedesktop/Notifications");
const QString kDefault = QStringLiteral("default"); // the click on the notice itself
const QString kOpen = QStringLiteral("open");

} // namespace

void NoticeBus::show(const QString& title, const QString& text, const QString& action, const QString& what) {
    auto bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return;
    if (!std::exchange(m_listening, true)) {
        bus.connect(kService, kPath, kService, QStringLiteral("ActionInvoked"), this, SLOT(onAction(uint, QString)));
        bus.connect(kService, kPath, kService, QStringLiteral("NotificationClosed"), this, SLOT(onClosed(uint, uint)));
    }
    auto call = QDBusMessage::createMethodCall(kService, kPath, kService, QStringLiteral("Notify"));
    const QVariantMap hints{{QStringLiteral("desktop-entry"), QStringLiteral("org.trainyard.Trainyard")}};
    // Application, replaces, icon, summary, body, actions, hints, timeout: the desktop's own.
    call.setArguments({QStringLiteral("Trainyard"), 0u, QStringLiteral("trainyard"), title, text.toHtmlEscaped(),
                       QStringList{kDefault, action, kOpen, action}, hints, -1});
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(call), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, what](QDBusPendingCallWatcher* done) {
        const QDBusPendingReply<uint> reply = *done;
        if (reply.isValid()) m_shown[reply.value()] = what;
        done->deleteLater();
    });
}

void NoticeBus::onAction(uint notice, const QString& action) {
    // The bus announces other programs' notices, too.
    if (!m_shown.contains(notice) || (action != kDefault && action != kOpen)) return;
    Q_EMIT opened(m_shown.take(notice));
}

void NoticeBus::onClosed(uint notice, uint) { m_shown.remove(notice); }

} // namespace trainyard::ui
