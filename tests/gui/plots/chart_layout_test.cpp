// SPDX-License-Identifier: GPL-3.0-or-later
// Which charts are shown, in which order and how: the layout as a value, its text, and typed y ranges.
#include "ui/pages/runs/curves/chart_desk.h"
#include "ui/pages/runs/curves/y_range_sheet.h"
#include "ui/plots/chart/chart_layout.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace trainyard::ui;

namespace {

const QStringList kAllSeries{"grad_norm", "lr", "samples_per_s", "train/loss", "val/accuracy", "val/loss"};

ChartLayout standard() {
    ChartLayout layout;
    layout.offer(kAllSeries, seriesRank);
    return layout;
}

QString idsOf(const QList<ChartCard>& charts) {
    QStringList ids;
    for (const ChartCard& chart : charts) ids << chart.id;
    return ids.join(QLatin1Char(' '));
}

constexpr auto kStandard = "train/loss val/accuracy lr samples_per_s val/loss grad_norm";

} // namespace

class ChartLayoutTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: charts by choice: pinned, hidden, in any order by mouse and keys, several series in one, a typed y
    // range, a search; kept per workspace, undone with Ctrl+Z; no empty charts. Also in chart_marks_test,
    // curves_view_test.
    void everySeriesHasAChartWhereItsKindBelongs() {
        ChartLayout layout = standard();
        QCOMPARE(idsOf(layout.charts()), QString(kStandard));
        QVERIFY(layout.isStandard());
        QVERIFY(!layout.offer(kAllSeries, seriesRank)); // they have theirs
        QVERIFY(layout.offer({"train/accuracy", "zeta"}, seriesRank));
        QCOMPARE(idsOf(layout.charts()),
                 QString("train/loss val/accuracy lr samples_per_s val/loss train/accuracy grad_norm zeta"));
    }

    void changes_data() {
        QTest::addColumn<std::function<bool(ChartLayout&)>>("edit");
        QTest::addColumn<bool>("changes");
        QTest::addColumn<QString>("order");
        using Edit = std::function<bool(ChartLayout&)>;
        const QString same = kStandard;
        QTest::newRow("pin") << Edit([](auto& l) { return l.pin("lr", true); }) << true
                             << "lr train/loss val/accuracy samples_per_s val/loss grad_norm";
        QTest::newRow("pin twice") << Edit([](auto& l) { return l.pin("lr", true) && l.pin("val/loss", true); }) << true
                                   << "lr val/loss train/loss val/accuracy samples_per_s grad_norm";
        QTest::newRow("unpin what is not pinned") << Edit([](auto& l) { return l.pin("lr", false); }) << false << same;
        QTest::newRow("pin an unknown one") << Edit([](auto& l) { return l.pin("x", true); }) << false << same;
        QTest::newRow("hide") << Edit([](auto& l) { return l.hide("lr", true); }) << true
                              << "train/loss val/accuracy samples_per_s val/loss grad_norm";
        QTest::newRow("hide and show") << Edit([](auto& l) { return l.hide("lr", true) && l.showAll(); }) << true
                                       << same;
        QTest::newRow("show all of all") << Edit([](auto& l) { return l.showAll(); }) << false << same;
        QTest::newRow("move to the front") << Edit([](auto& l) { return l.move("lr", "train/loss"); }) << true
                                           << "lr train/loss val/accuracy samples_per_s val/loss grad_norm";
        QTest::newRow("move to the end") << Edit([](auto& l) { return l.move("lr", {}); }) << true
                                         << "train/loss val/accuracy samples_per_s val/loss grad_norm lr";
        QTest::newRow("move where it is")
            << Edit([](auto& l) { return l.move("lr", "samples_per_s"); }) << false << same;
        QTest::newRow("move before itself") << Edit([](auto& l) { return l.move("lr", "lr"); }) << false << same;
        QTest::newRow("not in front of a pinned one")
            << Edit([](auto& l) { return l.pin("lr", true) && l.move("val/loss", "lr"); }) << true
            << "lr val/loss train/loss val/accuracy samples_per_s grad_norm";
        QTest::newRow("a pinned one not behind the others")
            << Edit([](auto& l) { return l.pin("lr", true) && l.pin("val/loss", true) && l.move("lr", {}); }) << true
            << "val/loss lr train/loss val/accuracy samples_per_s grad_norm";
        const QStringList seen{"train/loss", "lr", "samples_per_s"}; // the others have no points
        QTest::newRow("back by one that is seen")
            << Edit([=](auto& l) { return l.moveBy("train/loss", 1, seen); }) << true
            << "val/accuracy lr train/loss samples_per_s val/loss grad_norm";
        QTest::newRow("forward by a row") << Edit([=](auto& l) { return l.moveBy("samples_per_s", -2, seen); }) << true
                                          << "samples_per_s train/loss val/accuracy lr val/loss grad_norm";
        QTest::newRow("beyond the front")
            << Edit([=](auto& l) { return l.moveBy("train/loss", -2, seen); }) << false << same;
        QTest::newRow("combine") << Edit([](auto& l) { return l.combine("train/loss", "val/loss"); }) << true
                                 << "train/loss val/accuracy lr samples_per_s grad_norm";
        QTest::newRow("combine twice") << Edit([](auto& l) {
            return l.combine("train/loss", "val/loss") && l.combine("lr", "val/loss");
        }) << true << "train/loss val/accuracy lr samples_per_s grad_norm";
        QTest::newRow("combine with itself") << Edit([](auto& l) { return l.combine("lr", "lr"); }) << false << same;
        QTest::newRow("take out") << Edit([](auto& l) {
            return l.combine("train/loss", "lr") && l.separate("train/loss", "lr");
        }) << true << "train/loss lr val/accuracy samples_per_s val/loss grad_norm";
        QTest::newRow("take out the first") << Edit([](auto& l) { return l.separate("lr", "lr"); }) << false << same;
        QTest::newRow("a y range") << Edit([](auto& l) { return l.setAxes("lr", {{}, {{0.0, 1.0}}}); }) << true << same;
        QTest::newRow("no y range") << Edit([](auto& l) { return l.setAxes("lr", {}); }) << false << same;
    }
    void changes() {
        QFETCH(std::function<bool(ChartLayout&)>, edit);
        QFETCH(bool, changes);
        QFETCH(QString, order);
        ChartLayout layout = standard();
        QCOMPARE(edit(layout), changes);
        QCOMPARE(idsOf(layout.shown()), order);
        if (!changes) QCOMPARE(layout, standard());
        // Whatever it is, its text brings it back.
        const auto back = chartLayoutFromText(chartLayoutToText(layout));
        QVERIFY2(back.ok(), back ? "" : back.error().text().c_str());
        QCOMPARE(*back, layout);
        QCOMPARE(back->isStandard(), layout.isStandard());
    }

    void aMovedChartStaysWhereItIsWhenOthersCome() {
        ChartLayout layout = standard();
        QVERIFY(layout.move("grad_norm", "train/loss"));
        QVERIFY(layout.offer({"train/accuracy"}, seriesRank));
        QCOMPARE(idsOf(layout.charts()),
                 QString("grad_norm train/loss val/accuracy lr samples_per_s val/loss train/accuracy"));
    }

    void aSearchFindsByTheNamesOfSeries_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("found");
        QTest::newRow("nothing") << "  " << "train/loss val/accuracy samples_per_s grad_norm";
        QTest::newRow("a part") << "LOSS" << "train/loss";
        QTest::newRow("a series of another chart") << "val/loss" << "train/loss";
        QTest::newRow("all words") << "val acc" << "val/accuracy";
        QTest::newRow("a hidden one") << "lr" << "";
        QTest::newRow("none") << "perplexity" << "";
    }
    void aSearchFindsByTheNamesOfSeries() {
        QFETCH(QString, words);
        QFETCH(QString, found);
        ChartLayout layout = standard();
        QVERIFY(layout.combine("train/loss", "val/loss") && layout.hide("lr", true));
        QCOMPARE(idsOf(layout.shown(words)), found);
        QCOMPARE(layout.find("train/loss")->title(), QString("Train loss + Val loss"));
    }

    // Feature: saved views of the charts: saved, chosen, renamed, deleted. Also in curves_view_test.
    void viewsKeepEverything() {
        ChartView view{standard(), XMode::WallTime, YMode::Log, true,
                       true,       false,           0.9,        {{{1.5, 9}}, {{"lr", {0.1, 0.2}}}}};
        QVERIFY(view.layout.pin("lr", true) && view.layout.setAxes("lr", {YMode::Linear, {{-1.5, 2e-7}}}));
        const ChartViews views{{"A & B", view}, {"plain", {}}};
        const auto back = chartViewsFromText(chartViewsToText(views));
        QVERIFY2(!back.error, back.error ? back.error->text().c_str() : "");
        QCOMPARE(back.views, views);
        QVERIFY(chartViewsFromText({}).views.isEmpty());
        ChartView near = view;
        near.smoothing = 0.9003; // a slider's step beside it
        QVERIFY(looksLike(view, near) && !(view == near));
        near.events = true;
        QVERIFY(!looksLike(view, near));
    }

    // Bad inputs: layouts of charts in the settings. The window shows the standard charts.
    void refusesBadLayouts_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("no JSON") << QByteArray("{\"version\":1,") << QByteArray("charts: is not JSON");
        QTest::newRow("no object") << QByteArray("[1]") << QByteArray("charts.version: must be 1, found -1");
        QTest::newRow("version") << QByteArray(R"({"version":2})") << QByteArray("charts.version: must be 1, found 2");
        QTest::newRow("no id") << QByteArray(R"({"version":1,"charts":[{"id":"lr"},{"pinned":true}]})")
                               << QByteArray("charts[1].id: must be the name of a series");
        QTest::newRow("twice") << QByteArray(R"({"version":1,"charts":[{"id":"lr"},{"id":"lr"}]})")
                               << QByteArray("charts[1].id: \"lr\" is there twice");
        QTest::newRow("unknown axis") << QByteArray(R"({"version":1,"charts":[{"id":"lr","y":"cubic"}]})")
                                      << QByteArray("charts[0].y: unknown axis \"cubic\"");
        QTest::newRow("range upside down") << QByteArray(R"({"version":1,"charts":[{"id":"lr","yRange":[2,1]}]})")
                                           << QByteArray("charts[0].yRange: must be two numbers, the smaller first");
        QTest::newRow("range of words") << QByteArray(R"({"version":1,"charts":[{"id":"lr","yRange":["a","b"]}]})")
                                        << QByteArray("charts[0].yRange: must be two numbers, the smaller first");
    }
    void refusesBadLayouts() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, said);
        const auto layout = chartLayoutFromText(text);
        QVERIFY(!layout.ok());
        QVERIFY2(layout.error().text().find(said.toStdString()) != std::string::npos, layout.error().text().c_str());
        QVERIFY(layout.error().text().find("the standard charts are shown; arrange them again") != std::string::npos);
    }

    void aZoomKeepsItsX() {
        const ChartZoom zoom{{{10, 20}}, {{"train/loss", {-1, 2.5}}}};
        const auto back = chartZoomFromText(chartZoomToText(zoom, XMode::Epoch));
        QVERIFY(back);
        QCOMPARE(back->first, zoom);
        QVERIFY(back->second == XMode::Epoch);
        for (const char* text : {"", "{", "[]", "{}", R"({"x":[1,2]})", R"({"of":"sideways","x":[1,2]})"})
            QVERIFY2(!chartZoomFromText(text), text);
        // What is no range is left out.
        for (const char* text : {R"({"of":"step","x":[2,1]})", R"({"of":"step","x":[1]})", R"({"of":"step","x":"all"})",
                                 R"({"of":"step","y":{"lr":[1,1]}})"})
            QCOMPARE(chartZoomFromText(text)->first, ChartZoom{});
        ChartView view, zoomed;
        zoomed.zoom = zoom;
        QVERIFY(looksLike(view, zoomed));
    }

    // Bad inputs: views of charts in the settings. The other views are kept, and the window says why.
    void refusesBadViews_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<QStringList>("kept");
        const QByteArray good = R"("a":{"version":1,"charts":[]},"z":{"version":1,"charts":[],"x":"epoch"})";
        const QStringList both{"a", "z"};
        QTest::newRow("an axis of a view") << "{" + good + R"(,"mine":{"version":1,"charts":[],"x":"sideways"}})"
                                           << QByteArray("view mine.x: unknown axis \"sideways\" (save it again; the "
                                                         "others are kept)")
                                           << both;
        QTest::newRow("a newer view") << "{" + good + R"(,"mine":{"version":2,"charts":[]}})"
                                      << QByteArray("view mine: charts.version: must be 1, found 2 (save it again")
                                      << both;
        QTest::newRow("views that are no JSON")
            << "{" + good << QByteArray("views: charts: is not JSON") << QStringList();
    }
    // One of them costs no other one, also when it is saved again.
    void refusesBadViews() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, said);
        QFETCH(QStringList, kept);
        auto read = chartViewsFromText(text);
        QVERIFY(read.error);
        QVERIFY2(read.error->text().starts_with(said.toStdString()), read.error->text().c_str());
        QStringList names;
        for (const auto& each : read.views) names << each.first;
        QCOMPARE(names, kept);
        read.views.emplaceBack(QStringLiteral("mine"), ChartView{});
        const auto again = chartViewsFromText(chartViewsToText(read.views));
        QVERIFY2(!again.error, again.error ? again.error->text().c_str() : "");
        QCOMPARE(again.views.size(), kept.size() + 1);
    }

    // Bad inputs: y ranges of charts. The error stands at the wrong field.
    void typedRanges_data() {
        QTest::addColumn<QString>("low");
        QTest::addColumn<QString>("high");
        QTest::addColumn<QString>("said"); // empty: it is taken
        QTest::newRow("numbers") << "0.05" << "1e1" << "";
        QTest::newRow("below zero") << " -3 " << "-2.5" << "";
        QTest::newRow("no lowest") << "" << "1" << "lowest: is not a number";
        QTest::newRow("words") << "0" << "much" << "highest: is not a number";
        QTest::newRow("infinite") << "-inf" << "1" << "lowest: is not a number";
        QTest::newRow("equal") << "1" << "1.0" << "highest: is not above the lowest value";
        QTest::newRow("upside down") << "1" << "0" << "highest: is not above the lowest value";
    }
    void typedRanges() {
        QFETCH(QString, low);
        QFETCH(QString, high);
        QFETCH(QString, said);
        const auto range = readYRange(low, high);
        QCOMPARE(range.ok(), said.isEmpty());
        if (range) QVERIFY(range->first < range->second);
        else QVERIFY2(range.error().text().find(said.toStdString()) == 0, range.error().text().c_str());
    }
};

QTEST_GUILESS_MAIN(ChartLayoutTest)
#include "chart_layout_test.moc"
