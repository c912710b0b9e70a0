// SPDX-License-Identifier: GPL-3.0-or-later
// What the page of runs says where there is none yet, one has failed, or its disk is full; and where its buttons lead.
#include "engine/run/record/run_folder.h"
#include "tests/gui/forms/form_fields.h"
#include "tests/gui/sample_workspace.h"
#include "ui/new_run/new_run_sheet.h"
#include "ui/pages/runs/curves/curves_view.h"
#include "ui/pages/runs/inspector/inspector.h"
#include "ui/pages/runs/inspector/inspector_sections.h"
#include "ui/pages/runs/inspector/run_banner.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/runs/table/archive_sheet.h"
#include "ui/pages/runs/table/runs_panel.h"
#include "ui/shell/main_window.h"
#include "ui/shell/status_strip.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/sheets/checklist.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QTreeView>

#include <algorithm>

using namespace trainyard;
using namespace trainyard::ui;

class RunsPageTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    store::Workspace m_workspace;
    std::unique_ptr<MainWindow> m_window;

    void open() {
        m_window = std::make_unique<MainWindow>(m_workspace);
        m_window->resize(1366, 768);
        m_window->setPage(PageId::runs);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTRY_VERIFY(m_window->bench().feed.loaded());
    }
    store::RunRow row(wire::RunStatus status) const {
        store::RunRow row;
        row.id = "20260101-000000-000001";
        row.name = "cats";
        row.status = status;
        spec::RunSpec spec;
        spec.name = row.name;
        spec.dataset = {"images", {{"folder", std::string("/gone/cats")}}};
        row.specJson = spec::toJson(spec);
        row.folder = m_workspace.runFolder(row.id).string();
        std::filesystem::create_directories(row.folder);
        return row;
    }
    static store::CheckpointRow checkpoint(const store::RunRow& run, std::int64_t bytes) {
        store::CheckpointRow row;
        row.path = run.folder + "/checkpoints/step-5.safetensors";
        row.step = 5;
        row.epoch = 1;
        row.bytes = bytes;
        row.wallMs = 1'700'000'000'000;
        row.best = row.last = true;
        return row;
    }
    // Opens the window on this one run.
    void show(store::RunRow& run, const std::vector<store::CheckpointRow>& checkpoints) {
        auto store = *store::Store::open(m_workspace);
        QVERIFY(store->createRun(run).ok() && store->setCheckpoints(run.id, checkpoints).ok());
        open();
        const QString id = QString::fromStdString(run.id);
        QTRY_VERIFY(m_window->bench().feed.run(id));
        m_window->bench().selection.show(id);
        QTRY_COMPARE(m_window->bench().feed.checkpoints(id).size(), checkpoints.size());
    }
    RunBanner& banner() { return *m_window->findChild<RunBanner*>(); }
    QStringList told() {
        QStringList words;
        for (const auto* label : banner().findChildren<QLabel*>())
            if (label->isVisible()) words << label->text();
        return words;
    }
    QPushButton* button(const char* words) {
        for (auto* each : banner().findChildren<QPushButton*>())
            if (each->isVisible() && each->text() == QString::fromUtf8(words)) return each;
        return nullptr;
    }

