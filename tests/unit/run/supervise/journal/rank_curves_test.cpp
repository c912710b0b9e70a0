// SPDX-License-Identifier: GPL-3.0-or-later
// The points of several ranks as the curves of one run; names of what stands beside them; the record of sources.
#include "engine/base/files/atomic_file.h"
#include "engine/run/program/follow/source_record.h"
#include "engine/run/record/series/series_book.h"
#include "engine/run/record/series/source_series.h"
#include "engine/run/supervise/journal/rank_curves.h"
#include "engine/run/supervise/journal/value_watch.h"

#include <QStringList>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace trainyard::run;

namespace {

QString joinedText(const wire::Metrics& metrics) {
    QStringList all;
    for (const auto& series : metrics.series) {
        QStringList points;
        for (const auto& point : series.points) points << QString("%1=%2").arg(point.step).arg(point.value);
        all << QString::fromStdString(series.series) + "@" + points.join(',');
    }
    return all.join(' ');
}

} // namespace

class RankCurvesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: what a program reports stops it, sends it back, or is told of once.
    void valuesAreWatched_data() {
        QTest::addColumn<QString>("nonFinite");
        QTest::addColumn<QStringList>("said"); // "series step value", "back step", "stored series step value"
        QTest::addColumn<QString>("found");    // in the order of ValueWatch::What: n, d, e
        using Said = QStringList;
        QTest::newRow("finite") << "stop" << Said{"loss 1 4", "loss 2 -4"} << "";
        QTest::newRow("told once") << "warn" << Said{"loss 1 nan", "loss 2 nan", "x 2 inf"} << "n1 n2";
        QTest::newRow("a loss") << "stop" << Said{"train/Loss 3 nan"} << "d3";
        QTest::newRow("minus infinity") << "rollback" << Said{"loss 3 -inf"} << "d3";
        QTest::newRow("no loss") << "stop" << Said{"auc 3 nan", "auc 4 nan"} << "n3";
        QTest::newRow("the score") << "stop" << Said{"score 3 nan"} << "d3";
        QTest::newRow("of a computer") << "stop" << Said{"system/host/h1/cpu_percent 3 nan"} << "";
        QTest::newRow("void again") << "stop" << Said{"loss 3 nan", "back 2"} << "";
        QTest::newRow("it does not get better") << "warn" << Said{"val 1 5", "val 2 5", "val 3 6", "val 4 7"} << "e3";
        QTest::newRow("less than counts") << "warn" << Said{"val 1 5", "val 2 4.95", "val 3 4.92"} << "e3";
        QTest::newRow("it gets better") << "warn" << Said{"val 1 5", "val 2 6", "val 3 4", "val 4 5"} << "";
        QTest::newRow("back again") << "warn" << Said{"val 1 5", "val 2 6", "back 1", "val 2 6"} << "";
        QTest::newRow("stored before") << "warn" << Said{"stored val 1 5", "stored val 2 6", "val 3 6"} << "e3";
        QTest::newRow("resumed after its end")
            << "warn" << Said{"stored val 1 5", "stored val 2 6", "stored val 3 6", "val 4 6"} << "";
        QTest::newRow("first not finite") << "warn" << Said{"val 1 nan", "val 2 5", "val 3 6"} << "n1";
    }
    void valuesAreWatched() {
        QFETCH(QString, nonFinite);
        QFETCH(QStringList, said);
        auto spec = spec::programRun({});
        spec.failure.nonFinite = nonFinite.toStdString();
        spec.checkpoint.scoreBy = "score";
        spec.earlyStop = {.metric = "val", .mode = "min", .patience = 2, .minDelta = 0.1};
        run::ValueWatch watch(spec);
        for (const auto& line : said) {
            const auto words = line.split(' ');
            const auto pointAt = [&](int place) {
                return wire::Point{words[place].toLongLong(), 0, 0, words[place + 1].toDouble()};
            };
            if (words[0] == "back") watch.rewind(words[1].toLongLong());
            else if (words[0] == "stored") watch.load(words[1].toStdString(), {pointAt(2)});
            else watch.add({{words[0].toStdString(), 0, {pointAt(1)}}});
        }
        QStringList found;
        while (const auto each = watch.take())
            found << QString("nde")[static_cast<int>(each->what)] + QString::number(each->step);
        QTEST(found.join(' '), "found");
        QCOMPARE(watch.stoppedEarly(), found.join(' ').contains('e'));
    }

    // Feature: the curves of a program are those of its first rank, of each rank, or their mean.
    void ranksAreJoined_data() {
        QTest::addColumn<QString>("policy");
        QTest::addColumn<QStringList>("said"); // "rank series step value time"; "rank series" names a source alone
        QTest::addColumn<QString>("told");
        using Said = QStringList;
        QTest::newRow("the first") << "0" << Said{"0 loss 1 4 0", "1 loss 1 8 0"} << "loss@1=4";
        QTest::newRow("an unknown word") << "" << Said{"0 loss 1 4 0", "1 loss 1 8 0"} << "loss@1=4";
        QTest::newRow("the mean") << "mean" << Said{"0 source/printed/loss 1 4 0", "1 source/printed/loss 1 8 0"}
                                  << "loss@1=6";
        QTest::newRow("each") << "each" << Said{"0 source/printed/loss 1 4 0", "1 source/printed/loss 1 8 0"}
                              << "rank0/loss@1=4 rank1/loss@1=8";
        QTest::newRow("a rank is behind with its source")
            << "mean"
            << Said{"0 source/printed/loss 1 4 0", "1 source/printed/loss 1 8 0", "0 source/metrics-file/l 2 1 0",
                    "1 source/printed/loss 2 9 0", "1 source/metrics-file/l 2 3 0"}
            << "loss@1=6 source/printed/@ l@2=2";
        QTest::newRow("what waits for another rank is kept beside, as the first one told it")
            << "mean"
            << Said{"0 source/printed/loss 1 4 0", "1 source/printed/loss 2 9 0", "1 source/metrics-file/l 3 1 0",
                    "0 source/printed/loss 2 5 0", "0 source/metrics-file/l 3 3 0"}
            << "source/printed/@ source/printed/loss@1=4 source/printed/loss@2=5 l@3=2";
        QTest::newRow("beside, of the first rank alone")
            << "each"
            << Said{"0 source/metrics-file/l 1 1 0", "0 source/printed/loss 1 4 0", "1 source/printed/x 1 4 0"}
            << "rank0/l@1=1 source/printed/loss@1=4";
        QTest::newRow("a source of an earlier process")
            << "mean"
            << Said{"0 source/metrics-file/", "0 source/printed/loss 9 1 0", "0 source/metrics-file/l 9 1 0",
                    "1 source/metrics-file/l 9 5 0"}
            << "source/printed/loss@9=1 l@9=3";
        QTest::newRow("too late") << "mean" << Said{"0 source/printed/l 1 4 0", "tick 5", "1 source/printed/l 1 8 6"}
                                  << "l@1=4";
    }
    void ranksAreJoined() {
        QFETCH(QString, policy);
        QFETCH(QStringList, said);
        QFETCH(QString, told);
        RankCurves curves;
        curves.begin(policy.toStdString(), 2);
        QStringList all;
        for (const QString& each : said) {
            const QStringList words = each.split(' ');
            wire::SeriesPoints series{words[1].toStdString(), 0, {}};
            if (words.size() > 2) series.points.push_back({words[2].toLongLong(), 0, 0, words[3].toDouble()});
            const auto news = words[0] == "tick" ? curves.due(words[1].toDouble())
                                                 : curves.add(words[0].toInt(), {{series}}, words.value(4).toDouble());
            if (!news.series.empty()) all << joinedText(news);
        }
        QCOMPARE(all.join(' '), told);
    }

    void namesOfSources_data() {
        QTest::addColumn<QString>("series");
        QTest::addColumn<QString>("name"); // empty: it is of no source
        QTest::newRow("one") << "source/printed/train/loss" << "train/loss";
        QTest::newRow("of a framework") << "source/event-files/loss" << "loss";
        QTest::newRow("of the run") << "train/loss" << "";
        QTest::newRow("of no source that there is") << "source/oracle/loss" << "";
        QTest::newRow("of a computer") << "system/rank0/cpu_percent" << "";
        QTest::newRow("half a name") << "source/printed" << "";
    }
    void namesOfSources() {
        QFETCH(QString, series);
        QFETCH(QString, name);
        const auto source = sourceOf(series.toStdString());
        QCOMPARE(source ? QString::fromStdString(source->name) : QString(), name);
        if (source) QCOMPARE(QString::fromStdString(sourceSeries(source->kind, source->name)), series);
        QCOMPARE(tellsOfTraining(series.toStdString()), !source && !series.startsWith("system/"));
    }

    void seriesBesideTheCurvesHaveStepsOfTheirOwn() {
        SeriesBook book;
        (void)book.accept({{{"loss", 0, {{100, 0, 5.0, 1}}}}});
        const auto told = book.accept({{{"source/printed/loss", 0, {{1, 0, 9.0, 1}, {2, 0, 10.0, 1}}}}});
        QCOMPARE(told.series[0].points[0].seconds, 9.0); // though step 100 was earlier
        QCOMPARE(book.secondsAt(100), 5.0);
        book.rename("loss", "source/printed/loss");
        QCOMPARE(book.count("source/printed/loss"), 1);
        QCOMPARE(book.count("loss"), 0);
        book.rename("loss", "x");
        QCOMPARE(book.count("x"), 0);
    }

    // Bad inputs: a record of sources that was cut, or says what none says.
    void recordsAreReadAsFarAsTheyGo() {
        QTemporaryDir folder;
        const std::filesystem::path file = (folder.path() + "/sources.json").toStdString();
        QVERIFY(readSourceRecord(file).sources.empty());
        SourceRecord record;
        record.memory = {program::SourceKind::Printed, {{program::SourceKind::Printed, 3, 40, 12}}};
        record.sources = {{program::SourceKind::Printed, 12, 1, 2, 40, true, {"loss"}}};
        record.checkpoints = {{"/a/ü.pt", 40}};
        record.summary = {{"best", 0.5}, {"ok", true}, {"note", std::string("x")}};
        QVERIFY(writeSourceRecord(file, record).ok());
        const auto read = readSourceRecord(file);
        QVERIFY(read.memory == record.memory);
        QVERIFY(read.checkpoints == record.checkpoints && read.summary == record.summary);
        QCOMPARE(read.sources.front().points, 12);
        for (const char* text : {"", "[]", "{\"sources\": 3, \"checkpoints\": [], \"summary\": 1}",
                                 "{\"sources\": [1, {}, {\"source\": 3}, {\"source\": \"oracle\"}]}"}) {
            QVERIFY(writeFileAtomic(file, text).ok());
            QVERIFY2(readSourceRecord(file).sources.empty(), text);
        }
    }
};

QTEST_GUILESS_MAIN(RankCurvesTest)
#include "rank_curves_test.moc"
