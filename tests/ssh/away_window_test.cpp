// SPDX-License-Identifier: GPL-3.0-or-later
// The window and runs that live on a real host: one is started from the sheet, followed over a link that is lost and
// comes back, stopped and fetched; another was started by the terminal.
#include "tests/gui/forms/form_fields.h"
#include "tests/ssh/lab_programs.h"
#include "ui/actions/action.h"
#include "ui/actions/resume_sheet.h"
#include "ui/forms/advanced_form.h"
#include "ui/forms/fields/home_field.h"
#include "ui/models/runs/run_column.h"
#include "ui/new_run/new_run_sheet.h"
#include "ui/pages/runs/inspector/run_banner.h"
#include "ui/pages/sweeps/sweeps_page.h"
#include "ui/shell/main_window.h"
#include "ui/shell/status_strip.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/inputs/unit_field.h"
#include "ui/widgets/label.h"

#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QPushButton>
#include <QSettings>
#include <QTimer>

using namespace trainyard;
using namespace trainyard::ui;

class AwayWindowTest : public QObject {
    Q_OBJECT

    test::HostLab m_lab;
    std::unique_ptr<MainWindow> m_window;
    QString m_run;
    qint64 m_longestPause = 0; // of the window's loop, in milliseconds
    QTimer m_beat;
    QElapsedTimer m_sinceBeat;

