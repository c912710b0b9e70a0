// SPDX-License-Identifier: GPL-3.0-or-later
// What is told of hosts that are not heard for a while.
#include "engine/run/supervise/hosts/host_links.h"

#include <QTest>

#include <deque>

using namespace trainyard;

class HostLinksTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachHostIsToldOnce();
    void aHostThatAloneHasTheStateIsWaitedFor();
    void whatIsLostIsNotBack();
    void aMomentIsNotWorthAWord();
    void aHostThatLetsNobodyInIsTold();

private:
    run::Ranks ranks(std::initializer_list<const char*> hosts);
    QStringList look(double now);
    std::deque<run::RankRecord> m_records;
    run::Ranks m_ranks;
    run::HostLinks m_links;
};

run::Ranks HostLinksTest::ranks(std::initializer_list<const char*> hosts) {
    m_links = {};
    m_records.clear();
    run::Ranks ranks;
    for (const char* host : hosts) {
        auto& record = m_records.emplace_back();
        record.placement.host = HostName(host);
        record.trained = true;
        ranks.push_back(&record);
    }
    return ranks;
}

QStringList HostLinksTest::look(double now) {
    QStringList words;
    for (const auto& word : m_links.look(m_ranks, now)) words << QString::fromStdString(word.text);
    return words;
}

void HostLinksTest::aHostThatAloneHasTheStateIsWaitedFor() {
    m_ranks = ranks({"h1", "h2"});
    m_records[0].trained = false; // launched in the place of a lost one
    m_records[0].joining = true;
    m_records[1].awaySince = 100;
    QCOMPARE(look(105), QStringList{"h2: no link for 5 s; waiting for it, since no other host has the training state"});
}

void HostLinksTest::eachHostIsToldOnce() {
    m_ranks = ranks({"h1", "h2", "h2", ""});
    m_records[1].awaySince = 101;
    m_records[2].awaySince = 100;
    QCOMPARE(look(104.9), QStringList());
    QCOMPARE(look(105), QStringList{"h2: no link for 5 s; its ranks continue"});
    QCOMPARE(look(106), QStringList());
    m_records[0].awaySince = 105;
    QCOMPARE(look(112), QStringList{"h1: no link for 7 s; its ranks continue"});
    m_records[1].awaySince = -1;
    QCOMPARE(look(130), QStringList()); // not all of it is back
    m_records[2].awaySince = -1;
    QCOMPARE(look(131), QStringList{"h2: the link is back after 31 s; nothing was lost"});
    QCOMPARE(look(132), QStringList());
    m_records[1].awaySince = 140;
    QCOMPARE(look(150), QStringList{"h2: no link for 10 s; its ranks continue"});
}

void HostLinksTest::whatIsLostIsNotBack() {
    m_ranks = ranks({"h1", "h2"});
    m_records[1].awaySince = 100;
    QCOMPARE(look(110).size(), 1);
    m_records[1].exit = run::ExitStatus{false, 255, true};
    m_records[1].awaySince = -1;
    QCOMPARE(look(111), QStringList());
    m_records[1] = {}; // another rank there, which has not trained yet
    m_records[1].placement.host = HostName("h2");
    QCOMPARE(look(112), QStringList());
}

void HostLinksTest::aMomentIsNotWorthAWord() {
    m_ranks = ranks({"h1"});
    m_records[0].awaySince = 100;
    QCOMPARE(look(104), QStringList());
    m_records[0].awaySince = -1;
    QCOMPARE(look(104.5), QStringList());
}

// Nothing but time mends a link that is cut, and waiting alone does not mend a sign-in.
void HostLinksTest::aHostThatLetsNobodyInIsTold() {
    m_ranks = ranks({"h1", "h1"});
    const auto note = [&](ErrorCode code) {
        for (auto& record : m_records)
            record.noteLink(100, 0, environmentError("no key is left", "root@h1", "add one").withCode(code));
    };
    note(ErrorCode::HostUnreachable);
    QCOMPARE(look(105), QStringList{"h1: no link for 5 s; its ranks continue"});
    note(ErrorCode::SignInRefused);
    QCOMPARE(look(106), QStringList{"h1: cannot reconnect: root@h1: no key is left (add one)"});
    QCOMPARE(look(107), QStringList());
    for (auto& record : m_records) record.noteLink({}, 110);
    QCOMPARE(look(110), QStringList{"h1: the link is back after 10 s; nothing was lost"});
    note(ErrorCode::SignInRefused);
    QCOMPARE(look(120).size(), 2);
}

QTEST_APPLESS_MAIN(HostLinksTest)
#include "host_links_test.moc"
