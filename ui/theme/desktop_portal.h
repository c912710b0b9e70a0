// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDBusVariant>
#include <QObject>

namespace trainyard::ui {

// The desktop's look, as its portal reports it: at the start, and at each change. GUI thread.
class DesktopPortal : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    // Asks without waiting for the answer; without a session bus or a portal, there is none.
    void watch();

Q_SIGNALS:
    void colorSchemeChanged(int scheme); // 0: none is preferred, 1: dark, 2: light
    void contrastChanged(bool high);

private Q_SLOTS:
    void onSetting(const QString& group, const QString& key, const QDBusVariant& value);
};

} // namespace trainyard::ui
