// SPDX-License-Identifier: GPL-3.0-or-later
// Which host each trial of a sweep gets, by tables of events.
#include "engine/sweep/trials/trial_hosts.h"

#include <QTest>

using namespace trainyard;
using namespace trainyard::sweep;

class TrialHostsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // "4:0" trial 0 gets a host of 4 slots, "-0" it leaves, "x0" it fails at once, "!0" its host is lost with it, "+0"
    // it trains, "@9" it is 9 s; then the host, or "-" where none has room, or "4:0:1" none beside one that is claimed.
    // Feature: a sweep over several hosts: each trial on one of them, evenly; a trial whose host is lost continues on
    // another and is not counted as failed; a host that is back is used again. Also in slot_count_test, ssh_sweep_test,
    // sweep_limits_test.
    void eachTrialGetsItsHost_data() {
        QTest::addColumn<QStringList>("hosts");
        QTest::addColumn<QStringList>("events");
        QTest::addColumn<QString>("given");
        const QStringList two{"a", "b"}, three{"a", "b", "c"};
        QTest::newRow("in turn") << two << QStringList{"4:0", "4:1", "4:2", "4:3"} << "a b a b";
        QTest::newRow("evenly") << two << QStringList{"2:0", "2:1", "2:2"} << "a b -";
        QTest::newRow("fewer slots than hosts") << three << QStringList{"1:0", "1:1"} << "a b";
        QTest::newRow("where one has left") << two << QStringList{"2:0", "2:1", "-1", "2:2", "-0", "2:3"} << "a b b a";
        QTest::newRow("none twice") << two << QStringList{"2:0", "2:0", "2:1"} << "a a b";
        QTest::newRow("not on a lost host") << two << QStringList{"2:0", "2:1", "!0", "2:0", "-1", "2:0"} << "a b - b";
        QTest::newRow("on one that is back")
            << two << QStringList{"2:0", "2:1", "!0", "@4", "2:0", "@6", "2:0"} << "a b - a";
        QTest::newRow("longer after each loss")
            << two << QStringList{"2:0", "2:1", "!0", "@6", "2:0", "!0", "@15", "2:0", "@17", "2:0"} << "a b a - a";
        QTest::newRow("no longer after a success")
            << two << QStringList{"2:0", "2:1", "!0", "@6", "2:0", "-0", "2:0", "!0", "@12", "2:0"} << "a b a a a";
        QTest::newRow("a loss seen twice is one")
            << two << QStringList{"4:0", "4:1", "4:2", "!0", "!2", "@6", "4:0"} << "a b a a";
        QTest::newRow("beside a claim") << two << QStringList{"4:0", "4:1", "4:2:1", "4:3:1", "4:3"} << "a b a - b";
        QTest::newRow("not where another one tries the lost host")
            << two << QStringList{"2:0", "2:1", "!0", "@6", "2:0", "-1", "2:2:1", "!0", "2:0"} << "a b a - b";
        QTest::newRow("once that one trains")
            << two << QStringList{"2:0", "2:1", "!0", "@6", "2:0", "+0", "-1", "2:2", "-0", "2:3"} << "a b a b a";
        QTest::newRow("a claim is on hosts that can be trusted")
            << three << QStringList{"3:0", "3:1", "3:2", "!0", "@6", "-1", "3:3:1", "-2", "3:3:1"} << "a b c - a";
        QTest::newRow("one that trained before the loss says nothing about the host")
            << two << QStringList{"4:0", "4:1", "4:2", "!0", "+2", "@6", "-1", "4:3:2"} << "a b a -";
        QTest::newRow("one that trains since does")
            << two << QStringList{"4:0", "4:1", "4:2", "!0", "@6", "4:0", "+0", "-1", "-2", "4:3:2"} << "a b a a b";
        QTest::newRow("while all are lost")
            << two << QStringList{"2:0", "2:1", "!0", "!1", "2:0", "@5", "2:0", "2:1"} << "a b - a b";
        const QStringList failing{"2:0", "2:1", "x0", "2:2", "x2", "2:3", "x3"};
        QTest::newRow("not where three in a row fail at once") << two << failing + QStringList{"2:4"} << "a b a a -";
        QTest::newRow("another of them is well")
            << two << QStringList{"2:0", "2:1", "x0", "2:2", "-2", "2:3", "x3", "2:4"} << "a b a a a";
        QTest::newRow("the last one is kept")
            << two << failing + QStringList{"x1", "2:4", "x4", "2:5", "x5", "2:6"} << "a b a a b b b";
    }
    void eachTrialGetsItsHost() {
        QFETCH(QStringList, hosts);
        QFETCH(QStringList, events);
        QFETCH(QString, given);
        std::vector<std::string> names;
        for (const QString& host : hosts) names.push_back(host.toStdString());
        TrialHosts trialHosts(names);
        double now = 0;
        QStringList found;
        for (const QString& event : events) {
            const int number = event.mid(1).toInt();
            if (event[0] == '@') now = number;
            else if (event[0] == '-') trialHosts.leave(number, TrialHosts::Leaves::Well, now);
            else if (event[0] == 'x') trialHosts.leave(number, TrialHosts::Leaves::FailedAtOnce, now);
            else if (event[0] == '!') trialHosts.leave(number, TrialHosts::Leaves::Lost, now);
            else if (event[0] == '+') trialHosts.trains(number);
            else {
                const QStringList words = event.split(':');
                const int slots = words[0].toInt(), trial = words[1].toInt(), claimed = words.value(2).toInt();
                found << (trialHosts.haveRoom(slots, now, claimed)
                              ? QString::fromStdString(trialHosts.assign(trial, slots, now))
                              : QStringLiteral("-"));
            }
        }
        QCOMPARE(found.join(' '), given);
    }

    void aTrialOfAnEarlierSupervisorTakesRoom() {
        TrialHosts hosts({"a", "b"});
        hosts.occupy(7, "b");
        hosts.occupy(8, "elsewhere");
        QVERIFY(hosts.has(7) && !hosts.has(8));
        QVERIFY(hosts.placeOf(7) == 0 && hosts.placeOf(8) == -1);
        QCOMPARE(hosts.assign(1, 2, 0), std::string("a"));
        QVERIFY(!hosts.haveRoom(2, 0));
        hosts.leave(7, TrialHosts::Leaves::Well, 0);
        QCOMPARE(hosts.assign(2, 2, 0), std::string("b"));
    }

    void aTrialTriesAHostThatWasLost() {
        TrialHosts hosts({"a", "b"});
        hosts.assign(0, 2, 0);
        QVERIFY(!hosts.isTrying(0));
        hosts.leave(0, TrialHosts::Leaves::Lost, 0);
        QVERIFY(!hosts.isTrying(0));
        QCOMPARE(hosts.assign(0, 2, 6), std::string("a"));
        QVERIFY(hosts.isTrying(0));
        hosts.trains(0);
        QVERIFY(!hosts.isTrying(0));
    }

    // By which it has its devices.
    void aTrialHasAPlaceOnItsHost() {
        TrialHosts hosts({"a", "b"});
        for (int trial = 0; trial < 6; ++trial) hosts.assign(trial, 6, 0); // a b a b a b
        QVERIFY(hosts.placeOf(0) == 0 && hosts.placeOf(2) == 1 && hosts.placeOf(4) == 2 && hosts.placeOf(5) == 2);
        hosts.leave(2, TrialHosts::Leaves::Well, 0);
        QCOMPARE(hosts.placeOf(2), -1);
        QCOMPARE(hosts.assign(6, 6, 0), std::string("a"));
        QCOMPARE(hosts.placeOf(6), 1); // the one that became free
    }

    void withoutHostsThereIsAlwaysRoom() {
        const TrialHosts none({});
        QVERIFY(!none.areChosen() && none.haveRoom(1, 0));
        QVERIFY(TrialHosts({"a", "b"}).areChosen());
    }
};

QTEST_GUILESS_MAIN(TrialHostsTest)
#include "trial_hosts_test.moc"
