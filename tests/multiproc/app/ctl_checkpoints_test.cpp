// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints and lineage in the terminal, of runs that real supervisors have trained.
#include "engine/base/files/atomic_file.h"
#include "engine/run/start/adopt.h"
#include "tests/multiproc/app/terminal.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

using namespace trainyard;
using test::ctl;
using test::RunLab;

namespace {

QString stepsOf(const QJsonArray& list) {
    QStringList steps;
    for (const auto& each : list) steps << QString::number(each.toObject()["step"].toInt());
    return steps.join(' ');
}

} // namespace

class CtlCheckpointsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_lab = std::make_unique<RunLab>(); }
    void cleanup() { m_lab.reset(); }

    void listsPinsAndPrunes();
    void aPinHoldsWhileTheRunTrains();
    void aPinOutlivesAnAdoptedState();
    void comparesTwoCheckpoints();
    void showsWhereARunComesFrom();
    void badArgumentsAreExplained_data();
    void badArgumentsAreExplained();

private:
    // 20 steps and a checkpoint an epoch.
    std::string trained(int epochs, int keep) {
        const auto run = m_lab->start({.plan = "ms=1", .workers = 1, .epochs = epochs, .keep = keep});
        return m_lab->waitForEnd(run).status == wire::RunStatus::Finished ? run : std::string();
    }
    std::unique_ptr<RunLab> m_lab;
};

void CtlCheckpointsTest::listsPinsAndPrunes() {
    const auto run = QString::fromStdString(trained(5, 5));
    QVERIFY(!run.isEmpty());
    const auto all = ctl({"checkpoints", "--json"}).json().array();
    QCOMPARE(stepsOf(all), QString("20 40 60 80 100"));
    const auto first = all[0].toObject();
    QCOMPARE(first["run"].toString(), run);
    QCOMPARE(first["kept"].toArray(), QJsonArray{"periodic"});
    QVERIFY(first.contains("host") && first.contains("score_by") && first["bytes"].toInt() > 0);
    QVERIFY(ctl({"checkpoints"}).out.contains("5 checkpoints of 1 run"));
    QVERIFY(ctl({"checkpoints", run}).out.contains("step-0000000020.safetensors"));
    QCOMPARE(stepsOf(ctl({"checkpoints", "--json", "--sort", "step"}).json().array()), QString("100 80 60 40 20"));
    QCOMPARE(ctl({"checkpoints", "--json", "--filter", "status:failed"}).json().array().size(), 0);

    QCOMPARE(ctl({"checkpoints", "pin", run + "@20"}).code, 0);
    QCOMPARE(stepsOf(ctl({"checkpoints", "--pinned", "--json"}).json().array()), QString("20"));
    QCOMPARE(ctl({"checkpoints", "pin", run + "@60"}).code, 0);
    QCOMPARE(ctl({"checkpoints", "unpin", run + "@60"}).code, 0);
    const auto young = ctl({"checkpoints", "prune", "--older-than", "1h", "--json"}).json();
    QCOMPARE(young["deleted"].toInt(), 0);
    const auto plan = ctl({"checkpoints", "prune", "--best", "0", "--dry-run", "--json"}).json();
    QCOMPARE(stepsOf(plan["deletes"].toArray()), QString("40 60 80"));
    QCOMPARE(plan["keeps"][0]["why"].toString(), QString("pinned"));
    QCOMPARE(plan["keeps"][1]["why"].toString(), QString("last"));
    QVERIFY(plan["dry_run"].toBool() && plan["freed_bytes"].toInt() > 0);
    QCOMPARE(stepsOf(ctl({"checkpoints", "--json"}).json().array()), QString("20 40 60 80 100")); // nothing went
    QVERIFY(ctl({"checkpoints", "prune", "--best", "0", "--dry-run"}).out.contains("3 checkpoints would be deleted"));
    const auto done = ctl({"checkpoints", "prune", "--best", "0", "--json"}).json();
    QCOMPARE(done["deleted"].toInt(), 3);
    QCOMPARE(done["freed_bytes"].toInt(), plan["freed_bytes"].toInt());
    QCOMPARE(stepsOf(ctl({"checkpoints", run, "--json"}).json().array()), QString("20 100"));
    // What is left is what the run needs to go on.
    const auto more = ctl({"continue", run, "1", "--json"});
    QVERIFY2(more.code == 0, qPrintable(more.err));
    QCOMPARE(m_lab->contiguity(run.toStdString(), 120), std::string());
    QCOMPARE(stepsOf(ctl({"checkpoints", "--pinned", "--json"}).json().array()), QString("20"));
}

