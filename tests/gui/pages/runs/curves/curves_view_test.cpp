// SPDX-License-Identifier: GPL-3.0-or-later
// The curves of selected runs in the window: which charts there are, events, order, search, views, values, branches.
#include "tests/gui/picking.h"
#include "tests/gui/sample_workspace.h"
#include "ui/models/desktop/settings.h"
#include "ui/new_run/new_run_sheet.h"
#include "ui/pages/runs/curves/chart_bar.h"
#include "ui/pages/runs/curves/chart_board.h"
#include "ui/pages/runs/curves/chart_values.h"
#include "ui/pages/runs/curves/curves_view.h"
#include "ui/pages/runs/curves/y_range_sheet.h"
#include "ui/pages/shared/curves_toolbar.h"
#include "ui/plots/canvas/plot_canvas.h"
#include "ui/plots/card/chart_header.h"
#include "ui/plots/card/metric_card.h"
#include "ui/plots/chart/chart_export.h"
#include "ui/plots/layers/event_layer.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/inputs/segmented_control.h"
#include "ui/widgets/inputs/unit_field.h"
#include "ui/widgets/label.h"
#include "ui/widgets/sheets/ask_sheet.h"

#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QMenu>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>

#include <filesystem>

using namespace trainyard;
using namespace trainyard::ui;

namespace {

std::size_t marksIn(const MetricCard& card) {
    for (const auto& layer : card.findChild<PlotCanvas*>()->scene().layers)
        if (const auto* marks = dynamic_cast<const EventLayer*>(layer.get())) return marks->marks().size();
    return 0;
}

// The classes of the windows that are shown while it lives.
struct WindowsShown : QObject {
    QStringList names;
    WindowsShown() { qApp->installEventFilter(this); }
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Show && watched->isWidgetType() && static_cast<QWidget*>(watched)->isWindow())
            names << QString::fromLatin1(watched->metaObject()->className());
        return false;
    }
};

constexpr auto kMain = "train/loss val/accuracy lr samples_per_s";

} // namespace

class CurvesViewTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    store::Workspace m_workspace;
    std::unique_ptr<MainWindow> m_window;

    void open() {
        m_window = std::make_unique<MainWindow>(m_workspace);
        m_window->resize(1600, 1000); // two columns, all four charts in sight
        m_window->setPage(PageId::runs);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTRY_COMPARE(static_cast<int>(m_window->bench().feed.runs().size()), 12);
    }
    RunItemPtr run(const QString& name) {
        for (const RunItemPtr& each : m_window->bench().feed.runs())
            if (each->name == name) return each;
        qFatal("no run %s", qPrintable(name));
    }
    void select(const QStringList& names) {
        QStringList ids;
        for (const QString& name : names) ids << run(name)->id;
        m_window->bench().selection.setSelected(ids);
        m_window->bench().selection.setCurrent(ids.first());
        QTRY_VERIFY(!cards().isEmpty() && !canvas(*cards().first()).scene().layers.empty());
    }
    CurvesView& view() { return *m_window->findChild<CurvesView*>(); }
    ChartBoard& board() { return *m_window->findChild<ChartBoard*>(); }
    ChartBar& bar() { return *m_window->findChild<ChartBar*>(); }
    UnitEdit& search() { return *bar().findChild<UnitEdit*>(); }
    QToolButton& views() { return *bar().findChild<QToolButton*>(QStringLiteral("chartViews")); }
    QList<MetricCard*> cards() {
        QList<MetricCard*> cards;
        for (MetricCard* card : board().cards())
            if (card->isVisible()) cards << card;
        return cards;
    }
    QString shown() {
        QStringList ids;
        for (const MetricCard* card : cards()) ids << board().idOf(card);
        return ids.join(QLatin1Char(' '));
    }
    MetricCard& card(const QString& id) {
        if (auto* card = board().card(id)) return *card;
        qFatal("no chart %s", qPrintable(id));
    }
    static PlotCanvas& canvas(const MetricCard& card) { return *card.findChild<PlotCanvas*>(); }
    static ChartHeader& header(const MetricCard& card) { return *card.findChild<ChartHeader*>(); }
    void undo() {
        QApplication::setActiveWindow(m_window.get()); // the offscreen platform leaves it with the menu that closed
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
    }

    // Chooses a line of the open menu, through submenus. Not by clicks: Qt 6.8 offscreen takes them for ones beside it.
    static void choose(const QStringList& path) {
        QMenu* menu = nullptr;
        QTRY_VERIFY((menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())) != nullptr);
        for (const QString& text : path) {
            QAction* line = nullptr;
            for (QAction* each : menu->actions())
                if (each->text() == text) line = each;
            QVERIFY2(line != nullptr, qPrintable(text));
            menu->setActiveAction(line);
            QTest::keyClick(menu, Qt::Key_Return);
            if ((menu = line->menu()) == nullptr) break;
            QTRY_VERIFY(menu->isVisible());
        }
        QTRY_VERIFY(qobject_cast<QMenu*>(QApplication::activePopupWidget()) == nullptr); // a picker may follow
    }
    // From the menu button of a chart's header.
    void chooseOf(const QString& id, const QStringList& path) {
        for (auto* button : header(card(id)).findChildren<QPushButton*>())
            if (button->accessibleName() == QLatin1String("More about this chart")) {
                button->setFocus(Qt::TabFocusReason);
                QTest::keyClick(button, Qt::Key_Space);
            }
        choose(path);
    }
    QStringList openMenuAt(MetricCard& where, const QPoint& at) {
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, where.mapToGlobal(at));
        QApplication::sendEvent(&where, &event);
        QStringList lines;
        if (auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget()))
            for (QAction* each : menu->actions()) lines << each->text();
        return lines;
    }
    void answer(const QString& text) {
        AskSheet* sheet = nullptr;
        QTRY_VERIFY((sheet = m_window->findChild<AskSheet*>()) != nullptr && sheet->isVisible());
        sheet->line()->setText(text);
        QTest::keyClick(sheet->line(), Qt::Key_Return);
        QTRY_VERIFY(m_window->findChild<AskSheet*>() == nullptr);
    }

