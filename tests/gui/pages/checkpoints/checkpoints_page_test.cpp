// SPDX-License-Identifier: GPL-3.0-or-later
// The page of checkpoints, pins, pruning, comparing, exports and lineage, with real keys and clicks, on real files.
#include "engine/store/files/safetensors.h"
#include "tests/gui/sample_workspace.h"
#include "ui/models/actions/model_export.h"
#include "ui/models/checkpoints/diff_table.h"
#include "ui/models/text/language.h"
#include "ui/pages/checkpoints/checkpoints_page.h"
#include "ui/pages/checkpoints/diff_sheet.h"
#include "ui/pages/checkpoints/prune_sheet.h"
#include "ui/pages/page_table.h"
#include "ui/pages/runs/inspector/inspector.h"
#include "ui/pages/runs/inspector/lineage_sheet.h"
#include "ui/pages/shared/filter_field.h"
#include "ui/shell/main_window.h"
#include "ui/shell/status_strip.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/inputs/switch.h"

#include <QAbstractButton>
#include <QApplication>
#include <QHeaderView>
#include <QSettings>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

#include <filesystem>

using namespace trainyard;
using namespace trainyard::ui;
namespace fs = std::filesystem;

namespace {

// A run with a checkpoint of three weights for each score; steps 10, 20, ...
std::string addRun(const store::Workspace& workspace, const char* name, const std::vector<double>& scores,
                   const char* status = "finished", const std::string& forkedFrom = {}) {
    store::RunRow row;
    static int count = 0;
    row.id = "20260101-00000" + std::to_string(++count) + "-abcdef";
    row.name = name;
    row.status = *wire::runStatusFromString(status);
    row.specJson = testing::sampleRunJson({.name = QString::fromLatin1(name), .lr = forkedFrom.empty() ? 0.1 : 0.2});
    row.paramsJson = "{}";
    row.environmentJson = "{}";
    row.folder = workspace.runFolder(row.id).string();
    row.createdMs = 1'700'000'000'000 + count * 60'000;
    row.forkedFrom = forkedFrom;
    row.forkedStep = forkedFrom.empty() ? -1 : 20;
    fs::create_directories(fs::path(row.folder) / "checkpoints");
    std::vector<store::CheckpointRow> rows;
    for (const double score : scores) {
        const auto number = static_cast<float>(rows.size() + 1);
        const std::vector<float> weights{number, 2, 3}, bias(static_cast<std::size_t>(number) * 100, number);
        store::CheckpointRow checkpoint;
        checkpoint.step = 10 * (std::ssize(rows) + 1);
        checkpoint.epoch = static_cast<double>(number);
        checkpoint.path = row.folder + "/checkpoints/step-" + std::to_string(checkpoint.step) + ".safetensors";
        checkpoint.wallMs = row.createdMs + checkpoint.step;
        checkpoint.metrics["val/accuracy"] = score;
        checkpoint.best = score == *std::max_element(scores.begin(), scores.end());
        checkpoint.last = rows.size() + 1 == scores.size();
        if (!store::writeSafetensors(checkpoint.path,
                                     {{"model.fc.weight", "F32", {3}, std::as_bytes(std::span(weights))},
                                      {"optimizer.m", "F32", {std::ssize(bias)}, std::as_bytes(std::span(bias))}},
                                     {{"step", std::to_string(checkpoint.step)}}))
            qFatal("no checkpoint");
        checkpoint.bytes = static_cast<std::int64_t>(fs::file_size(checkpoint.path));
        rows.push_back(checkpoint);
    }
    const auto store = store::Store::open(workspace);
    if (!(*store)->createRun(row) || !(*store)->setCheckpoints(row.id, rows)) qFatal("no run");
    return row.id;
}

} // namespace

class CheckpointsPageTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    store::Workspace m_workspace;
    std::unique_ptr<MainWindow> m_window;
    QStringList m_told;
    std::string m_first, m_second, m_fork;

    void open(const char* page = "checkpoints") {
        m_window = std::make_unique<MainWindow>(m_workspace);
        connect(&m_window->bench(), &Workbench::statusMessage, this, [this](const QString& text) { m_told << text; });
        m_window->resize(1280, 720);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTRY_VERIFY(m_window->bench().feed.loaded());
        m_window->setPage(QLatin1String(page));
        if (m_window->page() == QLatin1String("checkpoints")) QTRY_COMPARE(table().model()->rowCount(), 7);
    }
    QWidget& page() { return *m_window->findChild<CheckpointsPage*>(); }
    QTableView& table() { return *page().findChild<QTableView*>(); }
    template <class T>
    static T& named(QWidget& within, const QString& name) {
        for (T* each : within.findChildren<T*>())
            if (each->accessibleName() == name || each->property("text").toString().startsWith(name)) return *each;
        qFatal("there is no %s", qPrintable(name));
    }
    QStringList column(int column) {
        QStringList texts;
        for (int row = 0; row < table().model()->rowCount(); ++row)
            texts << table().model()->index(row, column).data().toString();
        return texts;
    }
    void choose(int row) {
        table().setFocus();
        table().setCurrentIndex(table().model()->index(row, 0));
        table().selectRow(row);
    }
    void clickHeader(int section) {
        auto* header = table().horizontalHeader();
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          QPoint(header->sectionViewportPosition(section) + 20, header->height() / 2));
    }
    std::vector<store::CheckpointRow> rowsOf(const std::string& run) {
        return *(*store::RunQuery::open(m_workspace))->checkpoints(run);
    }
    QString stepsOf(const std::string& run, bool pinnedOnly = false) {
        QStringList steps;
        for (const auto& row : rowsOf(run))
            if (row.pinned || !pinnedOnly) steps << QString::number(row.step);
        return steps.join(' ');
    }

