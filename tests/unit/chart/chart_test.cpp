// SPDX-License-Identifier: GPL-3.0-or-later
// Charts as values: long series as few points, the mean of several runs, what is drawn and how it is written.
#include "engine/chart/reduce.h"
#include "engine/chart/svg.h"

#include <QSet>
#include <QTest>
#include <QXmlStreamReader>

#include <cmath>

using namespace trainyard::chart;

namespace {

Chart chartOf(std::vector<XY> points) {
    Chart chart{.title = "loss", .x = {"epoch"}};
    chart.lines.push_back({.label = "run", .points = std::move(points)});
    return chart;
}

// The shapes of the curves, not those of the legend, the axes and the grid.
std::vector<Shape> curvesOf(const Drawing& drawing) {
    std::vector<Shape> curves;
    for (const Shape& shape : drawing.shapes)
        if (shape.ink == Ink::Curve && shape.width < 2) curves.push_back(shape);
    return curves;
}

QStringList textsOf(const Drawing& drawing) {
    QStringList texts;
    for (const Words& words : drawing.words) texts << QString::fromStdString(words.text);
    return texts;
}

} // namespace

class ChartTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: charts in files: long series hide no spike, interrupted lines, log axes, long legends.
    void longSeriesBecomeFewPointsThatHideNoSpike() {
        std::vector<XY> points;
        for (int i = 0; i < 1000; ++i) points.push_back({double(i), i == 500 ? 9.0 : 1.0});
        points[3].y = std::nan("");
        const auto groups = reduce(points, 100);
        QCOMPARE(groups.size(), std::size_t{100});
        QCOMPARE(groups[0].x, 9.0);
        QCOMPARE(groups[0].mean, 1.0); // without the value that is no number
        QCOMPARE(groups[50].high, 9.0);
        QCOMPARE(groups[50].mean, 1.8);
        QCOMPARE(lineOf(groups, true).band[50].high, 9.0);
        QVERIFY(lineOf(groups, false).band.empty());
        QVERIFY(lineOf(reduce(points, 1000), true).band.empty()); // nothing was put together
        QVERIFY(reduce({}, 100).empty());
    }

    void theMeanHasOneStandardDeviationToEitherSide() {
        const std::vector<Line> lines{{.points = {{1, 1}, {2, 4}}}, {.points = {{1, 3}, {2, 8}}}};
        const Line mean = meanOf(lines, 200);
        QVERIFY(mean.points == (std::vector<XY>{{1, 2}, {2, 6}})); // at their own points
        QCOMPARE(mean.band[0].low, 2 - std::sqrt(2.0));
        QCOMPARE(mean.band[1].high, 6 + std::sqrt(8.0));
    }

    void runsOfOtherPointsAreMetBetweenTheirs() {
        const std::vector<Line> lines{{.points = {{0, 0}, {4, 4}}}, {.points = {{2, 0}, {6, 8}}}};
        const Line mean = meanOf(lines, 6);
        QVERIFY(mean.points == (std::vector<XY>{{2, 1}, {3, 2.5}, {4, 4}})); // where both have a value
        QVERIFY(meanOf({}, 6).points.empty());
    }

    void aValueThatIsNoNumberInterruptsALine() {
        const auto curves = curvesOf(draw(chartOf({{0, 1}, {1, 2}, {2, std::nan("")}, {3, 2}, {4, 1}}), 400, 260));
        QCOMPARE(curves.size(), std::size_t{2});
        QCOMPARE(curves[0].points.size(), std::size_t{2});
        QVERIFY(curves[0].points[1].y < curves[0].points[0].y); // larger is higher
        QVERIFY(curves[1].points[0].x > curves[0].points[1].x);
    }

    void everythingLiesInsideThePicture_data() {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::newRow("ordinary") << 0.1 << 0.9;
        QTest::newRow("constant") << 0.5 << 0.5;
        QTest::newRow("zero") << 0.0 << 0.0;
        QTest::newRow("negative") << -3.0 << -1.0;
        QTest::newRow("large") << 1e12 << 3e12;
        QTest::newRow("tiny") << 1e-12 << 3e-12;
    }
    void everythingLiesInsideThePicture() {
        QFETCH(double, low);
        QFETCH(double, high);
        const Drawing drawing = draw(chartOf({{0, low}, {1, high}}), 400, 260);
        for (const Shape& shape : drawing.shapes)
            for (const XY& point : shape.points)
                QVERIFY(point.x >= 0 && point.x <= 400 && point.y >= 0 && point.y <= 260);
        QVERIFY(!curvesOf(drawing).empty());
        QVERIFY(textsOf(drawing).size() >= 6); // title, legend, title of x, ticks
    }

    void neighbouringTicksHaveTextsOfTheirOwn() {
        const auto texts = textsOf(draw(chartOf({{0, 0.99580}, {1, 0.99591}}), 400, 260)).filter("0.99");
        QVERIFY(texts.size() >= 3);
        QCOMPARE(QSet<QString>(texts.begin(), texts.end()).size(), texts.size());
    }

    void nothingFiniteIsSaid() {
        QVERIFY(textsOf(draw(chartOf({{0, std::nan("")}, {1, HUGE_VAL}}), 400, 260)).contains("no finite value"));
        QVERIFY(textsOf(draw({.title = "empty"}, 400, 260)).contains("no finite value"));
    }

    void aLogAxisLeavesOutWhatHasNoPlace() {
        Chart chart = chartOf({{0, 0}, {1, 0.001}, {2, 0.1}, {3, 10}});
        chart.y.log = true;
        const Drawing drawing = draw(chart, 400, 260);
        const auto curves = curvesOf(drawing);
        QCOMPARE(curves.size(), std::size_t{1});
        const auto& points = curves[0].points;
        QCOMPARE(points.size(), std::size_t{3});
        QVERIFY(std::abs((points[0].y - points[1].y) - (points[1].y - points[2].y)) < 1e-9); // equal factors
    }

    void aLongLegendIsCut() {
        Chart chart = chartOf({{0, 1}, {1, 2}});
        chart.lines.resize(40, {.label = "a run with a rather long name", .points = {{0, 1}, {1, 2}}});
        QVERIFY(!textsOf(draw(chart, 400, 260)).filter(QRegularExpression("^and \\d+ more$")).isEmpty());
        QCOMPARE(elided("añbcd", 3), std::string("añ…"));
        QCOMPARE(elided("añb", 3), std::string("añb"));
    }

    void svgIsWellFormedWhateverTheNames() {
        Chart chart = chartOf({{0, 1}, {1, 2}});
        chart.title = chart.lines[0].label = "</text><script>alert('1')</script>&\"\x1b\xff";
        chart.lines[0].band = {{0, 0.5, 1.5}, {1, 1.5, 2.5}};
        const std::string svg = toSvg(draw(chart, 400, 260), chart.title);
        QXmlStreamReader reader(QByteArray::fromStdString(svg));
        int paths = 0;
        while (!reader.atEnd())
            if (reader.readNext() == QXmlStreamReader::StartElement) {
                QVERIFY(reader.name() != QLatin1String("script"));
                paths += reader.name() == QLatin1String("path");
            }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QVERIFY(paths > 3);
        QCOMPARE(toSvg(draw(chart, 400, 260), chart.title), svg);
    }
};

QTEST_GUILESS_MAIN(ChartTest)
#include "chart_test.moc"
