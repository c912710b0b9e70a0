// SPDX-License-Identifier: GPL-3.0-or-later
// What the window does with a run that was really trained: exports through the menus and the file dialog, the metrics
// of the test samples, an end at once, and a second start that hands its file over.
#include "app/single_instance.h"
#include "ui/models/new_run/preview.h"
#include "ui/models/runs/test_metrics.h"
#include "ui/new_run/new_run_sheet.h"
#include "ui/pages/runs/curves/chart_board.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/shared/run_menu.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/sheets/ask_sheet.h"

#include <QApplication>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSet>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include <signal.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <optional>
#include <thread>

using namespace trainyard;
using namespace trainyard::ui;

namespace {

spec::RunSpec shortRun(std::int64_t epochs) {
    spec::RunSpec spec;
    spec.name = "short";
    spec.model = {"mlp", {{"hidden", std::vector<double>{32}}}};
    spec.dataset = {"spirals", {{"samples", std::int64_t{3000}}, {"test", 10.0}}};
    spec.optimizer = {"adam", {{"lr", 0.01}}};
    spec.epochs = static_cast<double>(epochs);
    return spec;
}

QMenu* openMenu() {
    for (auto* widget : QApplication::topLevelWidgets()) {
        auto* menu = qobject_cast<QMenu*>(widget);
        if (menu && menu->isVisible()) return menu;
    }
    return nullptr;
}

// The menu is gone afterwards. Also from a submenu.
bool chooseEntry(QMenu& menu, const QString& text) {
    for (auto* action : menu.actions()) {
        if (QMenu* part = action->menu(); part != nullptr && part->actions().size() > 0) {
            for (auto* inner : part->actions()) {
                if (inner->text().section(QLatin1Char('\t'), 0, 0) != text) continue;
                menu.setActiveAction(action);
                QTest::keyClick(&menu, Qt::Key_Return);
                return chooseEntry(*part, text);
            }
        }
        if (action->text().section(QLatin1Char('\t'), 0, 0) != text) continue;
        menu.setActiveAction(action); // newer versions of Qt take no click that comes at once after the menu
        QTest::keyClick(&menu, Qt::Key_Return);
        return true;
    }
    return false;
}

// The dialog that comes up next is answered with this file.
void answerFileDialog(const QString& path) {
    auto* timer = new QTimer(qApp);
    QObject::connect(timer, &QTimer::timeout, timer, [timer, path] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (!dialog || !dialog->isVisible()) return;
        timer->stop();
        timer->deleteLater();
        // Typed, as a person would: the dialog's own list of files may still be coming in.
        auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        name->setText(path);
        QTest::keyClick(name, Qt::Key_Return);
    });
    timer->start(20);
}

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class RunActionsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    store::Workspace m_workspace;
    std::unique_ptr<MainWindow> m_window;
    QString m_run; // finished

    RunItemPtr train(const spec::RunSpec& spec) {
        auto& bench = m_window->bench();
        QString id;
        const auto once = connect(&bench.actions, &RunActions::runStarted, this, [&](const QString& run) { id = run; });
        bench.actions.start(spec);
        const bool started = QTest::qWaitFor([&] { return bench.feed.run(id) != nullptr; }, 20000);
        disconnect(once);
        return started ? bench.feed.run(id) : nullptr;
    }

    QPushButton* buttonNamed(const QString& name) const {
        for (auto* each : m_window->findChildren<QPushButton*>())
            if (each->accessibleName() == name && each->isVisible()) return each;
        return nullptr;
    }
    static QPushButton* startButton(NewRunSheet* sheet) {
        for (auto* each : sheet->findChildren<QPushButton*>())
            if (each->text() == QLatin1String("Start")) return each;
        return nullptr;
    }

