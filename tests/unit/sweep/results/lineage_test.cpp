// SPDX-License-Identifier: GPL-3.0-or-later
// Where runs come from, as a tree.
#include "engine/sweep/results/adoption_record.h"
#include "engine/sweep/results/lineage.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace trainyard;
using namespace trainyard::sweep;

namespace {

store::RunRow runRow(const std::string& id, const std::string& lr, const std::string& forkedFrom = {},
                     std::int64_t step = -1) {
    store::RunRow row;
    row.id = id;
    row.name = "n-" + id;
    row.status = wire::RunStatus::Finished;
    row.specJson = R"({"name": "n-)" + id + R"(", "optimizer": {"lr": )" + lr + "}}";
    row.paramsJson = "{}";
    row.forkedFrom = forkedFrom;
    row.forkedStep = step;
    static std::int64_t clock = 0;
    row.createdMs = ++clock;
    return row;
}

store::RunRow trial(const std::string& id, const std::string& sweep, int number, const std::string& lr) {
    auto row = runRow(id, lr);
    row.sweep = sweep;
    row.trial = number;
    row.paramsJson = R"({"optimizer.lr": )" + lr + "}";
    return row;
}

store::SweepRow sweepRow(const std::string& id) {
    store::SweepRow row;
    row.id = id;
    row.name = "n-" + id;
    row.status = wire::RunStatus::Finished;
    return row;
}

// One line each: depth, what it is, the run's id, and what changed; "*" is what was asked for.
QString textOf(const Lineage& lineage) {
    QString text;
    for (const auto& entry : lineage.entries)
        text += QString(2 * entry.depth, ' ') + QString::fromStdString(describe(entry) + " " + entry.id) +
                (entry.asked ? "*" : "") +
                (entry.changes.empty() ? "" : ": " + QString::fromStdString(changesText(entry.changes))) + "\n";
    return text;
}

} // namespace

class LineageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyTreeIsAsItGrew_data();
    void everyTreeIsAsItGrew();
    void onlyWhatIsJoinedIsShownOfALargeSweep();
    void aDamagedRecordEnds();
    void theStoreTellsTheSame();
};

// Feature: where a run comes from: forks, resumes, trials and adopted states, with what changed. Also in
// checkpoints_page_test, ctl_checkpoints_test.
void LineageTest::everyTreeIsAsItGrew_data() {
    QTest::addColumn<int>("facts");
    QTest::addColumn<QString>("asked");
    QTest::addColumn<QString>("tree");
    QTest::newRow("a run of its own") << 0 << "a"
                                      << "run a*\n";
    QTest::newRow("nothing of that id") << 0 << "z"
                                        << "";
    const char* forks = "run a%1\n"
                        "  fork of step 10 b%2: optimizer.lr 0.1 → 0.05\n"
                        "    fork of step 20 d%3: optimizer.lr 0.05 → 0.2\n"
                        "  fork of step 30 c%4\n";
    QTest::newRow("from the first") << 1 << "a" << QString(forks).arg("*", "", "", "");
    QTest::newRow("from the middle") << 1 << "b" << QString(forks).arg("", "*", "", "");
    QTest::newRow("from a leaf") << 1 << "d" << QString(forks).arg("", "", "*", "");
    QTest::newRow("its parent is deleted") << 2 << "b"
                                           << "deleted run gone\n  fork of step 10 b*\n";
    QTest::newRow("resumed twice, and forked") << 3 << "a"
                                               << "run a*\n  resumed from step 40 a\n  resumed from step 80 a\n"
                                                  "  fork of step 10 b: optimizer.lr 0.1 → 0.05\n";
    const char* pbt = "sweep s%1\n"
                      "  trial 0 t0: optimizer.lr 0.1\n"
                      "  trial 1 t1%2: optimizer.lr 0.2\n"
                      "    adopted trial 0 at 3 t0: optimizer.lr 0.2 → 0.12\n"
                      "    adopted trial 2 at 5 t2: optimizer.lr 0.12 → 0.4\n"
                      "    fork of step 50 f: optimizer.lr 0.4 → 1\n"
                      "  trial 2 t2: optimizer.lr 0.3\n";
    QTest::newRow("a sweep with copied states") << 4 << "s" << QString(pbt).arg("*", "");
    QTest::newRow("a trial of it") << 4 << "t1" << QString(pbt).arg("", "*");
    QTest::newRow("a fork of a trial") << 4 << "f" << QString(pbt).arg("", "").replace(" f:", " f*:");
}

