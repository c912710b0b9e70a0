// SPDX-License-Identifier: GPL-3.0-or-later
// A run is resumed with other settings in the window: what may change, what is wrong where, and that it trains on.
#include "engine/run/launch/programs.h"
#include "engine/run/record/run_folder.h"
#include "tests/gui/forms/form_fields.h"
#include "ui/actions/action.h"
#include "ui/actions/resume_sheet.h"
#include "ui/forms/advanced_form.h"
#include "ui/models/desktop/settings.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/inputs/unit_field.h"

#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace trainyard;
using namespace trainyard::ui;

class ResumeSheetTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    store::Workspace m_workspace;
    std::unique_ptr<MainWindow> m_window;

    Workbench& bench() { return m_window->bench(); }
    ResumeSheet* sheet() {
        const auto open = m_window->findChildren<ResumeSheet*>();
        return open.isEmpty() ? nullptr : open.last();
    }
    // The sheet of a run with this file, which is nowhere but in the sheet.
    std::unique_ptr<ResumeSheet> sheetOf(const char* file) {
        const auto spec = spec::parseRunSpec(file, "test");
        if (!spec) qFatal("%s", spec.error().text().c_str());
        return std::make_unique<ResumeSheet>(bench(), RunItem{}, *spec, m_window.get());
    }
    static void type(ParamField* field, const QString& text) {
        auto* edit = field->findChild<QLineEdit*>();
        edit->selectAll();
        QTest::keyClicks(edit, text);
    }

