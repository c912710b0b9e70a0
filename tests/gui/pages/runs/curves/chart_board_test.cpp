// SPDX-License-Identifier: GPL-3.0-or-later
// How charts fill the board: rows that fit the room, and the charts of system metrics under a heading.
#include "ui/pages/runs/curves/chart_board.h"
#include "ui/pages/shared/run_legend.h"
#include "ui/plots/canvas/plot_canvas.h"
#include "ui/plots/card/chart_header.h"
#include "ui/plots/card/metric_card.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/layout.h"

#include <QApplication>
#include <QTest>

using namespace trainyard::ui;

class ChartBoardTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aWarmUpIsNoOutlier() {
        PlotGroup group;
        SeriesStore store;
        std::vector<PlotPoint> points;
        for (int i = 0; i < 1000; ++i) points.push_back({i, 0, 0, i < 10 ? 0.002 * i : 0.02 - i * 4e-6});
        for (const char* name : {"lr", "grad_norm"}) {
            MetricCard card(QLatin1String(name), &group, &store);
            store.append(QStringLiteral("run"), card.metric(), points);
            card.setCurves({{QStringLiteral("run"), QStringLiteral("otter"), 0}});
            card.resize(640, 400);
            card.show();
            card.refreshNow();
            QCOMPARE(card.yRange().low <= 0, card.metric() == QLatin1String("lr"));
        }
    }

    // One column that spans a jump does not make bars of 1 px of the whole line.
    void aJumpIsPartOfALine() {
        PlotGroup group;
        SeriesStore store;
        MetricCard card(QStringLiteral("lr"), &group, &store);
        std::vector<PlotPoint> points;
        for (int i = 0; i < 3000; ++i) points.push_back({i, 0, 0, i < 1500 ? 0.1 : 0.02});
        store.append(QStringLiteral("run"), card.metric(), points);
        card.setCurves({{QStringLiteral("run"), QStringLiteral("otter"), 0}});
        card.resize(400, 300);
        card.show();
        card.refreshNow();
        auto& canvas = *card.findChild<PlotCanvas*>();
        const QImage image = canvas.grab().toImage();
        const QPoint line = canvas.frame().toPixel(700, 0.1).toPoint();
        int coloured = 0;
        for (int y = line.y() - 4; y <= line.y() + 4; ++y)
            coloured += image.pixelColor(line.x(), y).hsvSaturation() > 60;
        QVERIFY2(coloured >= 2, qPrintable(QString::number(coloured)));
    }

    void aNoteGivesWayToTheValue() {
        ChartHeader header(QStringLiteral("samples_per_s"));
        header.resize(300, 36);
        const auto value = [&] { return header.grab({200, 0, 100, 36}).toImage(); };
        header.setTag(QStringLiteral("smoothed"));
        header.setValues({{Qt::red, QStringLiteral("12.3k")}});
        const QImage without = value();
        header.setNote(QStringLiteral("all workers"));
        QCOMPARE(value(), without);
        header.setValues({{Qt::blue, QStringLiteral("45.6k")}, {Qt::red, QStringLiteral("12.3k")}});
        header.resize(330, 36); // for the tag and both values, not for the note, too
        const QImage noted = header.grab().toImage();
        header.setNote({});
        QCOMPARE(noted, header.grab().toImage());
        header.setNote(QStringLiteral("all workers"));
        header.resize(600, 36); // there is room for all
        const QImage wide = header.grab().toImage();
        header.setNote({});
        QVERIFY(header.grab().toImage() != wide);
    }

    // Feature: charts that are read at a glance: two rows fill the room, system metrics under a heading, notes of
    // outliers where they hide least, the value before the notes, a learning rate's warm-up in range. Also in
    // chart_marks_test.
    void chartsOfTheSystemStandUnderAHeading() {
        PlotGroup group;
        SeriesStore store;
        auto* board = new ChartBoard(group, store);
        const std::unique_ptr<QScrollArea> area(scrolled(board));
        area->resize(700, 520); // two columns
        board->setRoom({700, 520});
        QList<ChartCard> charts;
        for (const char* id : {"system/rank0/gpu_percent", "train/loss", "lr", "system/rank0/cpu_percent",
                               "system/host/localhost/memory_mb"})
            charts << ChartCard{id, {id}};
        charts[0].pinned = true;
        board->setCharts(charts);
        area->show();
        QVERIFY(QTest::qWaitForWindowExposed(area.get()));
        const auto* heading = board->findChild<QWidget*>(QStringLiteral("systemHeading"));
        const auto at = [&](int chart) { return board->card(charts[chart].id)->geometry(); };
        QTRY_VERIFY(heading->isVisible() && at(4).left() > at(3).right());
        QVERIFY(at(2).bottom() < heading->y() && heading->geometry().bottom() < at(3).top());
        QCOMPARE(at(3).left(), at(0).left());          // it begins a row
        QCOMPARE(at(0).height(), (520 - 12 - 12) / 2); // two rows fill the room, whatever an empty chart says
        board->toggleExpanded(charts[3].id);
        QVERIFY(!heading->isVisible());
        board->toggleExpanded(charts[3].id);
        QVERIFY(heading->isVisible());
        board->setCharts(charts.mid(3)); // there is nothing else to tell them from
        QVERIFY(!heading->isVisible());
    }

    void theSizeOfChartsIsChosen() {
        PlotGroup group;
        SeriesStore store;
        auto* board = new ChartBoard(group, store);
        const std::unique_ptr<QScrollArea> area(scrolled(board));
        area->resize(1400, 900);
        board->setRoom({1400, 900});
        QList<ChartCard> charts;
        for (const char* id : {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"})
            charts << ChartCard{id, {id}};
        board->setCharts(charts);
        area->show();
        QVERIFY(QTest::qWaitForWindowExposed(area.get()));
        const auto inFirstRow = [&] {
            board->layout()->activate();
            const QList<MetricCard*> cards = board->cards();
            return std::count_if(cards.begin(), cards.end(), [&](const MetricCard* card) {
                return card->geometry().top() == cards.first()->geometry().top();
            });
        };
        QTRY_COMPARE(inFirstRow(), 4); // as many as fit
        const int height = board->cards().first()->height();
        board->setColumns(2);
        QTRY_COMPARE(inFirstRow(), 2);
        board->setColumns(3);
        QTRY_COMPARE(inFirstRow(), 3);
        QTRY_VERIFY(board->cards().first()->height() < height * 3 / 4); // and three rows in the room
        board->setRoom({700, 900});
        area->resize(700, 900);
        QTRY_COMPARE(inFirstRow(), 2); // no more than fit
        board->setRoom({640, 900});    // what a laptop's window of 1366 leaves
        area->resize(640, 900);
        QTRY_COMPARE(inFirstRow(), 2);
    }

    void aLegendNamesRunsOrTheirValues_data() {
        QTest::addColumn<QStringList>("runs"); // value of lr and colour of each
        QTest::addColumn<QString>("legend");
        QTest::newRow("each run by its name") << QStringList{"0.1 1", "0.1 2"} << "run0 run1";
        QTest::newRow("coloured by value") << QStringList{"0.3 2", "0.1 1", "0.1 1"} << "lr: 0.1+0.1 0.3";
        QTest::newRow("one value of two colours") << QStringList{"0.1 1", "0.1 2", "0.3 3"} << "run0 run1 run2";
        QTest::newRow("one colour of two values") << QStringList{"0.1 1", "0.3 1", "0.3 1"} << "run0 run1 run2";
        QTest::newRow("a run without the setting") << QStringList{"- 1", "0.1 2", "0.1 2"} << "run0 run1 run2";
    }
    void aLegendNamesRunsOrTheirValues() {
        QFETCH(QStringList, runs);
        QFETCH(QString, legend);
        std::vector<RunItemPtr> items;
        for (const QString& each : runs) {
            auto run = std::make_shared<RunItem>();
            run->id = run->name = QStringLiteral("run%1").arg(items.size());
            const QString value = each.section(' ', 0, 0);
            if (value != "-") run->settings = RunSettings({{"optimizer.lr", value}});
            run->color.index = each.section(' ', 1).toInt();
            items.push_back(run);
        }
        const LegendOfRuns found = legendOf(items, QStringLiteral("optimizer.lr"));
        QStringList words;
        for (const LegendItem& item : found.items)
            words << QStringList(item.runs.size(), item.name).join(QLatin1Char('+'));
        QCOMPARE((found.setting.isEmpty() ? QString() : QStringLiteral("lr: ")) + words.join(' '), legend);
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    ThemeController::instance().install(app);
    ChartBoardTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "chart_board_test.moc"
