// SPDX-License-Identifier: GPL-3.0-or-later
// The window and a real Slurm cluster of two nodes (slurm_lab.sh): a run is submitted from the sheet, followed while it
// waits and trains, and cancelled; a sweep is submitted as an array, and its trials come as they end.
#include "engine/base/files/atomic_file.h"
#include "tests/ssh/lab_programs.h"
#include "ui/actions/action.h"
#include "ui/forms/fields/slurm_fields.h"
#include "ui/new_run/new_run_sheet.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScopeGuard>
#include <QSettings>
#include <QSpinBox>

using namespace trainyard;
using namespace trainyard::ui;

class SlurmWindowTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_root;
    std::unique_ptr<MainWindow> m_window;

    Workbench& bench() const { return m_window->bench(); }
    NewRunSheet* sheetWith(const char* name, const QJsonObject& more);
    QString submitted(NewRunSheet* sheet);
    bool reads(const QString& words) const {
        for (const auto* each : m_window->findChildren<QLabel*>())
            if (each->isVisible() && each->text().contains(words)) return true;
        return false;
    }

private Q_SLOTS:
    void initTestCase();
    void aRunIsSubmittedFollowedAndCancelled();
    void aSweepIsSubmittedAsAnArray();
    void cleanupTestCase() { m_window.reset(); }
};

void SlurmWindowTest::initTestCase() {
    m_root = m_folder.path();
    QFile::setPermissions(m_root, QFile::permissions(m_root) | QFile::ReadOther | QFile::ExeOther);
    qputenv("HOME", (m_root + "/home").toUtf8());
    qputenv("XDG_CONFIG_HOME", (m_root + "/home/.config").toUtf8());
    qputenv("XDG_CACHE_HOME", (m_root + "/home/.cache").toUtf8());
    qputenv("TRAINYARD_POOL", "off");
    qputenv("SLURM_CONF", (m_root + "/slurm.conf").toUtf8());
    QDir().mkpath(m_root + "/home");
    QDir().mkpath(m_root + "/workspace");
    QProcess lab;
    lab.setProcessChannelMode(QProcess::MergedChannels);
    lab.setStandardOutputFile(m_root + "/lab.log"); // a file: what it starts keeps it open
    lab.start("sh", {QStringLiteral(TRAINYARD_SOURCE_DIR "/tests/ssh/slurm_lab.sh"), "up", m_root, "2"});
    QVERIFY(lab.waitForFinished(30000) && lab.exitCode() == 0);
    const auto idle = [] {
        return test::execute("sinfo", {"-h", "-t", "idle", "-p", "low", "-o", "%D"}).out.trimmed() == "2";
    };
    QVERIFY2(QTest::qWaitFor(idle, 20000), test::execute("sinfo", {}).out.constData());
    m_window = std::make_unique<MainWindow>(store::Workspace{(m_root + "/workspace").toStdString()});
    m_window->resize(1440, 900);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
}

// Opened with a file that is to be a job; all that Slurm offers stands there.
NewRunSheet* SlurmWindowTest::sheetWith(const char* name, const QJsonObject& more) {
    QJsonObject run{{"version", 1},
                    {"name", name},
                    {"model", QJsonObject{{"name", "mlp"}, {"params", QJsonObject{{"hidden", QJsonArray{32}}}}}},
                    {"dataset", QJsonObject{{"name", "blobs"}}},
                    {"optimizer", QJsonObject{{"name", "sgd"}, {"lr", 0.05}}},
                    {"batch", QJsonObject{{"global", 64}}},
                    {"steps", 10'000'000},
                    {"hosts", QJsonArray{"slurm"}},
                    {"scaling", QJsonObject{{"workers", 1}, {"device", "cpu"}, {"threadsPerWorker", 1}}},
                    {"checkpoint", QJsonObject{{"everyEpochs", 0}, {"everySteps", 0}, {"keep", 2}}}};
    for (auto each = more.begin(); each != more.end(); ++each) run[each.key()] = each.value();
    auto* sheet = m_window->openNewRun(QString::fromUtf8(QJsonDocument(run).toJson()), false);
    const auto isOffered = [sheet] {
        return sheet->form() && sheet->form()->slurmFields()->isVisible() &&
               sheet->form()->slurmFields()->findChild<QComboBox*>()->count() == 2;
    };
    return QTest::qWaitFor(isOffered, 20000) ? sheet : nullptr;
}

QString SlurmWindowTest::submitted(NewRunSheet* sheet) {
    QString started;
    const auto note = [&started](const QString& id) { started = id; };
    const QObject context;
    connect(&bench().actions, &RunActions::runStarted, &context, note);
    connect(&bench().actions, &RunActions::sweepStarted, &context, note);
    if (!QTest::qWaitFor([sheet] { return sheet->startButton()->isEnabled(); }, 30000)) return {};
    QTest::mouseClick(sheet->startButton(), Qt::LeftButton);
    (void)QTest::qWaitFor([&started] { return !started.isEmpty(); }, 30000);
    return started;
}

