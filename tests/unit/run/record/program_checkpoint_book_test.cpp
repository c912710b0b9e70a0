// SPDX-License-Identifier: GPL-3.0-or-later
// The list of a program's checkpoints, and from which of them the program goes on.
#include "engine/base/clock.h"
#include "engine/base/files/atomic_file.h"
#include "engine/run/record/program_checkpoint_book.h"
#include "tests/unit/store/zip_builder.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace trainyard::run;
namespace fs = std::filesystem;

namespace {

const std::string kWholeFile = test::zipOf({{"m/data.pkl", std::string("\x80\x02}.", 4)}, {"m/data/0", "weights"}});

// A program's folder with checkpoints, and the list of them.
struct Saved {
    QTemporaryDir folder;
    ProgramCheckpointBook book{{.scoreBy = "val/loss", .mode = "min"}};
    std::int64_t wallMs = 0;

    std::string path(const std::string& name) const { return folder.path().toStdString() + "/" + name; }
    void save(const std::string& name, std::int64_t step, double loss = 1, const std::string& bytes = kWholeFile) {
        if (!writeFileAtomic(path(name), bytes).ok()) qFatal("no file");
        book.add({.path = path(name),
                  .step = step,
                  .epoch = 0,
                  .bytes = static_cast<std::int64_t>(bytes.size()),
                  .metrics = {{"val/loss", loss}}},
                 ++wallMs);
    }
    QString newest(std::string* notice = nullptr) {
        std::string said;
        const auto row = book.newestGood(said);
        if (notice != nullptr) *notice = said;
        return row ? QString::fromStdString(fs::path(row->path).filename().string()) : QString("none");
    }
    // Names in the order of the list, with "*" for the best and "." for the last.
    QString list() const {
        QStringList names;
        for (const auto& row : book.rows())
            names << QString::fromStdString(fs::path(row.path).filename().string()) + (row.best ? "*" : "") +
                         (row.last ? "." : "");
        return names.join(' ');
    }
};

} // namespace

class ProgramCheckpointBookTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theListFollowsTheFiles() {
        Saved at;
        at.save("a.pt", 10, 0.5);
        at.save("b.pt", 20, 0.2);
        at.save("c.pt", 30, 0.3);
        QCOMPARE(at.list(), "a.pt b.pt* c.pt.");
        at.save("a.pt", 40, 0.1); // written anew
        QCOMPARE(at.list(), "b.pt c.pt a.pt*.");
        fs::remove(at.path("c.pt")); // by the program, which keeps few
        at.save("d.pt", 50, 0.9);
        QCOMPARE(at.list(), "b.pt a.pt* d.pt.");
        auto stored = at.book.rows();
        stored[0].pinned = true;
        at.book.notePins(stored);
        QVERIFY(at.book.rows()[0].pinned);
        QCOMPARE(at.book.newestStep(), 50);
    }

    // Fault: the newest checkpoint of a program is cut or gone. The one before is taken, and no file is touched.
    void theNewestWholeOneIsTaken() {
        Saved at;
        QCOMPARE(at.newest(), "none");
        at.save("a.pt", 10);
        at.save("b.pt", 20);
        at.save("c.pt", 30);
        QCOMPARE(at.newest(), "c.pt");
        fs::remove(at.path("c.pt"));
        QCOMPARE(at.newest(), "b.pt");
        const std::string cut = kWholeFile.substr(0, kWholeFile.size() - 3);
        QVERIFY(writeFileAtomic(at.path("b.pt"), cut).ok());
        std::string notice;
        QCOMPARE(at.newest(&notice), "a.pt");
        QVERIFY2(QString::fromStdString(notice).contains("step 20 cannot be used"), notice.c_str());
        QCOMPARE(*readFile(at.path("b.pt")), cut);
        QCOMPARE(at.list(), "a.pt*.");
    }

    // Fault: a program fails at once with the checkpoint that it goes on from. The one before is taken.
    void badOnesArePassedOver() {
        Saved at;
        at.save("a.pt", 10);
        at.save("b.pt", 20);
        at.book.turnedOutBad(at.path("b.pt"));
        std::string notice;
        QCOMPARE(at.newest(&notice), "a.pt");
        QVERIFY2(QString::fromStdString(notice).contains("is passed over"), notice.c_str());
        QCOMPARE(at.list(), "a.pt* b.pt."); // it may be good for the next supervisor
        at.save("b.pt", 20);
        QCOMPARE(at.newest(), "b.pt");
        at.book.turnedOutBad(at.path("a.pt"));
        at.book.turnedOutBad(at.path("b.pt"));
        QCOMPARE(at.newest(), "none");
    }

    // Fault: a program's loss is not finite. Checkpoints of that step and later ones are not gone on from.
    void thoseOfADivergedProgramArePassedOver() {
        Saved at;
        QVERIFY(!at.book.passOver(20, "train/loss is NaN"));
        at.save("a.pt", 10);
        at.save("b.pt", 20);
        at.save("c.pt", 30);
        QVERIFY(at.book.passOver(20, "train/loss is NaN"));
        std::string notice;
        QCOMPARE(at.newest(&notice), "a.pt");
        QVERIFY2(QString::fromStdString(notice).endsWith("train/loss is NaN"), notice.c_str());
        QVERIFY(!at.book.passOver(5, "train/loss is NaN"));
        QCOMPARE(at.newest(), "none");
        QCOMPARE(at.list(), "a.pt* b.pt c.pt.");
    }

    // Feature: of the copies of a program's checkpoints the best and the newest stay; its own are never touched.
    void copiesAreDropped_data() {
        QTest::addColumn<int>("keep");
        QTest::addColumn<bool>("bestOnly");
        QTest::addColumn<QString>("stays");
        QTest::newRow("all") << 0 << false << "1.pt 2.pt* 3.pt 4.pt 5.pt.";
        QTest::newRow("the newest two") << 2 << false << "2.pt* 3.pt 4.pt 5.pt.";
        QTest::newRow("of the best alone") << 0 << true << "2.pt* 3.pt 5.pt.";
    }
    void copiesAreDropped() {
        QFETCH(int, keep);
        QFETCH(bool, bestOnly);
        Saved at;
        QVERIFY(QDir(at.folder.path()).mkdir("copies"));
        for (const auto& [place, loss] : std::map<int, double>{{1, 0.4}, {2, 0.1}, {3, 0.3}, {4, 0.5}, {5, 0.6}})
            at.save((place % 2 == 1 && place != 1 ? "" : "copies/") + std::to_string(place) + ".pt", place, loss);
        const auto dropped = at.book.dropCopies(fs::path(at.path("copies")), keep, bestOnly);
        QTEST(at.list(), "stays");
        for (const auto& path : dropped) QCOMPARE(path.parent_path(), fs::path(at.path("copies")));
    }

    void whatIsToldAgainIsKnown() {
        Saved at;
        at.save("a.pt", 10);
        at.wallMs = wallClockMs() + 1000; // after the file was written
        at.save("b.pt", 20);
        at.book.turnedOutBad(at.path("b.pt"));
        const wire::CheckpointSaved again{
            at.path("b.pt"), 20, 0, static_cast<std::int64_t>(kWholeFile.size()), {{"val/loss", 0.1}}};
        QVERIFY(!at.book.add(again, at.wallMs + 5));
        QCOMPARE(at.newest(), "a.pt"); // it is as bad as before
        QCOMPARE(at.book.rows()[1].metrics.at("val/loss"), 1.0);
    }

    void theLargestOfAStepIsTaken() {
        Saved at;
        at.save("weights.pt", 20);
        at.save("state.pt", 20, 1, kWholeFile + std::string());
        at.save("large.pt", 20, 1,
                test::zipOf({{"m/data.pkl", std::string("\x80\x02}.", 4)}, {"m/data/0", "weights and momenta"}}));
        at.save("small.pt", 20);
        QCOMPARE(at.newest(), "large.pt");
    }

    void endsAreJudged_data() {
        QTest::addColumn<bool>("byItself");
        QTest::addColumn<double>("seconds");
        QTest::addColumn<bool>("hasPoints");
        QTest::addColumn<bool>("bad");
        QTest::newRow("at once, by itself") << true << 3.0 << false << true;
        QTest::newRow("killed") << false << 3.0 << false << false;
        QTest::newRow("after a minute") << true << 60.0 << false << false;
        QTest::newRow("after points") << true << 3.0 << true << false;
    }
    void endsAreJudged() {
        QFETCH(bool, byItself);
        QFETCH(double, seconds);
        QFETCH(bool, hasPoints);
        QTEST(isBadCheckpoint({byItself, seconds, hasPoints}), "bad");
    }
};

QTEST_APPLESS_MAIN(ProgramCheckpointBookTest)
#include "program_checkpoint_book_test.moc"
