// SPDX-License-Identifier: GPL-3.0-or-later
// The passphrase of a key is nowhere where others could read it: no command line, no environment, no file.
#include "host_lab.h"
#include "remote/ssh/library/library_transport.h"

#include <QFile>
#include <QProcess>
#include <QScopeGuard>
#include <QTest>

#include <cctype>
#include <csignal>
#include <filesystem>
#include <fstream>

using namespace trainyard;
using namespace trainyard::remote;
namespace fs = std::filesystem;

namespace {

const std::string kPassphrase = "open sesame"; // of the lab's encrypted key

bool holds(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(in), {}};
    return content.find(kPassphrase) != std::string::npos;
}

// Where it is to be read: "cmdline" or "environ" of a process of the lab or one of its hosts, whose processes are all
// below this one, or the name of a file.
QStringList placesOfIt(const std::string& folder) {
    QStringList places;
    std::error_code ignored;
    for (const auto& process : fs::directory_iterator("/proc", ignored))
        for (const char* name : {"cmdline", "environ"})
            if (std::isdigit(process.path().filename().string().front()) != 0 && holds(process.path() / name))
                places += name;
    for (fs::recursive_directory_iterator file(folder, ignored), end; !ignored && file != end;
         file.increment(ignored)) {
        std::error_code gone;
        if (file->is_regular_file(gone) && holds(file->path()))
            places += QString::fromStdString(file->path().filename().string());
    }
    return places;
}

} // namespace

class SshSecretsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        const QString failure = m_lab.start();
        QVERIFY2(failure.isEmpty(), qPrintable(failure));
    }

    void aPassphraseIsKeptNowhere() {
        ConnectOptions options = m_lab.options();
        QStringList whenAsked;
        int asked = 0;
        options.askPassphrase = [&](const PassphraseQuestion& question) -> std::optional<std::string> {
            ++asked;
            if (question.attempt < 3) return "no " + kPassphrase; // a wrong one is as telling
            whenAsked = placesOfIt(m_lab.folder());
            return kPassphrase;
        };
        const auto session = connectOverLibrary(m_lab.host(1, "encrypted"), options);
        QVERIFY2(session.ok(), session.ok() ? "" : session.error().text().c_str());
        QCOMPARE(asked, 3);
        QCOMPARE(whenAsked, QStringList());
        const auto program = (*session)->start({"sleep", "1000"}); // what runs there, all on that host can see
        QVERIFY(program.ok());
        QCOMPARE(placesOfIt(m_lab.folder()), QStringList());
        (*session)->signalGroup((*program)->pid(), SIGKILL);
        QVERIFY((*program)->waitForEnd(3));
    }

    // The other test looks where it should: each of the places is found.
    void aPassphraseThatIsToldIsFound() {
        QFile file(QString::fromStdString(m_lab.folder()) + "/h1/told");
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(kPassphrase.c_str()) > 0);
        file.close();
        QProcess talker;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("TOLD", QString::fromStdString(kPassphrase));
        talker.setProcessEnvironment(environment);
        const auto done = qScopeGuard([&] {
            file.remove();
            talker.kill();
            talker.waitForFinished();
        });
        talker.start("sh", {"-c", "echo ready; read -r line", "sh", QString::fromStdString(kPassphrase)});
        QVERIFY(talker.waitForReadyRead(5000));
        const auto places = placesOfIt(m_lab.folder());
        for (const char* place : {"cmdline", "environ", "told"})
            QVERIFY2(places.contains(place), qPrintable(places.join(' ')));
    }

private:
    test::HostLab m_lab;
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    test::enterHostLab(argc, argv);
    QCoreApplication app(argc, argv);
    SshSecretsTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "ssh_secrets_test.moc"
