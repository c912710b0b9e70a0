// SPDX-License-Identifier: GPL-3.0-or-later
// A service that lives on a host: started, asked, changed and stopped from here, over a link that is lost meanwhile.
#include "engine/base/clock.h"
#include "engine/serve/control/service_client.h"
#include "engine/serve/control/service_http.h"
#include "tests/ssh/lab_runs.h"

#include <QDir>

#include <csignal>

using namespace trainyard;
using test::Ended;

class SshServiceTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void livesThereAndAnswersHere();
    void anotherCheckpointIsCopied();
    void aCutLinkCostsNothing();
    void aKilledLinkIsTakenUpAgain();
    void anotherComputersServiceIsKept();
    void whatCannotBeIsRefused();
    void stopsThereWithoutAProcessLeft();
    void aRunOfTheHostIsServedThere();

private:
    Ended ctl(const QStringList& words) const { return m_runs.command(words, 60); }
    serve::HttpReply predict() const;
    serve::ServiceStatus status() const;
    bool isReady() const {
        return test::waitFor([&] { return status().state == serve::ServiceState::Ready; }, 40000);
    }
    // The process numbers of the link here, or of the server on the host.
    static QList<pid_t> processes(const QByteArray& command, const QByteArray& name);

    mutable test::HostLab m_lab;
    const test::LabRuns m_runs{m_lab};
    serve::ServiceFolder m_folder;
    std::string m_token;
    std::string m_url;
};

serve::HttpReply SshServiceTest::predict() const {
    auto connection = serve::ServiceHttp::connect(m_url);
    if (!connection) return {};
    const auto reply = connection->ask(
        "POST", "/predict", "Authorization: Bearer " + m_token + "\r\nContent-Type: text/csv\r\n", "0.25,-0.5", 20);
    return reply ? *reply : serve::HttpReply{};
}

serve::ServiceStatus SshServiceTest::status() const {
    const auto view = serve::viewService(store::Workspace{m_runs.workspace().toStdString()}, "away");
    return view ? view->status : serve::ServiceStatus{};
}

// All hosts of the lab are seen from here.
QList<pid_t> SshServiceTest::processes(const QByteArray& command, const QByteArray& name) {
    QList<pid_t> found;
    for (const QString& entry : QDir("/proc").entryList(QDir::Dirs)) {
        QFile file("/proc/" + entry + "/cmdline");
        if (entry.toInt() <= 0 || !file.open(QIODevice::ReadOnly)) continue;
        const QByteArray words = file.readAll();
        if (words.contains(command) && words.contains("/services/" + name)) found << entry.toInt();
    }
    return found;
}

void SshServiceTest::initTestCase() {
    const QString failure = m_lab.start(1);
    QVERIFY2(failure.isEmpty(), qPrintable(failure));
    QCOMPARE(m_runs.add("h1"), QByteArray());
    const QJsonObject changes{
        {"model", QJsonObject{{"name", "mlp"}, {"params", QJsonObject{{"hidden", QJsonArray{16}}}}}},
        {"checkpoint", QJsonObject{{"everyEpochs", 0}, {"everySteps", 20}, {"keep", 5}}}};
    const Ended trained = ctl({"run", m_runs.file("blobs", {}, 40, changes)});
    QVERIFY2(trained.code == 0, trained.said().constData());
    const Ended served =
        ctl({"serve", "blobs@40", "--name", "away", "--on", "h1", "--replicas", "2", "--threads", "1", "--detach"});
    QVERIFY2(served.code == 0, served.said().constData());
    m_url = served.json()["url"].toString().toStdString();
    m_folder = serve::ServiceFolder::of(store::Workspace{m_runs.workspace().toStdString()}, "away");
    m_token = *serve::tokenOf(m_folder);
}

