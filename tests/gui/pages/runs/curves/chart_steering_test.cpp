// SPDX-License-Identifier: GPL-3.0-or-later
// A run that trains is steered on its chart: the end of the learning rate is dragged, or moved by keys.
#include "engine/run/attach/run_control.h"
#include "tests/multiproc/lab/run_lab.h"
#include "ui/pages/runs/curves/chart_board.h"
#include "ui/plots/canvas/plot_canvas.h"
#include "ui/plots/card/metric_card.h"
#include "ui/plots/layers/event_layer.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace trainyard::ui;
using test::RunLab;

class ChartSteeringTest : public QObject {
    Q_OBJECT

    std::unique_ptr<RunLab> m_lab;
    std::unique_ptr<MainWindow> m_window;
    std::string m_run;

    // Without the points of the last moment: what a worker has said of its rate.
    double rate() {
        const auto points = m_lab->points(m_run, "lr");
        return points.empty() ? 0 : points.back().value;
    }
    MetricCard& chart() { return *m_window->findChild<ChartBoard*>()->card(QStringLiteral("lr")); }
    PlotCanvas& canvas() { return *chart().findChild<PlotCanvas*>(); }
    QPoint handleAt() {
        const auto* series = m_window->bench().feed.series().find(QString::fromStdString(m_run), "lr");
        const std::size_t last = series->size() - 1;
        return canvas().frame().toPixel(series->x(XMode::Step, last), series->value(last)).toPoint();
    }
    // Pauses the run, so that its last point stands still.
    void hold() {
        QVERIFY(run::commandRun(m_lab->workspace(), m_run, wire::CommandKind::Pause, 0, 20).ok());
        const auto status = [this] {
            const auto* state = m_window->bench().feed.state(QString::fromStdString(m_run));
            return state ? state->status : wire::RunStatus::Queued;
        };
        QTRY_COMPARE_WITH_TIMEOUT(status(), wire::RunStatus::Paused, 20000);
        const auto points = [this] {
            return m_window->bench().feed.series().find(QString::fromStdString(m_run), "lr")->size();
        };
        QTRY_COMPARE_WITH_TIMEOUT(points(), m_lab->points(m_run, "lr").size(), 20000);
        chart().refreshNow();
        QVERIFY(canvas().handle().isShown());
    }
    void goOn() { QVERIFY(run::commandRun(m_lab->workspace(), m_run, wire::CommandKind::Unpause, 0, 20).ok()); }

private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_lab = std::make_unique<RunLab>();
        m_run = m_lab->start({.plan = "perEpoch=10 ms=10", .epochs = 1000});
        QVERIFY(m_lab->waitForStep(m_run, 5));
        QVERIFY(run::commandRun(m_lab->workspace(), m_run, wire::CommandKind::SetLearningRate, 0.05, 20).ok());
        QVERIFY(m_lab->waitUntil([&] { return m_lab->points(m_run, "lr").size() > 3; }));
        m_window = std::make_unique<MainWindow>(m_lab->workspace());
        m_window->resize(1600, 1000); // the chart is in sight
        m_window->setPage(PageId::runs);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->bench().feed.run(QString::fromStdString(m_run)), 20000);
        m_window->bench().selection.show(QString::fromStdString(m_run));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->findChild<ChartBoard*>()->card("lr") && canvas().handle().isShown(), 20000);
        hold();
    }
    void cleanup() {
        m_window.reset();
        (void)run::stopRun(m_lab->workspace(), m_run, wire::StopMode::Kill);
        m_lab.reset();
    }

    // Feature: a training run steered on its chart: the learning rate dragged or moved by keys, a branch from the
    // checkpoint nearest to the pointer. Also in chart_marks_test, curves_view_test.
    void theRateIsDragged() {
        const QPoint from = handleAt(), to(from.x() - 3, from.y() - 40);
        const double wanted = steeredValue(canvas().frame().y.toValue(to.y()), 0.05);
        QVERIFY(wanted > 0.05);
        QTest::mousePress(&canvas(), Qt::LeftButton, {}, from);
        QVERIFY(canvas().handle().isHeld());
        QTest::mouseMove(&canvas(), to);
        QCOMPARE(canvas().handle().value(), wanted);
        QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, to);
        goOn();
        QTRY_COMPARE_WITH_TIMEOUT(rate(), wanted, 20000);
        const auto events = [&] { return m_window->bench().feed.events(QString::fromStdString(m_run)).size(); };
        QTRY_VERIFY_WITH_TIMEOUT(events() >= 2, 20000); // 0.05, and this one
    }

    void escapeKeepsTheRate() {
        const QPoint from = handleAt();
        QTest::mousePress(&canvas(), Qt::LeftButton, {}, from);
        QTest::mouseMove(&canvas(), from - QPoint(0, 40));
        QVERIFY(chart().hasFocus());
        QTest::keyClick(&chart(), Qt::Key_Escape);
        QVERIFY(!canvas().handle().isHeld());
        QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, from - QPoint(0, 40));
        goOn();
        const auto points = m_lab->points(m_run, "lr").size();
        QVERIFY(m_lab->waitUntil([&] { return m_lab->points(m_run, "lr").size() > points + 5; }));
        QCOMPARE(rate(), 0.05);
    }

    void keysDoTheSame() {
        chart().setFocus(Qt::TabFocusReason);
        QTest::keyClick(&chart(), Qt::Key_Down, Qt::ControlModifier);
        QTest::keyClick(&chart(), Qt::Key_Down, Qt::ControlModifier);
        QTest::keyClick(&chart(), Qt::Key_Escape);
        QVERIFY(!canvas().handle().isHeld());
        for (int i = 0; i < 3; ++i) QTest::keyClick(&chart(), Qt::Key_Down, Qt::ControlModifier);
        const double wanted = canvas().handle().value();
        QVERIFY(wanted < 0.03 && wanted > 0.02); // three tenths of a decade
        QTest::keyClick(&chart(), Qt::Key_Return);
        goOn();
        QTRY_COMPARE_WITH_TIMEOUT(rate(), wanted, 20000);
    }

    void anEndedRunHasNoHandle() {
        goOn();
        QVERIFY(run::stopRun(m_lab->workspace(), m_run, wire::StopMode::Kill).ok());
        QTRY_VERIFY_WITH_TIMEOUT(!canvas().handle().isShown(), 20000);
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-chart-steering-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-chart-steering-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    ChartSteeringTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "chart_steering_test.moc"
