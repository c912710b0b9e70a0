// SPDX-License-Identifier: GPL-3.0-or-later
// Headers: every table's arrow points the same way, and the inspector's paints only what has changed.
#include "engine/run/mirror/mirror_copy.h"
#include "engine/run/mirror/mirror_source.h"
#include "engine/run/record/kept_in_row.h"
#include "tests/gui/sample_workspace.h"
#include "ui/models/sweeps/trials_model.h"
#include "ui/pages/runs/inspector/run_header.h"
#include "ui/pages/runs/samples/class_scores.h"
#include "ui/pages/runs/table/runs_view.h"
#include "ui/pages/sweeps/trial_table.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLayout>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace trainyard;
using namespace trainyard::ui;

namespace {

// Counts what is painted below a widget.
class PaintCount : public QObject {
public:
    explicit PaintCount(QWidget& root) {
        root.installEventFilter(this);
        for (auto* each : root.findChildren<QWidget*>()) each->installEventFilter(this);
    }
    QStringList painted;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Paint)
            painted << QString::fromLatin1(watched->metaObject()->className()) +
                           static_cast<QWidget*>(watched)->accessibleName();
        return false;
    }
};

QImage headerSortedBy(QHeaderView& header, int section, Qt::SortOrder order) {
    header.setSortIndicator(section, order);
    return header.grab().toImage();
}

// Whether the arrow of a column that ascends has its tip above: there its two strokes are together. The pictures differ
// by the arrow alone.
bool pointsUp(const QImage& ascending, const QImage& descending) {
    QRect arrow;
    for (int y = 0; y < ascending.height(); ++y)
        for (int x = 0; x < ascending.width(); ++x)
            if (ascending.pixel(x, y) != descending.pixel(x, y)) arrow |= QRect(x, y, 1, 1);
    if (arrow.isEmpty()) qFatal("the header has no arrow");
    const QRgb ground = ascending.pixel(arrow.left(), std::max(0, arrow.top() - 2));
    const auto spread = [&](int y) {
        int first = arrow.right(), last = arrow.left();
        for (int x = arrow.left(); x <= arrow.right(); ++x) {
            if (ascending.pixel(x, y) == ground) continue;
            first = std::min(first, x);
            last = x;
        }
        return last - first;
    };
    return spread(arrow.top()) < spread(arrow.bottom());
}

// A run that was stopped; its supervisor has counted what is left.
std::string addEndedRun(const store::Workspace& workspace, int processes, const QString& unseenOn) {
    const auto store = std::move(*store::Store::open(workspace));
    testing::SampleRun sample{QStringLiteral("ended"), QStringLiteral("stopped")};
    const std::string id = testing::addRun(*store, workspace, sample);
    auto row = *std::move(*store::RunQuery::open(workspace))->run(id);
    wire::RunState counted;
    counted.processesLeft = processes;
    counted.unseenOn = unseenOn.toStdString();
    run::keepLeft(row, counted);
    if (!store->updateRun(row)) qFatal("the row cannot be written");
    return id;
}

// As the mirror does: the run lives there, and here are a note and what was told of it.
void mirrorFrom(const store::Workspace& there, const store::Workspace& here, const std::string& run) {
    if (!run::noteHome(here, {.id = run, .name = "ended", .host = "nobody@far.invalid", .startedMs = 1}))
        qFatal("no note");
    auto copy = std::move(*run::MirrorCopy::open(here));
    run::MirrorSource source(there);
    source.want(*copy.requestFor(run));
    const auto news = *source.poll();
    for (const auto& each : news)
        if (!copy.apply(*run::mirrorNewsFrom(run::toLine(each)))) qFatal("the copy does not take it");
}

// What the header says below its buttons.
QString lastLine(const RunHeader& header) {
    const auto* label = static_cast<const QLabel*>(header.layout()->itemAt(header.layout()->count() - 1)->widget());
    return label->isVisibleTo(&header) ? label->text() : QString();
}

} // namespace

class HeadersTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    store::Workspace m_workspace;
    std::unique_ptr<MainWindow> m_window;

