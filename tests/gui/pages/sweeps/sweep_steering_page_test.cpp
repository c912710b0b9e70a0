// SPDX-License-Identifier: GPL-3.0-or-later
// A real sweep that is steered in the window: header, its menu, the trials' menu, brushes, the list of requests.
#include "engine/sweep/control/sweep_control.h"
#include "engine/sweep/control/sweep_journal.h"
#include "tests/multiproc/lab/run_lab.h"
#include "ui/models/sweeps/trials_model.h"
#include "ui/pages/sweeps/enqueue_sheet.h"
#include "ui/pages/sweeps/sweep_controls.h"
#include "ui/pages/sweeps/sweeps_page.h"
#include "ui/pages/sweeps/trial_table.h"
#include "ui/pages/sweeps/view_panel.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/inputs/unit_field.h"
#include "ui/widgets/sheets/ask_sheet.h"

#include <QApplication>
#include <QMenu>
#include <QSettings>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace trainyard;
using namespace trainyard::ui;
using test::RunLab;

namespace {

constexpr int kSteeringView = 5;

} // namespace

class SweepSteeringPageTest : public QObject {
    Q_OBJECT

    std::unique_ptr<RunLab> m_lab;
    std::unique_ptr<MainWindow> m_window;
    std::string m_sweep;

    void start() {
        spec::SweepSpec sweep;
        sweep.name = "steered";
        sweep.runJson =
            spec::toJson(m_lab->spec({.plan = "perEpoch=10 ms=10", .workers = 1, .epochs = 300, .maxRestarts = 0}));
        sweep.space = {{.path = "optimizer.lr", .from = 0.001, .to = 1, .logScale = true},
                       {.path = "seed", .values = {std::int64_t{1}, std::int64_t{2}}}};
        sweep.searcher = {"random", {}};
        sweep.trials = 4;
        sweep.parallel = 1;
        const auto id = sweep::startSweep(m_lab->workspace(), sweep);
        QVERIFY2(id.ok(), id ? "" : id.error().text().c_str());
        m_sweep = *id;
    }
    void open() {
        m_window = std::make_unique<MainWindow>(m_lab->workspace());
        m_window->resize(1280, 720);
        m_window->setPage(PageId::sweeps);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        QTRY_VERIFY_WITH_TIMEOUT(table().model()->rowCount() == 1 && trial(0).active(), 20000);
        QTRY_VERIFY(controls().isVisible());
    }
    QTableView& table() { return *m_window->findChild<TrialTable*>()->findChild<QTableView*>(); }
    const RunItem& trial(int row) { return *static_cast<TrialsModel*>(table().model())->trialAt(row).run; }
    SweepControls& controls() { return *m_window->findChild<SweepControls*>(); }
    QToolButton& pause() { return *controls().findChild<QToolButton*>(QStringLiteral("pause-sweep")); }
    store::SweepRow row() { return *m_lab->query().sweep(m_sweep); }
    QStringList requests() {
        QStringList list;
        const auto events = *m_lab->query().trialEvents(m_sweep);
        for (const auto& event : events) {
            if (event.kind != "steered") continue;
            auto asked = *sweep::steeringFromBody(event.params);
            asked.trial = event.trial;
            list << QString::fromStdString(sweep::describe(asked).text());
        }
        return list;
    }
    static QAction* entry(const QMenu& menu, const QString& text) {
        for (QAction* each : menu.actions())
            if (each->text() == text) return each;
        return nullptr;
    }
    QAction* fromMenu(const QString& text) {
        auto* menu = controls().findChild<QMenu*>();
        Q_EMIT menu->aboutToShow();
        return entry(*menu, text);
    }
    void choose(const QString& text) {
        QAction* action = fromMenu(text);
        QVERIFY2(action && action->isEnabled(), qPrintable(text));
        action->trigger();
    }

private Q_SLOTS:
    void init() {
        m_lab = std::make_unique<RunLab>();
        QSettings().clear();
        start();
        open();
    }
    void cleanup() {
        m_window.reset();
        (void)sweep::stopSweep(m_lab->workspace(), m_sweep, wire::StopMode::Kill);
        m_lab.reset();
    }

    // Feature: a sweep is steered in the window: slots, pause, a menu, trials by their menu, a sheet for a
    // configuration, brushes that restrict, and who has asked for what.
    void theHeaderSteersASweep() {
        QTest::mouseClick(&pause(), Qt::LeftButton);
        QTRY_COMPARE(row().status, wire::RunStatus::Paused);
        QTRY_VERIFY(pause().toolTip().startsWith("Resume"));
        QTest::mouseClick(&pause(), Qt::LeftButton);
        QTRY_COMPARE(row().status, wire::RunStatus::Running);
        auto* spin = controls().findChild<QSpinBox*>();
        QTRY_COMPARE(spin->value(), 1);
        spin->stepBy(1);
        QTRY_COMPARE(table().model()->rowCount(), 2); // another slot, another trial
        choose("Add trials…");
        auto* sheet = m_window->findChild<AskSheet*>();
        QVERIFY(sheet);
        sheet->number()->setValue(3);
        QTest::keyClick(sheet->number(), Qt::Key_Return, Qt::ControlModifier); // reaches the field and the sheet
        QTRY_COMPARE(row().trials, 7);
        choose("Finish");
        QTRY_COMPARE(requests(), (QStringList{"paused the sweep", "resumed the sweep", "set 2 slots",
                                              "added 3 configurations", "asked the sweep to finish"}));
    }

