// SPDX-License-Identifier: GPL-3.0-or-later
// A host that wants a passphrase: the window asks for it, in its checks and when a run starts there, and it is found
// nowhere afterwards.
#include "tests/gui/forms/form_fields.h"
#include "tests/ssh/lab_programs.h"
#include "ui/new_run/new_run_sheet.h"
#include "ui/pages/cluster/remote_hosts.h"
#include "ui/pages/cluster/sign_in_sheet.h"
#include "ui/pages/page_table.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/label.h"
#include "ui/widgets/marks/status_chip.h"

#include <QApplication>
#include <QDirIterator>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>

using namespace trainyard;
using namespace trainyard::ui;

namespace {

const QString kPassphrase = QStringLiteral("open sesame");

QByteArray contentOf(const QString& file) {
    QFile opened(file);
    return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
}

} // namespace

class SignInWindowTest : public QObject {
    Q_OBJECT

    test::HostLab m_lab;
    std::unique_ptr<MainWindow> m_window;
    QString m_run; // that was started and stopped

    Workbench& bench() const { return m_window->bench(); }
    QString folder() const { return QString::fromStdString(m_lab.folder()); }
    SignInSheet* sheet() const {
        for (auto* each : m_window->findChildren<SignInSheet*>())
            if (each->isVisible()) return each;
        return nullptr;
    }
    QLineEdit* field() const { return sheet() ? sheet()->findChild<QLineEdit*>() : nullptr; }
    static QPushButton* buttonOf(const QWidget* root, const char* text) {
        for (auto* each : root->findChildren<QPushButton*>())
            if (each->text() == QString::fromUtf8(text) && each->isVisible()) return each;
        return nullptr;
    }
    RemoteHostCard* card() const { return m_window->findChild<RemoteHostCard*>(); }
    QString chip() const { return card() ? card()->findChild<StatusChip*>()->text() : QString(); }
    void type(const QString& secret) const {
        QTRY_VERIFY_WITH_TIMEOUT(field(), 20000);
        QTest::keyClicks(field(), secret);
        QTest::keyClick(field(), Qt::Key_Return);
    }
    void endConnectionsLeftOpen() const;
    void passphraseIsNowhere() const;

private Q_SLOTS:
    void initTestCase();
    void givingUpIsTold();
    void aWrongPassphraseIsAskedForAgain();
    void aRunAsksBeforeItStarts();
    void resumingAsks();
    void fetchingAsks();
    void withoutAnAnswerNothingStarts();
    void cleanupTestCase() { m_window.reset(); }
};

// What a sign-in has left open would serve the next one, too.
void SignInWindowTest::endConnectionsLeftOpen() const {
    for (QDirIterator each(qEnvironmentVariable("XDG_RUNTIME_DIR") + "/trainyard", {"*.left"}, QDir::System);
         each.hasNext();)
        QProcess::execute("ssh", {"-o", "LogLevel=QUIET", "-S", each.next(), "-O", "exit", "h1"});
}

// Neither among the arguments and variables of a process, nor in a file.
void SignInWindowTest::passphraseIsNowhere() const {
    const QByteArray secret = kPassphrase.toUtf8();
    for (const QString& pid : QDir("/proc").entryList({"[0-9]*"}, QDir::Dirs))
        for (const char* part : {"cmdline", "environ"}) {
            const QByteArray said = contentOf("/proc/" + pid + "/" + QLatin1String(part)).replace('\0', ' ');
            QVERIFY2(!said.contains(secret), said.constData());
        }
    // By another process: whoever closes a file of a database gives up the locks that its own process has on it.
    QStringList roots;
    int files = 0;
    for (const QString& root : {folder() + "/workspace", folder() + "/home", QSettings().fileName(),
                                qEnvironmentVariable("XDG_RUNTIME_DIR")}) {
        if (!QFileInfo::exists(root)) continue;
        roots << root;
        for (QDirIterator each(root, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories); each.hasNext(); ++files)
            each.next();
    }
    QProcess grep;
    grep.start("grep", QStringList{"-rlaF", "-D", "skip", "-f", "-"} + roots);
    grep.write(secret + '\n');
    grep.closeWriteChannel();
    QVERIFY(grep.waitForFinished(60000));
    const QByteArray found = grep.readAllStandardOutput(); // files of a run that trains come and go meanwhile
    QVERIFY2(grep.exitStatus() == QProcess::NormalExit && found.isEmpty(), found.constData());
    QVERIFY(files > 3);
}

