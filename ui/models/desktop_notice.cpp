// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/desktop_notice.h"

#include "ui/models/settings.h"

#ifdef TRAINYARD_HAVE_DBUS
#include <QDBusConnection>
#include <QDBusMessage>
#endif

namespace trainyard::ui {

void showDesktopNotice([[maybe_unused]] const QString& title, [[maybe_unused]] const QString& text) {
#ifdef TRAINYARD_HAVE_DBUS
    auto bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return;
    // The Desktop Notifications Specification: Notify(app, replaces, icon, summary, body, actions, hints, timeout).
    auto call = QDBusMessage::createMethodCall(
        QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("/org/freedesktop/Notifications"),
        QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("Notify"));
    const QVariantMap hints{{QStringLiteral("desktop-entry"), QStringLiteral("trainyard")}};
    call.setArguments({QStringLiteral("Trainyard"), 0u, QStringLiteral("trainyard"), title, text.toHtmlEscaped(),
                       QStringList(), hints, -1});
    bus.send(call);
#endif
}

bool desktopNoticesWanted() { return Settings::desktopNotices.get(); }
void setDesktopNoticesWanted(bool wanted) { Settings::desktopNotices.set(wanted); }

} // namespace trainyard::ui