// The supervisor keeps two; the pinned one stays beside them.
void CtlCheckpointsTest::aPinHoldsWhileTheRunTrains() {
    const auto run = m_lab->start({.plan = "ms=10", .workers = 1, .epochs = 8, .keep = 1});
    QVERIFY(m_lab->waitUntil([&] { return !m_lab->query().checkpoints(run)->empty(); }, 20));
    const auto pinned = m_lab->query().checkpoints(run)->front();
    const auto id = QString::fromStdString(run);
    QCOMPARE(ctl({"checkpoints", "pin", id + "@" + QString::number(pinned.step)}).code, 0);
    const auto untouched = ctl({"checkpoints", "prune", "--best", "0", "--last", "0", "--unfinished", "--json"}).json();
    if (wire::isActive(m_lab->row(run).status)) {
        QCOMPARE(untouched["deleted"].toInt(), 0);
        QCOMPARE(untouched["keeps"][0]["why"].toString(), QString("active"));
    }
    QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Finished);
    const auto rows = *m_lab->query().checkpoints(run);
    QCOMPARE(rows.front().path, pinned.path);
    QVERIFY(rows.front().pinned && std::filesystem::exists(pinned.path));
    QVERIFY(rows.size() <= 4); // the best and the last besides, or a fallback
}

// A trial that adopts goes back, and saves the steps of its pinned checkpoint anew under the same names.
void CtlCheckpointsTest::aPinOutlivesAnAdoptedState() {
    const auto run = trained(3, 5), donor = trained(1, 5);
    const auto id = QString::fromStdString(run);
    const auto pinned = *m_lab->query().checkpoint(run + "@40");
    const auto before = *readFile(pinned.path);
    QCOMPARE(ctl({"checkpoints", "pin", id + "@40"}).code, 0);
    const auto from = *m_lab->query().checkpoint(donor + "@20");
    auto spec = *spec::parseRunSpec(m_lab->row(run).specJson, "run.json");
    for (int again = 0; again < 2; ++again) { // it may be repeated
        const auto adopted = run::adoptState(m_lab->workspace(), run, from, spec, {});
        QVERIFY2(adopted.ok(), adopted.ok() ? "" : adopted.error().text().c_str());
        const auto rows = *m_lab->query().checkpoints(run);
        QCOMPARE(rows.size(), std::size_t{2});
        QCOMPARE(rows[0].id, pinned.id);
        QVERIFY(rows[0].superseded && rows[0].pinned && !rows[0].last);
        QCOMPARE(*readFile(rows[0].path), before);
        QCOMPARE(rows[1].step, 20);
        QVERIFY(rows[1].last && !rows[1].superseded);
    }
    QCOMPARE(ctl({"resume", id, "--json"}).code, 0);
    QCOMPARE(m_lab->contiguity(run, 60), std::string());
    const auto rows = *m_lab->query().checkpoints(run);
    QVERIFY(rows[0].superseded && rows[0].pinned);
    QCOMPARE(*readFile(rows[0].path), before);
    QCOMPARE(rows.back().step, 60);
    QCOMPARE(m_lab->query().checkpoint(run + "@40")->superseded, false); // the one of the run's present course
    QVERIFY(ctl({"checkpoints", id}).out.contains("pinned, superseded"));
}

