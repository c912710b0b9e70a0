// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts whose account, clock or keys are not as usual: either it does not matter, or host, cause and remedy are named.
#include "tests/ssh/lab_runs.h"

#include <QDateTime>
#include <QDir>

#include <algorithm>
#include <cmath>

using namespace trainyard;
using test::Ended;
using test::execute;
using test::trainyardctl;

class HostAccountsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void aRunNamesTheAccountThatCannotTrain_data();
    void aRunNamesTheAccountThatCannotTrain();
    void aTalkativeAccountTrains();
    void aWrongClockChangesNothing_data();
    void aWrongClockChangesNothing();
    void aRunLivesOnAHostWithAWrongClock();
    void theRightKeyIsFoundAmongManyOfTheAgent_data();
    void theRightKeyIsFoundAmongManyOfTheAgent();
    void anAccountIsUsedOrNamed_data();
    void anAccountIsUsedOrNamed();

private:
    void addAccount(const char* name, int uid, const char* shell, const QByteArray& profile);
    QString runFile(const QString& name, const QJsonArray& hosts, int steps = 200) const {
        return m_runs.file(name, hosts, steps);
    }
    QString folder() const { return QString::fromStdString(m_lab.folder()); }
    QString workspace() const { return m_runs.workspace(); }
    QString key(const char* name) const { return QString::fromStdString(m_lab.key(name)); }
    QString startAgent();
    test::HostLab m_lab;
    const test::LabRuns m_runs{m_lab};
    QJsonArray m_reports;
    QProcess m_checks; // of the accounts; one of them takes the 20 s that a login shell has
};

// On h1, with a home of its own; another name of root where the number is 0.
void HostAccountsTest::addAccount(const char* name, int uid, const char* shell, const QByteArray& profile) {
    for (const auto& [file, line] :
         {std::pair("passwd", QStringLiteral("%1:x:%2:0:%1:/home/%1:%3\n").arg(name).arg(uid).arg(shell)),
          std::pair("shadow", QStringLiteral("%1:*:19000:0:99999:7:::\n").arg(name))}) {
        QFile list(folder() + "/etc/" + file);
        QVERIFY(list.open(QIODevice::Append) && list.write(line.toUtf8()) > 0);
    }
    const auto made = m_lab.connect(1)->script(
        "mkdir -p /home/$1/.ssh && cp /root/.ssh/authorized_keys /home/$1/.ssh/ && chown -R $2 /home/$1/.ssh && "
        "printf '%s' \"$3\" > /home/$1/.bashrc && chmod 755 /home/$1",
        {name, std::to_string(uid), profile.toStdString()});
    QVERIFY(made.ok() && made->ok());
    const Ended added = trainyardctl(
        {"hosts", "add", QStringLiteral("%1@h1").arg(name), "--alias", name, "--identity", key("ed25519")});
    QVERIFY2(added.code == 0, added.said().constData());
}

void HostAccountsTest::initTestCase() {
    const QString failure = m_lab.start(2);
    QVERIFY2(failure.isEmpty(), qPrintable(failure));
    QFile banner(folder() + "/h1/sshd_config");
    QVERIFY(banner.open(QIODevice::WriteOnly) && banner.write("Banner /mnt/lab/h1/banner\n") > 0);
    QFile text(folder() + "/h1/banner");
    QVERIFY(text.open(QIODevice::WriteOnly) && text.write("*** Authorised use only ***") > 0); // without a newline
    banner.close();
    text.close();
    m_lab.powerOff(1);
    m_lab.boot(1);
    addAccount("closed", 0, "/usr/sbin/nologin", {});
    addAccount("waits", 0, "/bin/bash", "read -r answer\n");
    addAccount("talks", 0, "/bin/bash", "echo 'Welcome to h1'; echo 'a warning' >&2; printf 'no newline'\n");
    addAccount("bound", 1001, "/bin/bash", {});                                     // whose home is root's
    QCOMPARE(trainyardctl({"hosts", "test", "talks", "--accept-new-key"}).code, 0); // the key of the host is known now
    m_checks.start(test::program("trainyardctl"), {"hosts", "test", "--json", "closed", "waits", "talks", "bound"});
}

void HostAccountsTest::aRunNamesTheAccountThatCannotTrain_data() {
    QTest::addColumn<QString>("says");
    QTest::newRow("closed") << "closed@h1: the login shell ran no command; it said: This account is currently not "
                               "available. (check the account's shell and its profile on the host)";
    QTest::newRow("bound") << "/home/bound";
}

void HostAccountsTest::aRunNamesTheAccountThatCannotTrain() {
    QFETCH(QString, says);
    const QString account = QTest::currentDataTag();
    const Ended ended = trainyardctl({"run", runFile("on-" + account, {account}), "--workspace", workspace()});
    QCOMPARE(ended.code, 3);
    QVERIFY2(ended.err.contains(says.toUtf8()) && ended.err.contains(account.toUtf8() + "@h1"), ended.said());
}

