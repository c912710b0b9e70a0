// SPDX-License-Identifier: GPL-3.0-or-later
// Which points of a program become points of its curves.
#include "engine/program/metrics/program_sources.h"
#include "engine/program/metrics/rank_points.h"

#include <QTest>

#include <map>

using namespace trainyard;
using namespace trainyard::program;

namespace {

using Curves = std::map<std::string, std::vector<std::int64_t>>;

// Keeps curves as the store does, and shows what they have come to.
struct Run {
    // "file loss@10", "printed acc@3", "restart 100", "again events 5", "another 100"
    void say(const QString& what) {
        static const std::map<QString, SourceKind> kinds{{"file", SourceKind::MetricsFile},
                                                         {"events", SourceKind::EventFiles},
                                                         {"table", SourceKind::Table},
                                                         {"printed", SourceKind::Printed}};
        const QStringList words = what.split(' ');
        SourceNews news;
        if (words[0] == "restart") sources.restarted(words[1].toLongLong(), news);
        else if (words[0] == "another") { // process, that goes on from this step
            const SourcesMemory memory = sources.memory();
            sources = {};
            sources.goesOn(words[1].toLongLong(), memory);
            take({.rewoundTo = words[1].toLongLong()}, curves);
        } else if (words[0] == "again") sources.beginAgain(kinds.at(words[1]), words[2].toLongLong(), news);
        else
            for (const QString& point : words.mid(1))
                sources.add(kinds.at(words[0]), point.section('@', 0, 0).toStdString(),
                            {.step = point.section('@', 1).toLongLong(), .value = 1}, news);
        apply(news);
    }
    void apply(const SourceNews& news) {
        if (news.feeds && feeds) beside[*feeds] = std::exchange(curves, {});
        if (news.feeds) feeds = news.feeds;
        take(news.curves, curves);
        for (const auto& [kind, each] : news.beside) take(each, beside[kind]);
        for (const auto& notice : news.notices) notices << QString::fromStdString(notice);
    }
    static void take(const SeriesNews& news, Curves& to) {
        if (news.rewoundTo)
            for (auto& [name, steps] : to)
                while (!steps.empty() && steps.back() > *news.rewoundTo) steps.pop_back();
        for (const auto& each : news.points)
            if (auto& steps = to[each.series]; steps.empty() || steps.back() < each.point.step)
                steps.push_back(each.point.step);
    }
    // "acc: 3 | loss: 10 20"
    static QString text(const Curves& curves) {
        QStringList all;
        for (const auto& [name, steps] : curves) {
            QStringList numbers;
            for (const auto step : steps) numbers << QString::number(step);
            if (!steps.empty()) all << QString::fromStdString(name) + ": " + numbers.join(' ');
        }
        return all.join(" | ");
    }

    ProgramSources sources{};
    Curves curves{};
    std::map<SourceKind, Curves> beside{};
    std::optional<SourceKind> feeds{};
    QStringList notices{};
};

QString pointsText(const std::vector<SeriesPoint>& points) {
    QStringList all;
    for (const auto& each : points)
        all << QString("%1@%2=%3").arg(QString::fromStdString(each.series)).arg(each.point.step).arg(each.point.value);
    return all.join(' ');
}

} // namespace

class ProgramSourcesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: a program's metrics from its metrics file, its framework's files or its output, whichever is best.
    void theCurvesAreThoseOfTheBestSource_data() {
        QTest::addColumn<QStringList>("said");
        QTest::addColumn<QString>("curves");
        QTest::addColumn<QString>("notice"); // part of the last one; empty: none
        using Said = QStringList;
        QTest::newRow("one source") << Said{"printed loss@1 loss@2"} << "loss: 1 2" << "";
        QTest::newRow("a better one takes over") << Said{"printed loss@1 loss@2", "file train/loss@2", "printed loss@3"}
                                                 << "train/loss: 2" << "the curves now come from the metrics file";
        QTest::newRow("a lesser one stays beside") << Said{"file loss@1", "table loss@1 acc@1"} << "loss: 1" << "";
        QTest::newRow("a step counts once") << Said{"file loss@1 loss@1 loss@2"} << "loss: 1 2" << "";
        QTest::newRow("going back voids what follows")
            << Said{"file loss@10 acc@10 loss@20 acc@20 loss@30", "file loss@20"} << "acc: 10 | loss: 10 20" << "";
        QTest::newRow("in the same breath") << Said{"file loss@10 loss@20 loss@30 loss@20 loss@30"} << "loss: 10 20 30"
                                            << "";
        QTest::newRow("a late validation does not")
            << Said{"file loss@10 loss@20 val@10 loss@30 val@5"} << "loss: 10 20 30 | val: 10" << "";
        QTest::newRow("epochs beside steps do not")
            << Said{"file loss@100 val@1 loss@200 val@2"} << "loss: 100 200 | val: 1 2" << "";
        QTest::newRow("a restart voids") << Said{"file loss@10 loss@20 loss@30", "restart 20", "file loss@30"}
                                         << "loss: 10 20 30" << "";
        QTest::newRow("a restart without a checkpoint")
            << Said{"file loss@10 loss@20", "restart 0", "file loss@10"} << "loss: 10" << "";
        QTest::newRow("a step of the checkpoint again")
            << Said{"file loss@10 loss@20 loss@30", "restart 20", "file loss@20 loss@30"} << "loss: 10 20 30" << "";
        QTest::newRow("one that no point had")
            << Said{"file loss@10 loss@30", "restart 20", "file loss@20 loss@30"} << "loss: 10 20 30" << "";
        QTest::newRow("counting from zero is shifted")
            << Said{"file loss@0 loss@10 loss@20 loss@30", "restart 20", "file loss@0 loss@10 acc@10"}
            << "acc: 30 | loss: 0 10 20 30" << "the metrics file count from 0 although the run was resumed at step 20";
        QTest::newRow("an earlier checkpoint is taken as it is")
            << Said{"file loss@10 loss@20 loss@30 loss@40", "restart 30", "file loss@20 loss@30"} << "loss: 10 20 30"
            << "";
        QTest::newRow("shifted twice") << Said{"file loss@0 loss@10 loss@20", "restart 10", "file loss@0 loss@10",
                                               "restart 20", "file loss@0 loss@10"}
                                       << "loss: 0 10 20 30" << "resumed at step 20";
        QTest::newRow("not shifted after the next restart")
            << Said{"file loss@0 loss@10 loss@20", "restart 10", "file loss@0", "restart 0", "file loss@0 loss@10"}
            << "loss: 0 10" << "resumed at step 10";
        QTest::newRow("in another process")
            << Said{"file loss@0 loss@10 loss@20 loss@30", "another 20", "file loss@0 loss@10"} << "loss: 0 10 20 30"
            << "the metrics file count from 0 although the run was resumed at step 20";
        QTest::newRow("in another process, and resumed")
            << Said{"file loss@10 loss@20", "another 20", "file loss@30 loss@40"} << "loss: 10 20 30 40" << "";
        QTest::newRow("in another process, by epochs")
            << Said{"table loss@0 loss@1", "another 1000", "table loss@0 loss@1 loss@2"} << "loss: 0 1 2" << "";
        QTest::newRow("a lesser one first in another process")
            << Said{"file loss@10 loss@20", "another 20", "printed l@1 l@2", "file loss@30"} << "loss: 10 20 30" << "";
        QTest::newRow("a better one in another process")
            << Said{"printed l@10 l@20", "another 20", "printed l@30", "file loss@30"} << "loss: 30"
            << "the curves now come from the metrics file, no longer from the printed lines";
        QTest::newRow("one that counts epochs is not shifted")
            << Said{"table loss@0 loss@1", "restart 1000", "table loss@2"} << "loss: 0 1 2" << "";
        QTest::newRow("a session that starts again")
            << Said{"events loss@1 loss@2 loss@3 acc@3", "again events 2"} << "loss: 1" << "";
    }
    void theCurvesAreThoseOfTheBestSource() {
        QFETCH(QStringList, said);
        QFETCH(QString, curves);
        QFETCH(QString, notice);
        Run run;
        for (const QString& each : said) run.say(each);
        QCOMPARE(Run::text(run.curves), curves);
        if (notice.isEmpty()) QCOMPARE(run.notices, QStringList());
        else
            QVERIFY2(!run.notices.isEmpty() && run.notices.last().contains(notice), qPrintable(run.notices.join('\n')));
    }

    void nothingIsLost() {
        Run run;
        run.say("printed loss@1 loss@2");
        run.say("table l@1 a@1");
        run.say("printed loss@3");
        run.say("table l@2 l@1");
        run.say("file x@5 x@5");
        run.say("printed loss@4 loss@1");
        QCOMPARE(Run::text(run.curves), QString("x: 5"));
        QCOMPARE(Run::text(run.beside[SourceKind::Printed]), QString("loss: 1"));
        QCOMPARE(Run::text(run.beside[SourceKind::Table]), QString("l: 1"));
        const auto list = run.sources.list();
        QCOMPARE(list.size(), 3u);
        QCOMPARE(list[0].kind, SourceKind::MetricsFile);
        QVERIFY(list[0].feeds && !list[1].feeds && !list[2].feeds);
        QCOMPARE(list[0].points, 1);
        QCOMPARE(list[0].repeated, 1);
        QCOMPARE(list[1].series, (std::vector<std::string>{"a", "l"}));
        QCOMPARE(list[1].lastStep, 1);
        QCOMPARE(list[2].points, 5);
    }

    // Bad inputs: more names than a chart could ever show.
    void namesAreBounded() {
        ProgramSources sources;
        SourceNews news;
        for (int name = 0; name < 100'000; ++name)
            sources.add(SourceKind::MetricsFile, "n" + std::to_string(name), {.step = 1, .value = 1}, news);
        QCOMPARE(news.curves.points.size(), ProgramSources::kMostSeries);
        QCOMPARE(news.notices.size(), 1u);
        QVERIFY2(news.notices[0].find("more than 10000 names") != std::string::npos, news.notices[0].c_str());
        QCOMPARE(sources.of(SourceKind::MetricsFile)->late, 90'000);
    }

    void ranksBecomeOneRun_data() {
        QTest::addColumn<QString>("policy");
        QTest::addColumn<QStringList>("said"); // "rank step value time", or "tick time"
        QTest::addColumn<QString>("points");
        using Said = QStringList;
        QTest::newRow("the first") << "0" << Said{"0 1 4 0", "1 1 8 0"} << "loss@1=4";
        QTest::newRow("each") << "each" << Said{"0 1 4 0", "1 1 8 0"} << "rank0/loss@1=4 rank1/loss@1=8";
        QTest::newRow("the mean") << "mean" << Said{"0 1 4 0", "1 1 8 0", "1 2 2 0"} << "loss@1=6";
        QTest::newRow("the mean of those that came") << "mean" << Said{"1 1 8 0", "tick 4.9", "tick 5"} << "loss@1=8";
        QTest::newRow("too late") << "mean" << Said{"0 1 4 0", "tick 5", "1 1 8 6", "0 2 1 7", "1 2 3 7"}
                                  << "loss@1=4 loss@2=2";
        QTest::newRow("in order") << "mean" << Said{"0 1 4 0", "0 2 4 0", "1 2 8 0"} << "loss@1=4 loss@2=6";
        QTest::newRow("a rank tells a step twice") << "mean" << Said{"0 1 4 0", "0 1 6 0", "1 1 8 0"} << "loss@1=6";
        QTest::newRow("begun again") << "mean" << Said{"0 5 4 0", "1 5 4 0", "0 1 2 1", "1 1 4 1"}
                                     << "loss@5=4 loss@1=3";
        QTest::newRow("not a number") << "mean" << Said{"0 1 nan 0", "1 1 8 0"} << "loss@1=nan";
    }
    void ranksBecomeOneRun() {
        QFETCH(QString, policy);
        QFETCH(QStringList, said);
        QFETCH(QString, points);
        RankPoints ranks(*rankPolicyOf(policy.toStdString()), 2);
        std::vector<SeriesPoint> out;
        for (const QString& each : said) {
            const QStringList words = each.split(' ');
            if (words[0] == "tick") ranks.tick(words[1].toDouble(), out);
            else
                ranks.add(words[0].toInt(), "loss", {.step = words[1].toLongLong(), .value = words[2].toDouble()},
                          words[3].toDouble(), out);
        }
        QCOMPARE(pointsText(out), points);
    }

    void whatWaitsIsBoundedAndToldInTime() {
        RankPoints ranks(RankPolicy::Mean, 2);
        std::vector<SeriesPoint> out;
        QVERIFY(!ranks.nextTick().has_value());
        for (std::int64_t step = 0; step < 150'000; ++step) ranks.add(0, "loss", {.step = step, .value = 1}, 3, out);
        QCOMPARE(out.size(), 150'000 - RankPoints::kMostWaiting);
        QCOMPARE(ranks.nextTick().value_or(0), 8.0);
        ranks.tick(8, out);
        QCOMPARE(out.size(), 150'000u);
        QCOMPARE(out.back().point.step, 149'999);
        QVERIFY(!rankPolicyOf("1").has_value());
    }
};

QTEST_GUILESS_MAIN(ProgramSourcesTest)
#include "program_sources_test.moc"