void CtlCheckpointsTest::comparesTwoCheckpoints() {
    const auto run = QString::fromStdString(trained(2, 2));
    const auto same = ctl({"checkpoints", "diff", run + "@20", run + "@20", "--json"});
    QVERIFY2(same.code == 0, qPrintable(same.err));
    QCOMPARE(same.json()["differing"].toInt(-1), 0);
    QCOMPARE(same.json()["tensors"].toArray().size(), 0);
    const auto diff = ctl({"checkpoints", "diff", run + "@20", run + "@40", "--json", "--all"}).json();
    QCOMPARE(diff["step"].toArray(), (QJsonArray{20, 40}));
    const auto tensor = diff["tensors"][0];
    QVERIFY(diff["compared"].toInt() > 0 && !tensor["name"].toString().isEmpty());
    QCOMPARE(tensor["histogram"]["counts"].toArray().size(), 2);
    const auto text = ctl({"checkpoints", "diff", run + "@20", run + "@40"});
    QVERIFY2(text.out.contains("step 20 -> 40: "), qPrintable(text.out));
    const auto path = ctl({"checkpoints", run, "--json"}).json()[0]["path"].toString(); // files do, too
    QCOMPARE(ctl({"checkpoints", "diff", path, run + "@20", "--json"}).json()["differing"].toInt(-1), 0);
}

void CtlCheckpointsTest::showsWhereARunComesFrom() {
    const auto source = QString::fromStdString(trained(2, 2));
    const auto fork = ctl({"fork", source + "@20", "--set", "optimizer.lr=0.2", "--json"}).json()["run"].toString();
    const auto lineage = ctl({"lineage", fork, "--json"});
    QVERIFY2(lineage.code == 0, qPrintable(lineage.err));
    const auto entries = lineage.json()["entries"].toArray();
    QCOMPARE(entries.size(), 2);
    QCOMPARE(entries[0]["run"].toString(), source);
    QCOMPARE(entries[1]["kind"].toString(), QString("fork"));
    QCOMPARE(entries[1]["step"].toInt(), 20);
    QVERIFY(entries[1]["asked"].toBool() && !entries[0]["asked"].toBool());
    QCOMPARE(entries[1]["changes"][0]["setting"].toString(), QString("optimizer.lr"));
    QCOMPARE(entries[1]["changes"][0]["after"].toString(), QString("0.2"));
    const auto text = ctl({"lineage", source}).out;
    QVERIFY2(text.contains("└─ scripted-fork, fork of step 20"), qPrintable(text));
}

void CtlCheckpointsTest::badArgumentsAreExplained_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("message");
    QTest::newRow("no age") << QStringList{"prune", "--older-than", "soon"} << "\"soon\" is not an age";
    QTest::newRow("an age without a unit") << QStringList{"prune", "--older-than", "30"} << "\"30\" is not an age";
    QTest::newRow("a negative age") << QStringList{"prune", "--older-than=-1d"} << "\"-1d\" is not an age";
    QTest::newRow("a negative number") << QStringList{"prune", "--best=-1"} << "--best";
    QTest::newRow("a run that there is not") << QStringList{"pin", "nobody@best"} << "there is no run \"nobody\"";
    QTest::newRow("a file that there is not")
        << QStringList{"diff", "no.safetensors", "no.safetensors"} << "no.safetensors: there is no such file";
    QTest::newRow("a wrong filter") << QStringList{"--filter", "lr<"} << "filter";
}

void CtlCheckpointsTest::badArgumentsAreExplained() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, message);
    const auto output = ctl(QStringList{"checkpoints"} + arguments);
    QCOMPARE(output.code, 2);
    QVERIFY2(output.err.contains(message), qPrintable(output.err));
}

QTEST_GUILESS_MAIN(CtlCheckpointsTest)
#include "ctl_checkpoints_test.moc"
