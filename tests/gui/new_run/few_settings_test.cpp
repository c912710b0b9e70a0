// SPDX-License-Identifier: GPL-3.0-or-later
// The New run sheet of a first run: few settings, where it runs and what a sweep tries always in sight, nothing that
// moves under the pointer, and an error at its field alone.
#include "tests/gui/forms/form_fields.h"
#include "ui/models/desktop/settings.h"
#include "ui/new_run/change_list.h"
#include "ui/new_run/form_strip.h"
#include "ui/new_run/new_run_footer.h"
#include "ui/new_run/new_run_sheet.h"
#include "ui/pages/page_table.h"
#include "ui/shell/main_window.h"

#include <QComboBox>
#include <QPushButton>
#include <QScrollArea>

using namespace trainyard;
using namespace trainyard::ui;

class FewSettingsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;

    void openWindow(const QSize& size = {1280, 720}) {
        const store::Workspace workspace{(m_folder.path() + QStringLiteral("/ws")).toStdString()};
        std::filesystem::create_directories(workspace.root);
        m_window = std::make_unique<MainWindow>(workspace);
        m_window->resize(size);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    NewRunSheet* openSheet(const QString& json = {}, bool sweep = false) {
        auto* opened = m_window->openNewRun(json, sweep);
        [&] { QTRY_VERIFY_WITH_TIMEOUT(opened->form() && opened->form()->isVisible(), 20000); }();
        return opened;
    }
    static bool shows(NewRunSheet& sheet, const char* title) {
        for (auto* each : sheet.form()->findChildren<QWidget*>())
            if (each->accessibleName() == QLatin1String(title) && each->isVisible()) return true;
        return false;
    }
    static int topOf(NewRunSheet& sheet, const char* title) {
        auto* field = test::named<QWidget>(*sheet.form(), QLatin1String(title));
        return field ? field->mapTo(&sheet, QPoint()).y() : -1;
    }

private Q_SLOTS:
    void initTestCase() {
        if (!std::filesystem::exists(CatalogLoader::workerProgram())) QSKIP("there is no trainyard-worker");
    }
    void init() { QSettings().clear(); }
    void cleanup() { m_window.reset(); }

    // Feature: the New run sheet shows a first run the settings that it needs; the rest is behind "More settings",
    // which is remembered, except what is set, varied or in error.
    void aFirstRunNeedsFewSettings() {
        openWindow();
        auto* sheet = openSheet();
        for (const char* title : {"Dataset", "Batch", "Architecture", "Hidden layers", "Length", "Optimizer",
                                  "Learning rate", "Hosts", "Workers"})
            QVERIFY2(shows(*sheet, title), title);
        const QList<const char*> rest{"Momentum", "Nesterov", "Schedule", "Loss", "Precision", "Seed", "Accumulation"};
        for (const char* title : rest) QVERIFY2(!shows(*sheet, title), title);
        sheet->form()->change(sheet->form()->read().spec); // as a remedy's button does
        for (const char* title : rest) QVERIFY2(!shows(*sheet, title), title);
        sheet->strip()->more()->click();
        for (const char* title : rest) QVERIFY2(shows(*sheet, title), title);
        sheet->close();
        m_window.reset();
        openWindow();
        QVERIFY(shows(*openSheet(), "Momentum"));
    }

    void whatIsSetVariedOrWrongIsShown_data() {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("shown");
        QTest::addColumn<QString>("hidden");
        const auto row = [](const char* name, const char* rest, const char* shown, const char* hidden) {
            QTest::newRow(name)
                << QStringLiteral(R"({"model": "mlp", "dataset": "spirals", "epochs": 2, %1})").arg(QLatin1String(rest))
                << shown << hidden;
        };
        row("a parameter of the optimizer", R"("optimizer": {"name": "sgd", "weightDecay": 0.01})", "Weight decay",
            "Momentum");
        row("a schedule", R"("schedule": "step")", "Schedule", "Loss");
        row("a seed", R"("seed": 77)", "Seed", "Accumulation");
        row("backward passes of a step", R"("batch": {"perRank": 8, "accumulate": 4})", "Accumulation", "Seed");
        row("a wrong value", R"("loss": {"name": "cross-entropy", "labelSmoothing": 3})", "Label smoothing",
            "Schedule");
    }
    void whatIsSetVariedOrWrongIsShown() {
        QFETCH(QString, json);
        QFETCH(QString, shown);
        QFETCH(QString, hidden);
        openWindow();
        auto* sheet = openSheet(json);
        QVERIFY(shows(*sheet, qPrintable(shown)));
        QVERIFY(!shows(*sheet, qPrintable(hidden)));
    }

    void aVariedFieldIsShown() {
        openWindow();
        auto* sheet = openSheet(QString::fromStdString(test::sweepOf(R"({"optimizer.momentum": [0.1, 0.9]})")));
        QVERIFY(shows(*sheet, "Momentum"));
        QVERIFY(!shows(*sheet, "Seed"));
    }

    void whereItRunsAndWhatItTriesIsInSight() {
        openWindow();
        auto* sheet = openSheet({}, true);
        QTRY_COMPARE(sheet->strip()->sweep()->accessibleName(), QStringLiteral("4 trials over Learning rate"));
        test::type(*sheet, QStringLiteral("Workers"), QStringLiteral("3"));
        QCOMPARE(sheet->strip()->where()->accessibleName(), QStringLiteral("3 workers on this computer"));
        auto* area = sheet->form()->parentWidget();
        sheet->strip()->where()->click();
        auto* hosts = sheet->form()->whereField();
        QVERIFY(area->rect().contains(hosts->mapTo(area, hosts->rect().center())));
        QCOMPARE(QApplication::focusWidget(), hosts);
    }

    void aChangeMovesNothing() {
        openWindow();
        auto* sheet = openSheet(QStringLiteral(R"({"model": "mlp", "dataset": "spirals", "epochs": 2})"));
        const auto tops = [sheet] {
            return QList<int>{topOf(*sheet, "Dataset"), topOf(*sheet, "Architecture"), topOf(*sheet, "Learning rate")};
        };
        QCoreApplication::processEvents();
        const auto before = tops();
        QVERIFY(before[0] > 0 && before[1] > before[0]);
        test::type(*sheet, QStringLiteral("Length"), QStringLiteral("7"));
        QTRY_COMPARE(sheet->changes()->changes().size(), 1);
        QCoreApplication::processEvents();
        QCOMPARE(tops(), before);
    }

    // Feature: an error that appears above what was last used does not move it under the pointer.
    void anErrorAboveMovesNothing_data() {
        QTest::addColumn<int>("height");
        QTest::newRow("the form scrolls") << 640;
        QTest::newRow("all of it fits") << 1000;
    }
    void anErrorAboveMovesNothing() {
        QFETCH(int, height);
        openWindow({1366, height});
        auto* sheet = openSheet();
        test::type(*sheet, QStringLiteral("Workers"), QStringLiteral("2"));
        QCoreApplication::processEvents();
        const int before = topOf(*sheet, "Workers");
        test::type(*sheet, QStringLiteral("Workers"), QStringLiteral("3"));
        QTRY_VERIFY(test::errorsAtFields(*sheet->form()).contains(QStringLiteral("divisible"))); // at Batch
        QTRY_COMPARE(topOf(*sheet, "Workers"), before);
        test::type(*sheet, QStringLiteral("Workers"), QStringLiteral("2"));
        QTRY_VERIFY(!test::errorsAtFields(*sheet->form()).contains(QStringLiteral("divisible")));
        QTRY_COMPARE(topOf(*sheet, "Workers"), before);
    }

    void anErrorStandsAtItsFieldAlone() {
        openWindow();
        auto* sheet = openSheet();
        test::type(*sheet, QStringLiteral("Batch"), QStringLiteral("0"));
        const QString atField = test::errorsAtFields(*sheet->form());
        QVERIFY2(atField.contains(QStringLiteral("must be")), qPrintable(atField));
        int said = 0;
        for (auto* each : sheet->findChildren<Label*>())
            if (each->isVisible() && each->text().contains(QStringLiteral("must be"))) ++said;
        QCOMPARE(said, 1);
        auto* faults = sheet->findChild<NewRunFooter*>()->faultButton();
        QVERIFY(faults->isVisible());
        QCOMPARE(faults->text(), QStringLiteral("1 to fix"));
        sheet->startButton()->setFocus();
        faults->click();
        QCOMPARE(QApplication::focusWidget()->accessibleName(), QStringLiteral("Batch"));
        QVERIFY(sheet->reason().contains(QStringLiteral("must be"))); // for screen readers
    }

    void theSheetGrowsWithTheWindow() {
        openWindow({1680, 1050});
        auto* sheet = openSheet();
        QVERIFY2(sheet->panel()->width() > 1500, qPrintable(QString::number(sheet->panel()->width())));
        QVERIFY2(sheet->panel()->height() > 850, qPrintable(QString::number(sheet->panel()->height())));
    }

    void keysDoNotReachBehindTheSheet() {
        openWindow();
        m_window->setPage(PageId::home);
        auto* sheet = openSheet();
        QTest::keyClick(sheet, Qt::Key_3, Qt::AltModifier);
        QTest::keyClick(sheet, Qt::Key_4, Qt::ControlModifier);
        QCOMPARE(m_window->page(), QString(PageId::home));
        sheet->close();
        QTest::keyClick(m_window.get(), Qt::Key_3, Qt::AltModifier);
        QCOMPARE(m_window->page(), QString(PageId::runs));
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    FewSettingsTest test;
    return trainyard::test::runInWindow(test, argc, argv, QStringLiteral("trainyard-few-settings-test"));
}
#include "few_settings_test.moc"
