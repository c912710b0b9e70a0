// SPDX-License-Identifier: GPL-3.0-or-later
// A run ends while its database can take no writes, as on a full disk: what the window shows stays, and its parts
// agree.
#include "tests/multiproc/lab/run_lab.h"
#include "ui/models/runs/runs_model.h"
#include "ui/pages/runs/table/runs_panel.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/marks/status_chip.h"

#include <QSettings>
#include <QSignalSpy>
#include <QTest>

#include <sys/resource.h>

using namespace trainyard;
using namespace trainyard::ui;
using test::RunLab;

class FullDiskTest : public QObject {
    Q_OBJECT

    static constexpr int kSteps = 100;
    RunLab m_lab;
    std::unique_ptr<MainWindow> m_window;

    // Each of its writes to a file fails from now on. Returns its limit before.
    static rlimit forbidWrites(pid_t process) {
        rlimit before{};
        if (::prlimit(process, RLIMIT_FSIZE, nullptr, &before) != 0) qFatal("prlimit");
        const rlimit nothing{0, before.rlim_max};
        if (::prlimit(process, RLIMIT_FSIZE, &nothing, nullptr) != 0) qFatal("prlimit");
        return before;
    }
    std::size_t points(const QString& run) const {
        const SeriesData* loss = m_window->bench().feed.series().find(run, QStringLiteral("train/loss"));
        return loss ? loss->size() : 0;
    }
    // The heading under which the run stands in the table.
    QString heading(const QString& run) const {
        const auto* model = m_window->findChild<RunsPanel*>()->model();
        return model->indexOf(run).parent().data().toString();
    }
    bool hasChip(const QString& words) const {
        const auto chips = m_window->findChildren<StatusChip*>();
        return std::any_of(chips.begin(), chips.end(),
                           [&words](const auto* chip) { return chip->isVisible() && chip->text() == words; });
    }

private Q_SLOTS:
    void cleanupTestCase() { m_window.reset(); }

    // Feature: a run ends while the database can take no writes: its curves stay, and table and inspector say the same.
    void whatIsShownStaysAndAgrees() {
        QSettings().clear();
        const std::string id = m_lab.start({.plan = "ms=20"});
        const QString run = QString::fromStdString(id);
        QVERIFY(m_lab.waitForStep(id, 5));
        m_window = std::make_unique<MainWindow>(m_lab.workspace());
        m_window->resize(1366, 768);
        m_window->setPage(PageId::runs);
        m_window->show();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->bench().feed.run(run), 20'000);
        m_window->bench().selection.show(run);
        QTRY_VERIFY_WITH_TIMEOUT(points(run) > 5, 20'000);

        const auto supervisor = static_cast<pid_t>(m_lab.row(id).supervisorPid);
        const rlimit before = forbidWrites(supervisor);
        QSignalSpy ended(&m_window->bench().feed, &WorkspaceFeed::runEnded);
        QTRY_COMPARE_WITH_TIMEOUT(points(run), std::size_t{kSteps}, 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(heading(run), QStringLiteral("Finished"), 20'000);
        QVERIFY(hasChip(QStringLiteral("Finished")));
        QVERIFY(m_lab.points(id).size() < kSteps); // the database does not know
        QVERIFY(wire::isActive(m_lab.row(id).status));
        for (int look = 0; look < 20; ++look) {
            QTest::qWait(50);
            QCOMPARE(points(run), std::size_t{kSteps});
            QCOMPARE(heading(run), QStringLiteral("Finished"));
        }
        QCOMPARE(::prlimit(supervisor, RLIMIT_FSIZE, &before, nullptr), 0);
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, 30'000);
        QCOMPARE(points(run), std::size_t{kSteps});
        QCOMPARE(m_lab.points(id).size(), std::size_t{kSteps});
        QVERIFY(hasChip(QStringLiteral("Finished")));
    }
};

QTEST_MAIN(FullDiskTest)
#include "full_disk_test.moc"
