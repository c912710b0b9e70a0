// SPDX-License-Identifier: GPL-3.0-or-later
// The runs table under a person's hands: filter, columns, groups, selection of many, archive; with real keys and
// clicks.
#include "tests/gui/english_numbers.h"
#include "tests/gui/picking.h"
#include "tests/gui/sample_workspace.h"
#include "ui/actions/action.h"
#include "ui/models/desktop/settings.h"
#include "ui/pages/runs/inspector/inspector_sections.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/runs/table/archive_sheet.h"
#include "ui/pages/runs/table/compare_view.h"
#include "ui/pages/runs/table/runs_panel.h"
#include "ui/pages/runs/table/runs_view.h"
#include "ui/pages/shared/filter_field.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/inputs/switch.h"
#include "ui/widgets/sheets/ask_sheet.h"

#include <QComboBox>
#include <QCompleter>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRandomGenerator>
#include <QScrollBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <filesystem>

using namespace trainyard;
using namespace trainyard::ui;

class RunsTableTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    store::Workspace m_workspace;
    std::unique_ptr<MainWindow> m_window;

    RunsPanel* panel() { return m_window->runsPage()->runsPanel(); }
    RunsView* view() { return static_cast<RunsView*>(panel()->view()); }
    FilterField* filter() { return panel()->findChild<FilterField*>(); }
    WorkspaceFeed& feed() { return m_window->bench().feed; }

    void open() {
        m_window = std::make_unique<MainWindow>(m_workspace);
        m_window->setPage(PageId::runs);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTRY_COMPARE(static_cast<int>(feed().runs().size()), 12);
        QTRY_VERIFY(panel()->model()->rowCount() > 0);
        QTRY_VERIFY(
            std::all_of(feed().runs().begin(), feed().runs().end(), [](const auto& run) { return run->detailed; }));
        QTRY_VERIFY(!panel()->model()->names().series.empty());
    }
    void activate() {
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void undo() {
        QTest::qWait(50); // until what was done is told
        activate();
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
    }
    void type(const QString& text) {
        activate();
        QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(filter()->hasFocus());
        filter()->selectAll();
        if (text.isEmpty()) QTest::keyClick(filter(), Qt::Key_Delete);
        QTest::keyClicks(filter(), text);
    }
    bool tells(const QString& text) {
        for (const QLabel* label : panel()->findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains(text)) return true;
        return false;
    }
    QModelIndex heading(const QString& title, const QModelIndex& below = {}) {
        for (int row = 0; row < panel()->model()->rowCount(below); ++row) {
            const QModelIndex each = panel()->model()->index(row, 0, below);
            if (!each.data(RunsModel::IsGroupRole).toBool()) continue;
            if (each.data().toString() == title) return each;
            if (const QModelIndex deeper = heading(title, each); deeper.isValid()) return deeper;
        }
        return {};
    }
    void click(const QModelIndex& index, Qt::KeyboardModifiers modifiers = {}) {
        view()->scrollTo(index);
        QTest::mouseClick(view()->viewport(), Qt::LeftButton, modifiers, view()->visualRect(index).center());
    }
    // Three that have ended, chosen by clicks.
    QStringList chooseThree() {
        QStringList runs;
        for (const auto& run : feed().runs())
            if (!run->active() && run->row.sweep.empty() && run->status == wire::RunStatus::Finished && runs.size() < 3)
                runs << run->id;
        for (const QString& run : runs)
            click(panel()->model()->indexOf(run), run == runs.first() ? Qt::NoModifier : Qt::ControlModifier);
        return runs;
    }
    void pick(const char* button, const QString& words, Qt::Key key) {
        for (auto* each : panel()->findChildren<QToolButton*>())
            if (each->accessibleName() == QLatin1String(button)) QTest::mouseClick(each, Qt::LeftButton);
        QVERIFY2(test::pickFromOpen(words, key), qPrintable(words));
    }
    QList<QPushButton*> buttonsOf(QWidget& root, const QString& text) {
        QList<QPushButton*> found;
        for (auto* button : root.findChildren<QPushButton*>())
            if (button->text() == text) found << button;
        return found;
    }

private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_workspace.root =
            (m_folder.path() + QStringLiteral("/ws%1").arg(QRandomGenerator::global()->generate())).toStdString();
        std::filesystem::create_directories(m_workspace.root);
        testing::fillSampleWorkspace(m_workspace);
        open();
    }
    void cleanup() { m_window.reset(); }

    void anUnknownNameIsRefusedWithTheNearest() {
        type("lrr<0.05");
        QTRY_VERIFY(tells("did you mean lr?"));
        QCOMPARE(panel()->model()->shown(), 12); // it filters nothing
        type("lr<0.05");
        QTRY_VERIFY(!tells("did you mean"));
        QVERIFY(panel()->model()->shown() < 12 && panel()->model()->shown() > 0);
    }

    void nothingFoundSaysSoAndClears() {
        type("lr<0.00001 or (otter and status:failed)");
        QTRY_VERIFY(tells("0 of 12 match"));
        QVERIFY(!view()->isVisible());
        QTest::mouseClick(buttonsOf(*panel(), "Clear the filter").value(0), Qt::LeftButton);
        QTRY_VERIFY(view()->isVisible());
        QCOMPARE(filter()->text(), QString());
        QCOMPARE(panel()->model()->shown(), 12);
    }

    void theFilterIsRemembered() {
        type("otter or lynx");
        QTRY_COMPARE(panel()->model()->shown(), 2);
        QTest::keyClick(filter(), Qt::Key_Return); // to the runs
        QTRY_VERIFY(view()->hasFocus() && panel()->model()->item(view()->currentIndex()));
        m_window.reset();
        open();
        QCOMPARE(filter()->text(), QStringLiteral("otter or lynx"));
        QCOMPARE(panel()->model()->shown(), 2);
    }

    void namesAreCompleted() {
        type("val/");
        QTRY_VERIFY(filter()->offered().contains("val/accuracy"));
        auto* popup = filter()->findChild<QCompleter*>()->popup();
        QTest::keyClick(popup, Qt::Key_Down);
        QTest::keyClick(popup, Qt::Key_Return);
        QTRY_COMPARE(filter()->text(), QStringLiteral("val/accuracy"));
        QTest::keyClicks(filter(), ">0.99");
        QTRY_VERIFY(tells("0 of 12 match"));
    }

    void signsAndValuesAreCompleted() {
        type("lr");
        QTRY_VERIFY(filter()->offered().contains("lr<"));
        type("lr=");
        QTRY_VERIFY(!filter()->offered().isEmpty());
        for (const QString& value : filter()->offered()) QVERIFY2(value.toDouble() > 0, qPrintable(value));
    }

    void aFilterIsSavedAndTakenAgain() {
        type("otter or lynx");
        QTRY_COMPARE(panel()->model()->shown(), 2);
        pick("Saved filters", "save", Qt::Key_Return);
        type("");
        QTRY_COMPARE(panel()->model()->shown(), 12);
        pick("Saved filters", "otter", Qt::Key_Return);
        QTRY_COMPARE(panel()->model()->shown(), 2);
        QCOMPARE(filter()->text(), QStringLiteral("otter or lynx"));
        pick("Saved filters", "forget", Qt::Key_Return);
    }

    void trialsAreFoldedUntilAFilterFindsThem() {
        const QModelIndex sweep = heading("lr-of-mlp");
        QVERIFY(sweep.isValid());
        QVERIFY(!view()->isExpanded(sweep));
        QCOMPARE(panel()->model()->rowCount(sweep), 4);
        click(sweep);
        QVERIFY(view()->isExpanded(sweep));
        click(sweep);
        QVERIFY(!view()->isExpanded(sweep));
        type("lr-of-mlp-2");
        QTRY_COMPARE(panel()->model()->shown(), 1);
        QVERIFY(view()->isExpanded(heading("lr-of-mlp")));
        type("");
        QTRY_COMPARE(panel()->model()->shown(), 12);
        QVERIFY(!view()->isExpanded(heading("lr-of-mlp")));
    }

    void aChosenColumnIsShownSortedAndRemembered() {
        pick("Choose the columns", "Train loss last", Qt::Key_Space);
        pick("Choose the columns", "optimizer.lr ", Qt::Key_Return);
        QCOMPARE(panel()->model()->columnCount(), 6);
        QCOMPARE(panel()->model()->headerData(4, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QStringLiteral("Train loss last"));
        auto* header = view()->header();
        const auto titleAt = [header](int column) {
            return QPoint(header->sectionViewportPosition(column) + header->sectionSize(column) / 2, 14);
        };
        QTRY_VERIFY(view()->horizontalScrollBar()->maximum() > 0);
        view()->horizontalScrollBar()->setValue(view()->horizontalScrollBar()->maximum());
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, titleAt(5));
        QCOMPARE(header->sortIndicatorSection(), 5);
        const QModelIndex finished = heading("Finished");
        double before = 0;
        for (int row = 0; row < panel()->model()->rowCount(finished); ++row) {
            const QModelIndex lr = panel()->model()->index(row, 5, finished);
            if (lr.data(RunsModel::IsGroupRole).toBool()) continue;
            QVERIFY(lr.data().toDouble() >= before);
            before = lr.data().toDouble();
        }
        QVERIFY(before > 0.1);
        m_window.reset();
        open();
        QCOMPARE(panel()->model()->columnCount(), 6);
        QCOMPARE(view()->header()->sortIndicatorSection(), 5);
    }

    void aColumnIsDraggedToAnotherPlaceAndWidth() {
        auto* header = view()->header();
        const auto kindAt = [this](int column) { return panel()->model()->columns()[column].kind; };
        QCOMPARE(kindAt(2), RunColumn::Kind::Score);
        header->moveSection(header->visualIndex(3), 1); // as a drag ends
        QTRY_COMPARE(kindAt(1), RunColumn::Kind::Age);
        QCOMPARE(header->visualIndex(1), 1);
        const int edge = header->sectionViewportPosition(3) + header->sectionSize(3) - 1;
        const int before = header->sectionSize(3);
        QTest::mousePress(header->viewport(), Qt::LeftButton, {}, QPoint(edge, 14));
        for (const int by : {15, 30}) {
            const QPointF at(edge + by, 14);
            QMouseEvent move(QEvent::MouseMove, at, header->viewport()->mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                             {});
            QApplication::sendEvent(header->viewport(), &move);
        }
        QTest::mouseRelease(header->viewport(), Qt::LeftButton, {}, QPoint(edge + 30, 14));
        const auto isWider = [&] { return std::abs(view()->header()->sectionSize(3) - before - 30) <= 1; };
        QVERIFY(isWider());
        QTest::qWait(300); // until the other columns are fitted
        QVERIFY(isWider());
        m_window.reset();
        open();
        QCOMPARE(kindAt(1), RunColumn::Kind::Age);
        QVERIFY(isWider());
    }

    void cellsDoNotRunIntoEachOther() {
        auto* header = view()->header();
        const QFontMetrics metrics(Theme::current().body);
        for (const auto& run : feed().runs())
            for (int column = 1; column < header->count(); ++column) {
                const QString text = panel()->model()->indexOf(run->id).siblingAtColumn(column).data().toString();
                QVERIFY2(metrics.horizontalAdvance(text) <= header->sectionSize(column), qPrintable(text));
            }
        QVERIFY(panel()
                    ->model()
                    ->indexOf(feed().runs()[3]->id)
                    .siblingAtColumn(2)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .startsWith("val/accuracy 0."));
    }

    void aGroupIsChosenAsAWhole() {
        pick("Group the runs", "By model", Qt::Key_Return);
        const QModelIndex convnet = heading("model convnet");
        QVERIFY(convnet.isValid());
        QVERIFY(!view()->isExpanded(convnet));
        QVERIFY(convnet.siblingAtColumn(2).data().toString().contains(QStringLiteral(" ± ")));
        click(convnet);
        QCOMPARE(m_window->bench().selection.selected().size(), 3);
        QTest::mouseClick(view()->viewport(), Qt::LeftButton, {},
                          view()->visualRect(convnet).topLeft() + QPoint(14, 14)); // its chevron
        QVERIFY(view()->isExpanded(convnet));
        m_window.reset();
        open();
        QVERIFY(heading("model convnet").isValid());
    }

    void manyRunsAreArchivedAndBackInOneStep() {
        const QStringList runs = chooseThree();
        QCOMPARE(m_window->bench().selection.selected(), runs);
        QTest::keyClick(view(), Qt::Key_Delete);
        QTRY_COMPARE(static_cast<int>(feed().runs().size()), 9);
        QTRY_VERIFY(tells("0 selected"));
        undo();
        QTRY_COMPARE(static_cast<int>(feed().runs().size()), 12);
    }

    void nameTagsAndNotesAreTakenBack() {
        const RunItemPtr run = feed().run(chooseThree().first());
        auto& actions = m_window->bench().actions;
        actions.rename(run->id, "other");
        QTRY_COMPARE(feed().run(run->id)->name, QStringLiteral("other"));
        actions.setNotes(run->id, "first line\nsecond line");
        QTRY_COMPARE(feed().run(run->id)->row.notes, std::string("first line\nsecond line"));
        actions.setTags(run->id, "kept");
        QTRY_COMPARE(feed().run(run->id)->tags, QStringList{"kept"});
        undo();
        QTRY_COMPARE(feed().run(run->id)->tags, run->tags);
        undo();
        QTRY_COMPARE(feed().run(run->id)->row.notes, std::string());
        undo();
        QTRY_COMPARE(feed().run(run->id)->name, run->name);
    }

    void notesAreWrittenInTheInspector() {
        chooseThree();
        const QString run = m_window->bench().selection.current();
        QPushButton* add = nullptr;
        QTRY_VERIFY((add = buttonsOf(*m_window, "Add notes").value(0)));
        add->click();
        AskSheet* sheet = nullptr;
        QTRY_VERIFY((sheet = m_window->findChild<AskSheet*>()) && sheet->lines());
        sheet->lines()->setPlainText("wide layers");
        QTest::keyClick(sheet->lines(), Qt::Key_Return, Qt::ControlModifier);
        QTRY_COMPARE(feed().run(run)->row.notes, std::string("wide layers"));
        QTRY_VERIFY([&] {
            for (const QLabel* label : m_window->findChildren<QLabel*>())
                if (label->accessibleName() == "Notes of the run" && label->text() == "wide layers") return true;
            return false;
        }());
        type("notes:wide");
        QTRY_COMPARE(panel()->model()->shown(), 1);
    }

    // A run may save more often than the window is laid out.
    // Feature: a run that saves many times a second: its checkpoints stay in the inspector, and the strip below the
    // charts is drawn. Also in chart_zoom_test.
    void checkpointsAreThereAtOnce() {
        m_window->resize(1440, 900); // with room for the inspector
        WorkspaceFeed& feed = m_window->bench().feed;
        const auto shown = [this] {
            QList<QRect> places;
            for (const auto* each : m_window->findChildren<CheckpointRowButton*>())
                if (each->isVisible()) places << each->geometry();
            return places;
        };
        for (const RunItemPtr& run : feed.runs()) {
            m_window->bench().selection.show(run->id);
            if (QTest::qWaitFor([&] { return feed.checkpoints(run->id).size() > 1; }, 500)) break;
        }
        QTRY_VERIFY(shown().size() > 1);
        QTest::qWait(50);
        const auto before = shown();
        Q_EMIT feed.checkpointsChanged(m_window->bench().selection.current());
        QCOMPARE(shown(), before);
    }

    void workersThatTellNoSharesHaveNoLineForThem() {
        WorkerList list;
        std::vector<wire::WorkerState> workers(2);
        list.setWorkers(workers);
        QCOMPARE(list.sizeHint().height(), 2 * Theme::current().px(32));
        workers[1].beat.computeShare = 0.7;
        list.setWorkers(workers);
        QCOMPARE(list.sizeHint().height(), 2 * Theme::current().px(32) + Theme::current().px(18));
    }

    void aRankThatHasEndedHasNoRate() {
        const test::EnglishNumbers english;
        WorkerList list;
        std::vector<wire::WorkerState> workers(3);
        for (auto& each : workers) each.beat.samplesPerSecond = 1277;
        using enum wire::RankStatus;
        for (std::size_t rank = 0; const auto status : {Running, Finished, Lost}) workers[rank++].status = status;
        list.setWorkers(workers);
        const QStringList said = list.accessibleDescription().split(QStringLiteral("; "));
        QVERIFY2(said[0].endsWith("1,277/s"), qPrintable(said[0]));
        QVERIFY2(said[1].endsWith("finished") && said[2].endsWith("lost"), qPrintable(said.join('|')));
    }

    void severalRunsAreTaggedAtOnce() {
        const QStringList runs = chooseThree();
        std::vector<RunItemPtr> items;
        for (const QString& run : runs) items.push_back(feed().run(run));
        ActionTarget target{m_window->bench(), items.front(), m_window.get()};
        target.runs = items;
        QVERIFY(isOffered(action("tags"), target));
        QVERIFY(!isOffered(action("rename"), target)); // of one run alone
        act(action("tags"), target);
        AskSheet* sheet = nullptr;
        QTRY_VERIFY((sheet = m_window->findChild<AskSheet*>()) && sheet->line());
        QTest::keyClicks(sheet->line(), "chosen");
        QTest::keyClick(sheet->line(), Qt::Key_Return);
        for (const QString& run : runs) QTRY_VERIFY(feed().run(run)->tags.contains("chosen"));
        undo();
        for (const QString& run : runs) QTRY_VERIFY(!feed().run(run)->tags.contains("chosen"));
    }

    void withoutAChoiceTheNewestCanBeCompared() {
        QTest::keyClick(m_window.get(), Qt::Key_4, Qt::AltModifier);
        QPushButton* compare = nullptr;
        QTRY_VERIFY((compare = buttonsOf(*m_window, "Compare the newest").value(0)) && compare->isVisible());
        compare->click();
        QStringList newest;
        for (const RunItemPtr& run : feed().runs())
            if (newest.size() < 6) newest << run->id;
        QCOMPARE(m_window->bench().selection.selected(), newest);
        QTRY_VERIFY(!compare->isVisible());
    }

    void selectedRunsStandSideBySide() {
        const QStringList runs = chooseThree();
        QTest::keyClick(m_window.get(), Qt::Key_4, Qt::AltModifier);
        QTableView* table = nullptr;
        for (auto* each : m_window->findChildren<QTableView*>())
            if (each->accessibleName() == "Compared runs") table = each;
        QVERIFY(table);
        QTRY_VERIFY(table->isVisible());
        QCOMPARE(table->model()->columnCount(), 3);
        const auto nameOf = [table](int row) {
            return table->model()->headerData(row, Qt::Vertical, Qt::DisplayRole).toString();
        };
        const auto rowsNamed = [table, nameOf](const QString& name) {
            int count = 0;
            for (int row = 0; row < table->model()->rowCount(); ++row) count += nameOf(row) == name ? 1 : 0;
            return count;
        };
        QCOMPARE(rowsNamed("optimizer.lr"), 1);
        QCOMPARE(rowsNamed("optimizer.momentum"), 0); // it is the same
        auto* only = m_window->findChild<CompareView*>()->findChild<Switch*>();
        QTest::mouseClick(only, Qt::LeftButton);
        QCOMPARE(rowsNamed("optimizer.momentum"), 1);
        const auto titled = [table](int column) {
            return table->model()->headerData(column, Qt::Horizontal, Qt::AccessibleTextRole).toString();
        };
        QVERIFY(titled(0).endsWith("(baseline)"));
        auto* baseline = m_window->findChild<CompareView*>()->findChild<QComboBox*>();
        baseline->setFocus();
        QTest::keyClick(baseline, Qt::Key_Down);
        QTRY_VERIFY(titled(1).endsWith("(baseline)"));
        QTest::mouseClick(table->horizontalHeader()->viewport(), Qt::LeftButton, {},
                          {table->columnViewportPosition(2) + 10, 10}); // a click on a run makes it the baseline
        QVERIFY(titled(2).endsWith("(baseline)"));
        // Results come first, and a heading hides its rows.
        QCOMPARE(nameOf(0), QStringLiteral("Results"));
        const auto clickName = [table](int row) {
            QTest::mouseClick(table->verticalHeader()->viewport(), Qt::LeftButton, {},
                              {40, table->rowViewportPosition(row) + 10});
        };
        clickName(0);
        QCOMPARE(nameOf(1), QStringLiteral("Settings"));
        clickName(0);
        QVERIFY(nameOf(1) != QStringLiteral("Settings"));
    }

    void theArchiveRestoresAndEmpties() {
        const QStringList runs = chooseThree();
        const std::filesystem::path folder = feed().run(runs[2])->row.folder;
        QVERIFY(std::filesystem::exists(folder));
        QTest::keyClick(view(), Qt::Key_Delete);
        QTRY_COMPARE(static_cast<int>(feed().runs().size()), 9);
        act(action("archived"), {m_window->bench(), nullptr, m_window.get()});
        ArchiveSheet* sheet = nullptr;
        QTRY_VERIFY((sheet = m_window->findChild<ArchiveSheet*>()));
        auto* table = sheet->findChild<QTableView*>();
        QTRY_COMPARE(table->model()->rowCount(), 3);
        table->selectRow(0);
        QTest::mouseClick(buttonsOf(*sheet, "Restore").value(0), Qt::LeftButton);
        QTRY_COMPARE(static_cast<int>(feed().runs().size()), 10);
        QTRY_COMPARE(table->model()->rowCount(), 2);
        QTest::mouseClick(buttonsOf(*sheet, "Select all").value(0), Qt::LeftButton);
        QTest::mouseClick(buttonsOf(*sheet, "Delete permanently").value(0), Qt::LeftButton);
        QVERIFY(std::filesystem::exists(folder)); // it asks first
        QTest::mouseClick(buttonsOf(*sheet, "Delete 2 runs").value(0), Qt::LeftButton);
        QTRY_COMPARE(table->model()->rowCount(), 0);
        QVERIFY(!std::filesystem::exists(folder));
        QCOMPARE(static_cast<int>(feed().runs().size()), 10);
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-runs-table-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-runs-table-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    RunsTableTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "runs_table_test.moc"
