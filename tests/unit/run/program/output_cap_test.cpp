// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/follow/output_cap.h"
#include "engine/run/program/hang_watch.h"
#include "engine/run/program/program_requests.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

using namespace trainyard;

class OutputCapTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFloodKeepsHeadAndTail_data() {
        QTest::addColumn<int>("kilobytes");
        QTest::addColumn<bool>("punched");
        QTest::newRow("little") << 500 << false;
        QTest::newRow("as much as it may") << 1000 << false;
        QTest::newRow("a flood") << 5000 << true;
    }
    // Fault: a program prints 100 MB a second. The middle of its output is given back to the disk.
    void aFloodKeepsHeadAndTail() {
        QFETCH(int, kilobytes);
        QFETCH(bool, punched);
        const QTemporaryDir folder(".");
        QFile file(folder.filePath("rank0.out"));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Append));
        for (int i = 0; i < kilobytes; ++i) file.write(QByteArray::number(i).rightJustified(1023, ' ') + '\n');
        file.flush();
        run::OutputCap cap(file.fileName().toStdString(), {1 << 20, 256 << 10, 512 << 10});
        cap.look(1);
        file.write("the last line\n");
        file.close();
        struct stat info{};
        QVERIFY(::stat(file.fileName().toUtf8(), &info) == 0);
        if (punched && info.st_blocks * 512 > 2 << 20) QSKIP("this file system cannot give back a part of a file");
        QCOMPARE(info.st_blocks * 512 < (1 << 20) + (64 << 10), true);
        QCOMPARE(info.st_size, kilobytes * 1024 + 14);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto all = file.readAll();
        QCOMPARE(all.left(1024).trimmed(), QByteArray("0"));
        QVERIFY(all.endsWith(QByteArray::number(kilobytes - 1) + "\nthe last line\n"));
        QCOMPARE(all.contains('\0'), punched);
    }

    void itHangs_data() {
        QTest::addColumn<double>("limit");
        QTest::addColumn<QString>("events"); // minute:event, in order
        QTest::addColumn<int>("warned");     // minute; -1: never
        QTest::addColumn<int>("hung");
        QTest::newRow("works") << 600.0 << "every:reported" << -1 << -1;
        QTest::newRow("stands still after a point") << 600.0 << "3:reported" << -1 << 13;
        QTest::newRow("before its first point: warned of, then half an hour is over") << 600.0 << "" << 10 << 30;
        QTest::newRow("prints only") << 600.0 << "every:printed" << -1 << -1;
        QTest::newRow("computes only") << 600.0 << "every:computed" << -1 << -1;
        QTest::newRow("reported regularly, and spins since")
            << 600.0 << "1:reported 2:reported 3:reported every:computed" << -1 << 23;
        QTest::newRow("a longer limit than half an hour") << 2400.0 << "" << 40 << 40;
        QTest::newRow("paused for half an hour") << 600.0 << "3:reported 5:paused" << -1 << 43;
        QTest::newRow("switched off") << 0.0 << "3:reported" << -1 << -1;
    }
    void itHangs() {
        QFETCH(double, limit);
        QFETCH(QString, events);
        QFETCH(int, warned);
        QFETCH(int, hung);
        run::HangWatch watch(limit, 0);
        int firstWarned = -1, firstHung = -1;
        for (int minute = 0; minute < 60 && firstHung < 0; ++minute) {
            const double now = minute * 60;
            const auto has = [&](const char* what) {
                const auto list = events.split(' ');
                return list.contains(QString("every:") + what) || list.contains(QString("%1:%2").arg(minute).arg(what));
            };
            if (has("reported")) watch.reported(now);
            if (has("printed")) watch.printed(now);
            if (has("computed")) watch.computed(now);
            if (has("paused")) watch.passOver(1800);
            const auto verdict = watch.look(now);
            if (verdict == run::HangWatch::Verdict::Warn && firstWarned < 0) firstWarned = minute;
            if (verdict == run::HangWatch::Verdict::Hung) firstHung = minute;
        }
        QCOMPARE(firstHung, hung);
        if (warned != hung) QCOMPARE(firstWarned, warned);
    }

    void handledSignalsAreKnown() {
        QVERIFY(!run::handlesSignal(::getpid(), SIGRTMIN + 5));
        ::signal(SIGRTMIN + 5, [](int) {});
        QVERIFY(run::handlesSignal(::getpid(), SIGRTMIN + 5));
        ::signal(SIGRTMIN + 5, SIG_IGN);
        QVERIFY(!run::handlesSignal(::getpid(), SIGRTMIN + 5));
        QVERIFY(!run::handlesSignal(0, SIGTERM));
    }
};

QTEST_GUILESS_MAIN(OutputCapTest)
#include "output_cap_test.moc"
