// SPDX-License-Identifier: GPL-3.0-or-later
// What the terminal says of a sweep that has ended.
#include "engine/base/files/atomic_file.h"
#include "engine/sweep/control/sweep_control.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using test::RunLab;

class SweepCommandsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_lab.reset(); }

    void aParetoFrontIsNamed();
    void aSweepOfTwoSeriesHasAFront();
    void aSecondSeriesThatIsNeverMeasuredIsNamed();
    void aDryRunStartsNothing();
    void oneWrongValueOfManyIsFound();
    void badSeriesAreExplained_data();
    void badSeriesAreExplained();

private:
    struct Output {
        int code = -1;
        QString out, err;
    };
    Output ctl(const QStringList& arguments);
    spec::SweepSpec sweepOf(const char* name);
    std::string ended(const spec::SweepSpec& sweep); // its id, once it is over
    std::unique_ptr<RunLab> m_lab;
};

spec::SweepSpec SweepCommandsTest::sweepOf(const char* name) {
    spec::SweepSpec sweep;
    sweep.name = name;
    sweep.runJson = spec::toJson(m_lab->spec({.plan = "perEpoch=10 ms=0", .workers = 1, .epochs = 1}));
    sweep.space = {{.path = "optimizer.lr", .values = {0.001, 0.1, 1.0}}};
    return sweep;
}

std::string SweepCommandsTest::ended(const spec::SweepSpec& sweep) {
    const auto id = sweep::startSweep(m_lab->workspace(), sweep);
    if (!id) qFatal("%s", id.error().text().c_str());
    const bool over = m_lab->waitUntil([&] { return !wire::isActive(m_lab->query().sweep(*id)->status); }, 40);
    return over ? *id : std::string();
}

// Three trials, the second of which has the best accuracy; their training losses are the same.
void SweepCommandsTest::init() {
    m_lab = std::make_unique<RunLab>();
    QCOMPARE(m_lab->query().sweep(ended(sweepOf("rates")))->status, wire::RunStatus::Finished);
}

