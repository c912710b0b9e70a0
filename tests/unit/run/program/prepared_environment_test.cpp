// SPDX-License-Identifier: GPL-3.0-or-later
// What program.prepare leaves of a shell's environment.
#include "engine/run/program/prepared_environment.h"
#include "tests/pause.h"
#include "tests/texts.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

#include <thread>

using namespace trainyard;
using namespace trainyard::run;
using trainyard::test::text;

class PreparedEnvironmentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("PREPARE_OLD", "old");
        qputenv("PREPARE_GONE", "1");
    }

    // Feature: program.prepare is run once in a login shell, and ranks get what it has changed in the environment.
    void changesAreKept() {
        const std::string given = "export PREPARE_NEW='two\nlines' PREPARE_OLD=new; unset PREPARE_GONE; cd /; "
                                  "echo printed; echo x >> runs.txt";
        const auto first = prepared(given);
        QVERIFY2(first.ok(), text(first).c_str());
        QCOMPARE(first->set,
                 (std::map<std::string, std::string>{{"PREPARE_NEW", "two\nlines"}, {"PREPARE_OLD", "new"}}));
        QCOMPARE(first->unset, (std::set<std::string>{"PREPARE_GONE"}));
        const auto again = prepared(given);
        QVERIFY(again.ok() && *again == *first);
        for (const auto& file : QDir(cache()).entryInfoList(QDir::Files)) {
            QCOMPARE(file.permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
            QVERIFY2(file.suffix() == "json" || file.suffix() == "lock", qPrintable(file.fileName()));
        }
    }
    void itRunsOnce() {
        const std::string given = "echo x >> runs.txt; sleep 0.2; export A=1";
        std::vector<std::thread> ranks;
        std::atomic<int> good = 0;
        for (int i = 0; i < 4; ++i) ranks.emplace_back([&] { good += prepared(given).ok() ? 1 : 0; });
        for (auto& rank : ranks) rank.join();
        QCOMPARE(good.load(), 4);
        QFile runs(m_folder->filePath("runs.txt"));
        QVERIFY(runs.open(QIODevice::ReadOnly));
        QCOMPARE(runs.readAll(), QByteArray("x\n"));
    }
    // Bad inputs: texts of program.prepare that fail, end their shell, wait for input, print without end, or loop.
    void badTextsAreRefused_data() {
        QTest::addColumn<QString>("given");
        QTest::addColumn<QString>("part");
        QTest::newRow("fails") << "echo first; echo the cause >&2; false"
                               << "ended with 1; the last it printed: first | the cause";
        QTest::newRow("no such command") << "no_such_command_here" << "ended with 127";
        QTest::newRow("ends its shell") << "exit 0" << "ended its shell";
        QTest::newRow("another shell") << "exec true" << "ended its shell";
        QTest::newRow("bad syntax") << "if then" << "syntax error";
        QTest::newRow("reads") << "read x" << "ended with 1";
        QTest::newRow("loops") << "while :; do :; done" << "took longer than 1 s";
        QTest::newRow("prints without end") << "yes" << "took longer than 1 s";
        QTest::newRow("sleeps") << "sleep 100" << "took longer than 1 s";
        QTest::newRow("conda") << "echo \"run 'conda init' before\"; false" << "conda:NAME";
    }
    void badTextsAreRefused() {
        QFETCH(QString, given);
        QFETCH(QString, part);
        QElapsedTimer timer;
        timer.start();
        const bool ends = !part.contains("took longer"); // however slowly the shell starts
        const auto failed = prepared(given.toStdString(), ends ? 20 : 1);
        QVERIFY(!failed.ok());
        QCOMPARE(failed.error().kind, ErrorKind::Input);
        QVERIFY2(failed.error().text().find(part.toStdString()) != std::string::npos, text(failed).c_str());
        QVERIFY(static_cast<double>(timer.elapsed()) < 5000 * test::patience());
    }
    void aDamagedFileIsMadeAgain() {
        const std::string given = "export A=1";
        QVERIFY(prepared(given).ok());
        for (const auto& file : QDir(cache()).entryInfoList({"*.json"}, QDir::Files)) {
            QFile damaged(file.filePath());
            QVERIFY(damaged.open(QIODevice::WriteOnly));
            damaged.write("{");
        }
        QCOMPARE(prepared(given)->set.at("A"), std::string("1"));
    }
    void whatIsTheShellsOwnIsLeftOut() {
        const std::string before("A=1\0B=2\0PWD=/\0no equals\0", 24),
            after("A=1\0C=3\0PWD=/x\0_=/bin/env\0BASH_FUNC_m%%=()\0", 44);
        const auto found = differenceOf(before, after);
        QCOMPARE(found.set, (std::map<std::string, std::string>{{"C", "3"}}));
        QCOMPARE(found.unset, (std::set<std::string>{"B"}));
    }

private:
    QString cache() const { return m_folder->filePath("cache"); }
    Result<PreparedEnvironment> prepared(const std::string& given, double seconds = 20) const {
        return preparedEnvironment(given, m_folder->path().toStdString(), {cache().toStdString(), seconds});
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(PreparedEnvironmentTest)
#include "prepared_environment_test.moc"
