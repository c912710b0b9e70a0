// SPDX-License-Identifier: GPL-3.0-or-later
// The life of a real service in the window: started from a checkpoint, tried, asked by curl and Python as copied, given
// a second version, killed for a rehearsal, stopped.
#include "engine/serve/control/service_client.h"
#include "tests/gui/forms/form_fields.h"
#include "tests/multiproc/lab/run_lab.h"
#include "ui/models/serve/service_words.h"
#include "ui/pages/serve/replica_chips.h"
#include "ui/pages/serve/serve_page.h"
#include "ui/pages/serve/serve_sheet.h"
#include "ui/pages/serve/service_board.h"
#include "ui/pages/serve/service_trial.h"
#include "ui/pages/serve/version_card.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/inputs/unit_field.h"
#include "ui/widgets/marks/prediction_bars.h"

#include <QComboBox>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPointer>
#include <QPushButton>
#include <QSlider>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace trainyard::ui;
using test::RunLab;

namespace {

constexpr int kServed = 60'000; // a service that starts on a busy computer

} // namespace

class ServiceLifeTest : public QObject {
    Q_OBJECT

    std::unique_ptr<RunLab> m_lab;
    std::unique_ptr<MainWindow> m_window;
    std::string m_run;
    std::vector<store::CheckpointRow> m_checkpoints;

    ServiceBoard& board() const { return *m_window->findChild<ServePage*>()->board(); }
    ServiceTrial& trial() const { return *board().trial(); }
    const serve::ServiceView* service() const { return m_window->bench().services.service(QStringLiteral("points")); }
    serve::ServiceState state() const { return service() ? service()->status.state : serve::ServiceState::Starting; }
    const serve::VersionStatus* version(serve::VersionRole role) const {
        return service() ? versionOf(service()->status, role) : nullptr;
    }
    void ask(const char* words) const {
        trial().edit()->setFocus();
        trial().edit()->selectAll();
        QTest::keyClicks(trial().edit(), QLatin1String(words));
        QTest::keyClick(trial().edit(), Qt::Key_Return);
    }
    // The sheet for a checkpoint, as its menu opens it.
    ServeSheet* sheetFor(const store::CheckpointRow& row, const QString& service) const {
        Q_EMIT m_window->bench().serveRequested(QString::fromStdString(m_run), QString::fromStdString(row.path),
                                                row.step, service);
        ServeSheet* open = nullptr;
        [&] { QTRY_VERIFY((open = m_window->findChild<ServeSheet*>())); }();
        return open;
    }
    // What a program prints that is given this text.
    static QByteArray printed(const QString& program, const QStringList& words) {
        QProcess process;
        process.start(program, words);
        if (!process.waitForFinished(30000) || process.exitCode() != 0) qWarning() << process.readAllStandardError();
        return process.readAllStandardOutput();
    }
    static QString likeliest(const QByteArray& answer) {
        const auto samples = QJsonDocument::fromJson(answer).object().value(QLatin1String("inputs")).toArray();
        return samples.at(0)[QLatin1String("predictions")][0][QLatin1String("class")].toString();
    }

private Q_SLOTS:
    void initTestCase() {
        m_lab = std::make_unique<RunLab>();
        auto spec = RunLab::spirals(1, 90);
        spec.name = "points";
        spec.checkpoint.everyEpochs = 0;
        spec.checkpoint.everySteps = 30;
        spec.checkpoint.keep = 3;
        m_run = m_lab->startReal(spec);
        QCOMPARE(m_lab->waitForEnd(m_run, 120).status, wire::RunStatus::Finished);
        m_checkpoints = m_lab->query().checkpoints(m_run).value();
        QVERIFY(m_checkpoints.size() >= 2);
        m_window = std::make_unique<MainWindow>(m_lab->workspace());
        m_window->resize(1366, 768);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTRY_VERIFY(m_window->bench().feed.run(QString::fromStdString(m_run)));
    }
    void cleanupTestCase() {
        m_window.reset();
        if (m_lab) // a step that fails leaves it running
            for (const auto& left : serve::listServices(m_lab->workspace()))
                if (left.isServed) (void)serve::ServiceClient(left.folder).stopAndWait(30);
        m_lab.reset();
    }

