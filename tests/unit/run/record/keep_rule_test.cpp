// SPDX-License-Identifier: GPL-3.0-or-later
// Which checkpoints stay, by the supervisor's rule and by that of pruning.
#include "engine/run/actions/prune_checkpoints.h"
#include "engine/run/record/checkpoint_book.h"
#include "engine/run/record/keep_rule.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace trainyard::run;

namespace {

const Score kAccuracy{"val/accuracy", spec::Better::Larger};

// One checkpoint for each word, steps from 10: the score, "-" for none; then any of p (pinned) and s (superseded).
// Each has 10 bytes and was saved at 1000, 2000, ...
std::vector<store::CheckpointRow> rowsOf(const QString& words) {
    std::vector<store::CheckpointRow> rows;
    for (const QString& word : words.split(' ', Qt::SkipEmptyParts)) {
        store::CheckpointRow row;
        row.step = 10 * (std::ssize(rows) + 1);
        row.path = "step-" + std::to_string(row.step);
        row.bytes = 10;
        row.wallMs = 1000 * (std::ssize(rows) + 1);
        row.pinned = word.contains('p');
        row.superseded = word.contains('s');
        bool isNumber = false;
        const double score = QString(word).remove('p').remove('s').toDouble(&isNumber);
        if (isNumber) row.metrics["val/accuracy"] = score;
        rows.push_back(row);
    }
    return rows;
}

QString wordsOf(const std::vector<KeptFor>& kept) {
    QStringList words;
    for (const KeptFor each : kept) words << (each == KeptFor::No ? "-" : toString(each));
    return words.join(' ');
}

} // namespace

class KeepRuleTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyRuleKeepsWhatItSays_data();
    void everyRuleKeepsWhatItSays();
    void pruningSparesWhatIsNeeded_data();
    void pruningSparesWhatIsNeeded();
    void theSmallerScoreIsTheBetterLoss();
    void theBookKeepsWhatIsPinned();
    void aPinnedOneOutlivesGoingBack();
    void everyReasonHasItsWord();
};

// Feature: checkpoints of all runs are listed, filtered, pinned and pruned by a rule, in terminal and window; a pin
// holds against the supervisor, a sweep's rule and pruning; what a fork, a resume or a running run needs stays; rows
// and files never disagree. Also in checkpoints_page_test, ctl_checkpoints_test, prune_checkpoints_test,
// prune_faults_test.
void KeepRuleTest::everyRuleKeepsWhatItSays_data() {
    QTest::addColumn<QString>("rows");
    QTest::addColumn<int>("best");
    QTest::addColumn<int>("last");
    QTest::addColumn<int>("atLeast");
    QTest::addColumn<qint64>("before"); // 0: whenever
    QTest::addColumn<qint64>("budget");
    QTest::addColumn<QString>("kept");
    const auto row = [](const char* name, const char* rows, int best, int last, const char* kept, int atLeast = 0,
                        qint64 before = 0, qint64 budget = 0) {
        QTest::newRow(name) << rows << best << last << atLeast << before << budget << kept;
    };
    row("nothing to judge", "", 1, 1, "");
    row("best and last", ".5 .9 .7 .6", 1, 1, "- best - last");
    row("the best is the last", ".5 .6 .9", 1, 1, "- - best");
    row("best two", ".5 .9 .7 .6", 2, 0, "- best best -");
    row("last two", ".5 .9 .7 .6", 0, 2, "- - last last");
    row("more than there are", ".5 .9", 9, 9, "best best");
    row("nothing", ".5 .9", 0, 0, "- -");
    row("a negative number is none", ".5 .9", -3, -1, "- -");
    row("without scores", "- - -", 2, 1, "- - last");
    row("NaN is no score", "nan .2 .1", 1, 0, "- best -");
    row("of equal ones the earliest", ".5 .5 .5", 1, 0, "best - -");
    row("pinned ones stay", ".1p .9 .2p .3", 0, 0, "pinned - pinned -");
    row("a pinned one counts among the last", ".1 .2 .3p", 0, 1, "- - pinned");
    row("a pinned one counts among the best", ".1 .9p .3", 1, 0, "- pinned -");
    row("superseded ones are neither best nor last", ".9sp .1 .2", 1, 2, "pinned last best");
    row("a superseded one that is not pinned goes", ".9s .1 .2", 1, 1, "- - best");
    row("two in any case", ".5 .6 .9", 1, 1, "- needed best", 2);
    row("only older ones", ".5 .9 .7 .6", 1, 1, "- best young last", 0, 3000);
    row("older than all", ".5 .9 .7", 0, 0, "young young young", 0, 500);
    row("above the budget the oldest go", ".9 .5 .6 .7", 1, 4, "best - - last", 0, 0, 20);
    row("the budget spares pinned ones", ".9 .5p .6 .7", 1, 4, "best pinned - last", 0, 0, 10);
    row("the budget spares two", ".5 .6 .9", 1, 3, "- last best", 2, 0, 1);
}

void KeepRuleTest::everyRuleKeepsWhatItSays() {
    QFETCH(QString, rows);
    QFETCH(int, best);
    QFETCH(int, last);
    QFETCH(int, atLeast);
    QFETCH(qint64, before);
    QFETCH(qint64, budget);
    QFETCH(QString, kept);
    KeepRule rule{.best = best, .last = last, .atLeast = atLeast, .budgetBytes = budget};
    if (before > 0) rule.savedBefore = before;
    QCOMPARE(wordsOf(judgeKept(rowsOf(rows), kAccuracy, rule)), kept);
}