SweepCommandsTest::Output SweepCommandsTest::ctl(const QStringList& arguments) {
    QProcess process;
    process.start(QString(SCRIPTED_PROGRAMS "/trainyardctl"), arguments);
    if (!process.waitForFinished(40'000)) process.kill();
    process.waitForFinished();
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

void SweepCommandsTest::aParetoFrontIsNamed() {
    const auto output = ctl({"sweep", "pareto", "rates", "--with", "train/loss", "--json"});
    QVERIFY2(output.code == 0, qPrintable(output.err));
    const auto found = QJsonDocument::fromJson(output.out.toUtf8()).object();
    QCOMPARE(found["series"], (QJsonValue(QJsonArray{"val/accuracy", "train/loss"})));
    QCOMPARE(found["trials"].toInt(), 3);
    QCOMPARE(found["front"].toArray().size(), 1);
    const auto best = found["front"].toArray()[0].toObject();
    QCOMPARE(best["trial"].toInt(), 1);
    QCOMPARE(best["params"].toObject()["optimizer.lr"].toDouble(), 0.1);
    QCOMPARE(found["hypervolume"].toDouble(), 0.0); // the second loss is the same for all
    QCOMPARE(found["reference"].toArray()[1], best["values"].toArray()[1]);
    const auto text = ctl({"sweep", "pareto", "rates", "--with", "train/loss"});
    QVERIFY2(text.out.startsWith("rates, 1 of 3 trials are on the front; hypervolume 0\n"), qPrintable(text.out));
}

// The losses of its trials are the same, so the front is the one with the best accuracy.
void SweepCommandsTest::aSweepOfTwoSeriesHasAFront() {
    auto sweep = sweepOf("pairs");
    sweep.second = spec::Objective{"train/loss", "min"};
    const auto id = ended(sweep);
    const auto events = *m_lab->query().trialEvents(id);
    for (const auto& event : events)
        if (event.kind == "ended")
            QVERIFY2(event.params.find("\"second\":") != std::string::npos, event.params.c_str());
    const auto named = QJsonDocument::fromJson(ctl({"sweep", "pareto", "pairs", "--json"}).out.toUtf8()).object();
    QCOMPARE(named["series"], (QJsonValue(QJsonArray{"val/accuracy", "train/loss"})));
    QCOMPARE(named["front"].toArray().size(), 1);
    QCOMPARE(named["front"].toArray()[0].toObject()["trial"].toInt(), 1);
    const auto shown = QJsonDocument::fromJson(ctl({"show", "pairs", "--json"}).out.toUtf8()).object();
    QCOMPARE(shown["front"].toArray(), QJsonArray{shown["best_trial"]});
    QVERIFY(shown["trials"].toArray()[0].toObject()["second"].isDouble());
    const auto overview = QJsonDocument::fromJson(ctl({"sweep", "show", "pairs", "--json"}).out.toUtf8()).object();
    QCOMPARE(overview["front"].toInt(), 1);
    QCOMPARE(overview["best"].toObject()["trial"].toInt(), 1);
    const auto text = ctl({"show", "pairs"}).out;
    QVERIFY2(text.contains("front: 1 of 3 trials, which no other one beats in both val/accuracy and train/loss"),
             qPrintable(text));
    QVERIFY2(text.contains("best: trial 1, "), qPrintable(text));
}

void SweepCommandsTest::aSecondSeriesThatIsNeverMeasuredIsNamed() {
    auto sweep = sweepOf("unmeasured");
    sweep.second = spec::Objective{"val/f1", "max"};
    const auto id = ended(sweep);
    QCOMPARE(m_lab->query().sweep(id)->status, wire::RunStatus::Failed);
    const auto error = m_lab->query().trials(id)->front().error.message;
    QVERIFY2(error.find("was never measured, found \"val/f1\"") != std::string::npos, error.c_str());
}

void SweepCommandsTest::aDryRunStartsNothing() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("dry.json");
    auto sweep = sweepOf("dry");
    sweep.parallel = 2;
    QVERIFY(writeFileAtomic(path.toStdString(), spec::toJson(sweep)).ok());
    const auto text = ctl({"sweep", path, "--dry-run"});
    QVERIFY2(text.code == 0, qPrintable(text.err));
    QVERIFY2(text.out.contains("2 slots, as requested: "), qPrintable(text.out));
    const auto json = QJsonDocument::fromJson(ctl({"sweep", path, "--dry-run", "--json"}).out.toUtf8()).object();
    QCOMPARE(json["trials"].toInt(), 3);
    QCOMPARE(json["longest"].toDouble(), 3.0); // epochs
    QCOMPARE(json["slots"].toObject()["count"].toInt(), 2);
    QCOMPARE(json["first"].toArray()[1].toObject()["optimizer.lr"].toDouble(), 0.1);
    QVERIFY(!m_lab->query().sweep("dry").ok());
    const auto wrong = ctl({"sweep", path, "--dry-run", "--set", "scheduler=ash"});
    QCOMPARE(wrong.code, 2);
    QVERIFY2(wrong.err.contains("did you mean \"asha\"?"), qPrintable(wrong.err));
    // Whatever is wrong in the file, the file is named, also where it starts.
    for (const char* field : {"scheduler.name=ash", "run.optimizer.lrr=1", "warmStart=[{\"sweep\":\"gone\"}]"})
        for (const QStringList& more : {QStringList{"--dry-run"}, QStringList{}}) {
            const auto refused = ctl(QStringList{"sweep", path, "--set", QLatin1String(field)} + more);
            QCOMPARE(refused.code, 2);
            QVERIFY2(refused.err.startsWith("trainyardctl: " + path), qPrintable(refused.err));
        }
}

// Not every one of very many trials is judged before the start, but every value is.
void SweepCommandsTest::oneWrongValueOfManyIsFound() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("many.json");
    auto sweep = sweepOf("many");
    std::vector<spec::Value> rates(3000);
    for (std::size_t i = 0; i < rates.size(); ++i) rates[i] = 0.001 * static_cast<double>(i + 1);
    rates[7] = -1.0;
    sweep.space = {{.path = "optimizer.lr", .values = rates}};
    QVERIFY(writeFileAtomic(path.toStdString(), spec::toJson(sweep)).ok());
    const auto wrong = ctl({"sweep", path, "--dry-run"});
    QCOMPARE(wrong.code, 2);
    QVERIFY2(wrong.err.contains(path + ": optimizer.lr: must be greater than 0, found -1"), qPrintable(wrong.err));
    sweep.space[0].values[7] = 0.008;
    QVERIFY(writeFileAtomic(path.toStdString(), spec::toJson(sweep)).ok());
    const auto right = ctl({"sweep", path, "--dry-run"});
    QVERIFY2(right.code == 0 && right.out.contains("3000"), qPrintable(right.err + right.out));
}

// Bad inputs: Pareto fronts of sweeps.
void SweepCommandsTest::badSeriesAreExplained_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("part");
    QTest::newRow("a series that no trial measured")
        << QStringList{"rates", "--with", "train/los"}
        << R"(--with: was measured by no trial that has a score, found "train/los" (did you mean "train/loss"?))";
    QTest::newRow("no other series")
        << QStringList{"rates"}
        << "--with: is missing: the sweep compares its trials by one series, val/accuracy (name another one";
    QTest::newRow("no such sweep") << QStringList{"prates", "--with", "train/loss"} << "no sweep";
}
void SweepCommandsTest::badSeriesAreExplained() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, part);
    const auto output = ctl(QStringList{"sweep", "pareto"} + arguments);
    QCOMPARE(output.code, 2);
    QVERIFY2(output.err.contains(part), qPrintable(output.err));
}

QTEST_GUILESS_MAIN(SweepCommandsTest)
#include "sweep_commands_test.moc"
