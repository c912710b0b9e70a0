// SPDX-License-Identifier: GPL-3.0-or-later
// A real program in the window: its curve, how it is stopped, what it is resumed from.
#include "engine/base/files/atomic_file.h"
#include "engine/run/attach/run_control.h"
#include "engine/run/record/run_folder.h"
#include "tests/multiproc/lab/run_lab.h"
#include "ui/actions/action.h"
#include "ui/actions/stop_sheet.h"
#include "ui/pages/runs/inspector/run_controls.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/inputs/split_button.h"

#include <QApplication>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QTabBar>
#include <QTest>

#include <algorithm>

using namespace trainyard;
using namespace trainyard::ui;
using test::RunLab;

class ProgramRunningTest : public QObject {
    Q_OBJECT

    std::unique_ptr<RunLab> m_lab;
    std::unique_ptr<MainWindow> m_window;
    std::string m_run;

    // Saves every `every` steps of 20 ms.
    void open(std::int64_t every) {
        spec::Program program;
        program.script = TRAINYARD_SOURCE_DIR "/tests/programs/runs/saves.py";
        program.interpreter = "/usr/bin/python3";
        program.arguments = {{"output-dir", std::string("{output}")},
                             {"steps", std::int64_t{100'000}},
                             {"every", every},
                             {"pause", 0.02}};
        m_run = m_lab->startReal(spec::programRun(program));
        QVERIFY(!m_run.empty());
        m_window = std::make_unique<MainWindow>(m_lab->workspace());
        m_window->resize(1280, 720);
        m_window->setPage(PageId::runs);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTRY_VERIFY_WITH_TIMEOUT(run() != nullptr, 20'000);
        bench().selection.setCurrent(id());
        QTRY_VERIFY_WITH_TIMEOUT(step() > 3, 30'000);
    }
    Workbench& bench() { return m_window->bench(); }
    QString id() const { return QString::fromStdString(m_run); }
    RunItemPtr run() { return bench().feed.run(id()); }
    std::int64_t step() { return bench().feed.state(id()) ? bench().feed.state(id())->step : 0; }
    wire::RunStatus status() { return bench().feed.status(*run()); }
    ActionTarget target() { return {bench(), run(), m_window.get()}; }
    StopSheet* sheet() { return m_window->findChild<StopSheet*>(); }
    SplitButton* stopButton() { return m_window->findChild<RunControls*>()->findChild<SplitButton*>(); }
    void press(const char* keys) {
        const auto combination = QKeySequence(QLatin1String(keys))[0];
        QTest::keyClick(m_window.get(), combination.key(), combination.keyboardModifiers());
    }

private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_lab = std::make_unique<RunLab>();
    }
    void cleanup() {
        m_window.reset();
        (void)run::stopRun(m_lab->workspace(), m_run, wire::StopMode::Kill);
        m_lab->waitForEnd(m_run);
        m_lab.reset();
    }

    // Feature: the question says what a stop costs; at the next checkpoint it costs nothing, and the run is resumed
    // from there. By keyboard.
    void aProgramStopsAtItsNextCheckpoint() {
        open(100);
        QTRY_VERIFY(stopButton()->isVisible());
        QCOMPARE(stopButton()->text().trimmed(), QString("Stop"));
        press("Ctrl+.");
        QTRY_VERIFY(sheet() && sheet()->isVisible());
        const QString words = sheet()->words();
        QVERIFY2(words.startsWith("No checkpoint is complete yet") && words.contains("steps are lost"),
                 qPrintable(words));
        QTRY_VERIFY(sheet()->words() != words); // it follows the run
        QTRY_COMPARE(QApplication::focusWidget(), static_cast<QWidget*>(sheet()->atCheckpoint()));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(status() == wire::RunStatus::Stopping, 5000);
        QTRY_VERIFY_WITH_TIMEOUT(status() == wire::RunStatus::Stopped, 30'000);
        QVERIFY2(run()->row.step >= 100 && run()->row.step < 300, std::to_string(run()->row.step).c_str());
        QTRY_VERIFY(!bench().feed.checkpoints(id()).empty());
        const auto saved = bench().feed.checkpoints(id()).back().step;
        act(action("resume"), target());
        QTRY_VERIFY_WITH_TIMEOUT(status() == wire::RunStatus::Running && step() > saved, 30'000);
        press("Ctrl+.");
        QTRY_VERIFY(sheet() && sheet()->isVisible());
        QTRY_VERIFY(sheet()->words().startsWith("The newest complete checkpoint is of step "));
        sheet()->now()->click();
        QTRY_VERIFY_WITH_TIMEOUT(status() == wire::RunStatus::Stopped, 30'000);
        QTRY_VERIFY(!sheet());
    }

    // Feature: a program goes on from an earlier checkpoint that is chosen; the later ones stay, and are superseded.
    void aProgramGoesOnFromAnEarlierCheckpoint() {
        open(20);
        QTRY_VERIFY_WITH_TIMEOUT(bench().feed.checkpoints(id()).size() > 1, 20'000);
        act(action("stop-now"), target());
        QTRY_VERIFY_WITH_TIMEOUT(status() == wire::RunStatus::Stopped, 30'000);
        const auto before = m_lab->query().checkpoints(m_run);
        QVERIFY(before.ok() && before->size() > 1);
        QTRY_COMPARE(bench().feed.checkpoints(id()).size(), before->size());
        QTRY_VERIFY(isOffered(action("resume"), target()));
        ActionTarget chosen = target();
        QVERIFY(!isOffered(action("resume-from"), chosen));
        chosen.checkpoint = before->back();
        QVERIFY(!isOffered(action("resume-from"), chosen)); // as Resume does
        chosen.checkpoint = before->front();
        QVERIFY(isOffered(action("resume-from"), chosen));
        act(action("resume-from"), chosen);
        const auto begun = [&] {
            return readFile(run::RunFolder{run()->row.folder}.root / "output" / "begun.txt").valueOr("");
        };
        QTRY_VERIFY_WITH_TIMEOUT(begun().find("model_20.pt") != std::string::npos, 30'000);
        const auto after = m_lab->query().checkpoints(m_run);
        QVERIFY(after.ok() && after->size() >= before->size());
        QVERIFY(!after->front().step || std::ranges::any_of(*after, &store::CheckpointRow::superseded));
    }

    // What nobody can know or do of a program is not offered, and the words are not those of a training.
    void whatAProgramCannotIsNotOffered() {
        open(100'000);
        const auto offered = [this](const char* name) { return isOffered(action(name), target()); };
        for (const char* no : {"pause", "save-checkpoint", "set-learning-rate", "measure-scaling", "copy-cpp"})
            QVERIFY2(!offered(no), no);
        for (const char* yes : {"stop", "stop-at-checkpoint", "stop-now", "kill", "stacks", "run-again"})
            QVERIFY2(offered(yes), yes);
        QMenu menu;
        addActions(menu, {"stop", "stop-at-checkpoint"}, target());
        QVERIFY(menu.actions().front()->text().startsWith(QString("Stop…")));
        QCOMPARE(menu.actions().back()->text(), QString("Stop at the next checkpoint"));
        QStringList tabs, words;
        for (auto* bar : m_window->findChildren<QTabBar*>())
            for (int i = 0; i < bar->count(); ++i)
                if (bar->isTabVisible(i)) tabs << bar->tabText(i);
        QVERIFY(tabs.contains("Curves") && tabs.contains("Logs"));
        for (const char* none : {"Samples", "Timeline"}) QVERIFY2(!tabs.contains(none), none);
        for (auto* label : m_window->findChildren<QLabel*>())
            if (label->isVisible()) words << label->text();
        QVERIFY2(!words.contains("0%") && !words.contains("0 %"), qPrintable(words.join('|')));
        // Its score is what it reports.
        QTRY_COMPARE_WITH_TIMEOUT(run()->scoreSeries, QString("train/loss"), 10'000);
        QTRY_VERIFY(run()->best > 0);
        QCOMPARE(run()->better, spec::Better::Smaller);
    }
};

QTEST_MAIN(ProgramRunningTest)
#include "program_running_test.moc"