private Q_SLOTS:
    void initTestCase() {
        QSettings().clear();
        m_workspace.root = (m_folder.path() + QStringLiteral("/ws")).toStdString();
        std::filesystem::create_directories(m_workspace.root);
        testing::fillSampleWorkspace(m_workspace);
        m_window = std::make_unique<MainWindow>(m_workspace);
        m_window->resize(1366, 768);
        m_window->setPage(PageId::runs);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        QTRY_COMPARE(static_cast<int>(m_window->bench().feed.runs().size()), 12);
    }
    void cleanupTestCase() { m_window.reset(); }

    // Feature: the arrow of a sorted column means the same in every table; the inspector's header paints only what has
    // changed.
    void theArrowOfWhatAscendsPointsUp_data() {
        QTest::addColumn<QString>("page");
        QTest::newRow("runs") << "runs";
        QTest::newRow("trials") << "sweeps";
        QTest::newRow("checkpoints") << "checkpoints";
    }
    void theArrowOfWhatAscendsPointsUp() {
        QFETCH(QString, page);
        m_window->setPage(page);
        QHeaderView* header = nullptr;
        const auto sorted = [this] {
            for (auto* each : m_window->findChildren<QHeaderView*>())
                if (each->isVisible() && each->isSortIndicatorShown()) return each;
            return static_cast<QHeaderView*>(nullptr);
        };
        QTRY_VERIFY((header = sorted()));
        const int column = header->isSectionHidden(1) ? 2 : 1;
        const QImage up = headerSortedBy(*header, column, Qt::AscendingOrder);
        QVERIFY(pointsUp(up, headerSortedBy(*header, column, Qt::DescendingOrder)));
    }

    void theArrowOfTheScoresOfClassesPointsUpToo() {
        ClassScores scores;
        run::Evaluation evaluation;
        evaluation.task = spec::TaskKind::Classification;
        evaluation.classes.resize(2);
        scores.setEvaluation(evaluation, {});
        scores.resize(500, 300);
        scores.show();
        auto& header = *scores.findChild<QTableView*>()->horizontalHeader();
        const QImage up = headerSortedBy(header, 1, Qt::AscendingOrder);
        QVERIFY(pointsUp(up, headerSortedBy(header, 1, Qt::DescendingOrder)));
    }

    // Where more is better, the best come first when the values descend.
    void theArrowOfTheScoreIsThatOfItsValues() {
        m_window->setPage(PageId::sweeps);
        auto& table = *m_window->findChild<TrialTable*>()->findChild<QTableView*>();
        const auto& model = static_cast<const TrialsModel&>(*table.model());
        const int score = TrialsModel::Score;
        table.sortByColumn(score, Qt::AscendingOrder);
        QTRY_COMPARE(model.rowCount(), 4);
        QVERIFY(model.trialAt(0).score <= model.trialAt(1).score);
        table.sortByColumn(score, Qt::DescendingOrder);
        QVERIFY(model.trialAt(0).score >= model.trialAt(1).score);
        QVERIFY(model.isBest(0));
    }

    // It is refreshed with every state of every run.
    void theInspectorsHeaderPaintsOnlyWhatHasChanged() {
        m_window->setPage(PageId::runs);
        m_window->bench().selection.show(m_window->bench().feed.runs()[4]->id);
        auto& header = *m_window->findChild<RunHeader*>();
        QTRY_VERIFY(header.isVisible());
        PaintCount count(header);
        for (int round = 0; round < 20; ++round) { // the first ones may meet what is still read and laid out
            QTest::qWait(50);
            count.painted.clear();
            header.refresh();
            QTest::qWait(30);
            if (count.painted.isEmpty()) break;
        }
        QVERIFY2(count.painted.isEmpty(), qPrintable(count.painted.join(QLatin1Char(' '))));
    }

    // The run had ended before the window was opened.
    void theProcessesLeftAreToldLater_data() {
        QTest::addColumn<bool>("isAway");
        QTest::addColumn<int>("processes");
        QTest::addColumn<QString>("unseenOn");
        QTest::addColumn<QString>("text");
        for (const bool isAway : {false, true}) {
            const char* where = isAway ? "on a host" : "here";
            const auto row = [&](const char* what) -> QTestData& {
                return QTest::addRow("%s, %s", where, what) << isAway;
            };
            row("none") << 0 << "" << QStringLiteral("✓ 0 processes left");
            row("some") << 2 << "" << "2 processes left";
            row("a host does not answer") << 0 << "h2" << "What is left on h2 cannot be seen";
            row("not counted") << -1 << "" << "";
        }
    }
    void theProcessesLeftAreToldLater() {
        QFETCH(bool, isAway);
        QFETCH(int, processes);
        QFETCH(QString, unseenOn);
        QFETCH(QString, text);
        const QTemporaryDir folder;
        const store::Workspace here{folder.filePath(QStringLiteral("here")).toStdString()};
        const store::Workspace there{folder.filePath(QStringLiteral("there")).toStdString()};
        for (const auto* each : {&here, &there}) std::filesystem::create_directories(each->root);
        const std::string id = addEndedRun(isAway ? there : here, processes, unseenOn);
        if (isAway) mirrorFrom(there, here, id);
        MainWindow window(here);
        window.resize(1366, 768);
        window.setPage(PageId::runs);
        window.show();
        QTRY_VERIFY(window.bench().feed.run(QString::fromStdString(id)));
        QCOMPARE(window.bench().feed.run(QString::fromStdString(id))->home.isHere(), !isAway);
        window.bench().selection.show(QString::fromStdString(id));
        QTRY_VERIFY(window.bench().feed.state(QString::fromStdString(id)));
        auto* header = window.findChild<RunHeader*>();
        QTRY_COMPARE(lastLine(*header), text);
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-headers-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-headers-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    HeadersTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "headers_test.moc"