// Feature: the window submits runs and sweeps to Slurm, says why a job waits, shows its curves while it trains, and
// cancels it. Also in slurm_test.
void SlurmWindowTest::aRunIsSubmittedFollowedAndCancelled() {
    auto* sheet = sheetWith("far", {});
    QVERIFY(sheet);
    auto* fields = sheet->form()->slurmFields();
    QCOMPARE(fields->findChild<QComboBox*>()->currentText(), QStringLiteral("low")); // the default one
    QCOMPARE(fields->findChildren<QSpinBox*>().first()->maximum(), 2);
    const auto isLimit = [](const QLineEdit* each) { return each->placeholderText() == QStringLiteral("no limit"); };
    const auto lines = fields->findChildren<QLineEdit*>();
    QVERIFY(std::any_of(lines.begin(), lines.end(), isLimit)); // "infinite" of Slurm
    QVERIFY(!sheet->queueButton()->isEnabled());
    QTRY_VERIFY(sheet->startButton()->isEnabled());
    QString checks; // of this computer's memory and cores there is no word
    for (const auto* each : sheet->findChildren<QWidget*>())
        if (each->accessibleName() == QStringLiteral("Will it run?")) checks = each->accessibleDescription();
    QVERIFY2(checks.contains(QStringLiteral("Devices: the job's nodes")), qPrintable(checks));
    QVERIFY2(checks.contains(QStringLiteral("free in the workspace")), qPrintable(checks));
    QVERIFY2(!checks.contains(QStringLiteral("Memory")), qPrintable(checks));
    // Another one has all of the cluster at first.
    const auto other = test::execute(
        "sbatch", {"--parsable", "--nodes=2", "--exclusive", "--output=/dev/null", "--wrap=exec sleep 1000"});
    const auto free = [&] { return test::execute("scancel", {other.out.trimmed()}).code; };
    const auto atTheEnd = qScopeGuard(free);
    const QString id = submitted(sheet);
    QVERIFY(!id.isEmpty());
    const auto run = [&] { return bench().feed.run(id); };
    const auto has = [&](wire::RunStatus status) { return run() && run()->status == status; };
    QTRY_VERIFY_WITH_TIMEOUT(has(wire::RunStatus::Queued), 30000);
    m_window->setPage(PageId::runs);
    bench().selection.show(id);
    QTRY_VERIFY_WITH_TIMEOUT(reads(QStringLiteral("is pending (")), 20000);
    QCOMPARE(free(), 0);
    QTRY_VERIFY_WITH_TIMEOUT(has(wire::RunStatus::Running), 60000);
    const auto points = [&] {
        const auto* series = bench().feed.series().find(id, QStringLiteral("train/loss"));
        return series ? series->size() : std::size_t{0};
    };
    QTRY_VERIFY_WITH_TIMEOUT(points() > 100, 30000); // live
    QVERIFY(reads(QStringLiteral("Slurm job")));
    QVERIFY(isOffered(action("stop"), {bench(), run(), m_window.get()}));
    act(action("stop"), {bench(), run(), m_window.get()});
    QTRY_VERIFY_WITH_TIMEOUT(has(wire::RunStatus::Stopped), 60000);
}

void SlurmWindowTest::aSweepIsSubmittedAsAnArray() {
    auto* sheet = sheetWith("array", {{"steps", 100}});
    QVERIFY(sheet);
    sheet->close();
    const QString file = m_root + "/sweep.json";
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(R"({"version":1,"name":"array","space":{"optimizer.lr":[0.01,0.1]},"scoreBy":"train/loss","mode":"min",
        "run":{"version":1,"model":"mlp","dataset":"blobs","steps":100,"scaling":{"device":"cpu"}}})");
    out.close();
    QString started;
    connect(&bench().actions, &RunActions::sweepStarted, this, [&started](const QString& id) { started = id; });
    const auto spec = spec::parseSweepSpec(*readFile(file.toStdString()), file.toStdString());
    QVERIFY(spec);
    bench().actions.startSweep(*spec, {.job = run::SlurmRequest{}});
    QTRY_VERIFY_WITH_TIMEOUT(!started.isEmpty(), 30000);
    const auto trials = [&] {
        int count = 0;
        for (const auto& run : bench().feed.runs())
            count += run->row.sweep == started.toStdString() && run->status == wire::RunStatus::Finished ? 1 : 0;
        return count;
    };
    QTRY_COMPARE_WITH_TIMEOUT(trials(), 2, 60000);
}

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    for (const QString& file : {test::program("trainyardctl"), test::program("trainyard-worker"),
                                QStringLiteral("/usr/sbin/slurmctld"), QStringLiteral("/usr/sbin/munged")})
        if (!QFile::exists(file)) {
            std::printf("SKIP: there is no %s\n", qPrintable(file));
            return 77;
        }
    test::enterHostLab(argc, argv);
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-slurm-window-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-slurm-window-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    SlurmWindowTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "slurm_window_test.moc"