void KeepRuleTest::pruningSparesWhatIsNeeded_data() {
    QTest::addColumn<QString>("rows");
    QTest::addColumn<wire::RunStatus>("status");
    QTest::addColumn<bool>("finishedOnly");
    QTest::addColumn<bool>("sweepActive");
    QTest::addColumn<bool>("reachable");
    QTest::addColumn<QString>("kept");
    using Status = wire::RunStatus;
    const auto row = [](const std::string& name, const char* rows, Status status, const char* kept,
                        bool finishedOnly = true, bool sweepActive = false, bool reachable = true) {
        QTest::newRow(name.c_str()) << rows << status << finishedOnly << sweepActive << reachable << kept;
    };
    row("finished", ".1 .2 .3p", Status::Finished, "- - pinned");
    row("finished, all may go", ".1 .2", Status::Finished, "- -");
    for (const Status status : {Status::Stopped, Status::Failed, Status::Interrupted}) {
        row(std::string("not asked for: ") + wire::toString(status), ".1 .2", status, "unfinished unfinished");
        row(std::string("resumed from its newest: ") + wire::toString(status), ".9 .2", status, "- resume", false);
    }
    for (const Status status : {Status::Queued, Status::Starting, Status::Running, Status::Restarting, Status::Stopping,
                                Status::Paused, Status::Unknown})
        row(std::string("untouched: ") + wire::toString(status), ".1 .2p", status, "active active", false);
    row("a trial of an active sweep", ".1 .2", Status::Finished, "sweep sweep", false, true);
    row("no folder", ".1 .2p", Status::Finished, "no-folder no-folder", false, false, false);
    row("nothing to resume from but superseded ones", ".1s", Status::Stopped, "-", false);
    row("no checkpoint", "", Status::Stopped, "", false);
}

void KeepRuleTest::pruningSparesWhatIsNeeded() {
    QFETCH(QString, rows);
    QFETCH(wire::RunStatus, status);
    QFETCH(bool, finishedOnly);
    QFETCH(bool, sweepActive);
    QFETCH(bool, reachable);
    QFETCH(QString, kept);
    const PruneRule rule{{.best = 0, .last = 0}, finishedOnly};
    QCOMPARE(wordsOf(judgePrune({status, sweepActive, reachable}, rowsOf(rows), kAccuracy, rule)), kept);
}

void KeepRuleTest::theSmallerScoreIsTheBetterLoss() {
    const KeepRule rule{.best = 2, .last = 0};
    QCOMPARE(wordsOf(judgeKept(rowsOf(".5 .9 .1"), {"val/accuracy", spec::Better::Smaller}, rule)),
             QString("best - best"));
}

// The pin is read from the store before each save: also of a checkpoint that the book has let go meanwhile.
void KeepRuleTest::theBookKeepsWhatIsPinned() {
    QTemporaryDir folder;
    const auto path = [&](int step) { return folder.path().toStdString() + "/step-" + std::to_string(step); };
    CheckpointBook book({});
    for (int step = 1; step <= 3; ++step)
        book.add({.path = {}, .step = step, .epoch = 0, .bytes = 1, .metrics = {}}, path(step), 0);
    auto stored = book.rows();
    QFile file(QString::fromStdString(path(1)));
    QVERIFY(file.open(QIODevice::WriteOnly));
    stored[0].pinned = true;
    QCOMPARE(book.prune(), (std::vector<std::filesystem::path>{path(1)})); // by then, the pin was not known
    book.notePins(stored);
    book.add({.path = {}, .step = 4, .epoch = 0, .bytes = 1, .metrics = {}}, path(4), 0);
    QCOMPARE(book.prune(), (std::vector<std::filesystem::path>{path(2)}));
    QCOMPARE(book.rows().front().step, 1);
    QVERIFY(book.rows().front().pinned);
    stored[0].pinned = false;
    book.notePins(stored);
    QCOMPARE(book.prune(), (std::vector<std::filesystem::path>{path(1)}));
}

void KeepRuleTest::aPinnedOneOutlivesGoingBack() {
    CheckpointBook book({});
    for (int step = 1; step <= 3; ++step)
        book.add({.path = {}, .step = step, .epoch = 0, .bytes = 1, .metrics = {{"val/accuracy", 0.1 * step}}},
                 "step-" + std::to_string(step), 0);
    auto stored = book.rows();
    stored[2].pinned = true; // step 3
    stored[1].pinned = true;
    book.notePins(stored);
    book.add({.path = {}, .step = 2, .epoch = 0, .bytes = 1, .metrics = {{"val/accuracy", 0.5}}}, "step-2", 0);
    QCOMPARE(book.rows().size(), std::size_t{3});
    QVERIFY(book.rows()[0].superseded && book.rows()[0].pinned && !book.rows()[0].best);
    QCOMPARE(book.rows()[0].step, 3);
    QVERIFY(book.rows()[2].last && book.rows()[2].best && book.rows()[2].pinned); // the same step once more
    QCOMPARE(book.rows()[2].step, 2);
    QVERIFY(book.prune().empty());
}

void KeepRuleTest::everyReasonHasItsWord() {
    QStringList words;
    for (int i = 0; i <= static_cast<int>(KeptFor::NoFolder); ++i) words << toString(static_cast<KeptFor>(i));
    QCOMPARE(words.removeDuplicates(), 0);
    QVERIFY(words.front().isEmpty());
    store::CheckpointRow row;
    QCOMPARE(checkpointWords(row), std::vector<std::string>{"periodic"});
    row.pinned = row.best = row.last = true;
    QCOMPARE(checkpointWords(row), (std::vector<std::string>{"pinned", "best", "last"}));
}

QTEST_APPLESS_MAIN(KeepRuleTest)
#include "keep_rule_test.moc"
