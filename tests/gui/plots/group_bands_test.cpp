// SPDX-License-Identifier: GPL-3.0-or-later
// Means and spreads of groups of runs in a card.
#include "tests/gui/plots/colored.h"
#include "ui/plots/canvas/curve_layer.h"
#include "ui/plots/canvas/plot_canvas.h"
#include "ui/plots/canvas/plot_group.h"
#include "ui/plots/card/metric_card.h"
#include "ui/plots/layers/band_layer.h"
#include "ui/series/series_store.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QTest>

using namespace trainyard::ui;
using trainyard::test::colored;

class GroupBandsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: runs of a group are one line, their mean, with one standard deviation to either side, in the group's
    // colour and by its name; a run alone in its group stays a curve.
    void eachGroupIsOneLine() {
        PlotGroup group;
        SeriesStore store;
        MetricCard card(QStringLiteral("val/accuracy"), &group, &store);
        card.resize(600, 400);
        const CurveGroup low{"low", "lr 0.1", {4}, true}, high{"high", "lr 0.2", {5}, true},
            lone{"1", "lr 1", {6}, true};
        card.setCurves({{"a", "a", {0}, low},
                        {"b", "b", {1}, low},
                        {"c", "c", {2}, high},
                        {"d", "d", {3}, high},
                        {"e", "e", {7}, lone}});
        const double values[] = {0.1, 0.3, 0.7, 0.9, 0.5};
        for (int run = 0; run < 5; ++run) {
            std::vector<PlotPoint> points;
            for (int i = 0; i <= 20; ++i) points.push_back({i, i / 10.0, i * 1.0, values[run]});
            store.append(QString(QLatin1Char(static_cast<char>('a' + run))), card.metric(), points);
        }
        card.show();
        card.refreshNow();
        const auto curves = [&card] {
            QStringList ids;
            for (const auto& layer : card.findChild<PlotCanvas*>()->scene().layers)
                if (const auto* lines = dynamic_cast<const CurveLayer*>(layer.get()))
                    for (const CurveView& view : lines->curves()) ids << view.runId;
            return ids;
        };
        QCOMPARE(curves(), (QStringList{"a", "b", "c", "d", "e"}));
        group.setShowBand(true);
        card.refreshNow();
        QCOMPARE(curves(), QStringList{"e"});
        const PlotScene& scene = card.findChild<PlotCanvas*>()->scene();
        const auto* layer = dynamic_cast<const BandLayer*>(scene.layers.front().get());
        QVERIFY(layer != nullptr);
        QCOMPARE(layer->bands().size(), std::size_t(2));
        const Theme& theme = Theme::current();
        for (const auto& [band, mean] : {std::pair{0U, 0.2}, std::pair{1U, 0.8}}) {
            const BandPoint& point = layer->bands()[band].points[20];
            QVERIFY(std::abs(point.mean - mean) < 1e-12 && std::abs(point.deviation - std::sqrt(0.02)) < 1e-12);
            QCOMPARE(layer->bands()[band].color, theme.curve(band == 0 ? 4 : 5));
            QVERIFY2(colored(card.grab().toImage(), layer->bands()[band].color) > 300,
                     qPrintable(QString::number(band)));
        }
        QVERIFY(colored(card.grab().toImage(), theme.curve(6)) > 300); // the lone run, in its group's colour
        QCOMPARE(layer->legend(theme)[0].name, QStringLiteral("lr 0.1: mean ± std of 2 runs"));
        QVERIFY(scene.y.range.low <= 0.1 && scene.y.range.high >= 0.9);
        QVERIFY2(card.spokenValue().contains("lr 0.2: 0.8"), qPrintable(card.spokenValue()));
        QVERIFY2(!card.spokenValue().contains("c: "), qPrintable(card.spokenValue()));
    }

    // Where runs keep their lines, those of one configuration have a mean; only without any such, all have one.
    void groupsThatAreNoLineKeepTheirRuns() {
        PlotGroup group;
        SeriesStore store;
        MetricCard card(QStringLiteral("val/accuracy"), &group, &store);
        card.resize(600, 400);
        const std::vector<PlotPoint> points{{0, 0, 0, 0.1}, {1, 0.1, 1, 0.2}, {2, 0.2, 2, 0.3}};
        for (const char* run : {"a", "b", "c"}) store.append(run, card.metric(), points);
        card.show();
        group.setShowBand(true);
        const auto bands = [&card] {
            card.refreshNow();
            const auto* layer =
                dynamic_cast<const BandLayer*>(card.findChild<PlotCanvas*>()->scene().layers.front().get());
            return layer != nullptr ? layer->bands() : std::vector<Band>{};
        };
        const CurveGroup seeds{"s", "lr 0.1", {0}}, other{"o", "lr 0.2", {2}}, third{"t", "lr 0.3", {1}};
        card.setCurves({{"a", "a", {0}, seeds}, {"b", "b", {1}, seeds}, {"c", "c", {2}, other}});
        QCOMPARE(bands().size(), std::size_t(1));
        QCOMPARE(bands().front().runs, (QStringList{"a", "b"}));
        card.setCurves({{"a", "a", {0}, seeds}, {"b", "b", {1}, third}, {"c", "c", {2}, other}});
        QCOMPARE(bands().front().runs.size(), 3);
        QVERIFY(!bands().front().color.isValid()); // grey
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QLocale::setDefault(QLocale::c());
    QApplication app(argc, argv);
    ThemeController::instance().install(app);
    GroupBandsTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "group_bands_test.moc"
