// SPDX-License-Identifier: GPL-3.0-or-later
// The hosts of a run are asked before it is started: ready ones, one that is silent, one that wants a passphrase.
#include "tests/ssh/lab_programs.h"
#include "ui/models/hosts_check.h"
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

    static QString waysOf(const QString& hosts) {
        QStringList words;
        for (const auto& [from, to] : waysToTry(hosts.split(' ', Qt::SkipEmptyParts)))
            words << (from.isEmpty() ? QStringLiteral("here") : from) + '>' + to;
        return words.join(' ');
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

    void whichWaysAreTried_data() {
        QTest::addColumn<QString>("hosts");
        QTest::addColumn<QString>("ways");
        QTest::newRow("this computer") << "local" << "";
        QTest::newRow("a job of Slurm") << "slurm" << "";
        QTest::newRow("one host") << "a" << "a>a";
        QTest::newRow("one host and this computer") << "local a" << "here>a";
        QTest::newRow("two hosts") << "a b" << "b>a a>b";
        QTest::newRow("two hosts and this computer") << "a local b" << "here>a b>a here>b a>b";
        QTest::newRow("a host named twice") << "a b a" << "b>a a>b";
        QTest::newRow("many hosts") << "a b c d e" << "e>a a>b b>c c>d d>e";
    }
    void whichWaysAreTried() {
        QFETCH(QString, hosts);
        QFETCH(QString, ways);
        QCOMPARE(waysOf(hosts), ways);
    }

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

    void aSilentHostIsFoundOnceAndSaidInTheSheet() {
        m_lab.cut(2);
        HostsCheck check;
        check.ask({"h1", "h2"});
        QTRY_VERIFY_WITH_TIMEOUT(!check.isBusy(), 120000);
        QVERIFY(check.find(false));
        QCOMPARE(check.find(false)->host, QStringLiteral("h2"));
        QCOMPARE(check.find(false)->check, QStringLiteral("reach"));
        QVERIFY(!check.find(false)->signIn);

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
        m_lab.join(2);
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

int main(int argc, char** argv) {
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
