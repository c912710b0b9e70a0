// SPDX-License-Identifier: GPL-3.0-or-later
// Programs on the library: api_program starts itself again as the ranks of its runs. One of it forks the programs of
// most rows.
#include "engine/base/unique_fd.h"
#include "engine/run/attach/run_control.h"
#include "engine/run/start/run_start.h"
#include "engine/store/run_query.h"

#include <QDeadlineTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

using namespace trainyard;

class ApiTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        m_environment = QProcessEnvironment::systemEnvironment();
        m_environment.remove("TRAINYARD_BIN"); // programs find trainyardctl by themselves
        m_environment.insert("TRAINYARD_WORKSPACE", m_folder.filePath("ws"));
        m_environment.insert("XDG_RUNTIME_DIR", m_folder.path());
        m_environment.insert("XDG_CACHE_HOME", m_folder.path());
    }

    void scenario_data();
    void scenario();
    void averagersGiveProgramsTheSameBits_data();
    void averagersGiveProgramsTheSameBits();
    void stopsOnRequest();
    void snippetOfTheDocumentTrains();
    void fitShowsItsProgressOnATerminalAlone();
    void cleanupTestCase() {
        m_server.closeWriteChannel();
        QVERIFY(m_server.waitForFinished());
        QCOMPARE(m_server.exitCode(), 0);
    }

private:
    static void addCreatorRows();
    void start(QProcess& process, const QString& scenario) const {
        process.setProcessEnvironment(m_environment);
        process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process.start(API_PROGRAM, {scenario});
    }
    // What a program prints, and its exit code; -1 with what came when it does not end.
    struct Ended {
        QByteArray output;
        int code = -1;
    };
    Ended ended(const QString& scenario) {
        if (m_server.state() == QProcess::NotRunning) start(m_server, "serve");
        m_server.write(scenario.toUtf8() + '\n');
        const QByteArray mark = "end of " + scenario.toUtf8() + ": ";
        Ended its;
        for (QDeadlineTimer deadline(120'000); !deadline.hasExpired();) {
            if (!m_server.canReadLine() && !m_server.waitForReadyRead(1000)) continue;
            const auto line = m_server.readLine();
            if (line.startsWith(mark)) {
                its.code = line.mid(mark.size()).toInt();
                return its;
            }
            its.output += line;
        }
        return its;
    }
    // "name=value" lines.
    static QMap<QString, QString> findings(const QByteArray& output) {
        QMap<QString, QString> found;
        for (const auto& line : QString::fromUtf8(output).split('\n'))
            if (const auto at = line.indexOf('='); at > 0) found[line.left(at)] = line.mid(at + 1);
        return found;
    }

    QTemporaryDir m_folder;
    QProcessEnvironment m_environment;
    QProcess m_server;
    QMap<QString, Ended> m_ended; // of scenarios that several rows look at
};

void ApiTest::addCreatorRows() {
    using Findings = QMap<QString, QString>;
    const QString trained = "\\{\"batch_count\": 5, \"epoch\": %1, \"last_train_loss\": .*, "
                            "\"num_samples\": 20, \"train_loss\": .*\\}";
    for (const char* name : {"creators", "creators-reducer", "creators-slow", "creators-die"})
        QTest::newRow(name) << 0
                            << Findings{{"first", trained.arg(1)},
                                        {"second", trained.arg(2)},
                                        {"again", trained.arg(2)},
                                        {"validated",
                                         "\\{\"batch_count\": 5, \"num_samples\": 20, \"val_accuracy\": .*, "
                                         "\"val_loss\": .*\\}"},
                                        {"stateEpoch", "1"},
                                        {"stateTensors", "2"},
                                        {"error", "none"},
                                        {"restarts", QString(name) == "creators-die" ? "1" : "0"}};
}