    // Feature: "Serve…" beside a checkpoint starts a service on this computer and shows it.
    void aCheckpointIsServed() {
        ServeSheet* sheet = sheetFor(m_checkpoints.front(), {});
        QCOMPARE(sheet->name()->text(), QStringLiteral("points"));
        QVERIFY2(sheet->goButton()->isEnabled(), qPrintable(sheet->problem()));
        sheet->goButton()->click();
        QTRY_COMPARE_WITH_TIMEOUT(m_window->page(), QStringLiteral("serve"), kServed);
        QTRY_VERIFY2_WITH_TIMEOUT(state() == serve::ServiceState::Ready,
                                  service() ? service()->status.reason.c_str() : "not listed", kServed);
        QVERIFY(version(serve::VersionRole::Current));
        QVERIFY(service()->status.url.starts_with("http://127.0.0.1:"));
    }

    // Feature: "Try it" asks over HTTP, with the token; curl and Python get the same answer with what was copied.
    void itIsTriedAndAskedFromOutside() {
        ask("0.1, 0.2");
        QTRY_VERIFY2_WITH_TIMEOUT(!trial().bars()->bars().isEmpty(), qPrintable(trial().error()), kServed);
        const QString best = trial().bars()->bars().front().name;
        QFile token(QString::fromStdString(service()->folder.token().string()));
        QVERIFY(token.open(QIODevice::ReadOnly));
        QVERIFY(!(token.permissions() & (QFile::ReadGroup | QFile::ReadOther)));
        const QByteArray secret = token.readAll().trimmed();
        for (const QString& text : {trial().asCurl(), trial().asPython()}) QVERIFY(!text.contains(secret));
        if (!QStandardPaths::findExecutable(QStringLiteral("curl")).isEmpty())
            QCOMPARE(likeliest(printed(QStringLiteral("sh"), {QStringLiteral("-c"), trial().asCurl()})), best);
        if (!QStandardPaths::findExecutable(QStringLiteral("python3")).isEmpty())
            QCOMPARE(likeliest(printed(QStringLiteral("python3"), {QStringLiteral("-c"), trial().asPython()})), best);
        ask("0.1"); // too few cells: the service's own error and remedy
        QTRY_VERIFY_WITH_TIMEOUT(!trial().error().isEmpty(), kServed);
        QVERIFY(trial().bars()->bars().isEmpty());
    }

    // Feature: a second version as a canary, side by side with the first; promoted, and rolled back.
    void aSecondVersionIsComparedAndTaken() {
        const QPointer<ServeSheet> sheet = sheetFor(m_checkpoints.back(), QStringLiteral("points"));
        QVERIFY2(sheet->goButton()->isEnabled(), qPrintable(sheet->problem()));
        test::named<QComboBox>(*sheet, QStringLiteral("Takes"))->setCurrentIndex(static_cast<int>(SwapMode::Canary));
        sheet->goButton()->click();
        QTRY_VERIFY2_WITH_TIMEOUT(version(serve::VersionRole::Canary),
                                  qPrintable(sheet ? sheet->problem() : QStringLiteral("no canary")), kServed);
        const std::string canary = version(serve::VersionRole::Canary)->name;
        QTRY_COMPARE(board().versions()->slider()->value(), 10);
        ask("0.1, 0.2");
        QTRY_VERIFY2_WITH_TIMEOUT(!trial().bars()->bars().isEmpty() &&
                                      std::isfinite(trial().bars()->bars().front().second) &&
                                      std::isfinite(trial().bars()->bars().front().first),
                                  qPrintable(trial().error()), kServed);
        board().versions()->promoteButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(
            version(serve::VersionRole::Former) && version(serve::VersionRole::Current)->name == canary, kServed);
        QTRY_VERIFY(board().versions()->rollBackButton()->isEnabled());
        board().versions()->rollBackButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(version(serve::VersionRole::Current)->name != canary, kServed);
    }