private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
        m_workspace.root = m_folder->path().toStdString();
    }
    void cleanup() { m_window.reset(); }

    // It says so once, not in every column, and offers the one thing to do.
    // Feature: the page of runs without a run offers one; a failure says once where it happened; a full disk leads to
    // what can be deleted. Also in load_segments_test.
    void withoutRunsOneIsOffered() {
        open();
        auto* empty = m_window->runsPage()->curves()->findChild<EmptyState*>();
        QTRY_VERIFY(empty && empty->isVisible() && empty->accessibleName() == QLatin1String("No curves yet"));
        QTRY_VERIFY(!m_window->findChild<Inspector*>()->isVisible()); // it would be blank
        const auto* middle = m_window->runsPage()->curves();
        const int left = empty->mapTo(middle, QPoint()).x();
        QVERIFY2(std::abs(left - (middle->width() - left - empty->width())) <= 1, qPrintable(QString::number(left)));
        for (const auto* label : m_window->runsPage()->findChildren<QLabel*>())
            QVERIFY2(!label->isVisible() || label->text() != QLatin1String("No run selected"),
                     qPrintable(label->parentWidget()->accessibleName()));
        QTest::keyClick(empty->button(), Qt::Key_Space);
        QTRY_VERIFY(m_window->findChild<NewRunSheet*>());
    }

    // The database is gone, and the folder of a run is still there.
    void aLostRecordIsSaid() {
        const run::RunFolder folder{m_workspace.runFolder("20260101-000000-000001")};
        QVERIFY(run::makeRunFolder(folder).ok());
        QVERIFY(writeFileAtomic(folder.runFile(), row(wire::RunStatus::Finished).specJson).ok());
        open();
        const auto says = [this](const QString& words) {
            const auto labels = m_window->findChild<RunsPanel*>()->findChildren<QLabel*>();
            return std::ranges::any_of(
                labels, [&](const auto* each) { return each->isVisible() && each->text().contains(words); });
        };
        QTRY_VERIFY(says(QStringLiteral("The database has lost")));
        QVERIFY(says(QStringLiteral("trainyardctl workspace repair --workspace ") + m_folder->path()));
        QVERIFY(!says(QStringLiteral("No runs yet")));
    }

    // A finished run that was to train on, and could not.
    void whyARunWasNotContinuedIsSaid_data() {
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<QString>("way"); // that a button opens
        QTest::newRow("a file that is gone") << ErrorCode::FileMissing << "";
        QTest::newRow("data that has changed") << ErrorCode::DataChanged << "Continue with this data…";
        QTest::newRow("data of other classes") << ErrorCode::CheckpointMisfit << "Train on this data…";
    }

    void whyARunWasNotContinuedIsSaid() {
        QFETCH(ErrorCode, code);
        QFETCH(QString, way);
        auto run = row(wire::RunStatus::Finished);
        run.error.message = "is not what the run was trained on";
        run.error.where = "/data/flowers.csv";
        run.error.remedy = "put the data back";
        run.error.code = code;
        show(run, {});
        QTRY_VERIFY(banner().isVisible());
        QStringList ways;
        for (const auto* button : banner().findChildren<QPushButton*>())
            if (button->isVisible() && !button->text().isEmpty()) ways << button->text(); // one closes it
        QCOMPARE(ways, way.isEmpty() ? QStringList() : QStringList{way});
        QCOMPARE(told(), (QStringList{QString::fromStdString(run.name) +
                                          QStringLiteral(" could not be continued, and is finished as before"),
                                      QStringLiteral("/data/flowers.csv: is not what the run was trained on (put the "
                                                     "data back)")}));
    }

    // In one chart; the others say what they wait for.
    void theStepsOfAStartAreListedOnce() {
        auto run = row(wire::RunStatus::Starting);
        const auto lock = store::RunLock::acquire(run.folder); // what a live supervisor holds
        QVERIFY(lock.ok());
        show(run, {});
        auto& curves = *m_window->runsPage()->curves();
        const auto lists = [&curves] {
            int shown = 0;
            for (const auto* each : curves.findChildren<Checklist*>()) shown += each->isVisible() ? 1 : 0;
            return shown;
        };
        QTRY_COMPARE(lists(), 1);
        QStringList words;
        for (const auto* label : curves.findChildren<QLabel*>())
            if (label->isVisible()) words << label->text();
        QCOMPARE(words.count(QStringLiteral("The first step logs it.")), 2); // lr and samples_per_s
        QCOMPARE(words.count(QStringLiteral("Validation runs at the end of each epoch.")), 1);
    }

    // Of one that lives on another host nobody here has seen it.
    void theStartOfARunThatTrainsIsOver() {
        auto run = row(wire::RunStatus::Running);
        run.step = 300;
        const auto lock = store::RunLock::acquire(run.folder);
        QVERIFY(lock.ok());
        show(run, {});
        auto& curves = *m_window->runsPage()->curves();
        const auto waits = [&curves] {
            const auto labels = curves.findChildren<QLabel*>();
            return std::any_of(labels.begin(), labels.end(), [](const auto* each) {
                return each->isVisible() && each->text() == QLatin1String("Validation runs at the end of each epoch.");
            });
        };
        QTRY_VERIFY(waits());
        for (const auto* each : curves.findChildren<Checklist*>()) QVERIFY(!each->isVisible());
    }

    void aRunWithoutItsDataAsksForThePath_data() {
        QTest::addColumn<bool>("hasCheckpoint");
        QTest::newRow("from the start") << false;
        QTest::newRow("from its checkpoint") << true;
    }
    void aRunWithoutItsDataAsksForThePath() {
        if (!std::filesystem::exists(CatalogLoader::workerProgram())) QSKIP("there is no trainyard-worker");
        QFETCH(bool, hasCheckpoint);
        auto run = row(wire::RunStatus::Failed);
        run.error.message = "the folder does not exist";
        run.error.where = "/gone/cats";
        run.error.code = ErrorCode::FileMissing;
        run.step = 5;
        show(run, hasCheckpoint ? std::vector{checkpoint(run, 1000)} : std::vector<store::CheckpointRow>{});
        QTRY_VERIFY(button("Set the path…"));
        QVERIFY(!button("Resume") && !button("Retry")); // which would fail again
        QTest::mouseClick(button("Set the path…"), Qt::LeftButton);
        NewRunSheet* sheet = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((sheet = m_window->findChild<NewRunSheet*>()) && sheet->form(), 20000);
        QCOMPARE(test::text(*sheet, "Folder"), QStringLiteral("/gone/cats"));
        auto* from = test::named<QComboBox>(*sheet, QStringLiteral("Start from"));
        QCOMPARE(from != nullptr && from->currentText() != QLatin1String("New weights"), hasCheckpoint);
    }

    void whereItFailedIsSaidOnce_data() {
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("said");
        QTest::newRow("told by a rank") << "rank 1, step 5" << "rank 1, step 5";
        QTest::newRow("not told") << "" << "at step 5";
    }
    void whereItFailedIsSaidOnce() {
        QFETCH(QString, where);
        QFETCH(QString, said);
        auto run = row(wire::RunStatus::Failed);
        run.error.message = "the loss is not finite";
        run.error.where = where.toStdString();
        run.step = 5;
        show(run, {});
        QTRY_VERIFY2(told().contains(said), qPrintable(told().join('|')));
        QCOMPARE(told().join('|').count(QStringLiteral("step 5")), 1);
    }

    // The next checkpoint of this one would take more than any disk has.
    void aFullDiskLeadsToWhatCanBeDeleted() {
        auto run = row(wire::RunStatus::Running);
        const auto lock = store::RunLock::acquire(run.folder); // what a live supervisor holds
        QVERIFY(lock.ok());
        show(run, {checkpoint(run, 1'000'000'000'000'000)});
        QTRY_VERIFY2(button("Free space…"), qPrintable(told().join('|')));
        QTest::mouseClick(button("Free space…"), Qt::LeftButton);
        QTRY_VERIFY(m_window->findChild<ArchiveSheet*>());
    }

    // Who worked in a column that goes is still on the page.
    void theFocusStaysOnThePageWhenItsColumnGoes_data() {
        QTest::addColumn<bool>("table");
        QTest::addColumn<bool>("narrowed"); // else by its key
        QTest::newRow("the runs, by the key") << true << false;
        QTest::newRow("the inspector, by the key") << false << false;
        QTest::newRow("the runs, in a narrow window") << true << true;
        QTest::newRow("the inspector, in a narrow window") << false << true;
    }
    void theFocusStaysOnThePageWhenItsColumnGoes() {
        QFETCH(bool, table);
        QFETCH(bool, narrowed);
        auto run = row(wire::RunStatus::Finished);
        show(run, {});
        QWidget* column = table ? static_cast<QWidget*>(m_window->findChild<RunsPanel*>())
                                : static_cast<QWidget*>(m_window->findChild<Inspector*>());
        QWidget* inside = m_window->findChild<RunsPanel*>()->view();
        if (!table)
            for (auto* each : column->findChildren<QPushButton*>())
                if (each->isVisible() && each->isEnabled()) inside = each;
        inside->setFocus();
        QTRY_VERIFY(column->isAncestorOf(QApplication::focusWidget()));
        if (narrowed) m_window->resize(720, 600);
        else if (table) Q_EMIT m_window->bench().runsTableToggled();
        else Q_EMIT m_window->bench().inspectorToggled();
        QTRY_VERIFY(!column->isVisible());
        auto* focus = QApplication::focusWidget();
        QVERIFY(focus);
        QVERIFY2(m_window->runsPage()->isAncestorOf(focus), qPrintable(focus->accessibleName()));
    }

    // As the New run sheet calls them.
    void differencesHaveTheNamesOfTheirFields() {
        if (!std::filesystem::exists(CatalogLoader::workerProgram())) QSKIP("there is no trainyard-worker");
        auto store = *store::Store::open(m_workspace);
        for (const std::int64_t width : {16, 32}) {
            auto run = row(wire::RunStatus::Finished);
            run.id = "20260101-000000-0000" + std::to_string(width);
            run.folder = m_workspace.runFolder(run.id).string();
            spec::RunSpec spec;
            spec.dataset = {"images", {{"folder", std::string("/gone/cats")}}};
            spec.model = {"convnet", {{"width", width}}};
            spec.data.onError = width == 16 ? "stop" : "skip";
            spec.data.maxBad = 0.01 * static_cast<double>(width);
            run.specJson = spec::toJson(spec);
            QVERIFY(store->createRun(run).ok());
        }
        open();
        auto& bench = m_window->bench();
        QTRY_VERIFY_WITH_TIMEOUT(bench.catalog.catalog() && bench.feed.runs().size() == 2, 30000);
        bench.selection.setSelected({bench.feed.runs()[0]->id, bench.feed.runs()[1]->id});
        bench.selection.setCurrent(bench.feed.runs()[0]->id);
        auto* list = m_window->findChild<DifferenceList*>();
        QTRY_VERIFY(list && list->isVisible());
        QStringList names;
        for (const QString& line : list->toolTip().split(QLatin1Char('\n')))
            names << line.section(QLatin1String(" from "), 0, 0);
        names.sort();
        QCOMPARE(names, (QStringList{QStringLiteral("Filters"), QStringLiteral("Skip at most"),
                                     QStringLiteral("Unreadable files")}));
    }

    // Without any news of a run.
    void agesGrowByThemselves() {
        auto run = row(wire::RunStatus::Finished);
        run.finishedMs = QDateTime::currentMSecsSinceEpoch() - 30'000;
        show(run, {});
        auto* panel = m_window->findChild<RunsPanel*>();
        auto* viewport = panel->view()->viewport();
        struct Counter : QObject {
            int paints = 0;
            bool eventFilter(QObject*, QEvent* event) override {
                paints += event->type() == QEvent::Paint ? 1 : 0;
                return false;
            }
        } counter;
        auto timers = panel->findChildren<QTimer*>(Qt::FindDirectChildrenOnly);
        QCOMPARE(timers.size(), 1);
        QVERIFY(timers.first()->isActive() && timers.first()->interval() <= 10'000);
        m_window->setPage(PageId::home);
        QVERIFY(!timers.first()->isActive()); // nobody sees them
        m_window->setPage(PageId::runs);
        QTRY_VERIFY(viewport->isVisible());
        QCoreApplication::processEvents();
        viewport->installEventFilter(&counter);
        timers.first()->start(1);
        QTRY_VERIFY(counter.paints > 2);
    }

    void theStatusBarTellsOfAResume() {
        auto run = row(wire::RunStatus::Stopped);
        show(run, {});
        Q_EMIT m_window->bench().feed.runEnded(QString::fromStdString(run.id));
        const auto says = [this](const QString& words) {
            const auto segments = m_window->findChild<StatusStrip*>()->findChildren<StatusSegment*>();
            return std::ranges::any_of(segments,
                                       [&](const auto* each) { return each->accessibleName().startsWith(words); });
        };
        QTRY_VERIFY(says(QStringLiteral("cats · stopped")));
        const auto supervised = store::RunLock::acquire(run.folder);
        run.status = wire::RunStatus::Running;
        QVERIFY((*store::Store::open(m_workspace))->updateRun(run).ok());
        QTRY_VERIFY(says(QStringLiteral("cats · resumed")));
    }

    // The chip in the status bar has the colour that the run's curve has, in whichever theme is shown.
    void theLastRunsChipFollowsTheTheme() {
        auto run = row(wire::RunStatus::Finished);
        show(run, {});
        auto& bench = m_window->bench();
        const RunItemPtr shown = bench.feed.run(QString::fromStdString(run.id));
        Q_EMIT bench.feed.runEnded(shown->id);
        auto* strip = m_window->findChild<StatusStrip*>();
        const auto holds = [strip](const QColor& color) {
            const QImage image = strip->grab().toImage();
            for (int y = 0; y < image.height(); ++y)
                for (int x = image.width() / 2; x < image.width(); ++x)
                    if (image.pixelColor(x, y) == color) return true;
            return false;
        };
        for (const auto mode : {ThemeMode::Light, ThemeMode::Dark, ThemeMode::Light}) {
            ThemeController::instance().setMode(mode);
            QTRY_VERIFY2(holds(Theme::current().curve(shown->color)),
                         qPrintable(Theme::current().curve(shown->color).name()));
        }
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    RunsPageTest test;
    return trainyard::test::runInWindow(test, argc, argv, QStringLiteral("trainyard-runs-page-test"));
}
#include "runs_page_test.moc"
