// SPDX-License-Identifier: GPL-3.0-or-later
// Built where Qt has D-Bus.
#pragma once

#include <QHash>
#include <QObject>

namespace trainyard::ui {

// The Desktop Notifications Specification, version 1.2: org.freedesktop.Notifications on the session bus.
class NoticeBus : public QObject {
    Q_OBJECT
public:
    void show(const QString& title, const QString& text, const QString& action, const QString& what);

Q_SIGNALS:
    void opened(const QString& what);

private Q_SLOTS:
    void onAction(uint notice, const QString& action);
    void onClosed(uint notice, uint reason);

private:
    bool m_listening = false;
    QHash<uint, QString> m_shown; // the subject of each visible notice
};

} // namespace trainyard::ui