// Feature: a service lives on an SSH host, with its checkpoint copied there, and answers at a port of this computer as
// `predict` does; its token is in no command line and no environment.
void SshServiceTest::livesThereAndAnswersHere() {
    const auto reply = predict();
    QVERIFY2(reply.status == 200, reply.body.c_str());
    QCOMPARE(reply.header("x-model-version"), std::string("blobs@40"));
    const Ended predicted = ctl({"predict", "blobs@40", "--row", "0.25,-0.5"});
    QVERIFY2(predicted.code == 0, predicted.said().constData());
    QCOMPARE(QJsonDocument::fromJson(QByteArray::fromStdString(reply.body)).object(), predicted.json());
    const QJsonObject listed = ctl({"services"}).list()[0].toObject();
    QCOMPARE(listed["on"].toString(), QString("h1"));
    QCOMPARE(listed["state"].toString(), QString("ready"));
    QCOMPARE(processes("supervise-service", "away").size(), 1);
    QCOMPARE(processes("link-service", "away").size(), 1);
    for (const QString& entry : QDir("/proc").entryList(QDir::Dirs))
        for (const char* part : {"/cmdline", "/environ"}) {
            QFile file("/proc/" + entry + part);
            QVERIFY(!file.open(QIODevice::ReadOnly) || !file.readAll().contains(m_token.c_str()));
        }
    // A page elsewhere that names this port is refused, as here.
    auto connection = serve::ServiceHttp::connect(m_url);
    QVERIFY(connection.ok());
    const auto foreign = connection->ask("GET", "/v2", "Host: evil.example\r\n", "");
    QVERIFY(foreign.ok() && foreign->status >= 400);
}

// Feature: a swap copies the checkpoint to the service's host; a rollback and another number of replicas are its own.
void SshServiceTest::anotherCheckpointIsCopied() {
    const Ended swapped = ctl({"serve", "swap", "away", "blobs@20"});
    QVERIFY2(swapped.code == 0, swapped.said().constData());
    QCOMPARE(predict().header("x-model-version"), std::string("blobs@20"));
    QCOMPARE(ctl({"serve", "rollback", "away"}).code, 0);
    QCOMPARE(predict().header("x-model-version"), std::string("blobs@40"));
    QCOMPARE(ctl({"serve", "scale", "away", "1..2"}).code, 0);
    QVERIFY(test::waitFor(
        [&] { return serve::readService({m_runs.workspace().toStdString()}, "away")->minReplicas == 1; }));
    const Ended wrong = ctl({"serve", "swap", "away", "nothing@1"});
    QVERIFY2(wrong.code == 2 && wrong.err.contains("nothing"), wrong.said().constData());
}

// Fault: the link to a service's host is cut. Clients here get 503 with Retry-After, the state is unreachable, and the
// service is the same process once the link is there again.
void SshServiceTest::aCutLinkCostsNothing() {
    const auto before = status();
    QCOMPARE(before.state, serve::ServiceState::Ready);
    m_lab.cutController();
    QVERIFY(test::waitFor([&] { return status().state == serve::ServiceState::Unreachable; }, 40000));
    const auto refused = predict();
    QCOMPARE(refused.status, 503);
    QCOMPARE(refused.header("retry-after"), std::string("1"));
    const Ended asked = ctl({"serve", "rollback", "away"});
    QCOMPARE(asked.json()["error_code"].toString(), QString("host-unreachable"));
    m_lab.joinController();
    QVERIFY(isReady());
    QCOMPARE(status().pid, before.pid);
    QCOMPARE(predict().status, 200);
}

// Fault: SIGKILL of the link here. The service goes on; `serve resume` finds it again, at the same address.
void SshServiceTest::aKilledLinkIsTakenUpAgain() {
    const auto before = status();
    for (const pid_t each : processes("link-service", "away")) ::kill(each, SIGKILL);
    QVERIFY(test::waitFor([&] { return !m_folder.isServed(); }));
    QCOMPARE(status().state, serve::ServiceState::Unreachable);
    QCOMPARE(processes("supervise-service", "away").size(), 1);
    const Ended resumed = ctl({"serve", "resume", "away", "--detach"});
    QVERIFY2(resumed.code == 0, resumed.said().constData());
    QCOMPARE(resumed.json()["url"].toString().toStdString(), m_url);
    QVERIFY(isReady());
    QCOMPARE(status().pid, before.pid);
    QCOMPARE(status().startedAt, before.startedAt);
}

