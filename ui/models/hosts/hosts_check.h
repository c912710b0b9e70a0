// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QList>
#include <QObject>
#include <QStringList>

namespace trainyard::ui {

// Asks a run's hosts, before it starts, whether workers can train there and reach one another. Copies nothing to them.
// GUI thread.
class HostsCheck : public QObject {
    Q_OBJECT
public:
    // `needsWorker`: whether its ranks are workers, and not processes of a program, for which the relay is enough.
    explicit HostsCheck(QObject* parent = nullptr, bool needsWorker = true)
        : QObject(parent), m_needsWorker(needsWorker) {}

    // A reason why a host cannot be used.
    struct Finding {
        QString host, check; // check: a name of remote::HostCheck, such as "sign in"
        QString text, fix;   // in the engine's words
        bool signIn = false; // a password or passphrase may be what it lacks: Start asks for it
        bool operator==(const Finding&) const = default;
    };

    // Asks the run's hosts, unless they were asked just now. Does nothing for this computer alone.
    void ask(const QStringList& hosts);
    bool isBusy() const { return m_left > 0; }
    // In the order of the hosts; empty while it is busy, and if all are ready.
    const QList<Finding>& findings() const { return m_findings; }
    // The first one that is, or is not, about ports; null: none.
    const Finding* find(bool ports) const;

Q_SIGNALS:
    void changed();

private:
    void start(const QString& from, const QString& to);
    void take(const QList<Finding>& found);

    bool m_needsWorker;
    QStringList m_hosts;
    QList<Finding> m_found, m_findings;
    int m_left = 0;  // answers to come
    int m_round = 0; // answers to an earlier question are dropped
    QElapsedTimer m_age;
};

// The aliases of the hosts the user added; empty in a build without remote hosts.
QStringList hostAliases();

} // namespace trainyard::ui