void addAveragingRefusals() {
    using Findings = QMap<QString, QString>;
    const QString refused = "input: rank \\d on this computer.*: ";
    QTest::newRow("mismatched-rings")
        << 1
        << Findings{{"error", refused + "prepareModel\\(\\): \"rings\" is not a way to average gradients "
                                        "\\(choose auto, shared, buckets or reducer\\)"}};
    QTest::newRow("mismatched-shared")
        << 1
        << Findings{{"error", refused + "scaling.averaging: shared memory averages float32 weights on the CPU only "
                                        "\\(choose \"auto\" or \"buckets\"\\)"}};
    QTest::newRow("mismatched-reducer")
        << 1
        << Findings{{"error", refused + "scaling.compression: c10d's reducer does not compress gradients here "
                                        "\\(set it to \"none\", or scaling.averaging to \"buckets\"\\)"}};
}

void addErrorRows() {
    using Findings = QMap<QString, QString>;
    QTest::newRow("throws") << 1
                            << Findings{{"error", "run: rank 1 on this computer, step 3: the barrel is empty.*"},
                                        {"restarts", "0"}};
    QTest::newRow("terminates")
        << 1
        << Findings{{"error", "run: rank 1 on this computer, step \\d: the worker process was killed by SIGABRT; the "
                              "last line it printed: fatal: rank 1: uncaught exception at step 3: the wheel came "
                              "off.*"},
                    {"restarts", "0"}};
    QTest::newRow("uneven")
        << 1
        << Findings{{"error", "run: rank 0 on this computer, step 2: lost a peer: rank 1 has not finished the end of "
                              "backward of step 3: its process \\d+ has died.*"}};
    QTest::newRow("missing-key")
        << 1
        << Findings{{"error", "input: rank \\d on this computer, step \\d: the configuration has no \"epochs\"; "
                              "did you mean \"epoch\"\\?"},
                    {"restarts", "0"}};
    QTest::newRow("bad-workers") << 1 << Findings{{"error", "input: scaling.workers: must be at least 1, found 0"}};
    QTest::newRow("bad-rank") << 1
                              << Findings{{"error", "input: scaling.compressionRank: must be at least 1, found 0"}};
}

// Feature: the C++ interface, both of Ray's examples, built against the installed library. Also in
// installed_examples_test.
void ApiTest::scenario_data() {
    QTest::addColumn<int>("code");
    QTest::addColumn<QMap<QString, QString>>("expected"); // name -> regular expression of the value
    using Findings = QMap<QString, QString>;
    const QString small = "(0|[0-9.]+e-(0[6-9]|1\\d))"; // at most 1e-5
    const QString four = "\"%1 accumulated\": %2, \"%1 plain\": %2, \"%1 sum\": %2, \"%1 zeroed\": %2";
    for (const char* kind : {"auto", "shared", "buckets", "reducer"}) // all four of one run
        QTest::addRow("gradients-%s", kind)
            << 0 << Findings{{"error", "none"}, {"metrics", "\\{.*" + four.arg(kind, small) + "[,}].*"}};
    for (const char* kind : {"auto", "shared", "buckets", "reducer"})
        QTest::addRow("pairs-%s", kind) << 0
                                        << Findings{{"error", "none"},
                                                    {"metrics", QString("\\{.*\"%1\": %2[,}].*").arg(kind, small)}};
    const QString some = "([1-9][0-9.]*e-0[3-6]|0\\.00\\d+)"; // of 8 bits of a number
    QTest::newRow("compressed") << 0
                                << Findings{{"error", "none"}, {"metrics", "\\{" + four.arg("buckets", some) + "\\}"}};
    QTest::newRow("norms-together") << 0 << Findings{{"error", "none"}, {"metrics", "\\{\"norms\": " + small + "\\}"}};
    QTest::newRow("norms-alone") << 0 << Findings{{"metrics", "\\{\"norms\": (0\\.0?[1-9]\\d*|[1-9][\\d.]*)\\}"}};
    QTest::newRow("loaders") << 0
                             << Findings{{"metrics",
                                          "\\{\"sameEpochSameOrder\": 1, \"tensorsAll\": 11, \"tensorsDiffer\": 0, "
                                          "\"tensorsTwice\": 1, \"torchAll\": 11, \"torchDiffer\": 0\\}"}};
    QTest::newRow("tasks") << 0
                           << Findings{
                                  {"error", "none"},
                                  {"metrics", "\\{\"numbers\": 1, \"refused\": 1, \"test\": \\d+, \"words\": 1\\}"}};
    QTest::newRow("means") << 0
                           << Findings{{"error", "none"}, {"metrics", "\\{\"loss\": 5, \"mean\": 0.5, \"rank\": 0\\}"}};
    QTest::newRow("unlike-metrics")
        << 1
        << Findings{{"error",
                     "input: rank \\d on this computer, step \\d: meanOverRanks\\(\\): rank 1 has other metrics "
                     "than rank 0: epoch loss against loss \\(give the same names on every rank\\)"},
                    {"restarts", "0"}};
    QTest::newRow("restarts") << 0 << Findings{{"error", "none"},  {"restarts", "1"},
                                               {"history", "6"},   {"checkpointEpoch", "5"},
                                               {"bestEpoch", "1"}, {"metrics", "\\{\"epoch\": 5, \"score\": 1\\}"}};
    QTest::newRow("twice") << 0 << Findings{{"metrics", "\\{\"value\": 7\\}"}};
    addAveragingRefusals();
    addErrorRows();
    addCreatorRows();
}