// Bad inputs: a service of that name runs on the host, started by somebody else. It is left alone.
void SshServiceTest::anotherComputersServiceIsKept() {
    const auto before = status();
    const Ended second =
        test::trainyardctl({"serve", QString::fromStdString(status().versions[0].file), "--name", "away", "--on", "h1",
                            "--detach", "--json", "--workspace", m_runs.folder() + "/other"});
    QVERIFY(second.code != 0);
    QVERIFY2(second.said().contains("--on h1"), second.said().constData());
    QCOMPARE(status().pid, before.pid);
}

// Bad inputs: a service on a host with an address or TLS of its own; a host that is not there.
void SshServiceTest::whatCannotBeIsRefused() {
    const Ended open = ctl({"serve", "blobs", "--on", "h1", "--host", "0.0.0.0", "--plaintext", "--detach"});
    QVERIFY2(open.code == 2 && open.err.contains("leave out --host"), open.said().constData());
    const Ended absent = ctl({"serve", "blobs", "--on", "nowhere.invalid", "--detach"});
    QVERIFY2(absent.code == 3, absent.said().constData());
}

// Feature: a stop reaches the host, and no process of the service is left there or here; started again, it begins with
// the checkpoint that it was swapped to last.
void SshServiceTest::stopsThereWithoutAProcessLeft() {
    QCOMPARE(ctl({"serve", "swap", "away", "blobs@20"}).code, 0);
    QVERIFY(test::waitFor(
        [&] { return serve::readService({m_runs.workspace().toStdString()}, "away")->models.front().step == 20; }));
    const Ended stopped = ctl({"serve", "stop", "away"});
    QVERIFY2(stopped.code == 0, stopped.said().constData());
    QCOMPARE(stopped.json()["processes_left"].toInt(-1), 0);
    QCOMPARE(stopped.json()["state"].toString(), QString("stopped"));
    QVERIFY(processes("supervise-service", "away").isEmpty() && processes("link-service", "away").isEmpty());
    const Ended again = ctl({"serve", "resume", "away", "--detach"}); // from the copy that is there
    QVERIFY2(again.code == 0, again.said().constData());
    QCOMPARE(predict().header("x-model-version"), std::string("blobs@20"));
    QCOMPARE(ctl({"serve", "stop", "away", "--on", "h1"}).code, 0); // as somebody there would
    QVERIFY(test::waitFor([&] { return !m_folder.isServed(); }));
    QCOMPARE(status().state, serve::ServiceState::Stopped);
}

// Feature: a run that lives on the host is served there from its own checkpoint.
void SshServiceTest::aRunOfTheHostIsServedThere() {
    const QJsonObject changes{
        {"model", QJsonObject{{"name", "mlp"}, {"params", QJsonObject{{"hidden", QJsonArray{16}}}}}}};
    const Ended trained = ctl({"run", m_runs.file("there", {}, 5, changes), "--on", "h1"});
    QVERIFY2(trained.code == 0, trained.said().constData());
    const Ended served = ctl({"serve", "there@5", "--name", "homely", "--on", "h1", "--detach"});
    QVERIFY2(served.code == 0, served.said().constData());
    QCOMPARE(served.json()["versions"][0]["name"].toString(), QString("there@5"));
    QCOMPARE(ctl({"serve", "stop", "homely"}).code, 0);
}

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    return test::runInHostLab<SshServiceTest>(argc, argv,
                                              {test::program("trainyardctl"), test::program("trainyard-worker")});
}

#include "ssh_service_test.moc"
