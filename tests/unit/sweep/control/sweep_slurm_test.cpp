// SPDX-License-Identifier: GPL-3.0-or-later
// Which sweeps can be array jobs of Slurm, and with which trials. The jobs themselves: slurm_run_test.
#include "engine/sweep/control/slurm_sweep.h"
#include "engine/sweep/judge/judge.h"

#include <QTest>

using namespace trainyard;
using namespace trainyard::sweep;

namespace {

// The sweep of these further fields.
Result<spec::SweepSpec> sweepOf(const QByteArray& fields, const QByteArray& run = {}) {
    const QByteArray text =
        R"({"version":1,"name":"s","run":{"version":1,"model":"mlp","dataset":"blobs","steps":100)" + run +
        R"(},"scoreBy":"train/loss","mode":"min",)" + fields + "}";
    TY_ASSIGN(auto spec, spec::parseSweepSpec(text.toStdString()));
    return checkedSweep(std::move(spec));
}

constexpr const char* kRange = R"("space":{"optimizer.lr":{"from":0.001,"to":1,"scale":"log"}})";

} // namespace

class SweepSlurmTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void knownTrialsAreThoseOfTheSweep_data();
    void knownTrialsAreThoseOfTheSweep();
    void whatIsJudgedIsRefused_data();
    void whatIsJudgedIsRefused();
};

void SweepSlurmTest::knownTrialsAreThoseOfTheSweep_data() {
    QTest::addColumn<QByteArray>("fields");
    QTest::addColumn<int>("trials");
    const auto row = [](const char* name, const char* fields, int trials) {
        QTest::newRow(name) << QByteArray(fields) << trials;
    };
    row("grid", R"("space":{"optimizer.lr":[0.1,0.2],"batch.global":[8,16]})", 4);
    row("random", R"("space":{"optimizer.lr":{"from":0.001,"to":1}},"searcher":"random","trials":5)", 5);
    row("sobol", R"("space":{"optimizer.lr":{"from":0.001,"to":1}},"searcher":"sobol","trials":6)", 6);
    row("seeds", R"("space":{"optimizer.lr":[0.1,0.2]},"seeds":{"count":3})", 6);
}

// They are what a sweep that has all slots it wants begins at once.
void SweepSlurmTest::knownTrialsAreThoseOfTheSweep() {
    QFETCH(QByteArray, fields);
    const auto spec = sweepOf(fields);
    QVERIFY2(spec.ok(), spec ? "" : spec.error().text().c_str());
    const auto known = trialsKnownBefore(*spec);
    QVERIFY2(known.ok(), known ? "" : known.error().text().c_str());
    QTEST(static_cast<int>(known->size()), "trials");
    auto judge = Judge::make(*spec);
    for (std::size_t trial = 0; trial < known->size(); ++trial) {
        QVERIFY(!(*known)[trial].empty());
        const auto orders = judge->take({.kind = Event::Kind::SlotFree});
        QCOMPARE(orders.size(), std::size_t{1});
        QCOMPARE(orders.front().trial, static_cast<int>(trial));
        QVERIFY(orders.front().params == (*known)[trial]);
    }
}

// Bad inputs: sweeps as job arrays. A job array has no supervisor, so its trials cannot depend on one another.
void SweepSlurmTest::whatIsJudgedIsRefused_data() {
    QTest::addColumn<QByteArray>("fields");
    QTest::addColumn<QByteArray>("run");
    QTest::addColumn<QByteArray>("said");
    const auto row = [](const char* name, const char* fields, const char* said, const char* run = "") {
        QTest::newRow(name) << QByteArray(fields) + kRange << QByteArray(run) << QByteArray(said);
    };
    row("scheduler", R"("scheduler":"asha","trials":8,)", "scheduler: \"asha\" compares trials while they train");
    row("searcher", R"("searcher":"tpe","trials":8,)", "searcher: \"tpe\" learns from the trials that have ended");
    row("open-ended", R"("searcher":"random","budget":{"seconds":60},)",
        "trials: their number follows from the budget");
    row("best seeds", R"("searcher":"random","trials":8,"seeds":{"count":3,"for":"best"},)", "seeds.for: the best");
    row("stop rule", R"("searcher":"random","trials":8,"stop":[{"series":"train/loss","above":9}],)", "stop: a rule");
    row("budget", R"("searcher":"random","trials":8,"budget":{"seconds":60},)", "budget: it is spent by all trials");
    row("retries", R"("searcher":"random","trials":8,"failure":{"retries":1},)", "failure.retries: failed trials");
    row("dropped checkpoints", R"("searcher":"random","trials":8,"keep":{"best":2},)", "keep: checkpoints are dropped");
    row("several hosts", R"("searcher":"random","trials":8,)", "hosts: trials are dealt to hosts",
        R"(,"scaling":{"workers":1},"hosts":["h1","h2"])");
}

void SweepSlurmTest::whatIsJudgedIsRefused() {
    QFETCH(QByteArray, fields);
    QFETCH(QByteArray, run);
    QFETCH(QByteArray, said);
    const auto spec = sweepOf(fields, run);
    QVERIFY2(spec.ok(), spec ? "" : spec.error().text().c_str());
    const auto known = trialsKnownBefore(*spec);
    QVERIFY(!known.ok());
    const auto text = known.error().text();
    QCOMPARE(known.error().kind, ErrorKind::Input);
    QVERIFY2(text.find(said.toStdString()) == 0 && text.find("exec trainyardctl sweep FILE") != text.npos,
             text.c_str());
}

QTEST_GUILESS_MAIN(SweepSlurmTest)
#include "sweep_slurm_test.moc"