private Q_SLOTS:
    void initTestCase() {
        QSettings().clear();
        qputenv("XDG_CONFIG_HOME", m_folder.filePath(QStringLiteral("config")).toUtf8()); // no hosts
        m_workspace.root = (m_folder.path() + QStringLiteral("/ws")).toStdString();
        std::filesystem::create_directories(m_workspace.root);
        m_window = std::make_unique<MainWindow>(m_workspace);
        m_window->resize(1440, 900);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }
    void cleanupTestCase() { m_window.reset(); }

    // Feature: a run is resumed with other settings in the window: only what may change has a field, what is wrong
    // stands there, a stopped run goes on; resuming and fetching ask for a passphrase. Also in sign_in_window_test.
    void onlyWhatMayChangeHasAField() {
        const auto own =
            sheetOf(R"({"version":1,"model":{"name":"mlp"},"dataset":{"name":"blobs"},"batch":{"perRank":8}})");
        for (const char* path : {"failure.maxRestarts", "checkpoint.keep", "tuning.layout", "scaling.device"})
            QVERIFY2(own->form()->field(path), path);
        for (const char* path : {"seed", "scaling.lrRule", "scaling.workers", "gradient.clipNorm", "scaling.place"})
            QVERIFY2(!own->form()->field(path), path);
        const auto shared =
            sheetOf(R"({"version":1,"model":{"name":"mlp"},"dataset":{"name":"blobs"},"batch":{"global":8}})");
        QVERIFY(shared->form()->field("scaling.workers"));
        QVERIFY(own->changes().empty() && own->resumeButton()->isEnabled());
    }

    void whatIsWrongIsSaidAtItsField() {
        const auto open = sheetOf(R"({"version":1,"model":{"name":"mlp"},"dataset":{"name":"blobs"}})");
        auto* hosts = open->hosts()->edit();
        QTest::keyClicks(hosts, QStringLiteral("lcal"));
        QVERIFY2(open->hosts()->error().contains("did you mean local"), qPrintable(open->hosts()->error()));
        QVERIFY(!open->resumeButton()->isEnabled());
        hosts->selectAll();
        QTest::keyClicks(hosts, QStringLiteral("nowhere"));
        QVERIFY2(open->hosts()->error().contains("no host nowhere"), qPrintable(open->hosts()->error()));
        hosts->clear();
        QTest::keyClicks(open->spareHosts()->edit(), QStringLiteral("local"));
        QVERIFY(!open->spareHosts()->error().isEmpty()); // of which hosts?
        open->spareHosts()->edit()->selectAll();
        QTest::keyClick(open->spareHosts()->edit(), Qt::Key_Delete);
        QVERIFY(open->resumeButton()->isEnabled());
        type(open->form()->field("failure.maxRestarts"), QStringLiteral("-5"));
        QVERIFY(open->form()->field("failure.maxRestarts")->hasError());
        QVERIFY(!open->resumeButton()->isEnabled());
        type(open->form()->field("failure.maxRestarts"), QStringLiteral("7"));
        QVERIFY(open->resumeButton()->isEnabled());
        QCOMPARE(open->changes(), std::vector<std::string>{"failure.maxRestarts=7"});
        QTest::keyClicks(hosts, QStringLiteral("local"));
        QCOMPARE(open->changes(), (std::vector<std::string>{"failure.maxRestarts=7", "hosts=[\"local\"]"}));
    }

    void aStoppedRunGoesOnWithThem() {
        if (!std::filesystem::exists(run::workerProgram())) QSKIP("there is no worker");
        spec::RunSpec spec;
        spec.name = "calm-otter";
        spec.model.name = "mlp";
        spec.dataset.name = "blobs";
        spec.steps = 1'000'000;
        spec.epochs.reset();
        spec.scaling.workers = 1;
        spec.scaling.threadsPerWorker = 1;
        QString id;
        connect(&bench().actions, &RunActions::runStarted, this, [&id](const QString& run) { id = run; });
        QString why;
        connect(&bench().actions, &RunActions::failed, this,
                [&why](const QString&, const Error& error) { why = QString::fromStdString(error.text()); });
        bench().actions.start(spec);
        QTRY_VERIFY2_WITH_TIMEOUT(!id.isEmpty(), qPrintable(why), 30000);
        const auto run = [&] { return bench().feed.run(id); };
        QTRY_VERIFY_WITH_TIMEOUT(run() && run()->row.step > 5, 30000);
        bench().actions.stop(id, wire::StopMode::SaveAndStop);
        QTRY_COMPARE_WITH_TIMEOUT(run()->status, wire::RunStatus::Stopped, 30000);
        bench().selection.show(id);
        QTRY_VERIFY(!bench().feed.checkpoints(id).empty());
        const auto stoppedAt = run()->row.step;

        ActionTarget target{bench(), run(), m_window.get()};
        QVERIFY(isOffered(action("resume-with"), target));
        act(action("resume-with"), target);
        QTRY_VERIFY(sheet() && sheet()->hosts()->edit()->hasFocus());
        type(sheet()->form()->field("failure.maxRestarts"), QStringLiteral("7"));
        sheet()->resumeButton()->click();
        QTRY_VERIFY2_WITH_TIMEOUT(!sheet(), sheet() ? qPrintable(sheet()->fault()) : "", 30000);
        QTRY_VERIFY_WITH_TIMEOUT(run()->active() && run()->row.step > stoppedAt, 30000);
        const auto now = spec::readRunSpec((m_workspace.runFolder(id.toStdString()) / "run.json").string());
        QVERIFY(now.ok());
        QCOMPARE(now->failure.maxRestarts, 7);
        QVERIFY(!isOffered(action("resume-with"), {bench(), run(), m_window.get()}));

        // While it trains it is not resumed: the sheet says so, and stays.
        auto* again = new ResumeSheet(bench(), *run(), *now, m_window.get());
        again->open();
        again->resumeButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!again->fault().isEmpty(), 30000);
        QVERIFY(again->isVisible() && again->resumeButton()->isEnabled());
        again->close();
        bench().actions.stop(id, wire::StopMode::StopNow);
        QTRY_VERIFY_WITH_TIMEOUT(!run()->active(), 30000);
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-resume-sheet-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-resume-sheet-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    ResumeSheetTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "resume_sheet_test.moc"
