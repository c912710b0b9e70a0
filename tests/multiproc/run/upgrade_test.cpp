// SPDX-License-Identifier: GPL-3.0-or-later
// The programs are replaced, as an upgrade does it, while a run trains: its ranks stay those of their supervisor.
#include "engine/run/start/run_start.h"
#include "tests/multiproc/lab/process_look.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace trainyard;
using test::parentOf;
using test::RunLab;

namespace {

constexpr int kSteps = 3000;

// A folder with copies of the programs, which can be replaced.
class Installed {
public:
    explicit Installed(const QByteArray& from) : m_from(from) {
        for (const char* name : {"trainyardctl", "trainyard-worker"})
            m_ok = QFile::copy(QString::fromUtf8(m_from + '/' + name), m_folder.filePath(name)) && m_ok;
    }
    bool ok() const { return m_ok; }
    QByteArray folder() const { return m_folder.path().toUtf8(); }

    // As dpkg does: the new file lies beside the old one and is renamed over it. What it says when it is started is
    // the proof that something was started from the new file.
    bool replaceByAnotherProgram() const {
        for (const char* name : {"trainyardctl", "trainyard-worker"}) {
            const QString made = m_folder.filePath(QString(name) + ".dpkg-new");
            QFile file(made);
            if (!file.open(QIODevice::WriteOnly)) return false;
            file.write("#!/bin/sh\necho \"$0\" >> '" + started().toUtf8() + "'\nexit 9\n");
            file.close();
            file.setPermissions(file.permissions() | QFileDevice::ExeOwner);
            if (std::rename(made.toUtf8().constData(), m_folder.filePath(name).toUtf8().constData()) != 0) return false;
        }
        return true;
    }
    QString started() const { return m_folder.filePath("started"); }

private:
    QByteArray m_from;
    QTemporaryDir m_folder;
    bool m_ok = true;
};

} // namespace

class UpgradeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_built = qgetenv("TRAINYARD_BIN"); }
    void cleanup() {
        qputenv("TRAINYARD_BIN", m_built);
        qunsetenv("TRAINYARD_POOL");
        qunsetenv("SCRIPTED_VERSION_FILE");
    }

    // A lost rank is replaced by one of the program that the run began with.
    // Feature: a run that goes on through an upgrade.
    // Fault: An upgrade of the programs, then the loss of a rank, with or without its pool. It is replaced by one of
    // the version that the run began with; no step is lost; nothing of the new version is started.
    void ranksStayThoseOfTheirSupervisor_data() {
        QTest::addColumn<QByteArray>("pool");
        QTest::addColumn<bool>("poolEnds");
        QTest::newRow("forked by the pool of before") << QByteArray("on") << false;
        QTest::newRow("that pool has ended") << QByteArray("on") << true;
        QTest::newRow("without a pool") << QByteArray("off") << false;
    }
    void ranksStayThoseOfTheirSupervisor() {
        QFETCH(QByteArray, pool);
        QFETCH(bool, poolEnds);
        const Installed programs(m_built);
        QVERIFY(programs.ok());
        RunLab lab;
        qputenv("TRAINYARD_BIN", programs.folder());
        qputenv("TRAINYARD_POOL", pool);
        const auto started = run::startRun(lab.workspace(), RunLab::spirals(2, kSteps));
        QVERIFY2(started.ok(), started.ok() ? "" : started.error().text().c_str());
        const auto run = *started;
        QVERIFY2(lab.waitForStep(run, 50, 60), lab.logText(run).c_str());
        QVERIFY(programs.replaceByAnotherProgram());
        const auto ranks = lab.workerPids(run);
        QCOMPARE(ranks.size(), std::size_t{2});
        if (poolEnds) ::kill(static_cast<pid_t>(parentOf(ranks[1])), SIGKILL);
        ::kill(static_cast<pid_t>(ranks[1]), SIGKILL);
        const auto row = lab.waitForEnd(run, 120);
        QVERIFY2(row.status == wire::RunStatus::Finished, lab.logText(run).c_str());
        QVERIFY(row.restarts >= 1);
        QCOMPARE(lab.contiguity(run, kSteps), std::string());
        QVERIFY2(!QFile::exists(programs.started()), "a program of the new version was started");
    }

    // Where a rank of another version comes all the same, it is not let in, and the run says why.
    // Fault: A rank of another version than the others. The run fails (environment), names both versions, and can be
    // resumed.
    void aRankOfAnotherVersionIsRefused() {
        RunLab lab;
        const auto told = lab.folder() + "/version";
        qputenv("SCRIPTED_VERSION_FILE", told.c_str());
        const auto run = lab.start({.plan = "ms=20 kill@1:45"});
        QVERIFY(lab.waitForStep(run, 5));
        QFile file(QString::fromStdString(told));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("9.9.9") == 5);
        file.close();
        // Both ranks are launched again, of which the first tells the version of the group.
        const auto row = lab.waitForEnd(run);
        QCOMPARE(row.status, wire::RunStatus::Finished);
        QVERIFY(file.remove());

        qputenv("SCRIPTED_VERSION_FILE", (told + ".1").c_str());
        QFile other(QString::fromStdString(told + ".1"));
        QVERIFY(other.open(QIODevice::WriteOnly) && other.write("once 9.9.9") == 10);
        other.close();
        const auto mixed = lab.waitForEnd(lab.start({.plan = "ms=5"}));
        QCOMPARE(mixed.status, wire::RunStatus::Failed);
        QCOMPARE(mixed.error.kind, ErrorKind::Environment);
        QVERIFY2(mixed.error.message.find("has version ") != std::string::npos, mixed.error.message.c_str());
        QVERIFY2(mixed.error.message.find("9.9.9") != std::string::npos, mixed.error.message.c_str());
        QCOMPARE(mixed.error.remedy, std::string("resume the run: all its workers are of one version then"));
        QCOMPARE(mixed.restarts, 0);
    }

private:
    QByteArray m_built;
};

QTEST_GUILESS_MAIN(UpgradeTest)
#include "upgrade_test.moc"
