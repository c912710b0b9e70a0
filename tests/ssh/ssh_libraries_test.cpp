// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts without LibTorch, on which nobody may install it: this computer's libraries go along.
#include "remote/files/deploy.h"
#include "remote/hosts/host_probe.h"
#include "remote/launch/ssh_launcher.h"
#include "tests/ssh/lab_programs.h"

#include <QFileInfo>
#include <QScopeGuard>

using namespace trainyard;
using namespace trainyard::remote;
using test::trainyardctl;

namespace {

constexpr int kBare = 2; // has none of LibTorch's libraries, nor those of trainyardctl

} // namespace

class SshLibrariesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void whatIsMissingIsCopiedOnce();
    void aRunTrainsWithCopiesOfThem();
    void aRunLivesThereWithCopiesOfThem();
    void aRankWithCopiesOfThemIsFoundAgain();

private:
    QString workspace() const { return QString::fromStdString(m_lab.folder()) + "/workspace"; }
    QString runFile(const QJsonArray& hosts, int workers = 2, int steps = 20);
    QByteArray supervisorLog(const QString& run) const {
        QFile log(workspace() + "/runs/" + run + "/supervisor.log");
        return log.open(QIODevice::ReadOnly) ? log.readAll() : QByteArray("no log");
    }

    test::HostLab m_lab;
};

void SshLibrariesTest::initTestCase() {
    const QString failure = m_lab.start(kBare);
    QVERIFY2(failure.isEmpty(), qPrintable(failure));
    if (!m_lab.bootWithout(kBare, {"libtorch*.so*", "libc10*.so*", "libgloo*.so*", "libnlopt*.so*"}))
        QSKIP("a host cannot be made without libraries: overlays are not allowed here");
    for (int n = 1; n <= kBare; ++n) {
        const QString name = QStringLiteral("h%1").arg(n);
        const auto added =
            trainyardctl({"hosts", "add", "root@" + name, "--identity", QString::fromStdString(m_lab.key("ed25519"))});
        QVERIFY2(added.code == 0, added.said());
        const auto tested = trainyardctl({"hosts", "test", name, "--accept-new-key"});
        QVERIFY2(tested.code == 0, tested.said());
    }
}

QString SshLibrariesTest::runFile(const QJsonArray& hosts, int workers, int steps) {
    QJsonObject file{
        {"version", 1},
        {"model", QJsonObject{{"name", "mlp"}, {"params", QJsonObject{{"hidden", QJsonArray{16}}}}}},
        {"dataset", QJsonObject{{"name", "blobs"}}},
        {"batch", QJsonObject{{"global", 64}}},
        {"steps", steps},
        {"scaling", QJsonObject{{"workers", workers}, {"device", "cpu"}, {"threadsPerWorker", 1}}},
    };
    if (!hosts.isEmpty()) file["hosts"] = hosts;
    test::paceEndless(file);
    const QString path = QString::fromStdString(m_lab.folder()) + "/run.json";
    QFile out(path);
    return out.open(QIODevice::WriteOnly) && out.write(QJsonDocument(file).toJson()) > 0 ? path : QString();
}

// One rank beside them has the host's own: the results are equal, or the run would fail.
void SshLibrariesTest::aRunTrainsWithCopiesOfThem() {
    const auto ended = trainyardctl({"run", runFile({"h1", "h2"}), "--workspace", workspace(), "--json"}, 240);
    QVERIFY2(ended.code == 0, ended.said());
    QCOMPARE(ended.json()["status"].toString(), QStringLiteral("finished"));
    const auto said = supervisorLog(ended.json()["run"].toString());
    QVERIFY2(said.contains("h2: copying the libraries that it lacks ("), said);
    QVERIFY2(!said.contains("h1: copying the libraries"), said);
    const auto logged = trainyardctl({"logs", ended.json()["run"].toString(), "--workspace", workspace()}).out;
    QVERIFY2(logged.contains("h2: copying the libraries that it lacks ("), logged);

    const auto again = trainyardctl({"run", runFile({"h1", "h2"}), "--workspace", workspace(), "--json"});
    QVERIFY2(again.code == 0, again.said());
    const auto saidAgain = supervisorLog(again.json()["run"].toString());
    QVERIFY2(!saidAgain.contains("copying"), saidAgain);
}