private Q_SLOTS:
    void initTestCase() {
        if (!std::filesystem::exists(CatalogLoader::workerProgram())) QSKIP("there is no trainyard-worker");
        m_workspace.root = m_folder.path().toStdString();
        m_window = std::make_unique<MainWindow>(m_workspace);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        const auto run = train(shortRun(3));
        QVERIFY(run);
        m_run = run->id;
        auto& feed = m_window->bench().feed;
        QTRY_COMPARE_WITH_TIMEOUT(feed.run(m_run)->status, wire::RunStatus::Finished, 60000);
        m_window->setPage(PageId::runs);
        m_window->bench().selection.show(m_run);
        QTRY_VERIFY(!feed.checkpoints(m_run).empty());
    }
    void cleanupTestCase() { m_window.reset(); }

    // What the worker says to programs reaches the window with its code.
    void aFailureOfTheWorkerKeepsItsCode() {
        std::optional<Error> exported, previewed;
        const auto failed = connect(&m_window->bench().actions, &RunActions::failed, this,
                                    [&](const QString&, const Error& error) { exported = error; });
        m_window->bench().actions.exportCheckpoint(m_folder.filePath("absent.safetensors"), "state-dict",
                                                   m_folder.filePath("absent.pt"));
        QTRY_VERIFY_WITH_TIMEOUT(exported, 30000);
        disconnect(failed);
        QCOMPARE(exported->code, ErrorCode::FileMissing);
        QCOMPARE(exported->kind, ErrorKind::Input);
        for (auto* sheet : m_window->findChildren<Sheet*>()) sheet->close(); // the one that tells of it
        PreviewProcess preview;
        connect(&preview, &PreviewProcess::refused, this, [&](const Error& error) { previewed = error; });
        preview.ask(R"({"version": 1, "dataset": "absent"})");
        QTRY_VERIFY_WITH_TIMEOUT(previewed, 30000);
        QCOMPARE(previewed->code, ErrorCode::FieldInvalid);
    }

    void exportsGoWhereTheFileDialogSays_data() {
        QTest::addColumn<QString>("entry");
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("holds");
        const auto row = [](const char* name, const char* entry, const char* file, const char* holds) {
            QTest::newRow(name) << QString::fromUtf8(entry) << file << QByteArray(holds);
        };
        row("safetensors", "Export safetensors…", "model.safetensors", "\"layers.0.weight\"");
        row("state dict", "Export state dict for PyTorch…", "model.pt", "layers.0.weight");
        row("TorchScript", "Export TorchScript…", "script.pt", "constants.pkl");
        row("points", "Export all points as CSV…", "points.csv", "series,step,epoch,time_s,value");
    }
    void exportsGoWhereTheFileDialogSays() {
        QFETCH(QString, entry);
        QFETCH(QString, file);
        QFETCH(QByteArray, holds);
        QToolButton* exporter = nullptr;
        for (auto* each : m_window->findChildren<QToolButton*>())
            if (each->accessibleName() == QLatin1String("Export the best checkpoint, or the points")) exporter = each;
        QVERIFY(exporter);
        exporter->click();
        QMenu* menu = nullptr;
        QTRY_VERIFY((menu = openMenu()) != nullptr);
        const QString path = m_folder.filePath(file);
        answerFileDialog(path);
        QVERIFY2(chooseEntry(*menu, entry), qPrintable(entry));
        QTRY_VERIFY_WITH_TIMEOUT(contentOf(path).contains(holds), 20000);
        QTRY_VERIFY(!openMenu());
    }

    void theInspectorShowsTheTestSamples() {
        const auto run = m_window->bench().feed.run(m_run);
        const auto metrics = testMetrics(run->row.folder);
        QStringList names;
        QSet<std::int64_t> steps;
        for (const auto& metric : metrics) {
            steps << metric.step;
            names << metric.checkpoint + QLatin1Char(' ') + metric.metric;
            QVERIFY(metric.step > 0 && metric.step <= run->row.totalSteps);
        }
        QVERIFY2(names.contains(QLatin1String("best accuracy")), qPrintable(names.join(QLatin1Char(';'))));
        QVERIFY(names.contains(QLatin1String("last accuracy")));
        // Each checkpoint by its name, unless the best is the last.
        const QString title = steps.size() == 1 ? QStringLiteral("Accuracy") : QStringLiteral("Accuracy, best");
        const auto lists = m_window->findChildren<PairList*>();
        const bool shown = std::any_of(lists.begin(), lists.end(), [&](const PairList* list) {
            return list->isVisible() && std::any_of(list->pairs().begin(), list->pairs().end(),
                                                    [&](const auto& pair) { return pair.name == title; });
        });
        QVERIFY(shown);
        // What was measured once is a value of the run, and makes no chart.
        QVERIFY(std::any_of(run->series.begin(), run->series.end(),
                            [](const auto& summary) { return summary.series == "test/accuracy"; }));
        auto* board = m_window->findChild<ChartBoard*>();
        QTRY_VERIFY(board->card(QStringLiteral("val/accuracy")) != nullptr);
        QVERIFY(board->card(QStringLiteral("test/accuracy")) == nullptr);
    }

    void aFileOfTestMetricsThatIsDamagedIsPassedOver() {
        const QTemporaryDir folder;
        QVERIFY(testMetrics(folder.path().toStdString()).isEmpty());
        for (const char* text :
             {"", "{", "[]", R"({"test": 3})", R"({"test": {"best": [1], "last": {"loss": "low"}}})"}) {
            QFile file(folder.filePath(QStringLiteral("evaluation.json")));
            QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
            file.write(text);
            file.close();
            QVERIFY2(testMetrics(folder.path().toStdString()).isEmpty(), text);
        }
    }

    void aRunIsStoppedAtOnceFromItsMenu() {
        const auto run = train(shortRun(100000));
        QVERIFY(run);
        auto& bench = m_window->bench();
        QTRY_VERIFY_WITH_TIMEOUT(bench.feed.run(run->id)->row.step > 0, 30000);
        std::vector<wire::WorkerState> workers;
        QTRY_VERIFY(!(workers = bench.feed.workers(run->id)).empty());
        showRunMenu({bench, bench.feed.run(run->id), m_window.get()}, QPoint(10, 10));
        QMenu* menu = nullptr;
        QTRY_VERIFY((menu = openMenu()) != nullptr);
        // A menu of a run has no more than twelve entries on a level.
        const auto entriesOf = [](const QMenu& shown) {
            const auto actions = shown.actions();
            return std::count_if(actions.begin(), actions.end(),
                                 [](const QAction* each) { return each->isVisible() && !each->isSeparator(); });
        };
        QVERIFY(entriesOf(*menu) <= 12);
        for (const QAction* each : menu->actions()) QVERIFY(each->menu() == nullptr || entriesOf(*each->menu()) <= 12);
        QVERIFY(chooseEntry(*menu, QStringLiteral("Stop now")));
        QTRY_COMPARE_WITH_TIMEOUT(bench.feed.run(run->id)->status, wire::RunStatus::Stopped, 20000);
        for (const auto& worker : workers) QTRY_VERIFY(::kill(static_cast<pid_t>(worker.pid), 0) != 0);

        // A click that comes too late is no failure.
        QSignalSpy failures(&bench.actions, &RunActions::failed), results(&bench.actions, &RunActions::done);
        bench.actions.stop(run->id, wire::StopMode::SaveAndStop);
        QTRY_COMPARE_WITH_TIMEOUT(results.size(), 1, 20000);
        QCOMPARE(results.front().front().toString(), QStringLiteral("The run had already ended"));
        QCOMPARE(failures.size(), 0);
    }

    void itsNumberOfWorkersIsChangedFromItsMenu() {
        auto spec = shortRun(100000);
        spec.scaling.workers = 1;
        spec.scaling.elastic = {1, 2};
        const auto run = train(spec);
        QVERIFY(run);
        auto& bench = m_window->bench();
        QTRY_VERIFY_WITH_TIMEOUT(bench.feed.run(run->id)->row.step > 0, 30000);
        showRunMenu({bench, bench.feed.run(run->id), m_window.get()}, QPoint(10, 10));
        QMenu* menu = nullptr;
        QTRY_VERIFY((menu = openMenu()) != nullptr);
        QVERIFY(chooseEntry(*menu, QStringLiteral("Change the number of workers…")));
        AskSheet* sheet = nullptr;
        QTRY_VERIFY((sheet = m_window->findChild<AskSheet*>()) != nullptr);
        QCOMPARE(sheet->number()->value(), 1);
        QCOMPARE(sheet->number()->maximum(), 2);
        sheet->number()->setValue(2);
        sheet->accept();
        QTRY_COMPARE_WITH_TIMEOUT(bench.feed.workers(run->id).size(), std::size_t{2}, 20000);
        bench.actions.stop(run->id, wire::StopMode::Kill);
        QTRY_COMPARE_WITH_TIMEOUT(bench.feed.run(run->id)->status, wire::RunStatus::Stopped, 20000);
    }

    void aDataSetOfNumbersIsTrainedFromItsPlace() {
        m_window->setPage(QStringLiteral("data"));
        QPushButton* train = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((train = buttonNamed(QStringLiteral("Train on Waves (generated)"))) != nullptr, 20000);
        const auto isReached = [train] { // the page is laid out a little later
            for (QWidget* each = train->parentWidget(); each != nullptr; each = each->parentWidget())
                if (auto* area = qobject_cast<QScrollArea*>(each)) area->ensureWidgetVisible(train);
            return train->visibleRegion().contains(train->rect().center());
        };
        QTRY_VERIFY(isReached());
        QTest::mouseClick(train, Qt::LeftButton);
        NewRunSheet* sheet = nullptr;
        QTRY_VERIFY((sheet = m_window->findChild<NewRunSheet*>()) != nullptr);
        QString id;
        const auto once =
            connect(&m_window->bench().actions, &RunActions::runStarted, this, [&](const QString& run) { id = run; });
        QTRY_VERIFY_WITH_TIMEOUT(startButton(sheet) && startButton(sheet)->isEnabled(), 20000);
        QTest::mouseClick(startButton(sheet), Qt::LeftButton);
        auto& feed = m_window->bench().feed;
        QTRY_VERIFY_WITH_TIMEOUT(feed.run(id) != nullptr, 20000);
        disconnect(once);
        QTRY_COMPARE_WITH_TIMEOUT(feed.run(id)->status, wire::RunStatus::Finished, 60000);
        QTRY_VERIFY(feed.run(id)->find("val/rmse"));
        const auto* loss = feed.run(id)->find("val/loss");
        QVERIFY(loss && loss->count > 1);
        QVERIFY2(loss->last < loss->max / 2, qPrintable(QString::number(loss->last)));
        QTRY_VERIFY(!m_window->findChild<NewRunSheet*>());
    }

    void aSecondStartHandsItsFileOver() {
        const QString file = m_folder.filePath(QStringLiteral("second.json"));
        {
            QFile out(file);
            QVERIFY(out.open(QIODevice::WriteOnly));
            auto spec = shortRun(2);
            spec.name = "handed over";
            out.write(QByteArray::fromStdString(spec::toJson(spec)));
        }
        SingleInstance first(m_folder.path());
        first.listen();
        connect(&first, &SingleInstance::asked, m_window.get(), &MainWindow::openFile);
        std::atomic<int> taken = -1;
        std::thread second([&] { taken = SingleInstance(m_folder.path()).handOver(file) ? 1 : 0; });
        const bool ended = QTest::qWaitFor([&] { return taken != -1; }, 10000);
        second.join();
        QVERIFY(ended && taken == 1);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->findChild<NewRunSheet*>(), 10000);
        QVERIFY(!SingleInstance(m_folder.filePath(QStringLiteral("elsewhere"))).handOver(file));
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-run-actions-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-run-actions-test"));
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    RunActionsTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "run_actions_test.moc"