void ApiTest::scenario() {
    QFETCH(int, code);
    const QString name = QTest::currentDataTag();
    const auto scenario = name.startsWith("gradients") || name.startsWith("pairs") ? name.section('-', 0, 0) : name;
    if (!m_ended.contains(scenario)) m_ended[scenario] = ended(scenario);
    const auto& [output, exitCode] = m_ended[scenario];
    const auto found = findings(output);
    using Findings = QMap<QString, QString>;
    QFETCH(Findings, expected);
    for (auto each = expected.cbegin(); each != expected.cend(); ++each) {
        const QRegularExpression wanted(QRegularExpression::anchoredPattern(each.value()));
        QVERIFY2(wanted.match(found.value(each.key())).hasMatch(),
                 qPrintable(each.key() + " should be " + each.value() + ":\n" + output));
    }
    QCOMPARE(exitCode, code);
    QCOMPARE(output.count("main of"), 1); // the ranks' prints went into their logs
    if (name.startsWith("creators")) QCOMPARE(found["again"], found["second"]); // from the same state, the same epoch
}

// Feature: programs: the three averagers to the same bits whatever the loop does (validation, several forward passes,
// accumulation, penalties, unused parameters), gradients of one process; compression, batch normalisation over all
// ranks.
void ApiTest::averagersGiveProgramsTheSameBits_data() {
    QTest::addColumn<int>("ranks");
    QTest::newRow("2 ranks") << 2;
    QTest::newRow("3 ranks") << 3; // whose numbers have more than one sum
}

// Whatever a program's loop does between its backward passes.
void ApiTest::averagersGiveProgramsTheSameBits() {
    QFETCH(int, ranks);
    const QMap<QString, QString> ways{{"auto", "averaged through shared memory (chosen by auto)"},
                                      {"shared", "averaged through shared memory"},
                                      {"buckets", "1 bucket, averaged during backward"},
                                      {"reducer", "1 bucket, averaged by c10d's reducer"}};
    const auto workspace = store::Workspace::open(m_folder.filePath("ws").toStdString());
    QVERIFY(workspace.ok());
    const auto query = store::RunQuery::open(*workspace);
    QVERIFY(query.ok());
    QStringList metrics;
    for (auto way = ways.cbegin(); way != ways.cend(); ++way) {
        const auto scenario = QString("loops-%1-%2").arg(ranks).arg(way.key());
        const auto found = findings(ended(scenario).output);
        QCOMPARE(found["error"], QString("none"));
        const auto row = (*query)->run(scenario.toStdString());
        QVERIFY(row.ok());
        const auto facts = QJsonDocument::fromJson(QByteArray::fromStdString(row->environmentJson)).object();
        QCOMPARE(facts["computed"].toString(), QString("%1 ranks, %2").arg(ranks).arg(way.value()));
        metrics += found["metrics"];
        const QRegularExpression small("\"worst\": (0|[0-9.]+e-(0[6-9]|1\\d))\\}");
        QVERIFY2(small.match(metrics.last()).hasMatch(), qPrintable(way.key() + ": " + metrics.last()));
    }
    QVERIFY2(metrics.count(metrics.first()) == metrics.size(), qPrintable(metrics.join('\n')));
}

