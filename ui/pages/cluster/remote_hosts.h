// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/hosts/host_probe.h"
#include "ui/models/workbench.h"
#include "ui/widgets/card.h"

#include <QDateTime>

class QPushButton;
class QVBoxLayout;

namespace trainyard::ui {

class AddHostPanel;
class DeviceRow;
class Label;
class StatusChip;
struct HostUse;

// One added host: what it is, whether runs work there, and what trains on it.
class RemoteHostCard : public Card {
    Q_OBJECT
public:
    explicit RemoteHostCard(const remote::HostEntry& host, QWidget* parent = nullptr);
    const remote::HostEntry& host() const { return m_host; }
    void test();
    void showUse(const HostUse& use); // once a second

Q_SIGNALS:
    void removeRequested(const QString& alias);
    void keyQuestion(const trainyard::remote::HostKeyQuestion& question);

private:
    void show(const remote::HostReport& report);
    void signIn();

    remote::HostEntry m_host;
    StatusChip* m_chip;
    Label *m_facts, *m_problem;
    DeviceRow* m_use;          // shown while a run trains there
    QPushButton* m_signIn;     // shown where the host took no key that needs no question
    std::int64_t m_memory = 0; // bytes that it has; 0: not known
    std::size_t m_measured = 0;
    int m_sameFor = 0; // looks in which nothing was measured
    bool m_busy = false;
};

// The cards of the added hosts, kept in step with the host book whoever writes it, and the panel that adds one.
class RemoteHosts : public QObject {
    Q_OBJECT
public:
    // `cards` gets a card for each host, after what it holds already.
    RemoteHosts(Workbench& bench, QVBoxLayout* cards, QWidget* parent);
    void load();
    void testAll();
    void openPanel();
    QWidget* panel() const;

Q_SIGNALS:
    void countsChanged(const QString& words);

private:
    void remove(const QString& alias);
    void fill(const remote::HostBook& book);
    RemoteHostCard* addCard(const remote::HostEntry& host); // which is tested
    void loadIfChanged();
    void showUse();

    Workbench& m_bench;
    QVBoxLayout* m_cards;
    int m_first; // index of the first host's card in the layout
    QList<RemoteHostCard*> m_hosts;
    AddHostPanel* m_panel;
    QString m_bookFile;
    QDateTime m_bookTime; // of the book that is shown; none: there is no file
};

} // namespace trainyard::ui