private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_told.clear();
        m_folder = std::make_unique<QTemporaryDir>();
        m_workspace.root = (m_folder->path() + QStringLiteral("/ws")).toStdString();
        fs::create_directories(m_workspace.root);
        m_first = addRun(m_workspace, "brave-otter", {0.5, 0.9, 0.7, 0.6});
        m_second = addRun(m_workspace, "calm-finch", {0.4, 0.8}, "stopped");
        m_fork = addRun(m_workspace, "brave-otter-fork", {0.95}, "finished", m_first);
    }
    void cleanup() { m_window.reset(); }

    void showsTheCheckpointsOfAllRuns() {
        open();
        QCOMPARE(column(CheckpointsModel::Run).first(), QString("brave-otter-fork")); // the newest run first
        const auto labels = page().findChildren<NumberLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const NumberLabel* each) {
            return each->text().startsWith("7 checkpoints of 3 runs");
        }));
        clickHeader(CheckpointsModel::Score);
        clickHeader(CheckpointsModel::Score);
        const auto scores = column(CheckpointsModel::Score);
        auto sorted = scores;
        std::sort(sorted.begin(), sorted.end());
        QVERIFY(scores == sorted || scores == QStringList(sorted.rbegin(), sorted.rend()));
        clickHeader(CheckpointsModel::Size);
        QCOMPARE(table().horizontalHeader()->sortIndicatorSection(), int(CheckpointsModel::Size));
    }

    void filtersByTheLanguageOfRuns() {
        open();
        auto& filter = *page().findChild<FilterField*>();
        filter.setFocus();
        QTest::keyClicks(&filter, "status:stopped");
        QTRY_COMPARE(table().model()->rowCount(), 2);
        filter.clear();
        QTest::keyClicks(&filter, "lr<");
        QVERIFY(!page().findChild<QLabel*>(QStringLiteral("filterProblem"))->text().isEmpty());
        QTRY_COMPARE(table().model()->rowCount(), 7); // a filter that is wrong hides nothing
        filter.clear();
        QTest::mouseClick(&named<Switch>(page(), "Pinned only"), Qt::LeftButton);
        QTRY_COMPARE(table().model()->rowCount(), 0);
    }

    void aKeyPinsAndUndoTakesItBack() {
        open();
        choose(0);
        QTest::keyClick(&table(), Qt::Key_P);
        QTRY_COMPARE(stepsOf(m_fork, true), QString("10"));
        QTRY_VERIFY(column(CheckpointsModel::Kept).first().startsWith("pinned"));
        QTRY_COMPARE(named<QPushButton>(page(), "Unpin").isEnabled(), true); // the selection stays
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(stepsOf(m_fork, true), QString());
        QTRY_VERIFY(!column(CheckpointsModel::Kept).first().startsWith("pinned"));
        QTest::mouseClick(&named<QPushButton>(page(), "Pin"), Qt::LeftButton);
        QTRY_COMPARE(stepsOf(m_fork, true), QString("10"));
    }

    void prunesWhatTheSheetShows() {
        open();
        QVERIFY(run::pinCheckpoints(m_workspace, {{rowsOf(m_first).at(2).id}}).ok());
        QTest::mouseClick(&named<QPushButton>(page(), "Prune"), Qt::LeftButton);
        auto* sheet = m_window->findChild<PruneSheet*>();
        QVERIFY(sheet);
        auto& go = named<QPushButton>(*sheet, "Delete");
        QTRY_COMPARE(go.text(), QString("Delete 1 checkpoint")); // the best, the last and the pinned one stay
        auto* list = sheet->findChild<QTableView*>();
        QCOMPARE(list->model()->rowCount(), 1);
        QCOMPARE(list->model()->index(0, 0).data().toString(), QString("brave-otter"));
        auto& last = named<QSpinBox>(*sheet, "Keep the newest of each run");
        last.setFocus();
        last.selectAll();
        QTest::keyClicks(&last, "0");
        QTRY_COMPARE(go.text(), QString("Delete 2 checkpoints"));
        QTest::mouseClick(&named<Switch>(*sheet, "Also prune"), Qt::LeftButton);
        QTRY_COMPARE(list->model()->rowCount(), 3); // of the stopped run all but its newest, which is its best
        QTest::mouseClick(&go, Qt::LeftButton);
        QTRY_COMPARE(stepsOf(m_first), QString("20 30"));
        QTRY_COMPARE(stepsOf(m_second), QString("20"));
        QTRY_COMPARE(table().model()->rowCount(), 4);
        QTRY_VERIFY(m_told.last().startsWith("3 checkpoints deleted"));
        for (const auto& row : rowsOf(m_first)) QVERIFY(fs::exists(row.path));
    }

    void comparesTwoByKey() {
        open();
        clickHeader(CheckpointsModel::Run);
        choose(0);
        QTest::keyClick(&table(), Qt::Key_Down, Qt::ShiftModifier);
        QVERIFY(named<QPushButton>(page(), "Compare").isEnabled());
        QTest::keyClick(&table(), Qt::Key_C);
        auto* sheet = m_window->findChild<DiffSheet*>();
        QVERIFY(sheet);
        auto* tensors = sheet->findChild<QTableView*>();
        QTRY_COMPARE(tensors->model()->rowCount(), 1);
        QCOMPARE(tensors->model()->index(0, DiffTable::Name).data().toString(), QString("fc.weight"));
        QCOMPARE(tensors->model()->index(0, DiffTable::Changed).data().toString(), QString("1 of 3"));
        QTest::mouseClick(&named<Switch>(*sheet, "Show optimizer"), Qt::LeftButton);
        QTRY_COMPARE(tensors->model()->rowCount(), 2);
        QTest::keyClick(sheet, Qt::Key_Escape);
        QTRY_VERIFY(!m_window->findChild<DiffSheet*>());
    }

    // Feature: an export of a model shows how far it is, and leaves nothing behind when it is cancelled.
    void anExportShowsHowFarItIsAndCanBeCancelled() {
        const std::vector<float> large(16U << 20, 1.5F);
        const fs::path file = m_workspace.root / "large.safetensors", out = m_workspace.root / "out.safetensors";
        QVERIFY(store::writeSafetensors(file,
                                        {{"model.w", "F32", {std::ssize(large)}, std::as_bytes(std::span(large))}}, {})
                    .ok());
        open("runs");
        auto& actions = m_window->bench().actions;
        const auto segment = [this]() -> StatusSegment* {
            for (auto* each : m_window->findChildren<StatusSegment*>())
                if (each->isVisible() && each->accessibleName().startsWith("Exporting out.safetensors")) return each;
            return nullptr;
        };
        const auto save = [&] {
            actions.exportCheckpoint(QString::fromStdString(file.string()), QStringLiteral("safetensors"),
                                     QString::fromStdString(out.string()));
        };
        QMetaObject::Connection press = connect(&actions, &RunActions::exportStarted, this, [&] {
            QVERIFY(segment());
            QTest::mouseClick(segment(), Qt::LeftButton);
        });
        save();
        QTRY_VERIFY(m_told.contains("The export was cancelled"));
        QVERIFY(!fs::exists(out) && !segment());
        for (const auto& entry : fs::directory_iterator(m_workspace.root))
            QVERIFY2(!entry.path().filename().string().starts_with("."), entry.path().c_str());
        disconnect(press);
        double share = 0;
        connect(&actions, &RunActions::exportStarted, this, [&](ModelExport* job) {
            connect(job, &ModelExport::progressed, this, [&, job] { share = job->share(); });
        });
        save();
        QTRY_VERIFY(m_told.last().startsWith("Exported to "));
        QVERIFY(fs::exists(out));
        QCOMPARE(share, 1.0);
    }

    void aForkShowsWhereItComesFrom() {
        open("runs");
        m_window->bench().selection.show(QString::fromStdString(m_fork));
        auto* inspector = m_window->findChild<Inspector*>();
        auto& parent = named<QPushButton>(*inspector, "brave-otter");
        QTRY_VERIFY(parent.isVisible());
        QTest::mouseClick(&named<QToolButton>(*inspector, "Lineage"), Qt::LeftButton);
        auto* sheet = m_window->findChild<LineageSheet*>();
        QVERIFY(sheet);
        auto* tree = sheet->findChild<QTreeView*>();
        QTRY_COMPARE(tree->model()->rowCount(), 1);
        const auto top = tree->model()->index(0, 0);
        QCOMPARE(top.data().toString(), QString("brave-otter"));
        QTRY_COMPARE(tree->currentIndex().data().toString(), QString("brave-otter-fork, fork of step 20"));
        QCOMPARE(tree->model()->index(0, 2, top).data().toString(), QString("optimizer.lr 0.1 → 0.2"));
        QTRY_VERIFY(tree->hasFocus());
        QTest::keyClick(tree, Qt::Key_Up);
        QTRY_COMPARE(tree->currentIndex().data().toString(), QString("brave-otter"));
        QTest::keyClick(tree, Qt::Key_Return);
        QTRY_COMPARE(m_window->bench().selection.current(), QString::fromStdString(m_first));
        QTRY_VERIFY(!m_window->findChild<LineageSheet*>());
        m_window->bench().selection.show(QString::fromStdString(m_fork));
        QTRY_VERIFY(parent.isVisible() && parent.isEnabled());
        QTest::mouseClick(&parent, Qt::LeftButton);
        QTRY_COMPARE(m_window->bench().selection.current(), QString::fromStdString(m_first));
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    const Translations english(languages().front());
    QApplication::setApplicationName(QStringLiteral("trainyard-checkpoints-page-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-checkpoints-page-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    CheckpointsPageTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "checkpoints_page_test.moc"
