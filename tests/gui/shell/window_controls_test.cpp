// SPDX-License-Identifier: GPL-3.0-or-later
// What a hand, an eye and a screen reader meet all over the window.
#include "tests/gui/forms/form_fields.h"
#include "tests/gui/sample_workspace.h"
#include "ui/actions/run_dialogs.h"
#include "ui/models/desktop/settings.h"
#include "ui/models/runs/runs_model.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/runs/table/run_delegate.h"
#include "ui/pages/runs/table/runs_panel.h"
#include "ui/plots/canvas/plot_canvas.h"
#include "ui/plots/card/metric_card.h"
#include "ui/shell/error_sheet.h"
#include "ui/shell/main_window.h"
#include "ui/shell/status_strip.h"
#include "ui/theme/paint.h"
#include "ui/widgets/inputs/accessible_roles.h"
#include "ui/widgets/inputs/segmented_control.h"
#include "ui/widgets/sheets/ask_sheet.h"
#include "ui/widgets/sheets/sheet.h"
#include "ui/widgets/sheets/tab_order.h"

#include <QAccessible>
#include <QDateTime>
#include <QGridLayout>
#include <QMenu>
#include <QPushButton>
#include <QScopeGuard>
#include <QScrollArea>
#include <QSlider>
#include <QTabBar>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <filesystem>
#include <fstream>

using namespace trainyard;
using namespace trainyard::ui;

class WindowControlsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    store::Workspace m_workspace;
    std::unique_ptr<MainWindow> m_window;

    void openWindow() {
        m_window = std::make_unique<MainWindow>(m_workspace);
        m_window->resize(1360, 860);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    template <class Found>
    Found* shownAs(const QString& words) const {
        for (auto* each : m_window->findChildren<Found*>())
            if (each->isVisible() && each->text() == words) return each;
        return nullptr;
    }

private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_workspace.root = (m_folder.path() + QStringLiteral("/ws")).toStdString();
        std::filesystem::remove_all(m_workspace.root);
        std::filesystem::create_directories(m_workspace.root);
    }
    void cleanup() { m_window.reset(); }

    // Line by line through grids, whatever was made first; scroll areas only where nothing in them is reached.
    // Feature: Tab goes as the window is read, roles of segmented controls and charts, the status bar filters failed
    // runs and tells of a full disk, popups without a compositor, buttons that stay, sheets of errors as high as their
    // words.
    void tabGoesAsItIsRead() {
        QWidget root;
        auto* layout = new QVBoxLayout(&root);
        auto* grid = new QGridLayout;
        QList<QPushButton*> made;
        for (int i = 0; i < 4; ++i) made << new QPushButton(QString::number(i));
        grid->addWidget(made[3], 1, 1);
        grid->addWidget(made[1], 0, 1);
        grid->addWidget(made[2], 1, 0);
        grid->addWidget(made[0], 0, 0);
        auto* full = new QScrollArea;
        full->setWidget(new QPushButton(QStringLiteral("inside")));
        auto* empty = new QScrollArea;
        empty->setWidget(new QLabel(QStringLiteral("words")));
        layout->addWidget(full);
        layout->addWidget(empty);
        layout->insertLayout(0, grid);
        root.show();
        QStringList order;
        for (auto* each : tabOrder(&root)) {
            auto* button = qobject_cast<QPushButton*>(each);
            order << (button ? button->text() : QStringLiteral("area"));
        }
        QCOMPARE(order.join(' '), QStringLiteral("0 1 2 3 inside area"));
    }

    void tabOnCurvesGoesThroughTheChartsAndThenToTheInspector() {
        testing::fillSampleWorkspace(m_workspace);
        openWindow();
        QTRY_COMPARE(static_cast<int>(m_window->bench().feed.runs().size()), 12);
        m_window->setPage(PageId::runs);
        m_window->bench().selection.show(m_window->bench().feed.runs()[2]->id);
        QTRY_VERIFY(m_window->runsPage()->findChildren<MetricCard*>().size() > 3);
        m_window->runsPage()->runsPanel()->setFocus();
        QList<QWidget*> way;
        for (int i = 0; i < 120; ++i) {
            QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : m_window.get(), Qt::Key_Tab);
            auto* now = QApplication::focusWidget();
            QVERIFY(now);
            if (way.contains(now)) break;
            way << now;
            if (now->inherits("trainyard::ui::MetricCard")) // scrolled into sight
                QTRY_VERIFY2(!now->visibleRegion().isEmpty(), qPrintable(now->accessibleName()));
        }
        const auto inspector = [](const QWidget* widget) {
            for (; widget; widget = widget->parentWidget())
                if (widget->inherits("trainyard::ui::Inspector")) return true;
            return false;
        };
        const auto chart = [](const QWidget* widget) {
            for (; widget; widget = widget->parentWidget())
                if (widget->inherits("trainyard::ui::MetricCard")) return true;
            return false;
        };
        qsizetype lastChart = -1, firstInside = -1, charts = 0;
        for (qsizetype i = 0; i < way.size(); ++i) {
            if (chart(way[i])) lastChart = i, ++charts;
            if (inspector(way[i]) && firstInside < 0) firstInside = i;
        }
        QVERIFY2(charts >= 4, qPrintable(QString::number(charts)));
        QVERIFY(firstInside >= 0);
        QVERIFY2(lastChart < firstInside, qPrintable(QStringLiteral("%1 %2").arg(lastChart).arg(firstInside)));
    }

    void aSegmentedControlIsAGroupOfRadioButtons() {
        installAccessibleRoles();
        SegmentedControl control({QStringLiteral("Step"), QStringLiteral("Epoch"), QStringLiteral("Time")});
        control.setAccessibleName(QStringLiteral("X axis"));
        control.show();
        auto* access = QAccessible::queryAccessibleInterface(&control);
        QVERIFY(access);
        QCOMPARE(access->role(), QAccessible::Grouping);
        QCOMPARE(access->text(QAccessible::Name), QStringLiteral("X axis"));
        QCOMPARE(access->text(QAccessible::Value), QStringLiteral("Step"));
        QCOMPARE(access->childCount(), 3);
        auto* epoch = access->child(1);
        QVERIFY(epoch && epoch->role() == QAccessible::RadioButton && !epoch->state().checked);
        QCOMPARE(epoch->text(QAccessible::Name), QStringLiteral("Epoch"));
        QVERIFY(access->rect().contains(epoch->rect()));
        QCOMPARE(access->indexOfChild(epoch), 1);
        epoch->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QCOMPARE(control.currentIndex(), 1);
        QVERIFY(epoch->state().checked && !access->child(0)->state().checked);
        QCOMPARE(access->text(QAccessible::Value), QStringLiteral("Epoch"));
    }

    // Qt's own says of each tab that it has the focus, and 133 for a weight of 0.60.
    void tabsAndSlidersSayWhatTheyStandFor() {
        testing::fillSampleWorkspace(m_workspace);
        openWindow();
        m_window->setPage(PageId::runs);
        m_window->runsPage()->setTab(RunsPage::LogsTab);
        auto* tabs = QAccessible::queryAccessibleInterface(m_window->runsPage()->findChild<QTabBar*>());
        QVERIFY(tabs);
        QCOMPARE(tabs->role(), QAccessible::PageTabList);
        QCOMPARE(tabs->text(QAccessible::Value), QStringLiteral("Logs"));
        int focused = 0, selected = 0;
        for (int i = 0; i < tabs->childCount(); ++i) {
            QCOMPARE(tabs->child(i)->role(), QAccessible::PageTab);
            focused += tabs->child(i)->state().focused ? 1 : 0;
            selected += tabs->child(i)->state().selected ? 1 : 0;
        }
        QCOMPARE(selected, 1);
        QVERIFY(focused <= 1);
        tabs->child(0)->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QCOMPARE(tabs->text(QAccessible::Value), QStringLiteral("Curves"));

        auto* slider = m_window->runsPage()->findChild<QSlider*>();
        auto* smoothing = QAccessible::queryAccessibleInterface(slider);
        QCOMPARE(smoothing->role(), QAccessible::Slider);
        auto* value = smoothing->valueInterface();
        QVERIFY(value);
        value->setCurrentValue(0.6);
        QVERIFY2(std::abs(value->currentValue().toDouble() - 0.6) < 0.01, qPrintable(value->currentValue().toString()));
        QCOMPARE(smoothing->text(QAccessible::Value), QStringLiteral("0.60"));
        value->setCurrentValue(0);
        QCOMPARE(smoothing->text(QAccessible::Value), QStringLiteral("off"));
    }

    // Feature: what a screen reader says of charts, of rows of the runs table, and of everything that takes the focus.
    // Also in run_columns_test, runs_table_test.
    void aChartIsAChart() {
        testing::fillSampleWorkspace(m_workspace);
        openWindow();
        QTRY_COMPARE(static_cast<int>(m_window->bench().feed.runs().size()), 12);
        m_window->setPage(PageId::runs);
        m_window->bench().selection.show(m_window->bench().feed.runs()[2]->id);
        MetricCard* card = nullptr;
        QTRY_VERIFY((card = m_window->runsPage()->findChild<MetricCard*>()));
        auto* access = QAccessible::queryAccessibleInterface(card);
        QCOMPARE(access->role(), QAccessible::Chart);
        QVERIFY(access->text(QAccessible::Name).startsWith(QLatin1String("Chart of ")));
        const QString run = m_window->bench().feed.runs()[2]->name;
        const auto spoken = [access] { return access->text(QAccessible::Value); };
        QTRY_VERIFY2(spoken().startsWith(run + QLatin1String(": 0.")) && spoken().endsWith(QLatin1String(", step 599")),
                     qPrintable(spoken()));
        const QString summary = access->text(QAccessible::Description);
        QVERIFY2(
            summary.startsWith(card->title() + QLatin1String(": 1 curve from Step 0 to Step 599, values from 0.")) ||
                summary.startsWith(card->title() + QLatin1String(": 1 curves from Step 0 to Step 599, values ")),
            qPrintable(summary));
        card->setAccessibleDescription(QStringLiteral("step 300: lr 0.1"));
        QVERIFY2(spoken().endsWith(QLatin1String("; step 300: lr 0.1")), qPrintable(spoken()));
    }

    // Feature: layouts mirror where people read from right to left, and so do widgets that paint themselves.
    void theWindowMirrors() {
        QApplication::setLayoutDirection(Qt::RightToLeft);
        const auto back = qScopeGuard([] { QApplication::setLayoutDirection(Qt::LeftToRight); });
        testing::fillSampleWorkspace(m_workspace);
        openWindow();
        QTRY_COMPARE(static_cast<int>(m_window->bench().feed.runs().size()), 12);
        m_window->setPage(PageId::runs);
        auto* view = m_window->runsPage()->findChild<RunsPanel*>();
        QTRY_VERIFY(view->isVisible() && view->width() > 0);
        const auto middleOf = [this](QWidget* each) { return each->mapTo(m_window.get(), each->rect().center()).x(); };
        QVERIFY(middleOf(view) > m_window->width() / 2); // the table lies at the right
        const auto* control = m_window->runsPage()->findChild<SegmentedControl*>();
        QVERIFY(control->itemArea(0).left() > control->itemArea(1).left());
        QCOMPARE(mirrored(Qt::RightToLeft, {0, 0, 100, 10}, {5, 2, 20, 6}), QRectF(75, 2, 20, 6));
        QCOMPARE(mirrored(Qt::LeftToRight, {0, 0, 100, 10}, {5, 2, 20, 6}), QRectF(5, 2, 20, 6));
        // A run's chip lies at the right end of its name's cell.
        auto* table = view->findChild<QTreeView*>();
        const QString run = m_window->bench().feed.runs()[2]->id;
        const bool before = m_window->bench().selection.isSelected(run);
        const QModelIndex index = static_cast<RunsModel*>(table->model())->indexOf(run);
        const QRect cell = table->visualRect(index);
        const QPoint chip(cell.right() - RunDelegate::chipX(index), cell.center().y());
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, chip);
        QTRY_VERIFY(m_window->bench().selection.isSelected(run) != before);
        QVERIFY(!m_window->runsPage()->findChild<PlotCanvas*>()->isRightToLeft()); // axes stay
    }

    void failedRunsInTheStatusBarFilterTheTable() {
        const auto store = *store::Store::open(m_workspace);
        testing::SampleRun failed{QStringLiteral("bad"), QStringLiteral("failed")};
        failed.minutesAgo = 1;
        testing::addRun(*store, m_workspace, failed);
        testing::addRun(*store, m_workspace, {QStringLiteral("good"), QStringLiteral("finished")});
        openWindow();
        StatusSegment* segment = nullptr;
        const auto find = [&] {
            for (auto* each : m_window->findChildren<StatusSegment*>())
                if (each->isVisible() && each->accessibleName() == QLatin1String("1 failed")) segment = each;
            return segment != nullptr;
        };
        QTRY_VERIFY(find());
        QTest::mouseClick(segment, Qt::LeftButton);
        QCOMPARE(m_window->page(), QString(PageId::runs));
        auto* filter = m_window->runsPage()->runsPanel()->findChild<QLineEdit*>();
        QVERIFY(filter);
        QCOMPARE(filter->text(), QStringLiteral("status:failed"));
    }

    // It pushed the load of the computer out of the status bar, and stayed.
    // Feature: a refusal leaves the status bar again, and is whole in its tooltip; a theme that is chosen in the
    // palette lasts. Also in action_table_test.
    void aRefusalLeavesTheStatusBar() {
        openWindow();
        const QString refusal = QStringLiteral("A run cannot start from bad.pdf. ").repeated(12);
        const auto segment = [this](const QString& words) -> StatusSegment* {
            for (auto* each : m_window->findChildren<StatusSegment*>())
                if (each->isVisible() && each->accessibleName().startsWith(words)) return each;
            return nullptr;
        };
        Q_EMIT m_window->bench().statusMessage(QStringLiteral("Renamed"), {});
        auto* renamed = segment(QStringLiteral("Renamed"));
        QVERIFY(renamed);
        Q_EMIT m_window->bench().statusMessage(refusal, Theme::current().error);
        auto* said = segment(refusal);
        QVERIFY(said && said->toolTip() == refusal); // whole
        QTRY_VERIFY(said->width() <= m_window->width() / 2 + Theme::current().px(40));
        QTRY_VERIFY_WITH_TIMEOUT(!segment(refusal), 12'000);
        QVERIFY(!segment(QStringLiteral("Renamed"))); // has passed, too
        QVERIFY(segment(QStringLiteral("Ready")));
    }

    void aFullDiskIsSaid_data() {
        QTest::addColumn<qint64>("free");
        QTest::addColumn<qint64>("total");
        QTest::addColumn<bool>("full");
        QTest::newRow("nothing free") << qint64{0} << qint64{1'000'000'000'000} << true;
        QTest::newRow("not enough for a run") << qint64{499'000'000} << qint64{1'000'000'000'000} << true;
        QTest::newRow("enough") << qint64{501'000'000} << qint64{1'000'000'000'000} << false;
        QTest::newRow("not looked at yet") << qint64{0} << qint64{0} << false;
    }
    void aFullDiskIsSaid() {
        QFETCH(qint64, free);
        QFETCH(qint64, total);
        QFETCH(bool, full);
        SystemLoad load;
        load.diskFree = free;
        load.diskTotal = total;
        QCOMPARE(load.isDiskFull(), full);
    }

    // Without a compositor, what a popup leaves out would be black.
    void popupsHaveRoundCornersWithoutACompositor() {
        QMenu menu;
        menu.addAction(QStringLiteral("One"));
        menu.popup(QPoint(10, 10));
        QTRY_VERIFY(menu.isVisible());
        QVERIFY(!menu.testAttribute(Qt::WA_TranslucentBackground));
        const QRegion shape = menu.mask();
        QVERIFY(!shape.isEmpty() && !shape.contains(QPoint(0, 0)) && shape.contains(menu.rect().center()));
        menu.close();
    }

    // A notice below the buttons of a run moves none of them.
    void buttonsOfARunStayWhereTheyAre() {
        auto store = *store::Store::open(m_workspace);
        const auto plain = testing::addRun(*store, m_workspace, {QStringLiteral("plain"), QStringLiteral("finished")});
        const auto told = testing::addRun(*store, m_workspace, {QStringLiteral("told"), QStringLiteral("finished")});
        const std::string notice = "the checkpoint of step 5 could not be saved: the disk is full";
        QVERIFY(store->appendLog(told, {{-1, store::kNoticeLevel, notice, 1}}).ok());
        openWindow();
        QTRY_COMPARE(static_cast<int>(m_window->bench().feed.runs().size()), 2);
        m_window->setPage(PageId::runs);
        const auto placeOf = [this](const std::string& run) {
            m_window->bench().selection.show(QString::fromStdString(run));
            QToolButton* button = nullptr;
            [&] { QTRY_VERIFY((button = shownAs<QToolButton>(QStringLiteral("5 more epochs")))); }();
            return button->mapTo(m_window.get(), QPoint()).y();
        };
        const int before = placeOf(plain);
        placeOf(told);
        QTRY_VERIFY(shownAs<QLabel>(QString::fromStdString(notice)));
        QCOMPARE(placeOf(told), before);
        int shown = 0;
        for (const auto* label : m_window->findChildren<QLabel*>())
            shown += label->isVisible() && label->text().toStdString() == notice ? 1 : 0;
        QCOMPARE(shown, 1);
    }

    // Also by a window that was killed: the first one is never closed.
    void whatWasSeenToEndIsNotToldOfAgain() {
        const auto store = *store::Store::open(m_workspace);
        testing::SampleRun run{QStringLiteral("watched"), QStringLiteral("finished")};
        run.minutesAgo = 5;
        const auto id = QString::fromStdString(testing::addRun(*store, m_workspace, run));
        const QString root = QString::fromStdString(m_workspace.root.string());
        Settings::seenAt.of(root).set(QDateTime::currentMSecsSinceEpoch() - 3'600'000); // before it ended
        openWindow();
        QTRY_VERIFY(m_window->bench().feed.run(id));
        Q_EMIT m_window->bench().feed.runEnded(id);
        QTRY_VERIFY(Settings::seenAt.of(root).get() >= m_window->bench().feed.run(id)->row.finishedMs);
        MainWindow again(m_workspace);
        again.show();
        QTRY_VERIFY(again.bench().feed.run(id));
        QTest::qWait(100); // the list of runs has been looked through
        for (const auto* label : again.findChildren<QLabel*>())
            QVERIFY2(!label->text().contains(QLatin1String("While you were away")), qPrintable(label->text()));
    }

    void aLearningRateIsJudgedWhileItIsTyped_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("why"); // empty: it is fine
        QTest::newRow("fine") << "0.02"
                              << "";
        QTest::newRow("no number") << "fast"
                                   << "“fast” is not a number";
        QTest::newRow("zero") << "0"
                              << "It must be greater than 0";
        QTest::newRow("too large") << "5000"
                                   << "It must be at most 100";
    }
    void aLearningRateIsJudgedWhileItIsTyped() {
        QFETCH(QString, typed);
        QFETCH(QString, why);
        openWindow();
        RunItem run;
        run.name = QStringLiteral("live");
        askForLr(m_window->bench(), run, m_window.get());
        auto* sheet = m_window->findChild<AskSheet*>();
        QVERIFY(sheet && sheet->line());
        sheet->line()->selectAll();
        QTest::keyClicks(sheet->line(), typed);
        QCOMPARE(sheet->goButton()->text(), QStringLiteral("Change"));
        QCOMPARE(sheet->goButton()->isEnabled(), why.isEmpty());
        QVERIFY2(why.isEmpty() ? sheet->fault().isEmpty() : sheet->fault().endsWith(why), qPrintable(sheet->fault()));
        sheet->close();
    }

    void aSheetOfAnErrorIsAsHighAsItsWords() {
        openWindow();
        const auto heightOf = [this](const Error& error) {
            showErrorSheet(m_window.get(), QStringLiteral("The file was not opened"), error);
            auto* sheet = m_window->findChild<Sheet*>();
            const int height = sheet->panel()->height();
            const auto labels = sheet->findChildren<QLabel*>();
            for (const auto* label : labels)
                if (!label->text().isEmpty() && label->wordWrap())
                    [&] { QVERIFY(label->height() >= label->heightForWidth(label->width())); }();
            delete sheet;
            return height;
        };
        const int brief = heightOf(inputError("does not exist", "a.json"));
        const int lengthy = heightOf(inputError(std::string(600, 'x').replace(100, 1, " "), "a.json",
                                                "look at every word of it, one after the other, until it is right"));
        QVERIFY2(brief < 260 && lengthy > brief, qPrintable(QStringLiteral("%1 %2").arg(brief).arg(lengthy)));
    }

    void aWorkspaceThatCannotBeReadIsToldOfInASheet() {
        std::ofstream(m_workspace.root / "trainyard.db") << "this is no database, whatever its name says";
        openWindow();
        Sheet* sheet = nullptr;
        QTRY_VERIFY((sheet = m_window->findChild<Sheet*>()) && sheet->isVisible());
        QStringList said;
        for (const auto* label : sheet->findChildren<QLabel*>()) said << label->text();
        QVERIFY2(said.contains(QStringLiteral("The workspace cannot be read")), qPrintable(said.join('|')));
        QVERIFY2(said.join(' ').contains(QStringLiteral("trainyard.db")), qPrintable(said.join('|')));
        QTest::keyClick(sheet, Qt::Key_Escape);
        QTest::qWait(1500); // it is tried again, and told of once
        QVERIFY(!m_window->findChild<Sheet*>() || !m_window->findChild<Sheet*>()->isVisible());
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    WindowControlsTest test;
    return trainyard::test::runInWindow(test, argc, argv, QStringLiteral("trainyard-window-controls-test"));
}
#include "window_controls_test.moc"