    // Fault: the only replica is killed for a rehearsal. Another takes its place and answers.
    void aKilledReplicaIsReplaced() {
        QVERIFY(!service()->status.replicas.empty());
        const auto killed = service()->status.replicas.front();
        m_window->bench().serving.killReplica(QStringLiteral("points"), killed.number);
        QTRY_VERIFY_WITH_TIMEOUT(service()->status.restarts >= 1, kServed);
        ask("0.3, 0.1");
        QTRY_VERIFY2_WITH_TIMEOUT(!trial().bars()->bars().isEmpty(), qPrintable(trial().error()), kServed);
    }

    // Feature: a stopped service leaves no process, says so, and is started again at its address.
    void itStopsAndStartsAgain() {
        const std::string address = service()->status.url;
        m_window->bench().serving.stop(QStringLiteral("points"));
        QTRY_VERIFY_WITH_TIMEOUT(!service()->isServed, kServed);
        QTRY_COMPARE(state(), serve::ServiceState::Stopped);
        QCOMPARE(service()->status.processesLeft, 0);
        QTRY_VERIFY(board().banner()->isVisible());
        test::press<QPushButton>(board(), QStringLiteral("Start again"));
        QTRY_VERIFY_WITH_TIMEOUT(service()->isServed && state() == serve::ServiceState::Ready, kServed);
        QCOMPARE(service()->status.url, address);
        m_window->bench().serving.stop(QStringLiteral("points"));
        QTRY_VERIFY_WITH_TIMEOUT(!service()->isServed, kServed);
    }

    void itIsTriedOverSocketsAndTls_data() {
        QTest::addColumn<bool>("isTls");
        QTest::newRow("a socket") << false;
        QTest::newRow("all addresses, with a certificate for another name") << true;
    }

    // Feature: "Try it", curl and Python reach a service by its socket, and one whose certificate is its own.
    void itIsTriedOverSocketsAndTls() {
        QFETCH(bool, isTls);
        const QTemporaryDir folder;
        serve::ServiceSpec spec = service()->spec;
        spec.name = isTls ? "tls" : "socket";
        spec.port = 0;
        if (isTls) {
            if (QStandardPaths::findExecutable(QStringLiteral("openssl")).isEmpty()) QSKIP("openssl is not installed");
            spec.host = "0.0.0.0";
            spec.certificate = folder.filePath(QStringLiteral("cert.pem")).toStdString();
            spec.key = folder.filePath(QStringLiteral("key.pem")).toStdString();
            (void)printed(QStringLiteral("openssl"),
                          {"req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                           "-subj", "/CN=models.lab", "-addext", "subjectAltName=DNS:models.lab", "-keyout",
                           QString::fromStdString(spec.key), "-out", QString::fromStdString(spec.certificate)});
        } else spec.socket = folder.filePath(QStringLiteral("s")).toStdString();
        const auto started = serve::startService(m_lab->workspace(), spec);
        QVERIFY2(started, started ? "" : started.error().text().c_str());
        const auto ready = serve::waitUntilServed(*started, kServed / 1000.0);
        QVERIFY2(ready, ready ? "" : ready.error().text().c_str());
        m_window->findChild<ServePage*>()->show(QString::fromStdString(spec.name));
        QTRY_COMPARE(board().service(), QString::fromStdString(spec.name));
        ask("0.1, 0.2");
        QTRY_VERIFY2_WITH_TIMEOUT(!trial().bars()->bars().isEmpty(), qPrintable(trial().error()), kServed);
        const QString best = trial().bars()->bars().front().name;
        if (!QStandardPaths::findExecutable(QStringLiteral("curl")).isEmpty())
            QCOMPARE(likeliest(printed(QStringLiteral("sh"), {QStringLiteral("-c"), trial().asCurl()})), best);
        if (!QStandardPaths::findExecutable(QStringLiteral("python3")).isEmpty())
            QCOMPARE(likeliest(printed(QStringLiteral("python3"), {QStringLiteral("-c"), trial().asPython()})), best);
        QVERIFY(serve::ServiceClient(*started).stopAndWait(30));
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    ServiceLifeTest test;
    return trainyard::test::runInWindow(test, argc, argv, QStringLiteral("trainyard-service-life-test"));
}
#include "service_life_test.moc"