void SshLibrariesTest::aRunLivesThereWithCopiesOfThem() {
    const auto ended = trainyardctl({"run", runFile({}), "--on", "h2", "--json"}, 240);
    QVERIFY2(ended.code == 0, ended.said());
    QCOMPARE(ended.json()["status"].toString(), QStringLiteral("finished"));
}

// What brings it another channel needs them as well.
void SshLibrariesTest::aRankWithCopiesOfThemIsFoundAgain() {
    const auto started =
        trainyardctl({"run", runFile({"h2"}, 1, 100'000'000), "--workspace", workspace(), "--json", "--detach"});
    const QString run = started.json()["run"].toString();
    const auto show = [&] { return trainyardctl({"show", run, "--workspace", workspace(), "--json"}).json(); };
    const auto said = [&](const char* text) {
        return trainyardctl({"logs", run, "--workspace", workspace()}).out.contains(text);
    };
    QVERIFY2(test::waitFor([&] { return show()["steps"].toInt() > 100; }, 60000), started.said().constData());
    m_lab.cut(2);
    QVERIFY(test::waitFor([&] { return said("no link for"); }, 20000));
    QTest::qSleep(5000); // the connection is given up
    m_lab.join(2);
    QVERIFY(test::waitFor([&] { return said("the link is back after"); }, 60000));
    const int steps = show()["steps"].toInt();
    QVERIFY(test::waitFor([&] { return show()["steps"].toInt() > steps; }, 20000));
    QCOMPARE(show()["restarts"].toInt(), 0);
    QCOMPARE(trainyardctl({"kill", run, "--workspace", workspace()}).code, 0);
}

// Feature: a host that lacks libraries gets this computer's, once, for its ranks and for what lives there. Also in
// ssh_launcher_test.
void SshLibrariesTest::whatIsMissingIsCopiedOnce() {
    const auto status = [](run::WorkerProcess& worker) {
        while (!worker.exitStatus()) QTest::qWait(10);
        return worker.exitStatus()->text();
    };
    const auto before = qgetenv("LD_LIBRARY_PATH");
    qputenv("LD_LIBRARY_PATH", QFileInfo(QStringLiteral(TRAINYARD_NEEDS_ABSENT)).path().toLocal8Bit());
    const auto restore = qScopeGuard([&] { qputenv("LD_LIBRARY_PATH", before); });
    ProbeOptions options;
    options.connect = m_lab.options();
    options.workerProgram = TRAINYARD_NEEDS_ABSENT;
    const HostCheck version = probeHost(m_lab.host(1), options).checks[2];
    QVERIFY2(version.ok && version.detail.find("libtrainyard_absent.so") != std::string::npos, version.detail.c_str());

    SshLauncherOptions launcher;
    launcher.book = *HostBook::load();
    launcher.workerProgram = TRAINYARD_NEEDS_ABSENT;
    launcher.connect = m_lab.options();
    const auto ssh = makeSshLauncher(std::move(launcher));
    auto worker = ssh->launch({HostName("h1"), {}, {}});
    QVERIFY2(worker.ok(), worker.ok() ? "" : worker.error().text().c_str());
    QCOMPARE(status(**worker), std::string("exited with 7")); // what its library says

    const auto session = m_lab.connect(1);
    const auto basics = askBasics(*session);
    DigestCache digests;
    const ToDeploy files{.worker = TRAINYARD_NEEDS_ABSENT};
    auto again = deployWorker(*session, *basics, files, digests);
    QVERIFY2(again.ok(), again.ok() ? "" : again.error().text().c_str());
    QCOMPARE(again->bytesSent, std::int64_t(0));
    QVERIFY(!again->libraries.empty());
    // Taken away by a clean-up, they come again.
    QVERIFY(session->script("rm -rf -- \"$(readlink -f -- \"$1\")\"", {again->libraries})->ok());
    again = deployWorker(*session, *basics, files, digests);
    QVERIFY2(again.ok(), again.ok() ? "" : again.error().text().c_str());
    QVERIFY(again->bytesSent > 0);
}

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    return test::runInHostLab<SshLibrariesTest>(argc, argv, {test::program("trainyard-worker")});
}

#include "ssh_libraries_test.moc"