LineageFacts factsOf(int number) {
    LineageFacts facts;
    if (number == 0) facts.runs = {runRow("a", "0.1"), runRow("x", "0.1")};
    if (number == 1 || number == 3) {
        facts.runs = {runRow("a", "0.1"), runRow("b", "0.05", "a", 10)};
        if (number == 1) {
            facts.runs.push_back(runRow("c", "0.1", "a", 30));
            facts.runs.push_back(runRow("d", "0.2", "b", 20));
            std::reverse(facts.runs.begin(), facts.runs.end()); // as the store gives them: newest first
        }
    }
    if (number == 2) facts.runs = {runRow("b", "0.05", "gone", 10)};
    if (number == 3)
        facts.events["a"] = {{.kind = store::RunEventKind::Started},
                             {.kind = store::RunEventKind::Resumed, .step = 40},
                             {.kind = store::RunEventKind::Restarted, .step = 50},
                             {.kind = store::RunEventKind::Resumed, .step = 80}};
    if (number == 4) {
        facts.sweeps = {sweepRow("s")};
        facts.runs = {trial("t0", "s", 0, "0.1"), trial("t1", "s", 1, "0.4"), trial("t2", "s", 2, "0.3"),
                      runRow("f", "1", "t1", 50)};
        facts.starts["s"] = {{1, {{"optimizer.lr", 0.2}}}};
        facts.adoptions["s"][1] = {{0, 3, {{"optimizer.lr", 0.12}}}, {-1, 4, {}}, {2, 5, {{"optimizer.lr", 0.4}}}};
    }
    return facts;
}

void LineageTest::everyTreeIsAsItGrew() {
    QFETCH(int, facts);
    QFETCH(QString, asked);
    QFETCH(QString, tree);
    QCOMPARE(textOf(lineageOf(factsOf(facts), asked.toStdString())), tree);
}

void LineageTest::onlyWhatIsJoinedIsShownOfALargeSweep() {
    LineageFacts facts;
    facts.sweeps = {sweepRow("s")};
    for (int number = 0; number < 60; ++number)
        facts.runs.push_back(trial("t" + std::to_string(number), "s", number, "0.1"));
    facts.adoptions["s"][7] = {{20, 3, {{"optimizer.lr", 0.12}}}};
    facts.adoptions["s"][20] = {{31, 2, {{"optimizer.lr", 0.5}}}};
    facts.adoptions["s"][40] = {{41, 2, {{"optimizer.lr", 0.5}}}};
    const auto lineage = lineageOf(facts, "t7");
    QCOMPARE(textOf(lineage), QString("sweep s\n"
                                      "  trial 7 t7*: optimizer.lr 0.1\n"
                                      "    adopted trial 20 at 3 t20: optimizer.lr 0.1 → 0.12\n"
                                      "  trial 20 t20: optimizer.lr 0.1\n"
                                      "    adopted trial 31 at 2 t31: optimizer.lr 0.1 → 0.5\n"
                                      "  trial 31 t31: optimizer.lr 0.1\n"));
    QCOMPARE(lineage.otherTrials, 57);
    QCOMPARE(lineageOf(facts, "s").otherTrials, 0);
}

void LineageTest::aDamagedRecordEnds() {
    LineageFacts facts;
    facts.runs = {runRow("a", "0.1", "b", 1), runRow("b", "0.1", "a", 1), runRow("self", "0.1", "self", 1)};
    QCOMPARE(lineageOf(facts, "a").entries.size(), std::size_t{3}); // b's parent, which is a, then b, then a
    QVERIFY(lineageOf(facts, "self").entries.size() <= 2);
}

void LineageTest::theStoreTellsTheSame() {
    QTemporaryDir folder;
    const store::Workspace workspace{folder.path().toStdString()};
    const auto facts = factsOf(4);
    {
        const auto writer = *store::Store::open(workspace);
        for (auto sweep : facts.sweeps) QVERIFY(writer->createSweep(sweep).ok());
        for (auto row : facts.runs) QVERIFY(writer->createRun(row).ok());
        store::TrialRecord record;
        std::int64_t number = 0;
        record.events.push_back(
            {.number = number++, .kind = "started", .trial = 1, .params = R"({"optimizer.lr":0.2})"});
        record.events.push_back({.number = number++, .kind = "report", .trial = 1});
        record.events.push_back({.number = number++,
                                 .kind = kAdopted,
                                 .trial = 1,
                                 .t = 3,
                                 .params = R"({"optimizer.lr":0.12})",
                                 .memo = "0"});
        record.events.push_back({.number = number++,
                                 .kind = kAdopted,
                                 .trial = 1,
                                 .t = 5,
                                 .params = R"({"optimizer.lr":0.4})",
                                 .memo = "2"});
        QVERIFY(writer->appendTrialRecord("s", record).ok());
        QVERIFY(writer->appendEvents("f", {{.kind = store::RunEventKind::Resumed, .step = 70}}).ok());
    }
    const auto reader = *store::RunQuery::open(workspace);
    for (const char* asked : {"n-s", "t1"}) {
        const auto lineage = readLineage(*reader, asked);
        QVERIFY2(lineage.ok(), lineage.ok() ? "" : lineage.error().text().c_str());
        const QString id = QString(asked).remove("n-");
        auto expected = factsOf(4);
        expected.events["f"] = {{.kind = store::RunEventKind::Resumed, .step = 70}};
        QCOMPARE(textOf(*lineage), textOf(lineageOf(expected, id.toStdString())));
    }
    const auto none = readLineage(*reader, "nobody");
    QVERIFY(!none.ok() && none.error().kind == ErrorKind::Input);
}

QTEST_APPLESS_MAIN(LineageTest)
#include "lineage_test.moc"
