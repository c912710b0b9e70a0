// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/desktop_portal.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>

namespace trainyard::ui {

namespace {

const QString kAppearance = QStringLiteral("org.freedesktop.appearance");

} // namespace

void DesktopPortal::watch() {
    auto bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return;
    const QString service = QStringLiteral("org.freedesktop.portal.Desktop");
    const QString path = QStringLiteral("/org/freedesktop/portal/desktop");
    const QString interface = QStringLiteral("org.freedesktop.portal.Settings");
    qRegisterMetaType<QDBusVariant>(); // under the name that connect() uses
    bus.connect(service, path, interface, QStringLiteral("SettingChanged"), this,
                SLOT(onSetting(QString, QString, QDBusVariant)));
    for (const char* key : {"color-scheme", "contrast"}) {
        auto call = QDBusMessage::createMethodCall(service, path, interface, QStringLiteral("Read"));
        call << kAppearance << QString::fromLatin1(key);
        // Asynchronous: a slow portal must not delay the window.
        auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(call, 2000), this);
        connect(watcher, &QDBusPendingCallWatcher::finished, this,
                [this, key = QString::fromLatin1(key)](QDBusPendingCallWatcher* done) {
                    const QDBusPendingReply<QDBusVariant> reply = *done;
                    if (reply.isValid()) onSetting(kAppearance, key, reply.value());
                    done->deleteLater();
                });
    }
}

void DesktopPortal::onSetting(const QString& group, const QString& key, const QDBusVariant& value) {
    if (group != kAppearance) return;
    // Read() wraps its answer in a second variant, SettingChanged does not.
    QVariant inner = value.variant();
    if (inner.canConvert<QDBusVariant>()) inner = inner.value<QDBusVariant>().variant();
    if (key == QLatin1String("color-scheme")) Q_EMIT colorSchemeChanged(inner.toInt());
    else if (key == QLatin1String("contrast")) Q_EMIT contrastChanged(inner.toInt() == 1);
}

} // namespace trainyard::ui
