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

// One added host: its hardware, whether it is ready for runs, and the runs that train on it.
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
    QPushButton* m_signIn;     // shown when the host accepts no key that works without a question
    std::int64_t m_memory = 0; // total bytes; 0: unknown
    std::size_t m_measured = 0;
    int m_sameFor = 0; // reads without a new measurement
    bool m_busy = false;
};

// The cards of the added hosts, kept in step with the host book, whichever program writes it; and the panel that adds
// one.
class RemoteHosts : public QObject {
    Q_OBJECT
public:
    // Appends a card for each host to `cards`.
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
    RemoteHostCard* addCard(const remote::HostEntry& host); // and tests the host
    void loadIfChanged();
    void showUse();

    Workbench& m_bench;
    QVBoxLayout* m_cards;
    int m_first; // index of the first host's card in the layout
    QList<RemoteHostCard*> m_hosts;
    AddHostPanel* m_panel;
    QString m_bookFile;
    QDateTime m_bookTime; // of the host book shown; null: there is no file
};

} // namespace trainyard::ui
