// SPDX-License-Identifier: GPL-3.0-or-later
// The window's one copy of the points: what views are told, and that nothing is read from the disk twice.
#include "tests/gui/sample_workspace.h"
#include "ui/models/feed/followed_runs.h"
#include "ui/models/feed/workspace_feed.h"

#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace trainyard::ui;

namespace {

const QString kLoss = QStringLiteral("train/loss");

std::vector<PlotPoint> steps(qint64 from, qint64 to, double value = 0) {
    std::vector<PlotPoint> points;
    for (qint64 step = from; step < to; ++step) points.push_back({step, 0, 0, value});
    return points;
}

// What a view hears: "run series first".
struct Heard {
    QStringList changes;
    explicit Heard(SeriesStore& store) {
        QObject::connect(&store, &SeriesStore::changed, &store,
                         [this](const QString& run, const QString& series, std::size_t first) {
                             changes << QStringLiteral("%1 %2 %3").arg(run, series).arg(first);
                         });
    }
};

struct Place {
    QTemporaryDir folder;
    store::Workspace workspace{folder.path().toStdString()};
    std::unique_ptr<store::Store> store = std::move(*store::Store::open(workspace));

    QString add(const char* name, int points) {
        testing::SampleRun run{QString::fromLatin1(name), QStringLiteral("finished")};
        run.steps = points;
        return QString::fromStdString(testing::addRun(*store, workspace, run));
    }
};

} // namespace

class SeriesStoreTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tellsTheFirstPointThatChanged_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QStringList>("changes");
        QTest::addColumn<int>("left");
        QTest::newRow("points that continue") << "append" << QStringList{"a train/loss 10"} << 15;
        QTest::newRow("points that go back") << "overlap" << QStringList{"a train/loss 6"} << 12;
        QTest::newRow("a rewind touches the series behind it") << "rewind" << QStringList{"a train/loss 4"} << 4;
        QTest::newRow("a rewind to a later step") << "late" << QStringList{} << 10;
        QTest::newRow("a run that begins anew") << "drop" << QStringList{"a lr 0", "a train/loss 0"} << 0;
        QTest::newRow("another run") << "other" << QStringList{"b train/loss 0"} << 10;
        QTest::newRow("no points") << "none" << QStringList{} << 10;
    }
    void tellsTheFirstPointThatChanged() {
        QFETCH(QString, what);
        QFETCH(QStringList, changes);
        QFETCH(int, left);
        SeriesStore store;
        store.append("a", kLoss, steps(0, 10));
        store.append("a", "lr", steps(0, 3));
        const auto held = store.series("a", kLoss);
        const Heard heard(store);
        if (what == QLatin1String("append")) store.append("a", kLoss, steps(10, 15));
        if (what == QLatin1String("overlap")) store.append("a", kLoss, steps(6, 12, 1));
        if (what == QLatin1String("rewind")) store.truncateAfter("a", 3);
        if (what == QLatin1String("late")) store.truncateAfter("a", 100);
        if (what == QLatin1String("drop")) store.drop("a");
        if (what == QLatin1String("other")) store.append("b", kLoss, steps(0, 1));
        if (what == QLatin1String("none")) store.append("a", kLoss, {});
        QCOMPARE(heard.changes, changes);
        QCOMPARE(held->size(), static_cast<std::size_t>(left));
    }

    // Feature: one copy of the points for all charts, read once.
    void viewsShareOneCopy() {
        SeriesStore store;
        const auto early = store.series("a", kLoss);
        QVERIFY(early->isEmpty());
        QVERIFY(store.find("a", kLoss) == nullptr);
        QVERIFY(store.names("a").isEmpty());
        store.append("a", kLoss, steps(0, 3000));
        const auto late = store.series("a", kLoss);
        QCOMPARE(late.get(), early.get());
        QCOMPARE(store.find("a", kLoss), early.get());
        QCOMPARE(early->size(), std::size_t{3000});
        QCOMPARE(store.names("a"), QStringList{kLoss});
    }

    void aHeldSeriesOutlivesItsRun() {
        SeriesStore store;
        store.append("a", kLoss, steps(0, 10));
        store.append("a", "lr", steps(0, 10));
        const auto held = store.series("a", kLoss);
        const std::weak_ptr<const SeriesData> alone = store.series("a", "lr");
        store.drop("a");
        QVERIFY(alone.expired()); // no holder is left: its memory is freed
        QVERIFY(held->isEmpty());
        store.append("a", kLoss, steps(0, 7));
        QCOMPARE(held->size(), std::size_t{7});
    }

    void aSnapshotStaysAsItWas() {
        SeriesStore store;
        store.append("a", kLoss, steps(0, 1500, 1));
        const SeriesData snapshot = *store.series("a", kLoss);
        store.append("a", kLoss, steps(700, 2000, 2));
        store.drop("a");
        QCOMPARE(snapshot.size(), std::size_t{1500});
        QCOMPARE(snapshot.reduce(0, 1500).max, 1.0);
    }

    void aLateViewReadsNothingFromTheDisk() {
        Place place;
        const QString shown = place.add("shown", 500);
        const QString other = place.add("other", 300);
        WorkspaceFeed feed(place.workspace);
        feed.start();
        feed.watch({shown});
        const auto first = feed.series().series(shown, kLoss);
        QTRY_COMPARE(first->size(), std::size_t{500});
        QCOMPARE(feed.runsOpened(), 1);
        feed.watch({other}); // hidden,
        QTRY_COMPARE(feed.series().series(other, kLoss)->size(), std::size_t{300});
        feed.watch({shown, other}); // shown again
        QTest::qWait(150);
        const auto late = feed.series().series(shown, kLoss);
        QCOMPARE(late.get(), first.get());
        QCOMPARE(late->size(), std::size_t{500});
        QCOMPARE(feed.runsOpened(), 2);
        QCOMPARE(feed.spark(*feed.run(shown)).size(), feed.run(shown)->spark.size());
    }

    void runsNobodyWantsAreLetGo() {
        Place place;
        QStringList runs;
        for (std::size_t i = 0; i < FollowedRuns::kMostSpare + 3; ++i)
            runs << place.add(qPrintable(QStringLiteral("run-%1").arg(i)), 20);
        FollowedRuns followed(place.workspace);
        std::vector<RunUpdate> updates;
        QString failed;
        for (const QString& run : runs) followed.want({run}, updates, failed);
        QVERIFY2(failed.isEmpty(), qPrintable(failed));
        // All but the last are spare, and the two that were left first are gone.
        QStringList gone;
        for (const QString& run : runs)
            if (!followed.contains(run)) gone << run;
        QCOMPARE(gone, runs.first(2));
        QCOMPARE(updates.size(), static_cast<std::size_t>(runs.size() + 2));
        QVERIFY(updates.back().reset);
        QCOMPARE(updates.back().run, runs[1]);
        QCOMPARE(followed.want({runs[0]}, updates, failed), QStringList{runs[0]}); // read anew
        QCOMPARE(followed.opened(), static_cast<int>(runs.size()) + 1);
    }
};

QTEST_GUILESS_MAIN(SeriesStoreTest)
#include "series_store_test.moc"