private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
        m_workspace.root = (m_folder->path() + QStringLiteral("/ws")).toStdString();
        std::filesystem::create_directories(m_workspace.root);
        testing::fillSampleWorkspace(m_workspace);
        const auto store = store::Store::open(m_workspace);
        QVERIFY(store.ok());
        const auto query = store::RunQuery::open(m_workspace);
        QVERIFY(query.ok());
        const auto runs = (*query)->runs({});
        QVERIFY(runs.ok());
        for (const auto& row : *runs) {
            if (row.name == "rusty-badger") continue;
            store::RunEventRow started, rate;
            started.kind = store::RunEventKind::Started;
            started.wallMs = row.startedMs;
            rate.kind = store::RunEventKind::LearningRate;
            rate.step = 150;
            rate.seconds = 3;
            rate.before = 0.1;
            rate.after = 0.05;
            rate.wallMs = row.startedMs + 3000;
            QVERIFY((*store)->appendEvents(row.id, {started, rate}).ok());
        }
        open();
    }
    void cleanup() {
        m_window.reset();
        m_folder.reset();
    }

    void onlyChartsWithPointsAreShown() {
        m_window->bench().selection.setSelected({});
        QTRY_COMPARE(shown(), QString());
        QVERIFY(view().findChild<EmptyState*>()->isVisible());
        QCOMPARE(view().findChild<EmptyState*>()->accessibleName(), QString("No run selected"));
        select({"calm-finch"});
        QTRY_COMPARE(shown(), QString(kMain));
        QVERIFY(!view().findChild<EmptyState*>() || !view().findChild<EmptyState*>()->isVisible());
    }

    void aChartWhosePointsAreBeingReadSaysNothing() {
        m_window->bench().selection.setSelected({});
        QTRY_COMPARE(shown(), QString());
        m_window->bench().selection.setSelected({run("calm-finch")->id});
        QVERIFY(!cards().isEmpty() && canvas(*cards().first()).scene().layers.empty());
        for (const MetricCard* each : cards())
            for (const Label* label : each->findChildren<Label*>())
                QVERIFY2(!label->text().startsWith("This run logged no"), qPrintable(label->text()));
        QTRY_VERIFY(!canvas(*cards().first()).scene().layers.empty());
    }

    void eventsAreMarkedInEveryChart() {
        select({"calm-finch", "brave-otter"});
        for (MetricCard* each : cards()) QTRY_COMPARE(marksIn(*each), std::size_t{2});
        QToolButton* toggle = nullptr;
        for (auto* button : m_window->findChild<CurvesToolbar*>()->findChildren<QToolButton*>())
            if (button->defaultAction() && button->accessibleName() == QLatin1String("Events in the charts"))
                toggle = button;
        QVERIFY(toggle != nullptr);
        toggle->defaultAction()->trigger();
        QVERIFY(!Settings::curvesEvents.get());
        for (MetricCard* each : cards()) QTRY_COMPARE(marksIn(*each), std::size_t{0});
        toggle->defaultAction()->trigger();
        for (MetricCard* each : cards()) QTRY_COMPARE(marksIn(*each), std::size_t{2});
        // Of many runs only those of the one under the pointer.
        select({"calm-finch", "brave-otter", "eager-lynx", "mellow-heron"});
        for (MetricCard* each : cards()) QTRY_COMPARE(marksIn(*each), std::size_t{0});
        m_window->bench().selection.setHovered(run("eager-lynx")->id);
        for (MetricCard* each : cards()) QTRY_COMPARE(marksIn(*each), std::size_t{1});
    }

    void theClockIsAnAxis() {
        select({"calm-finch"});
        auto* x = m_window->findChild<CurvesToolbar*>()->findChild<SegmentedControl*>();
        x->setFocus();
        for (int i = 0; i < 3; ++i) QTest::keyClick(x, Qt::Key_Right);
        QCOMPARE(view().group().xMode(), XMode::WallTime);
        const auto started = static_cast<double>(run("calm-finch")->row.startedMs) / 1000;
        QTRY_VERIFY(std::abs(view().group().fullRange().low - started) < 0.1);
        QTRY_VERIFY(canvas(card("lr")).scene().x.unit == AxisUnit::WallTime);
        QCOMPARE(canvas(card("lr")).scene().x.title, QString("Wall time"));
    }

    void aHeaderIsDraggedToAnotherPlace() {
        select({"calm-finch"});
        QTRY_COMPARE(shown(), QString(kMain));
        const auto drag = [&](const QString& id, const QString& to, bool cancel) {
            ChartHeader& from = header(card(id));
            const QPoint press(60, from.height() / 2);
            const QPoint target = from.mapFrom(&board(), card(to).geometry().topLeft() + QPoint(20, 60));
            QTest::mousePress(&from, Qt::LeftButton, {}, press);
            QTest::mouseMove(&from, press + QPoint(20, 0));
            QTest::mouseMove(&from, target);
            QVERIFY(board().findChild<QWidget*>(QStringLiteral("dropMark"))->isVisible());
            if (cancel) QTest::keyClick(&from, Qt::Key_Escape);
            QTest::mouseRelease(&from, Qt::LeftButton, {}, target);
            QVERIFY(!board().findChild<QWidget*>(QStringLiteral("dropMark"))->isVisible());
        };
        drag("lr", "train/loss", true);
        QCOMPARE(shown(), QString(kMain));
        drag("lr", "train/loss", false);
        QCOMPARE(shown(), QString("lr train/loss val/accuracy samples_per_s"));
        undo();
        QCOMPARE(shown(), QString(kMain));
    }

    void keysMoveAChartAndTheOrderIsKept() {
        select({"calm-finch"});
        QTRY_COMPARE(shown(), QString(kMain));
        card("samples_per_s").setFocus();
        QTest::keyClick(&card("samples_per_s"), Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(shown(), QString("train/loss val/accuracy samples_per_s lr"));
        QVERIFY(card("samples_per_s").hasFocus());
        QTest::keyClick(&card("samples_per_s"), Qt::Key_Up, Qt::AltModifier); // by a row
        const QString moved = shown();
        QVERIFY2(moved == QLatin1String("samples_per_s train/loss val/accuracy lr"), qPrintable(moved));
        m_window.reset();
        open();
        select({"calm-finch"});
        QTRY_COMPARE(shown(), moved);
        QVERIFY(views().text().contains(QStringLiteral("changed")));
    }

    void chartsArePinnedAndHiddenFromTheirMenu() {
        select({"calm-finch"});
        QTRY_COMPARE(shown(), QString(kMain));
        chooseOf("lr", {"Pin to the top"});
        QCOMPARE(shown(), QString("lr train/loss val/accuracy samples_per_s"));
        chooseOf("val/accuracy", {"Hide this chart"});
        QCOMPARE(shown(), QString("lr train/loss samples_per_s"));
        auto* hidden = bar().findChild<QToolButton*>(QStringLiteral("hiddenCharts"));
        QVERIFY(hidden->isVisible());
        QCOMPARE(hidden->text(), QString("Hidden: 1"));
        QTimer::singleShot(0, this, [] { choose({"Val accuracy"}); });
        hidden->showMenu();
        QTRY_COMPARE(shown(), QString("lr train/loss val/accuracy samples_per_s"));
        QVERIFY(!hidden->isVisible());
        for (int i = 0; i < 3; ++i) undo();
        QCOMPARE(shown(), QString(kMain));
    }

    void severalSeriesShareAChart() {
        select({"calm-finch"});
        QTRY_COMPARE(shown(), QString(kMain));
        chooseOf("train/loss", {"Add series…"});
        QVERIFY(test::pickFromOpen("val/acc"));
        QCOMPARE(shown(), QString("train/loss lr samples_per_s"));
        QCOMPARE(card("train/loss").title(), QString("Train loss + Val accuracy"));
        chooseOf("train/loss", {"Remove series", "Val accuracy"});
        QCOMPARE(shown(), QString(kMain));
        QCOMPARE(card("train/loss").title(), QString("Train loss"));
    }

    void aSearchNarrowsTheCharts() {
        select({"calm-finch"});
        QTRY_COMPARE(shown(), QString(kMain));
        QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(search().hasFocus());
        QTest::keyClicks(&search(), "ac");
        QCOMPARE(shown(), QString("val/accuracy"));
        QTest::keyClicks(&search(), "x");
        QCOMPARE(shown(), QString());
        auto* empty = view().findChild<EmptyState*>();
        QVERIFY(empty->isVisible());
        QCOMPARE(empty->accessibleName(), QString("0 of 4 charts match"));
        QTest::mouseClick(empty->button(), Qt::LeftButton);
        QTRY_COMPARE(shown(), QString(kMain));
        QVERIFY(search().text().isEmpty());
        QVERIFY(view().desk().layout().isStandard()); // a search changes no layout
    }

    // News of a run come while the keyboard is on the button of what stands in place of the charts.
    void whatStandsInPlaceOfChartsKeepsTheFocus() {
        select({"calm-finch"});
        search().setText(QStringLiteral("zz"));
        auto* button = view().findChild<EmptyState*>()->button();
        QTRY_VERIFY(button->isVisible());
        button->setFocus();
        Q_EMIT m_window->bench().feed.runsChanged({});
        QCOMPARE(QApplication::focusWidget(), button);
        QTest::keyClick(button, Qt::Key_Space);
        QTRY_COMPARE(shown(), QString(kMain));
    }

    // A stray window flashes and takes the focus from this one, so that no shortcut works any more.
    void whatIsReplacedAtOnceIsNoWindow() {
        select({"calm-finch"});
        WindowsShown windows;
        search().setText(QStringLiteral("zz"));
        search().setText(QStringLiteral("zzz"));
        m_window->bench().selection.setSelected({});
        QTRY_COMPARE(view().findChild<EmptyState*>()->accessibleName(), QString("No run selected"));
        QTRY_VERIFY(view().findChild<EmptyState*>()->isVisible());
        QTest::qWait(0);
        QCOMPARE(windows.names, QStringList());
        QVERIFY(m_window->isActiveWindow());
    }

    void aYRangeIsTyped() {
        select({"calm-finch"});
        chooseOf("lr", {"Y axis", "Range…"});
        auto* sheet = m_window->findChild<YRangeSheet*>();
        QVERIFY(sheet != nullptr);
        const auto fields = sheet->findChildren<UnitField*>();
        QCOMPARE(fields.size(), 2); // highest, lowest
        fields[0]->setText(QStringLiteral("0.5"));
        fields[1]->setText(QStringLiteral("0.7"));
        QTest::keyClick(fields[0]->edit(), Qt::Key_Return);
        QVERIFY(fields[0]->error().contains(QStringLiteral("above the lowest")));
        fields[1]->setText(QStringLiteral("0"));
        QTest::keyClick(fields[1]->edit(), Qt::Key_Return);
        QTRY_COMPARE(card("lr").yRange().high, 0.5);
        QCOMPARE(card("lr").yRange().low, 0.0);
        undo();
        QTRY_VERIFY(card("lr").yRange().high < 0.4);
    }

    void viewsAreSavedChosenRenamedAndDeleted() {
        select({"calm-finch"});
        QTRY_COMPARE(shown(), QString(kMain));
        const auto pick = [&](const QStringList& path) {
            QTimer::singleShot(0, this, [path] { choose(path); });
            views().showMenu();
        };
        chooseOf("lr", {"Pin to the top"});
        pick({"Save as a new view…"});
        answer(QStringLiteral("rate first"));
        QCOMPARE(views().text(), QString("View: rate first"));
        pick({"Standard"});
        QTRY_COMPARE(shown(), QString(kMain));
        QCOMPARE(views().text(), QString("View: Standard"));
        m_window.reset();
        open();
        select({"calm-finch"});
        QTRY_COMPARE(shown(), QString(kMain));
        pick({"rate first"});
        QTRY_COMPARE(shown(), QString("lr train/loss val/accuracy samples_per_s"));
        chooseOf("samples_per_s", {"Hide this chart"});
        QCOMPARE(views().text(), QString("View: rate first, changed"));
        pick({"Save the changes"});
        QCOMPARE(views().text(), QString("View: rate first"));
        pick({"Rename this view…"});
        answer(QStringLiteral("tuning"));
        QCOMPARE(views().text(), QString("View: tuning"));
        pick({"Delete this view"});
        QTRY_VERIFY(view().desk().views().isEmpty());
        undo();
        QCOMPARE(view().desk().views().size(), 1);
        QCOMPARE(view().desk().views().first().first, QString("tuning"));
    }

    // Feature: the values behind a chart as a table, to read and to copy.
    void valuesAreATableToCopy() {
        select({"calm-finch", "windy-elk"}); // of 600 and of 300 steps
        QTRY_COMPARE(card("train/loss").points()[0].data.size(), std::size_t{600});
        QTRY_COMPARE(card("train/loss").points()[1].data.size(), std::size_t{300});
        chooseOf("train/loss", {"Show values…"});
        auto* sheet = m_window->findChild<ValuesSheet*>();
        QVERIFY(sheet != nullptr && sheet->isVisible());
        auto* table = sheet->findChild<QTableView*>();
        QCOMPARE(table->accessibleName(), QString("Values of Train loss"));
        QCOMPARE(table->model()->rowCount(), 600);
        QCOMPARE(table->model()->columnCount(), 5);
        QCOMPARE(table->model()->headerData(3, Qt::Horizontal).toString(), QString("calm-finch"));
        QVERIFY(!table->model()->index(100, 4).data().toString().isEmpty());
        QVERIFY(table->model()->index(400, 4).data().toString().isEmpty()); // that run had ended
        QTRY_VERIFY(table->hasFocus());
        table->selectRow(2);
        QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 3); // header, row, and the end of the last line
        QCOMPARE(lines[0], QString("Step\tEpoch\tTime\tcalm-finch\twindy-elk"));
        const QStringList cells = lines[1].split(QLatin1Char('\t'));
        QCOMPARE(cells[0], QString("2"));
        QCOMPARE(cells[3].toDouble(), card("train/loss").points()[0].data.value(2)); // every digit
        QTest::keyClick(table, Qt::Key_Escape);
        QTRY_VERIFY(m_window->findChild<ValuesSheet*>() == nullptr);
    }

    // What is measured by the clock has several points at a step.
    void pointsOfOneStepHaveRowsOfTheirOwn() {
        std::vector<CsvSeries> curves(2);
        for (auto& curve : curves) curve.metric = QStringLiteral("system/rank0/cpu_percent");
        const auto add = [&](std::size_t curve, qint64 step, double value) {
            curves[curve].data.append(std::vector<PlotPoint>{{.step = step, .timeSeconds = value, .value = value}});
        };
        add(0, 1, 10), add(0, 2, 20), add(0, 2, 21), add(0, 2, 22), add(0, 3, 30);
        add(1, 2, 120), add(1, 2, 121), add(1, 4, 140);
        const ChartValues values(curves);
        QStringList rows;
        for (int row = 0; row < values.rowCount(); ++row) {
            QStringList cells;
            for (const int column : {0, 3, 4}) cells << values.index(row, column).data().toString();
            rows << cells.join(QLatin1Char(' '));
        }
        QCOMPARE(rows, QStringList({"1 10 ", "2 20 120", "2 21 121", "2 22 ", "3 30 ", "4  140"}));
    }

    void aBranchBeginsAtTheNearestCheckpoint() {
        select({"calm-finch"}); // checkpoints at steps 360, 480 and 600
        QTRY_COMPARE(m_window->bench().feed.checkpoints(run("calm-finch")->id).size(), std::size_t{3});
        MetricCard& loss = card("train/loss");
        const PlotFrame frame = canvas(loss).frame();
        const QPoint at = canvas(loss).mapTo(&loss, frame.toPixel(470, 0.3).toPoint());
        const QString line = QStringLiteral("Fork here: calm-finch, step 480…");
        QVERIFY2(openMenuAt(loss, at).contains(line), qPrintable(openMenuAt(loss, at).join('|')));
        choose({line});
        auto* sheet = m_window->findChild<NewRunSheet*>();
        QVERIFY(sheet != nullptr);
        bool named = false;
        for (auto* box : sheet->findChildren<QComboBox*>())
            named = named || box->currentText().contains(QStringLiteral("Epoch 4 of calm-finch"));
        QVERIFY(named);
    }

    // Bad inputs: a layout of charts that the window cannot read.
    void aLayoutThatCannotBeReadIsSaid() {
        m_window.reset();
        Settings::chartLayout.of(QString::fromStdString(m_workspace.root.string())).set("{\"version\":7}");
        open();
        select({"calm-finch"});
        QTRY_COMPARE(shown(), QString(kMain));
        QTRY_VERIFY([&] {
            for (const auto* label : m_window->findChildren<QLabel*>())
                if (label->text().contains(QStringLiteral("must be 1, found 7"))) return true;
            return false;
        }());
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QLocale::setDefault(QLocale::c());
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-curves-view-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-curves-view-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    CurvesViewTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "curves_view_test.moc"