void ApiTest::stopsOnRequest() {
    QProcess process;
    start(process, "endless");
    const auto workspace = store::Workspace::open(m_folder.filePath("ws").toStdString());
    QVERIFY(workspace.ok());
    const auto query = store::RunQuery::open(*workspace);
    QVERIFY(query.ok());
    const auto training = [&] {
        const auto row = (*query)->run("endless");
        return row && row->status == wire::RunStatus::Running && row->step > 3;
    };
    QTRY_VERIFY_WITH_TIMEOUT(training(), 60'000);
    QVERIFY(run::stopRun(*workspace, (*query)->run("endless")->id, wire::StopMode::SaveAndStop).ok());
    QVERIFY2(process.waitForFinished(60'000), "does not end");
    const auto found = findings(process.readAllStandardOutput());
    QVERIFY2(found["error"].startsWith("stopped: "), qPrintable(found["error"]));
    QCOMPARE((*query)->run("endless")->status, wire::RunStatus::Stopped);
}

void ApiTest::snippetOfTheDocumentTrains() {
    QProcess process;
    process.setProcessEnvironment(m_environment);
    process.start(API_SNIPPET, QStringList());
    QVERIFY2(process.waitForFinished(120'000), "does not end");
    QCOMPARE(process.exitCode(), 0);
    const auto workspace = store::Workspace::open(m_folder.filePath("ws").toStdString());
    const auto query = store::RunQuery::open(*workspace);
    const auto row = (*query)->run("first");
    QVERIFY(row.ok());
    const auto losses = (*query)->points(RunId(row->id), "loss");
    QVERIFY(losses.ok());
    QCOMPARE(losses->size(), std::size_t{3});
    QVERIFY(losses->back().value < losses->front().value);
}

void ApiTest::fitShowsItsProgressOnATerminalAlone() {
    const UniqueFd terminal(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    QVERIFY(terminal && ::grantpt(terminal.get()) == 0 && ::unlockpt(terminal.get()) == 0);
    const UniqueFd far(::open(::ptsname(terminal.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
    QVERIFY(far);
    for (const bool onTerminal : {true, false}) {
        QProcess process;
        m_environment.insert("TERM", "xterm");
        process.setProcessEnvironment(m_environment);
        if (onTerminal) process.setChildProcessModifier([&far] { ::dup2(far.get(), 2); });
        process.start(API_SNIPPET, QStringList{});
        QByteArray shown;
        std::array<char, 4096> buffer;
        const auto drain = [&] {
            pollfd entry{terminal.get(), POLLIN, 0};
            while (::poll(&entry, 1, 0) > 0 && (entry.revents & POLLIN) != 0) {
                const auto got = ::read(terminal.get(), buffer.data(), buffer.size());
                if (got <= 0) break;
                shown.append(buffer.data(), got);
            }
        };
        QTRY_VERIFY_WITH_TIMEOUT((drain(), process.state() == QProcess::NotRunning), 120'000);
        drain();
        QCOMPARE(process.exitCode(), 0);
        if (!onTerminal) {
            QCOMPARE(process.readAllStandardError(), QByteArray());
            continue;
        }
        const auto query = store::RunQuery::open(*store::Workspace::open(m_folder.filePath("ws").toStdString()));
        const auto newest = (*query)->runs(false)->front();
        QVERIFY2(shown.contains("trainyardctl attach " + QByteArray::fromStdString(newest.id)), shown);
        QVERIFY2(shown.contains(QByteArray::fromStdString(newest.name) + "  "), shown);
        QVERIFY2(shown.contains("finished") && shown.contains("loss "), shown);
    }
}

QTEST_GUILESS_MAIN(ApiTest)
#include "api_test.moc"