    void aTrialsMenuAsksItsSweep() {
        const auto menu = [&] {
            const QPoint at = table().visualRect(table().model()->index(0, 0)).center();
            Q_EMIT table().customContextMenuRequested(at);
            return QPointer(qobject_cast<QMenu*>(QApplication::activePopupWidget()));
        };
        const auto pick = [&](const QString& text) {
            auto shown = menu();
            QVERIFY(shown);
            QAction* action = entry(*shown, text);
            QVERIFY2(action, qPrintable(text));
            action->trigger();
            shown->close();
        };
        QTest::mouseClick(&pause(), Qt::LeftButton); // so that the row stays the only one
        QTRY_COMPARE(row().status, wire::RunStatus::Paused);
        pick("Stop and save the trial");
        QTRY_COMPARE(trial(0).status, wire::RunStatus::Stopped);
        auto shown = menu();
        QVERIFY(shown && entry(*shown, "Promote the trial") && !entry(*shown, "Kill the trial"));
        shown->close();
        pick("Promote the trial");
        QTRY_VERIFY(trial(0).active());
        QTRY_COMPARE(trial(0).status, wire::RunStatus::Running);
        pick("Kill the trial");
        QTRY_COMPARE(trial(0).status, wire::RunStatus::Stopped);
        QTRY_VERIFY(table()
                        .model()
                        ->index(0, static_cast<TrialsModel*>(table().model())->statusColumn())
                        .data()
                        .toString()
                        .startsWith("killed by "));
        QCOMPARE(requests(),
                 (QStringList{"paused the sweep", "stopped trial 0", "promoted trial 0", "killed trial 0"}));
    }

    void brushesRestrictTheSpace() {
        auto& filter = m_window->findChild<SweepsPage*>()->filter();
        QVERIFY(!fromMenu("Restrict to brushes")->isEnabled());
        filter.setBrush("optimizer.lr", {{1.0 / 3, 2.0 / 3}});
        filter.setBrush("seed", {{0.6, 1}});
        choose("Restrict to brushes");
        const auto asked = [&] { // both at once, in either order
            QStringList list = requests();
            list.sort();
            return list.join(QLatin1String("; "));
        };
        QTRY_COMPARE(asked(), QString("restricted optimizer.lr=0.01..0.1; restricted seed=[2]"));
    }

    void aConfigurationIsEnqueued() {
        choose("Enqueue a configuration…");
        auto* sheet = m_window->findChild<EnqueueSheet*>();
        QVERIFY(sheet && sheet->isVisible());
        auto* field = sheet->findChild<UnitField*>();
        const double filled = field->text().toDouble(); // with the trial's own value
        QVERIFY(filled >= 0.001 && filled <= 1);
        QPushButton* go = nullptr;
        for (auto* each : sheet->findChildren<QPushButton*>())
            if (each->text() == "Enqueue") go = each;
        QVERIFY(go && go->isEnabled());
        field->edit()->selectAll();
        QTest::keyClicks(field->edit(), "7");
        QVERIFY(!go->isEnabled());
        QCOMPARE(field->error(), QString("is outside of the space, found 7"));
        field->edit()->selectAll();
        QTest::keyClicks(field->edit(), "0.25");
        QVERIFY(go->isEnabled());
        QTest::mouseClick(go, Qt::LeftButton);
        QTRY_COMPARE(requests().size(), 1);
        QVERIFY2(requests()[0].startsWith("enqueued optimizer.lr=0.25, seed="), qPrintable(requests()[0]));
    }

    void requestsAreListedWithTheirAuthors() {
        auto& panel = *m_window->findChildren<ViewPanel*>().at(1);
        panel.setCurrentIndex(kSteeringView);
        QTest::mouseClick(&pause(), Qt::LeftButton);
        QTableView* list = nullptr;
        QTRY_VERIFY((list = panel.current()->findChild<QTableView*>()));
        QTRY_COMPARE(list->model()->rowCount(), 1);
        QCOMPARE(list->model()->index(0, 1).data().toString(), QString::fromStdString(sweep::authorHere()));
        QCOMPARE(list->model()->index(0, 2).data().toString(), QString("Paused the sweep"));
        QVERIFY(list->model()->index(0, 0).data().toString().contains(':'));
        for (const int column : {0, 1}) { // both stand in full
            const QString text = list->model()->index(0, column).data().toString();
            QVERIFY(list->columnWidth(column) > list->fontMetrics().horizontalAdvance(text) + 16);
        }
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-sweep-steering-page-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-sweep-steering-page-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    SweepSteeringPageTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "sweep_steering_page_test.moc"
