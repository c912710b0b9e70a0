// SPDX-License-Identifier: GPL-3.0-or-later
// The one button of a failed run, for runs that really fail on this computer's CPU: it starts what can succeed.
#include "engine/run/attach/run_control.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>

#include <filesystem>
#include <functional>

using namespace trainyard;
using namespace trainyard::ui;

namespace {

// While it lives, this process and all that it starts have so much address space and no more.
class LimitedMemory {
public:
    explicit LimitedMemory(rlim_t bytes) {
        ::getrlimit(RLIMIT_AS, &m_before);
        const rlimit lower{bytes, m_before.rlim_max};
        m_set = ::setrlimit(RLIMIT_AS, &lower) == 0;
    }
    ~LimitedMemory() { ::setrlimit(RLIMIT_AS, &m_before); }
    bool isSet() const { return m_set; }

private:
    rlimit m_before{};
    bool m_set = false;
};

spec::RunSpec oneWorker(const char* name) {
    spec::RunSpec spec;
    spec.name = name;
    spec.dataset = {"spirals", {{"samples", std::int64_t{3000}}}};
    spec.model = {"mlp", {{"hidden", std::vector<double>{64, 64, 64, 64, 64}}}};
    spec.optimizer = {"sgd", {{"lr", 0.01}}};
    spec.steps = 100'000;
    spec.epochs.reset();
    spec.scaling.workers = 1;
    spec.scaling.device = "cpu";
    spec.scaling.threadsPerWorker = 1;
    spec.failure.maxRestarts = 0;
    spec.tuning.kernels = "stock";
    return spec;
}

} // namespace

class FailureFixTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<MainWindow> m_window;

    WorkspaceFeed& feed() { return m_window->bench().feed; }
    // The id of the run that `begin` starts; empty when none does.
    QString started(const std::function<void()>& begin) {
        QString id;
        const auto once =
            connect(&m_window->bench().actions, &RunActions::runStarted, this, [&id](const QString& run) { id = run; });
        begin();
        const bool came = QTest::qWaitFor([&] { return !id.isEmpty() && feed().run(id); }, 20'000);
        disconnect(once);
        return came ? id : QString();
    }
    QPushButton* button(const QString& text) const {
        for (auto* each : m_window->findChildren<QPushButton*>())
            if (each->text() == text && each->isVisible()) return each;
        return nullptr;
    }
    static spec::RunSpec specOf(const RunItem& run) { return *spec::parseRunSpec(run.row.specJson); }
    // Fails as `code` says, after which a press of `label` gives a run that trains. Its fields are in `retried`.
    void failAndRetry(const spec::RunSpec& spec, ErrorCode code, const QString& label, spec::RunSpec& retried);

private Q_SLOTS:
    void initTestCase() {
        if (!std::filesystem::exists(CatalogLoader::workerProgram())) QSKIP("there is no trainyard-worker");
        qputenv("TRAINYARD_POOL", "off"); // ranks with the limits of this process
    }
    void init() {
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
        store::Workspace workspace;
        workspace.root = m_folder->path().toStdString();
        m_window = std::make_unique<MainWindow>(workspace);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        QTRY_VERIFY(feed().loaded());
        m_window->setPage(QStringLiteral("runs"));
    }
    void cleanup() {
        if (!m_window) return;
        for (const auto& run : feed().runs())
            if (run->active())
                (void)run::stopRun({m_folder->path().toStdString()}, run->id.toStdString(), wire::StopMode::Kill);
        m_window.reset();
    }

    void aBatchThatIsTooLargeForTheMemoryIsHalved();
    void aLearningRateThatIsTooHighIsLowered();
};

void FailureFixTest::failAndRetry(const spec::RunSpec& spec, ErrorCode code, const QString& label,
                                  spec::RunSpec& retried) {
    const QString failed = started([&] { m_window->bench().actions.start(spec); });
    QVERIFY(!failed.isEmpty());
    m_window->bench().selection.show(failed);
    QTRY_VERIFY_WITH_TIMEOUT(!feed().run(failed)->active(), 60'000);
    const auto run = feed().run(failed);
    QVERIFY2(run->status == wire::RunStatus::Failed, run->row.error.text().c_str());
    QVERIFY2(run->row.error.code == code,
             (std::string(toString(run->row.error.code)) + ": " + run->row.error.text()).c_str());
    QCOMPARE(run->row.restarts, 0);
    QTRY_VERIFY2(button(label), qPrintable(label));
    const QString retry = started([&] { QTest::mouseClick(button(label), Qt::LeftButton); });
    QVERIFY(!retry.isEmpty());
    QVERIFY(retry != failed);
    QTRY_VERIFY2_WITH_TIMEOUT(feed().run(retry)->row.step >= 1 || !feed().run(retry)->active(),
                              feed().run(retry)->row.error.text().c_str(), 60'000);
    QVERIFY2(feed().run(retry)->row.step >= 1, feed().run(retry)->row.error.text().c_str());
    retried = specOf(*feed().run(retry));
}

// One pass over 32 768 samples needs 4 GB and half of it 2 GB, and besides them a worker has less than 2.
void FailureFixTest::aBatchThatIsTooLargeForTheMemoryIsHalved() {
    auto spec = oneWorker("large");
    spec.dataset.params["samples"] = std::int64_t{50'000};
    spec.model.params["hidden"] = std::vector<double>{10'240};
    spec.batch.perRank = 32'768;
    spec.batch.global.reset();
    const LimitedMemory limit(rlim_t{4'500} << 20);
    QVERIFY(limit.isSet());
    spec::RunSpec retried;
    failAndRetry(spec, ErrorCode::OutOfMemory, QStringLiteral("Halve the batch and retry"), retried);
    QCOMPARE(retried.perRankBatch(), std::int64_t{16'384});
}

void FailureFixTest::aLearningRateThatIsTooHighIsLowered() {
    auto spec = oneWorker("fast");
    spec.optimizer.params["lr"] = 100.0;
    spec.failure.maxRestarts = 3; // from the same checkpoint it would come to the same
    spec::RunSpec retried;
    failAndRetry(spec, ErrorCode::LossNotFinite, QStringLiteral("Retry with lr 10"), retried);
    QCOMPARE(retried.optimizer.number("lr", 0), 10.0);
}

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-failure-fix-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-failure-fix-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    FailureFixTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "failure_fix_test.moc"
