// SPDX-License-Identifier: GPL-3.0-or-later
// Programs on the library: api_program starts itself again as the ranks of its runs.
#include "engine/run/run_control.h"
#include "engine/store/run_query.h"

#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

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
    void stopsOnRequest();
    void snippetOfTheDocumentTrains();

private:
    void start(QProcess& process, const QString& scenario) const {
        process.setProcessEnvironment(m_environment);
        process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process.start(API_PROGRAM, {scenario});
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
};

void ApiTest::scenario_data() {
    QTest::addColumn<int>("code");
    QTest::addColumn<QMap<QString, QString>>("expected"); // name -> regular expression of the value
    using Findings = QMap<QString, QString>;
    const QString small = "(0|[0-9.]+e-(0[6-9]|1\\d))"; // at most 1e-5
    const QString allSmall =
        QString("\\{\"accumulated\": %1, \"plain\": %1, \"sum\": %1, \"zeroed\": %1\\}").arg(small);
    for (const char* kind : {"auto", "buckets"})
        QTest::addRow("gradients-%s", kind) << 0 << Findings{{"error", "none"}, {"metrics", allSmall}};
    QTest::newRow("loaders") << 0
        << Findings{{"metrics", "\\{\"sameEpochSameOrder\": 1, \"tensorsAll\": 11, \"tensorsDiffer\": 0, "
                                "\"tensorsTwice\": 1, \"torchAll\": 11, \"torchDiffer\": 0\\}"}};
    QTest::newRow("means") << 0
        << Findings{{"error", "none"}, {"metrics", "\\{\"loss\": 5, \"mean\": 0.5, \"rank\": 0\\}"}};
    QTest::newRow("unlike-metrics")
        << 1
        << Findings{{"error",
                     "input: rank \\d on this computer, step \\d: meanOverRanks\\(\\): rank 1 has other metrics "
                     "than rank 0: epoch loss against loss \\(give the same names on every rank\\)"},
                    {"restarts", "0"}};
    QTest::newRow("restarts") << 0
        << Findings{{"error", "none"}, {"restarts", "1"}, {"history", "6"}, {"checkpointEpoch", "5"},
                    {"bestEpoch", "1"}, {"metrics", "\\{\"epoch\": 5, \"score\": 1\\}"}};
    QTest::newRow("throws") << 1
        << Findings{{"error", "run: rank 1 on this computer, step 3: the barrel is empty.*"}, {"restarts", "0"}};
    QTest::newRow("missing-key") << 1
        << Findings{{"error", "input: rank \\d on this computer, step \\d: the configuration has no \"epochs\"; "
                              "did you mean \"epoch\"\\?"},
                    {"restarts", "0"}};
    QTest::newRow("bad-workers") << 1 << Findings{{"error", "input: scaling.workers: must be at least 1, found 0"}};
    QTest::newRow("twice") << 0 << Findings{{"metrics", "\\{\"value\": 7\\}"}};
    const QString trained = "\\{\"batch_count\": 5, \"epoch\": %1, \"last_train_loss\": .*, "
                            "\"num_samples\": 20, \"train_loss\": .*\\}";
    for (const char* name : {"creators", "creators-die"})
        QTest::newRow(name) << 0
            << Findings{{"first", trained.arg(1)}, {"second", trained.arg(2)}, {"again", trained.arg(2)},
                        {"validated", "\\{\"batch_count\": 5, \"num_samples\": 20, \"val_accuracy\": .*, "
                                      "\"val_loss\": .*\\}"},
                        {"stateEpoch", "1"}, {"stateTensors", "2"}, {"error", "none"},
                        {"restarts", QString(name) == "creators" ? "0" : "1"}};
}

void ApiTest::scenario() {
    QFETCH(int, code);
    const QString name = QTest::currentDataTag();
    QProcess process;
    start(process, name);
    QVERIFY2(process.waitForFinished(120'000), "does not end");
    const auto output = process.readAllStandardOutput();
    const auto found = findings(output);
    using Findings = QMap<QString, QString>;
    QFETCH(Findings, expected);
    for (auto each = expected.cbegin(); each != expected.cend(); ++each) {
        const QRegularExpression wanted(QRegularExpression::anchoredPattern(each.value()));
        QVERIFY2(wanted.match(found.value(each.key())).hasMatch(),
                 qPrintable(each.key() + " should be " + each.value() + ":\n" + output));
    }
    QCOMPARE(process.exitCode(), code);
    QCOMPARE(output.count("main of"), 1); // the ranks' prints went into their logs
    if (name.startsWith("creators")) QCOMPARE(found["again"], found["second"]); // from the same state, the same epoch
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
        return row && row->status == "running" && row->step > 3;
    };
    QTRY_VERIFY_WITH_TIMEOUT(training(), 60'000);
    QVERIFY(run::stopRun(*workspace, (*query)->run("endless")->id, wire::StopMode::SaveAndStop).ok());
    QVERIFY2(process.waitForFinished(60'000), "does not end");
    const auto found = findings(process.readAllStandardOutput());
    QVERIFY2(found["error"].startsWith("stopped: "), qPrintable(found["error"]));
    QCOMPARE((*query)->run("endless")->status, std::string("stopped"));
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
    const auto losses = (*query)->points(row->id, "loss");
    QVERIFY(losses.ok());
    QCOMPARE(losses->size(), std::size_t{3});
    QVERIFY(losses->back().value < losses->front().value);
}

QTEST_GUILESS_MAIN(ApiTest)
#include "api_test.moc"