void HostAccountsTest::aTalkativeAccountTrains() {
    const Ended ended = trainyardctl({"run", runFile("talkative", {"talks"}), "--workspace", workspace(), "--json"});
    QVERIFY2(ended.code == 0, ended.said().constData());
    QCOMPARE(ended.json()["steps"].toInt(), 200);
}

void HostAccountsTest::aWrongClockChangesNothing_data() {
    QTest::addColumn<int>("seconds");
    QTest::newRow("an hour ahead") << 3600;
    QTest::newRow("an hour behind") << -3600;
}

// The times of a run are those of the computer that supervises it.
void HostAccountsTest::aWrongClockChangesNothing() {
    QFETCH(int, seconds);
    if (!QFile::exists(folder() + "/clock.so")) QVERIFY(QFile::copy(TRAINYARD_WRONG_CLOCK, folder() + "/clock.so"));
    m_lab.bootWith(2, "SetEnv LD_PRELOAD=/mnt/lab/clock.so WRONG_CLOCK=" + std::to_string(seconds));
    (void)trainyardctl({"hosts", "add", "root@h2", "--identity", key("ed25519"), "--replace"});
    const Ended tested = trainyardctl({"hosts", "test", "h2", "--accept-new-key", "--json"});
    QVERIFY2(tested.code == 0, tested.said().constData());
    const auto there = m_lab.connect(2)->script("date +%s");
    QVERIFY(there.ok());
    const auto now = [] { return QDateTime::currentSecsSinceEpoch(); };
    QVERIFY2(std::abs(std::stoll(there->out) - now() - seconds) < 60, there->out.c_str());
    const auto before = now();
    const QString name = QStringLiteral("clock%1").arg(seconds);
    const Ended ended = trainyardctl({"run", runFile(name, {"h2", "talks"}), "--workspace", workspace(), "--json"});
    QVERIFY2(ended.code == 0, ended.said().constData());
    const Ended again = trainyardctl({"run", runFile(name, {"h2"}), "--from", name + "@last", "--set", "steps=300",
                                      "--set", "scaling.workers=1", "--workspace", workspace(), "--json"});
    QVERIFY2(again.code == 0, again.said().constData()); // the checkpoint is staged there
    for (const auto& result : {ended.json(), again.json()}) {
        const auto launched = result["timing"].toObject()["launch_to_first_step_s"].toDouble(-1);
        QVERIFY2(launched > 0 && launched < 120, ended.out.constData());
        QVERIFY(!result["events"].toArray().isEmpty());
        for (const auto& event : result["events"].toArray()) {
            const auto time = QDateTime::fromString(event.toObject()["time"].toString(), Qt::ISODate);
            QVERIFY2(time.toSecsSinceEpoch() >= before && time.toSecsSinceEpoch() <= now(), ended.out.constData());
        }
    }
}

// Its times are those of its home, and commands find it by any name all the same.
void HostAccountsTest::aRunLivesOnAHostWithAWrongClock() {
    const QStringList here{"--workspace", workspace(), "--json"}; // h2 is an hour behind
    const Ended started =
        trainyardctl(QStringList{"run", runFile("at-home", {}, 1'000'000), "--on", "h2", "--detach"} + here);
    QVERIFY2(started.code == 0, started.said().constData());
    const auto shown = [&] { return trainyardctl(QStringList{"show", "at-home"} + here).json(); };
    QVERIFY(test::waitFor([&] { return shown()["steps"].toInt() > 100; }, 60000));
    const auto launched = shown()["timing"].toObject()["launch_to_first_step_s"].toDouble(-1);
    QVERIFY2(launched > 0 && launched < 120, QJsonDocument(shown()).toJson().constData());
    QCOMPARE(trainyardctl({"stop", "at-home", "--workspace", workspace()}).code, 0);
    const Ended fetched = trainyardctl(QStringList{"fetch", "at-home"} + here);
    QVERIFY2(fetched.code == 0, fetched.said().constData());
    QCOMPARE(shown()["status"].toString(), QStringLiteral("stopped"));
    QVERIFY(QFile::exists(shown()["checkpoint"].toString()));
    const Ended resumed = trainyardctl({"resume", "at-home", "--detach", "--workspace", workspace()});
    QVERIFY2(resumed.code == 0, resumed.said().constData());
    const int before = shown()["steps"].toInt();
    QVERIFY(test::waitFor([&] { return shown()["steps"].toInt() > before; }, 60000));
    QCOMPARE(trainyardctl({"kill", "at-home", "--workspace", workspace()}).code, 0);
}

// An agent with seven keys that the host does not know, and then one that it does; its socket. Empty: there is none.
QString HostAccountsTest::startAgent() {
    const QString socket = folder() + "/many.socket";
    if (QFile::exists(socket)) return socket;
    if (execute("ssh-agent", {"-a", socket}).code != 0) return {};
    qputenv("SSH_AUTH_SOCK", socket.toUtf8());
    QStringList keys;
    for (int i = 1; i <= 13; ++i) { // OpenSSH 10.6 hangs up after twelve, earlier ones after six
        keys << folder() + QStringLiteral("/foreign%1").arg(i);
        if (execute("ssh-keygen", {"-q", "-t", "ed25519", "-N", "", "-f", keys.last()}).code != 0) return {};
    }
    const bool isThere = execute("ssh-add", QStringList{"-q"} + keys + QStringList{key("agent")}).code == 0;
    qunsetenv("SSH_AUTH_SOCK");
    return isThere ? socket : QString();
}