void SignInWindowTest::initTestCase() {
    const QString failure = m_lab.start(1);
    QVERIFY2(failure.isEmpty(), qPrintable(failure));
    const QString runtime = folder() + "/runtime";
    QVERIFY(QDir().mkpath(runtime));
    QFile::setPermissions(runtime, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    qputenv("XDG_RUNTIME_DIR", runtime.toUtf8());
    qunsetenv("SSH_AUTH_SOCK");
    const QString key = QString::fromStdString(m_lab.key("encrypted"));
    QCOMPARE(test::trainyardctl({"hosts", "add", "root@h1", "--identity", key}).code, 0);
    test::trainyardctl({"hosts", "test", "h1", "--accept-new-key"}); // the key of the host alone can be accepted
    std::filesystem::create_directories((folder() + "/workspace").toStdString());
    m_window = std::make_unique<MainWindow>(store::Workspace{(folder() + "/workspace").toStdString()});
    m_window->resize(1440, 900);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    m_window->setPage(PageId::cluster);
    QTRY_COMPARE_WITH_TIMEOUT(chip(), QStringLiteral("Not ready"), 60000);
}

// Feature: the window asks for the passphrase or password of a host, when a run starts there and beside the host's
// checks; nothing starts without it, and it is found in no file, argument or variable.
void SignInWindowTest::givingUpIsTold() {
    QVERIFY(!sheet()); // nobody is asked who has not asked for it
    QTRY_VERIFY(buttonOf(card(), "Sign in…"));
    QTest::mouseClick(buttonOf(card(), "Sign in…"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(field(), 20000);
    QCOMPARE(field()->echoMode(), QLineEdit::Password);
    QVERIFY2(field()->accessibleName().contains(QString::fromStdString(m_lab.key("encrypted"))),
             qPrintable(field()->accessibleName()));
    QTest::keyClick(field(), Qt::Key_Escape);
    QTRY_VERIFY(!sheet());
    bool told = false;
    QTRY_VERIFY2_WITH_TIMEOUT(([&] {
                                  for (const auto* each : card()->findChildren<QLabel*>())
                                      told = told || each->text().contains(QStringLiteral("nothing was typed"));
                                  return told;
                              }()),
                              "told", 20000);
    QCOMPARE(chip(), QStringLiteral("Not ready"));
}

void SignInWindowTest::aWrongPassphraseIsAskedForAgain() {
    QTRY_VERIFY(buttonOf(card(), "Sign in…") && buttonOf(card(), "Sign in…")->isEnabled());
    QTest::mouseClick(buttonOf(card(), "Sign in…"), Qt::LeftButton);
    type(QStringLiteral("open barley"));
    QTRY_VERIFY(!sheet());
    type(kPassphrase);
    QTRY_COMPARE_WITH_TIMEOUT(chip(), QStringLiteral("Ready"), 60000);
    QVERIFY(!buttonOf(card(), "Sign in…"));
    passphraseIsNowhere();
}

void SignInWindowTest::aRunAsksBeforeItStarts() {
    endConnectionsLeftOpen();
    const QJsonObject file{{"version", 1},
                           {"name", "locked"},
                           {"model", QJsonObject{{"name", "mlp"}}},
                           {"dataset", QJsonObject{{"name", "blobs"}}},
                           {"steps", 1'000'000},
                           {"hosts", QJsonArray{"h1"}},
                           {"scaling", QJsonObject{{"workers", 1}, {"device", "cpu"}, {"threadsPerWorker", 1}}}};
    auto* form = m_window->openNewRun(QString::fromUtf8(QJsonDocument(file).toJson()), false);
    QTRY_VERIFY_WITH_TIMEOUT(form->startButton()->isEnabled(), 60000);
    const QObject here; // what is connected ends with the function
    QString run;
    connect(&bench().actions, &RunActions::runStarted, &here, [&run](const QString& id) { run = id; });
    QTest::mouseClick(form->startButton(), Qt::LeftButton);
    type(kPassphrase);
    QTRY_VERIFY_WITH_TIMEOUT(!run.isEmpty(), 60000);
    QTRY_VERIFY_WITH_TIMEOUT(bench().feed.run(run) && bench().feed.run(run)->status == wire::RunStatus::Running, 60000);
    QTRY_VERIFY_WITH_TIMEOUT(bench().feed.run(run)->row.step > 10, 60000);
    passphraseIsNowhere();
    bench().actions.stop(run, wire::StopMode::SaveAndStop);
    QTRY_COMPARE_WITH_TIMEOUT(bench().feed.run(run)->status, wire::RunStatus::Stopped, 60000);
    m_run = run;
}

void SignInWindowTest::resumingAsks() {
    QVERIFY(!m_run.isEmpty());
    endConnectionsLeftOpen();
    const QObject here;
    QString why;
    connect(&bench().actions, &RunActions::failed, &here,
            [&why](const QString&, const Error& error) { why = QString::fromStdString(error.text()); });
    const auto before = bench().feed.run(m_run)->row.step;
    bench().actions.resume(m_run);
    type(kPassphrase);
    QTRY_VERIFY2_WITH_TIMEOUT(bench().feed.run(m_run)->row.step > before || !why.isEmpty(), "it does not go on", 60000);
    QCOMPARE(why, QString());
    passphraseIsNowhere();
    bench().actions.stop(m_run, wire::StopMode::StopNow);
    QTRY_COMPARE_WITH_TIMEOUT(bench().feed.run(m_run)->status, wire::RunStatus::Stopped, 60000);
}

// Of a run that lives on the host.
void SignInWindowTest::fetchingAsks() {
    endConnectionsLeftOpen();
    spec::RunSpec spec;
    spec.name = "there";
    spec.model.name = "mlp";
    spec.dataset.name = "blobs";
    spec.epochs.reset();
    spec.steps = 20;
    spec.scaling.threadsPerWorker = 1;
    const QObject here;
    QString run, told;
    connect(&bench().actions, &RunActions::runStarted, &here, [&run](const QString& id) { run = id; });
    connect(&bench().actions, &RunActions::done, &here, [&told](const QString& text) { told = text; });
    bench().actions.start(spec, {}, {.host = QStringLiteral("h1")});
    type(kPassphrase);
    QTRY_VERIFY_WITH_TIMEOUT(!run.isEmpty(), 60000);
    QTRY_VERIFY_WITH_TIMEOUT(bench().feed.run(run) && bench().feed.run(run)->status == wire::RunStatus::Finished,
                             60000);
    endConnectionsLeftOpen();
    bench().actions.fetch(run, QStringLiteral("there"), QStringLiteral("h1"));
    type(kPassphrase);
    QTRY_COMPARE_WITH_TIMEOUT(told, QStringLiteral("Fetched there from h1"), 60000);
    QTRY_VERIFY(bench().feed.run(run) && bench().feed.run(run)->home.isHere());
    passphraseIsNowhere();
}

void SignInWindowTest::withoutAnAnswerNothingStarts() {
    endConnectionsLeftOpen();
    spec::RunSpec spec;
    spec.model.name = "mlp";
    spec.dataset.name = "blobs";
    spec.hosts = {"h1"};
    const QObject here;
    QString why;
    connect(&bench().actions, &RunActions::failed, &here,
            [&why](const QString&, const Error& error) { why = QString::fromStdString(error.text()); });
    const auto before = bench().feed.runs().size();
    bench().actions.start(spec);
    QTRY_VERIFY_WITH_TIMEOUT(field(), 20000);
    QTest::keyClick(field(), Qt::Key_Escape);
    QTRY_VERIFY_WITH_TIMEOUT(why.contains(QStringLiteral("nothing was typed")), 20000);
    QCOMPARE(bench().feed.runs().size(), before);
}

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    for (const char* each : {"trainyardctl", "trainyard-worker"})
        if (!QFile::exists(test::program(each))) {
            std::printf("SKIP: there is no %s\n", each);
            return 77;
        }
    test::enterHostLab(argc, argv);
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-sign-in-window-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-sign-in-window-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    SignInWindowTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "sign_in_window_test.moc"
