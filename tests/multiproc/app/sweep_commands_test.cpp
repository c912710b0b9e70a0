// SPDX-License-Identifier: GPL-3.0-or-later
// What the terminal says of a sweep that has ended.
#include "engine/sweep/sweep_control.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

using namespace trainyard;
using test::RunLab;

class SweepCommandsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_lab.reset(); }

    void aParetoFrontIsNamed();
    void badSeriesAreExplained_data();
    void badSeriesAreExplained();

private:
    struct Output {
        int code = -1;
        QString out, err;
    };
    Output ctl(const QStringList& arguments);
    std::unique_ptr<RunLab> m_lab;
};

// Three trials, the second of which has the best accuracy; their training losses are the same.
void SweepCommandsTest::init() {
    m_lab = std::make_unique<RunLab>();
    spec::SweepSpec sweep;
    sweep.name = "rates";
    sweep.runJson = spec::toJson(m_lab->spec({.plan = "perEpoch=10 ms=0", .workers = 1, .epochs = 1}));
    sweep.space = {{.path = "optimizer.lr", .values = {0.001, 0.1, 1.0}}};
    const auto id = sweep::startSweep(m_lab->workspace(), sweep);
    QVERIFY2(id.ok(), id ? "" : id.error().text().c_str());
    QVERIFY(m_lab->waitUntil([&] { return m_lab->query().sweep(*id)->status == wire::RunStatus::Finished; }, 40));
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

void SweepCommandsTest::badSeriesAreExplained_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("part");
    QTest::newRow("a series that no trial measured")
        << QStringList{"rates", "--with", "train/los"}
        << R"(--with: was measured by no trial that has a score, found "train/los" (did you mean "train/loss"?))";
    QTest::newRow("no other series") << QStringList{"rates"} << "--with is required";
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
