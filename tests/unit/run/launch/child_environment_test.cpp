// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/capture.h"
#include "engine/run/launch/child_environment.h"

#include <QTest>

#include <cstdlib>

using namespace trainyard::run;

// What libraries read while they are loaded: set for ranks, unless the user has set it.
class ChildEnvironmentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        for (const char* name : {"GLIBC_TUNABLES", "OMP_WAIT_POLICY", "GOMP_SPINCOUNT"}) ::unsetenv(name);
    }
    void whatTheUserHasSetStays_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<bool>("spins"); // GOMP_SPINCOUNT is ours
        QTest::addColumn<bool>("huge");  // GLIBC_TUNABLES is ours
        QTest::newRow("nothing") << QByteArray("UNRELATED") << true << true;
        QTest::newRow("how threads wait") << QByteArray("OMP_WAIT_POLICY") << false << true;
        QTest::newRow("how long they look") << QByteArray("GOMP_SPINCOUNT") << false << true;
        QTest::newRow("tunables") << QByteArray("GLIBC_TUNABLES") << true << false;
    }
    void whatTheUserHasSetStays() {
        QFETCH(QByteArray, name);
        QFETCH(bool, spins);
        QFETCH(bool, huge);
        ::setenv(name.constData(), "mine", 1);
        const auto ours = workerVariables();
        QCOMPARE(ours.contains("GOMP_SPINCOUNT"), spins);
        QCOMPARE(ours.contains("GLIBC_TUNABLES"), huge);
        QCOMPARE(openMpVariables().contains("GOMP_SPINCOUNT"), spins);
        QVERIFY(!openMpVariables().contains("GLIBC_TUNABLES")); // a user's program keeps its memory as it is
        ::unsetenv("UNRELATED");
    }
    void aProgramThatIsAskedHasThem() {
        ::setenv("KEPT", "here", 1);
        const auto said = capture("/usr/bin/env", {}, 10, {{"KEPT", "there"}, {"ADDED", "a=b"}});
        QVERIFY(said.ok());
        const QString output = '\n' + QString::fromStdString(said->output);
        QVERIFY(output.contains("\nKEPT=there\n") && !output.contains("KEPT=here") && output.contains("\nADDED=a=b\n"));
        QVERIFY(output.contains("\nPATH="));
        ::unsetenv("KEPT");
    }
};

QTEST_GUILESS_MAIN(ChildEnvironmentTest)
#include "child_environment_test.moc"
