// SPDX-License-Identifier: GPL-3.0-or-later
// The hosts of a run are asked before it is started: ready ones, one that is silent, one that wants a passphrase.
#include "tests/ssh/lab_programs.h"
#include "ui/models/hosts/hosts_check.h"
#include "ui/new_run/new_run_sheet.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/label.h"

#include <QApplication>
#include <QSettings>

using namespace trainyard;
using namespace trainyard::ui;

class HostsCheckTest : public QObject {
    Q_OBJECT

    test::HostLab m_lab;

    static QJsonObject checkOf(const test::Ended& tested, qsizetype host, qsizetype check) {
        return tested.list()[host].toObject()["checks"].toArray()[check].toObject();
    }

private Q_SLOTS:
    void initTestCase() {
        const QString failure = m_lab.start(2);
        QVERIFY2(failure.isEmpty(), qPrintable(failure));
        qunsetenv("SSH_AUTH_SOCK");
        for (const char* host : {"h1", "h2"}) {
            const QString key = QString::fromStdString(m_lab.key("ed25519"));
            QCOMPARE(test::trainyardctl({"hosts", "add", QStringLiteral("root@") + host, "--identity", key}).code, 0);
            const auto tested = test::trainyardctl({"hosts", "test", host, "--accept-new-key"});
            QVERIFY2(tested.code == 0, tested.said().constData());
        }
    }

    // Feature: the hosts of a run are asked before it is started: ready, silent, or with a passphrase; which ways
    // between them are tried. Also in spec_rules_test.
    void readyHostsHaveNoFindings() {
        HostsCheck check;
        check.ask({"h1", "h2"});
        QVERIFY(check.isBusy());
        QTRY_VERIFY_WITH_TIMEOUT(!check.isBusy(), 60000);
        QVERIFY2(check.findings().isEmpty(), qPrintable(check.findings().value(0).text));
        check.ask({"h1", "h2"});
        QVERIFY(!check.isBusy()); // it knows
        check.ask({});
        QVERIFY(!check.isBusy());
    }

    void aHostThatIsNotKnownIsFound() {
        HostsCheck check;
        check.ask({"-x"});
        QTRY_VERIFY_WITH_TIMEOUT(!check.isBusy(), 60000);
        QCOMPARE(check.findings().size(), 1);
        QVERIFY(check.find(false) && !check.find(true));
    }

    // A firewall lets in everybody but the other host.
    void aWayThatIsClosedIsNamed() {
        const auto session = m_lab.connect(2);
        const auto set = session->script("nft add table inet t && nft add chain inet t in '{ type filter hook input "
                                         "priority 0; }' && nft add rule inet t in ip saddr 10.77.0.1 tcp dport "
                                         "1024-65535 ct state new drop");
        if (!set.ok() || !set->ok()) QSKIP("nft cannot set a rule here");
        HostsCheck check; // beside the terminal's
        check.ask({"h1", "h2"});
        const auto tested = test::trainyardctl({"hosts", "test", "h1", "h2", "--json"});
        const auto shown = test::trainyardctl({"hosts", "test", "h1", "h2"});
        QTRY_VERIFY_WITH_TIMEOUT(!check.isBusy(), 60000);
        QVERIFY(session->script("nft delete table inet t")->ok());
        QCOMPARE(tested.code, 3);
        QVERIFY(tested.list()[0].toObject()["ok"].toBool());
        QCOMPARE(checkOf(tested, 0, 6)["name"].toString(), QStringLiteral("from h2"));
        const QJsonObject closed = checkOf(tested, 1, 6);
        QCOMPARE(closed["name"].toString(), QStringLiteral("from h1"));
        QVERIFY2(!closed["ok"].toBool() && closed["fix"].toString().contains("firewall of h2"), tested.out);
        QVERIFY2(shown.out.contains("ok   h2 to h1: ") && shown.out.contains("FAIL h1 to h2: "), shown.out);
        QVERIFY(check.find(true) && check.find(true)->host == QLatin1String("h2") && !check.find(false));
        QCOMPARE(test::trainyardctl({"hosts", "test", "h1", "h2"}).code, 0);
    }

    // Nobody can be asked.
    void aNewHostSaysHowItsKeyIsAccepted() {
        const QByteArray config = qgetenv("XDG_CONFIG_HOME");
        qputenv("XDG_CONFIG_HOME", QByteArray::fromStdString(m_lab.folder()) + "/nothing");
        const auto tested = test::trainyardctl({"hosts", "test", "root@h1", "--json"});
        qputenv("XDG_CONFIG_HOME", config);
        QCOMPARE(tested.code, 3);
        const QJsonObject signIn = checkOf(tested, 0, 1);
        QVERIFY2(signIn["detail"].toString().contains("SHA256:"), tested.out);
        QVERIFY2(signIn["fix"].toString().contains("trainyardctl hosts test root@h1 --accept-new-key"), tested.out);
    }

    void aSilentHostIsFoundOnceAndSaidInTheSheet() {
        m_lab.cut(2);
        HostsCheck check;
        check.ask({"h1", "h2"});
        MainWindow window(store::Workspace{m_lab.folder() + "/workspace"});
        window.resize(1440, 900);
        window.show();
        const QJsonObject file{{"version", 1},
                               {"model", QJsonObject{{"name", "mlp"}}},
                               {"dataset", QJsonObject{{"name", "blobs"}}},
                               {"steps", 10},
                               {"hosts", QJsonArray{"h2"}}};
        auto* sheet = window.openNewRun(QString::fromUtf8(QJsonDocument(file).toJson()), false);
        const auto reads = [sheet](const QString& words) {
            for (const auto* each : sheet->findChildren<QLabel*>())
                if (each->isVisibleTo(sheet) && each->text().startsWith(words)) return true;
            return false;
        };
        QTRY_VERIFY_WITH_TIMEOUT(reads(QStringLiteral("h2: ")), 120000);
        QTRY_VERIFY_WITH_TIMEOUT(!check.isBusy(), 120000);
        m_lab.join(2);
        QVERIFY(check.find(false));
        QCOMPARE(check.find(false)->host, QStringLiteral("h2"));
        QCOMPARE(check.find(false)->check, QStringLiteral("reach"));
        QVERIFY(!check.find(false)->signIn);
    }

    void aHostThatWantsAPassphraseAsksAtTheStart() {
        const QString key = QString::fromStdString(m_lab.key("encrypted"));
        QCOMPARE(test::trainyardctl({"hosts", "remove", "h1"}).code, 0);
        QCOMPARE(test::trainyardctl({"hosts", "add", "root@h1", "--identity", key}).code, 0);
        HostsCheck check;
        check.ask({"h1"});
        QTRY_VERIFY_WITH_TIMEOUT(!check.isBusy(), 60000);
        QCOMPARE(check.findings().size(), 1);
        QVERIFY2(check.find(false)->signIn, qPrintable(check.find(false)->text));
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    for (const char* each : {"trainyardctl", "trainyard-worker"})
        if (!QFile::exists(test::program(each))) {
            std::printf("SKIP: there is no %s\n", each);
            return 77;
        }
    test::enterHostLab(argc, argv);
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-hosts-check-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-hosts-check-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    HostsCheckTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "hosts_check_test.moc"