// Feature: the key that is named, by its public half too, or the usual one is found among many of the SSH agent; else
// it is said how to name it.
void HostAccountsTest::theRightKeyIsFoundAmongManyOfTheAgent_data() {
    QTest::addColumn<QString>("named"); // --identity
    QTest::addColumn<QString>("usual"); // what ~/.ssh/id_ed25519 is
    QTest::addColumn<QString>("says");  // what signed in, or why nothing did
    const QString alone = folder() + "/alone.pub";
    QTest::newRow("its file is named") << key("agent") << "" << "agent key agent";
    QTest::newRow("its public key is named") << alone << "" << "agent key agent";
    QTest::newRow("it is the usual one") << "" << key("agent") << "agent key agent";
    QTest::newRow("the usual file has one that the agent has not") << "" << key("ed25519") << "key file ";
    QTest::newRow("nothing names it") << "" << "" << "9 more of the agent were not tried";
}

void HostAccountsTest::theRightKeyIsFoundAmongManyOfTheAgent() {
    QFETCH(QString, named);
    QFETCH(QString, usual);
    QFETCH(QString, says);
    (void)QFile::copy(key("agent.pub"), folder() + "/alone.pub");
    const QString socket = startAgent(), file = folder() + "/home/.ssh/id_ed25519";
    QVERIFY(!socket.isEmpty());
    (void)QFile::remove(file);
    if (!usual.isEmpty()) QVERIFY(QFile::copy(usual, file));
    (void)trainyardctl({"hosts", "remove", "h1"});
    QStringList words{"hosts", "add", "root@h1"};
    if (!named.isEmpty()) words << "--identity" << named;
    QCOMPARE(trainyardctl(words).code, 0);
    qputenv("SSH_AUTH_SOCK", socket.toUtf8());
    const Ended tested = trainyardctl({"hosts", "test", "h1", "--accept-new-key", "--json"});
    qunsetenv("SSH_AUTH_SOCK");
    (void)QFile::remove(file);
    const QJsonObject check = tested.list()[0].toObject()["checks"].toArray()[1].toObject();
    QVERIFY2(check["detail"].toString().contains(says), tested.said().constData());
    const bool isRefused = says.contains("not tried");
    QCOMPARE(check["ok"].toBool(), !isRefused);
    if (isRefused) QVERIFY2(check["fix"].toString().contains("--identity FILE"), tested.said().constData());
}

// Feature: accounts of hosts that are not as usual: closed, one whose login shell waits or talks, one that cannot write
// its home are used, or named with the remedy; a wrong clock of a host changes nothing.
void HostAccountsTest::anAccountIsUsedOrNamed_data() {
    QTest::addColumn<QString>("failing"); // the check that fails; empty: none
    QTest::addColumn<QString>("detail");
    QTest::addColumn<QString>("fix");
    QTest::newRow("closed") << "sign in" << "ran no command; it said: This account is currently not available."
                            << "check the account's shell";
    QTest::newRow("waits") << "sign in" << "did not start the command within 20 s" << "waits for input";
    QTest::newRow("talks") << "" << "" << "";
    QTest::newRow("bound") << "disk" << "/home/bound cannot be written" << "correct its permissions";
}

void HostAccountsTest::anAccountIsUsedOrNamed() {
    QFETCH(QString, failing);
    QFETCH(QString, detail);
    QFETCH(QString, fix);
    if (m_checks.state() != QProcess::NotRunning) QVERIFY(m_checks.waitForFinished(60000));
    if (m_reports.isEmpty()) m_reports = QJsonDocument::fromJson(m_checks.readAllStandardOutput()).array();
    const auto is = [](const auto& each) { return each.toObject()["alias"].toString() == QTest::currentDataTag(); };
    const auto found = std::find_if(m_reports.begin(), m_reports.end(), is);
    QVERIFY2(found != m_reports.end(), m_checks.readAllStandardError().constData());
    const QJsonObject report = found->toObject();
    const QByteArray said = QJsonDocument(report).toJson();
    QVERIFY2(report["ok"].toBool() == failing.isEmpty(), said.constData());
    for (const auto& each : report["checks"].toArray()) {
        const QJsonObject check = each.toObject();
        if (check["name"].toString() != failing) continue;
        QVERIFY2(!check["ok"].toBool(), said.constData());
        QVERIFY2(check["detail"].toString().contains(detail), said.constData());
        QVERIFY2(check["fix"].toString().contains(fix), said.constData());
    }
}

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    return test::runInHostLab<HostAccountsTest>(
        argc, argv,
        {test::program("trainyardctl"), test::program("trainyard-worker"), test::program("trainyard-relay")});
}

#include "host_accounts_test.moc"