    Workbench& bench() const { return m_window->bench(); }
    RunItemPtr run() const { return bench().feed.run(m_run); }
    bool hasStatus(wire::RunStatus status) const { return run() && run()->status == status; }
    qsizetype pointCount() const {
        const auto* series = bench().feed.series().find(m_run, QStringLiteral("train/loss"));
        return series ? static_cast<qsizetype>(series->size()) : 0;
    }
    QString workspace() const { return QString::fromStdString(m_lab.folder()) + "/workspace"; }
    test::Ended ctl(const QStringList& words) const {
        return test::trainyardctl(words.front() == "hosts" ? words : words + QStringList{"--workspace", workspace()});
    }
    void perform(const char* id) const { act(action(id), {bench(), run(), m_window.get()}); }
    bool reads(const QWidget& root, const QString& words) const {
        for (const auto* each : root.findChildren<QLabel*>())
            if (each->isVisible() && each->text().contains(words)) return true;
        return false;
    }
    static QJsonObject runFile(const char* name, int steps) {
        return {
            {"version", 1},
            {"name", name},
            {"model", test::pacedModel(3, 40'000)}, // which takes seconds to come over a slow link
            {"dataset", QJsonObject{{"name", "blobs"}}},
            {"optimizer", QJsonObject{{"name", "sgd"}, {"lr", 0.05}}},
            {"batch", QJsonObject{{"global", 16}}},
            {"steps", steps},
            {"hosts", QJsonArray{"h1"}},
            {"scaling", QJsonObject{{"workers", 1}, {"device", "cpu"}, {"threadsPerWorker", 1}}},
            {"checkpoint", QJsonObject{{"everyEpochs", 0}, {"everySteps", 300}, {"keep", 2}}},
        };
    }
    // Every point of the run's loss, one a step.
    void pointsAreWhole() const {
        const auto* series = bench().feed.series().find(m_run, QStringLiteral("train/loss"));
        QVERIFY(series && series->size() > 0);
        for (std::size_t at = 0; at < series->size(); ++at) QCOMPARE(series->at(at).step, static_cast<qint64>(at) + 1);
    }

private Q_SLOTS:
    void initTestCase();
    void aRunIsStartedOnAHost();
    void aLostLinkIsToldAndComesBack();
    void aKilledFollowerIsStartedAgain();
    void aCheckpointComesAlone();
    void isResumedThereWithChanges();
    void isStoppedAndFetched();
    void whatTheTerminalStartsIsThere();
    void aSweepLivesOnAHost();
    void aLockedKeyIsToldWithWhatUnlocksIt();
    void cleanupTestCase() { m_window.reset(); }
};

void AwayWindowTest::initTestCase() {
    const QString failure = m_lab.start();
    QVERIFY2(failure.isEmpty(), qPrintable(failure));
    const QString key = QString::fromStdString(m_lab.key("ed25519"));
    QCOMPARE(ctl({"hosts", "add", "root@h1", "--identity", key}).code, 0);
    QCOMPARE(ctl({"hosts", "test", "h1", "--accept-new-key"}).code, 0);
    std::filesystem::create_directories(workspace().toStdString());
    m_window = std::make_unique<MainWindow>(store::Workspace{workspace().toStdString()});
    m_window->resize(1440, 900);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    connect(&m_beat, &QTimer::timeout, this,
            [this] { m_longestPause = std::max(m_longestPause, m_sinceBeat.restart()); });
}

// Feature: the window follows runs that live on hosts: started from the sheet or the terminal, listed with their host,
// their curves whole after a link was lost and came back, stopped, fetched, taken off the list; no link holds the
// window up. Also in mirror_test.
void AwayWindowTest::aRunIsStartedOnAHost() {
    const auto json = QJsonDocument(runFile("far", 1'000'000)).toJson();
    auto* sheet = m_window->openNewRun(QString::fromUtf8(json), false);
    QTRY_VERIFY_WITH_TIMEOUT(sheet->form() && sheet->form()->isVisible(), 20000);
    auto* home = sheet->form()->findChild<HomeField*>();
    QVERIFY(home->isVisible());
    QVERIFY(reads(*home, QStringLiteral("This computer supervises the run")));
    home->combo()->setCurrentIndex(home->combo()->findData("h1"));
    QVERIFY(reads(*home, QStringLiteral("you can shut this computer down")));
    QTRY_VERIFY_WITH_TIMEOUT(sheet->startButton()->isEnabled(), 30000);
    QVERIFY(!sheet->queueButton()->isEnabled());
    QString started;
    connect(&bench().actions, &RunActions::runStarted, this, [&started](const QString& id) { started = id; });
    QTest::mouseClick(sheet->startButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!started.isEmpty(), 60000);
    m_run = started;
    QTRY_VERIFY_WITH_TIMEOUT(hasStatus(wire::RunStatus::Running), 30000);
    QTRY_VERIFY_WITH_TIMEOUT(pointCount() > 100, 30000);
    QCOMPARE(run()->home.host, QStringLiteral("h1"));
    QCOMPARE(textIn(*run(), {.kind = RunColumn::Kind::Hosts}), QStringLiteral("h1"));
    QVERIFY(isOffered(action("stop"), {bench(), run(), m_window.get()}));
    QVERIFY(!isOffered(action("fork"), {bench(), run(), m_window.get()})); // its checkpoints are there
    QVERIFY(!isOffered(action("fetch"), {bench(), run(), m_window.get()}));
}

void AwayWindowTest::aLostLinkIsToldAndComesBack() {
    QVERIFY(run());
    m_sinceBeat.start();
    m_beat.start(10);
    m_lab.cutController();
    QTRY_VERIFY_WITH_TIMEOUT(run()->home.isOutOfReach(), 30000);
    m_window->setPage(PageId::runs);
    bench().selection.show(m_run);
    QCOMPARE(statusWord(*run(), run()->status), QStringLiteral("Unreachable"));
    auto* banner = m_window->findChild<RunBanner*>();
    QTRY_VERIFY(banner->isVisible() && reads(*banner, QStringLiteral("h1 has been unreachable since")));
    const auto known = pointCount();
    QVERIFY(known > 0); // what was told last stays
    m_lab.joinController();
    QTRY_VERIFY_WITH_TIMEOUT(!run()->home.isOutOfReach(), 60000);
    QTRY_VERIFY_WITH_TIMEOUT(pointCount() > known, 20000);
    QTRY_VERIFY(!banner->isVisible());
    m_beat.stop();
    qInfo("the longest pause of the window while the link was lost and came back: %lld ms", m_longestPause);
    QVERIFY(m_longestPause < 2000);
    pointsAreWhole();
}

void AwayWindowTest::aKilledFollowerIsStartedAgain() {
    auto* follower = bench().mirror.findChild<QProcess*>();
    QVERIFY(follower);
    follower->kill();
    QVERIFY(QTest::qWaitFor([&] { return bench().mirror.findChild<QProcess*>() != follower; }, 5000));
    const auto known = pointCount();
    QTRY_VERIFY_WITH_TIMEOUT(pointCount() > known, 20000);
    pointsAreWhole();
}

// Of the run that trains on: its checkpoints are listed, and one is fetched to be looked into and forked.
// Feature: the window shows sweeps that live on hosts, and the checkpoints of runs there, and fetches one. Also in
// mirror_test.
void AwayWindowTest::aCheckpointComesAlone() {
    bench().selection.show(m_run);
    QTRY_VERIFY_WITH_TIMEOUT(!bench().feed.checkpoints(m_run).empty(), 20000);
    QVERIFY(bench().feed.checkpointsHere(m_run).empty());
    perform("save-checkpoint"); // the last one stays while the others are pruned
    m_window->setPage(PageId::runs);
    Q_EMIT bench().tabRequested(1);
    auto* fetch = m_window->findChild<QPushButton*>(QStringLiteral("fetch-checkpoint"));
    QTRY_VERIFY(fetch && fetch->isVisible());
    QString fetched;
    connect(&bench().actions, &RunActions::checkpointFetched, fetch, [&](const QString& run) { fetched = run; });
    for (int tries = 0; tries < 5 && fetched.isEmpty(); ++tries) { // the chosen one may be pruned there meanwhile
        QTest::mouseClick(fetch, Qt::LeftButton);
        if (QTest::qWaitFor([&] { return !fetched.isEmpty(); }, 6000)) break;
    }
    QCOMPARE(fetched, m_run);
    QTRY_COMPARE(bench().feed.checkpointsHere(m_run).size(), 1u);
    const auto row = bench().feed.checkpointsHere(m_run).front();
    QVERIFY(QFile::exists(QString::fromStdString(row.path)));
    const ActionTarget target{bench(), run(), m_window.get(), row};
    for (const char* each : {"fork", "show-samples", "export-safetensors"}) QVERIFY(isOffered(action(each), target));
    QVERIFY(!isOffered(action("fetch-checkpoint"), target) && !isOffered(action("pin-checkpoint"), target));
    QVERIFY(!run()->home.isHere());
}

// The sheet says what the host finds wrong, at the field that it is about.
void AwayWindowTest::isResumedThereWithChanges() {
    perform("stop");
    QTRY_VERIFY_WITH_TIMEOUT(hasStatus(wire::RunStatus::Stopped), 30000);
    const auto stoppedAt = run()->row.step;
    QVERIFY(isOffered(action("resume-with"), {bench(), run(), m_window.get()}));
    perform("resume-with");
    const auto sheet = [this]() -> ResumeSheet* {
        const auto open = m_window->findChildren<ResumeSheet*>();
        return open.isEmpty() ? nullptr : open.last();
    };
    QTRY_VERIFY(sheet() && sheet()->hosts()->edit()->hasFocus());
    sheet()->hosts()->setText(QStringLiteral("nowhere"));
    Q_EMIT sheet()->hosts()->textEdited(QStringLiteral("nowhere"));
    sheet()->resumeButton()->click();
    const auto told = [&] { return QStringLiteral("%1 / %2").arg(sheet()->hosts()->error(), sheet()->fault()); };
    QTRY_VERIFY2_WITH_TIMEOUT(sheet()->hosts()->error().contains(QStringLiteral("nowhere")), qPrintable(told()), 30000);
    QVERIFY(sheet()->fault().isEmpty());
    sheet()->hosts()->setText(QStringLiteral("local"));
    Q_EMIT sheet()->hosts()->textEdited(QStringLiteral("local"));
    auto* restarts = sheet()->form()->field("failure.maxRestarts")->findChild<QLineEdit*>();
    restarts->selectAll();
    QTest::keyClicks(restarts, QStringLiteral("7"));
    QTRY_VERIFY(sheet()->resumeButton()->isEnabled());
    sheet()->resumeButton()->click();
    QTRY_VERIFY2_WITH_TIMEOUT(!sheet(), sheet() ? qPrintable(told()) : "", 30000);
    QTRY_VERIFY_WITH_TIMEOUT(run()->active() && run()->row.step > stoppedAt, 30000);
    QVERIFY(!run()->home.isHere());
    const auto now = ctl({"show", m_run, "--as", "run-file"}).out; // of the host
    QVERIFY2(now.contains("\"maxRestarts\": 7") && now.contains("\"local\""), now.constData());
    pointsAreWhole();
}

void AwayWindowTest::isStoppedAndFetched() {
    QVERIFY(run());
    perform("stop");
    QTRY_VERIFY_WITH_TIMEOUT(hasStatus(wire::RunStatus::Stopped), 30000);
    QTRY_COMPARE_WITH_TIMEOUT(pointCount(), static_cast<qsizetype>(run()->row.step), 20000);
    pointsAreWhole();
    const auto last = pointCount();
    m_lab.slowController();
    perform("fetch");
    const auto progress = [this]() -> StatusSegment* {
        for (auto* each : m_window->findChildren<StatusSegment*>())
            if (each->isVisible() && each->accessibleName().startsWith("Fetching far, ")) return each;
        return nullptr;
    };
    QTRY_VERIFY_WITH_TIMEOUT(progress(), 30000);
    QTest::mouseClick(progress(), Qt::LeftButton); // cancelled
    QTRY_VERIFY_WITH_TIMEOUT(!progress(), 10000);
    m_lab.fastController();
    QVERIFY(!run()->home.isHere());
    perform("fetch");
    QTRY_VERIFY_WITH_TIMEOUT(run() && run()->home.isHere(), 60000);
    QTRY_VERIFY_WITH_TIMEOUT(!bench().feed.checkpoints(m_run).empty(), 10000);
    QTRY_COMPARE_WITH_TIMEOUT(pointCount(), last, 10000);
    QVERIFY(isOffered(action("fork"), {bench(), run(), m_window.get()}));
    QVERIFY(isOffered(action("fetch"), {bench(), run(), m_window.get()})); // what is new there
}

void AwayWindowTest::whatTheTerminalStartsIsThere() {
    const QString path = QString::fromStdString(m_lab.folder()) + "/near.json";
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QJsonDocument(runFile("near", 200)).toJson());
    file.close();
    const auto started = ctl({"run", path, "--on", "h1", "--detach"});
    QVERIFY2(started.code == 0, started.said().constData());
    m_run = QString::fromUtf8(started.out).trimmed();
    QTRY_VERIFY_WITH_TIMEOUT(hasStatus(wire::RunStatus::Finished), 30000);
    bench().selection.show(m_run);
    QTRY_COMPARE_WITH_TIMEOUT(pointCount(), 200, 20000);
    const RunColor color = run()->color;
    bench().actions.setColor({m_run}, QStringLiteral("#8c05ff"));
    QTRY_COMPARE_WITH_TIMEOUT(run()->color.custom, qRgb(0x8c, 0x05, 0xff), 20000);
    Q_EMIT bench().undoRequested();
    QTRY_COMPARE_WITH_TIMEOUT(run()->color, color, 20000);
    perform("forget-away");
    QTRY_VERIFY_WITH_TIMEOUT(!run(), 10000);
    Q_EMIT bench().undoRequested();
    QTRY_VERIFY_WITH_TIMEOUT(run() && !run()->home.isHere(), 10000);
    QTRY_VERIFY_WITH_TIMEOUT(hasStatus(wire::RunStatus::Finished), 30000); // told anew
}

// Started from the sheet with an axis; its trials come by themselves, and it is steered there.
void AwayWindowTest::aSweepLivesOnAHost() {
    QJsonObject run = runFile("rates", 1000);
    run["checkpoint"] = QJsonObject{{"everyEpochs", 0}, {"everySteps", 1000}, {"keep", 1}, {"scoreBy", "train/loss"}};
    const QJsonObject sweep{{"version", 1},
                            {"name", "rates"},
                            {"run", run},
                            {"space", QJsonObject{{"optimizer.lr", QJsonArray{0.01, 0.05, 0.1}}}},
                            {"scoreBy", "train/loss"},
                            {"mode", "min"},
                            {"parallel", 1}};
    auto* sheet = m_window->openNewRun(QString::fromUtf8(QJsonDocument(sweep).toJson()), false);
    QTRY_VERIFY_WITH_TIMEOUT(sheet->form() && sheet->form()->isVisible(), 20000);
    auto* home = sheet->form()->findChild<HomeField*>();
    QTRY_VERIFY(home->isVisible());
    home->combo()->setCurrentIndex(home->combo()->findData("h1"));
    QVERIFY(reads(*home, QStringLiteral("The sweep and its trials live on h1")));
    QTRY_VERIFY_WITH_TIMEOUT(sheet->startButton()->isEnabled(), 30000);
    QString started;
    connect(&bench().actions, &RunActions::sweepStarted, m_window.get(), [&](const QString& id) { started = id; });
    QTest::mouseClick(sheet->startButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!started.isEmpty(), 60000);
    const auto row = [&]() -> const store::SweepRow* {
        for (const auto& each : bench().feed.sweeps())
            if (each.id == started.toStdString()) return &each;
        return nullptr;
    };
    const auto trials = [&] {
        const auto& runs = bench().feed.runs();
        return std::count_if(runs.begin(), runs.end(),
                             [&](const auto& each) { return each->row.sweep == started.toStdString(); });
    };
    QTRY_VERIFY_WITH_TIMEOUT(trials() > 0, 30000);
    m_window->setPage(PageId::sweeps);
    auto* page = m_window->findChild<SweepsPage*>();
    page->show(started);
    QTRY_VERIFY(reads(*page, QStringLiteral("lives on h1")));
    bench().actions.steer(started, {.verb = sweep::Steering::Verb::Set, .parallel = 2});
    QTRY_VERIFY_WITH_TIMEOUT(row() && row()->status == wire::RunStatus::Finished, 180000);
    QTRY_COMPARE_WITH_TIMEOUT(trials(), 3, 20000);
    QTRY_VERIFY_WITH_TIMEOUT(!row()->bestRun.empty(), 10000);
    QVERIFY(!bench().feed.run(QString::fromStdString(row()->bestRun))->home.isHere());
}

// The follower has nobody to ask for a passphrase.
void AwayWindowTest::aLockedKeyIsToldWithWhatUnlocksIt() {
    const QString key = QString::fromStdString(m_lab.key("encrypted"));
    QCOMPARE(ctl({"hosts", "add", "root@h2", "--identity", key}).code, 0);
    qunsetenv("SSH_AUTH_SOCK");
    ctl({"hosts", "test", "h2", "--accept-new-key"}); // the key of the host alone can be accepted
    m_run = QStringLiteral("20260101-000000-00000f");
    QVERIFY(run::noteHome({workspace().toStdString()}, {m_run.toStdString(), "locked", "h2", false, 1}));
    const QString sweep = QStringLiteral("20260101-000000-0000ff");
    QVERIFY(run::noteHome({workspace().toStdString()}, {sweep.toStdString(), "locked-rates", "h2", true, 1}));
    QTRY_VERIFY_WITH_TIMEOUT(run() && run()->home.isOutOfReach(), 30000);
    m_window->setPage(PageId::runs);
    bench().selection.show(m_run);
    auto* banner = m_window->findChild<RunBanner*>();
    QTRY_VERIFY(banner->isVisible() && reads(*banner, QStringLiteral("No sign-in to h2 since")));
    QVERIFY(reads(*banner, QStringLiteral("unlock the key with: ssh-add ") + key));
    QTRY_VERIFY(bench().feed.homeOf(sweep).isOutOfReach());
    m_window->setPage(PageId::sweeps);
    auto* page = m_window->findChild<SweepsPage*>();
    page->show(sweep);
    QTRY_VERIFY(reads(*page, QStringLiteral("No sign-in to h2 since")));
    QVERIFY(reads(*page, QStringLiteral("Nothing is known about it yet.")));
}

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    for (const char* each : {"trainyardctl", "trainyard-worker"})
        if (!QFile::exists(test::program(each))) {
            std::printf("SKIP: there is no %s\n", each);
            return 77;
        }
    test::enterHostLab(argc, argv);
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-away-window-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-away-window-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    AwayWindowTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "away_window_test.moc"
