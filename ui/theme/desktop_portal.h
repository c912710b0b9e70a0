// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDBusVariant>
#include <QObject>

namespace trainyard::ui {

// What the desktop's portal says of its looks: at the start, and whenever that changes. GUI thread.
class DesktopPortal : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    // Asks without waiting for the answer; nothing comes where there is no session bus or no portal.
    void watch();

Q_SIGNALS:
    void colorSchemeChanged(int scheme); // 0: none is preferred, 1: dark, 2: light
    void contrastChanged(bool high);

private Q_SLOTS:
    void onSetting(const QString& group, const QString& key, const QDBusVariant& value);
};

} // namespace trainyard::ui
