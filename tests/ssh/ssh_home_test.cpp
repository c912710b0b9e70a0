// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that live on a host: this computer starts them, loses its link to them, follows and stops them, and has them in
// its workspace in the end.
#include "engine/base/clock.h"
#include "engine/base/math/sha256.h"
#include "engine/store/store.h"
#include "remote/files/transfer.h"
#include "tests/ssh/lab_programs.h"

#include <QDir>
#include <QFileInfo>

#include <csignal>
#include <memory>

using namespace trainyard;
using test::Ended;
using test::program;
using test::trainyardctl;

class SshHomeTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void failuresHaveTheirCodes();
    void aRunOutlivesItsLinkAndComesHere();
    void whatIsNewIsFetched();
    void aHostMayUseOthers();
    void aRunIsResumedThereWithChanges();
    void aSweepLivesThere();
    void filesOfItsSpaceComeAlong();

private:
    QStringList here(QStringList words) const {
        return words << "--workspace" << QString::fromStdString(m_lab.folder()) + "/workspace";
    }
    Ended ctl(const QStringList& words, int seconds = 60) const;
    QJsonObject show(const QString& run) const { return ctl({"show", run, "--json"}).json(); }
    int stepOf(const QString& run) const { return show(run)["steps"].toInt(); }
    QString write(const char* name, const QJsonObject& changes) const;
    QList<int> stepsOf(const QString& run) const; // of train/loss
    void newerWorkspaceOn(int host);
    void loseWhoFollows(const QString& run);
    void refuseWhatNeedsItHere(const QString& run);
    void bringHere(const QString& run);
    void cutAFetch(const QString& run);
    QString stopAt(const QString& run, int step, const QStringList& where) const;
    std::string on(int host, const char* script) { return m_lab.connect(host)->script(script)->out; }

    test::HostLab m_lab;
};

Ended SshHomeTest::ctl(const QStringList& words, int seconds) const {
    return trainyardctl(words.front() == "hosts" ? words : here(words), seconds);
}

QString SshHomeTest::write(const char* name, const QJsonObject& changes) const {
    QJsonObject file{
        {"version", 1},
        {"name", name},
        {"model", QJsonObject{{"name", "mlp"}, {"params", QJsonObject{{"hidden", QJsonArray{64}}}}}},
        {"dataset", QJsonObject{{"name", "blobs"}}},
        {"optimizer", QJsonObject{{"name", "sgd"}, {"lr", 0.05}}},
        {"batch", QJsonObject{{"global", 64}}},
        {"steps", 1'000'000},
        {"scaling", QJsonObject{{"workers", 2}, {"device", "cpu"}, {"threadsPerWorker", 1}}},
        {"checkpoint", QJsonObject{{"everyEpochs", 0}, {"everySteps", 200}, {"keep", 2}}},
    };
    for (auto change = changes.begin(); change != changes.end(); ++change) file[change.key()] = change.value();
    if (!changes.contains("model")) test::paceEndless(file);
    const QString path = QString::fromStdString(m_lab.folder()) + "/" + QLatin1String(name) + ".json";
    QFile out(path);
    if (out.open(QIODevice::WriteOnly)) out.write(QJsonDocument(file).toJson());
    return path;
}

QList<int> SshHomeTest::stepsOf(const QString& run) const {
    QList<int> steps;
    const Ended csv = ctl({"metrics", run, "--csv", "--series", "train/loss"});
    for (const auto& line : csv.out.split('\n').mid(1)) // series,step,epoch,time_s,value
        if (const auto cells = line.split(','); cells.size() == 5) steps << cells[1].toInt();
    return steps;
}

void SshHomeTest::initTestCase() {
    const QString failure = m_lab.start();
    QVERIFY2(failure.isEmpty(), qPrintable(failure));
    const QString key = QString::fromStdString(m_lab.key("ed25519"));
    for (const char* host : {"h1", "h2", "h3"})
        QCOMPARE(ctl({"hosts", "add", QStringLiteral("root@") + host, "--identity", key}).code, 0);
    QCOMPARE(ctl({"hosts", "add", "root@h1:2299", "--alias", "closed"}).code, 0);
    ctl({"hosts", "test", "h1", "h2", "h3", "--accept-new-key"}); // not every check is right on h3
}

// The workspace of the host, as a program of the future leaves it.
void SshHomeTest::newerWorkspaceOn(int host) {
    const store::Workspace workspace{m_lab.folder() + "/newer"};
    QDir().mkpath(QString::fromStdString(workspace.root.string()));
    QVERIFY(store::Store::open(workspace).ok());
    QFile database(QString::fromStdString(workspace.database().string()));
    QVERIFY(database.open(QIODevice::ReadWrite) && database.seek(60)); // PRAGMA user_version
    QCOMPARE(database.write(QByteArray::fromHex("000003e7")), 4);
    database.close();
    const auto digest = sha256HexOf(workspace.database());
    const auto session = m_lab.connect(host);
    QVERIFY(remote::sendMissing(*session,
                                {{workspace.database(), *digest, "/root/.local/share/trainyard/trainyard.db", false}})
                .ok());
}

void SshHomeTest::failuresHaveTheirCodes() {
    const QString file = write("refused", {});
    const auto codeOn = [&](const char* host) {
        const Ended ended = ctl({"run", file, "--on", host, "--json"});
        [&] { QCOMPARE(ended.code, 3); }();
        [&] { QVERIFY2(ended.err.contains(host) || ended.err.contains("2299"), ended.err.constData()); }();
        return ended.json()["error_code"].toString();
    };
    QCOMPARE(codeOn("closed"), QStringLiteral("host-unreachable"));
    QCOMPARE(codeOn("h3"), QStringLiteral("disk-full"));
    on(2, "printf '#!/bin/sh\\necho aarch64\\n' > /tmp/uname && chmod +x /tmp/uname && "
          "mount --bind /tmp/uname \"$(command -v uname)\"");
    QCOMPARE(codeOn("h2"), QStringLiteral("host-unsuitable"));
    on(2, "umount \"$(command -v uname)\"");
    newerWorkspaceOn(2);
    QCOMPARE(codeOn("h2"), QStringLiteral("newer-version"));
    on(2, "rm -r /root/.local");
    const Ended unknown = ctl({"show", "refused", "--json"}); // none of them is noted
    QCOMPARE(unknown.json()["error_code"].toString(), QStringLiteral("run-unknown"));
    const Ended bad = ctl({"run", write("bad", {{"dataset", "none-such"}}), "--on", "h1", "--json"});
    QCOMPARE(bad.code, 2);
    QCOMPARE(bad.json()["error_code"].toString(), QStringLiteral("field-invalid"));
    QVERIFY2(bad.err.contains("on h1, dataset"), bad.err.constData());
    const Ended one = ctl({"fetch", "absent@2", "--json"}), there = ctl({"fetch", "absent@2", "--on", "h1"});
    QCOMPARE(one.json()["error_code"].toString(), QStringLiteral("run-unknown"));
    QVERIFY2(one.err.contains("trainyardctl fetch absent --on HOST)"), one.err.constData());
    QVERIFY2(there.err.contains("trainyardctl fetch absent --on h1)"), there.err.constData());
}

// Feature: a run or sweep lives on a host: it goes on without the link or the processes of this computer; it is
// followed, listed, stopped and fetched from here, and is a run of this workspace then. Also in bundle_test,
// home_notes_test.
// Fault: The computer that started a run with --on loses its link, and its processes are killed. The run is not
// affected: no restart, no missing point; a follower is told connection-lost.
void SshHomeTest::aRunOutlivesItsLinkAndComesHere() {
    // A dataset that only this computer has.
    const QString table = QString::fromStdString(m_lab.folder()) + "/my table.csv";
    QFile out(table);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write("a,b,label\n");
    for (int row = 0; row < 400; ++row)
        out.write(QByteArray::number(row % 7) + "," + QByteArray::number(row % 5) + "," +
                  (row % 7 > row % 5 ? "yes\n" : "no\n"));
    out.close();
    const QJsonObject dataset{{"name", "csv"}, {"params", QJsonObject{{"file", table}, {"target", "label"}}}};
    const double began = monotonicSeconds();
    const Ended started = ctl({"run", write("away", {{"dataset", dataset}}), "--on", "h1", "--detach"});
    QVERIFY2(started.code == 0, started.said().constData());
    const double returned = monotonicSeconds();
    const QString run = QString::fromUtf8(started.out).trimmed();
    QVERIFY(test::waitFor([&] { return stepOf(run) > 0; }, 30000));
    qInfo("run --on returned after %.2f s, the first step was seen after %.2f s (%.2f s after its start there)",
          returned - began, monotonicSeconds() - began,
          show(run)["timing"].toObject()["launch_to_first_step_s"].toDouble());

    loseWhoFollows(run);
    if (QTest::currentTestFailed()) return;
    refuseWhatNeedsItHere(run);
    if (QTest::currentTestFailed()) return;
    bringHere(run);
}

void SshHomeTest::loseWhoFollows(const QString& run) {
    // Whoever follows it here is lost: one with the link, one by kill -9. A person's terminal comes back by itself.
    QProcess followed, killed, stays;
    followed.start(program("trainyardctl"), here({"attach", "away", "--json"}));
    killed.start(program("trainyardctl"), here({"attach", "away"}));
    stays.start(program("trainyardctl"), here({"attach", "away"}));
    QVERIFY(test::waitFor([&] { return killed.readAllStandardError().contains("step"); }, 20000));
    const int before = stepOf(run);
    m_lab.cutController();
    killed.kill();
    QVERIFY(followed.waitForFinished(30000)); // the link is given up after some seconds
    QCOMPARE(followed.exitCode(), 3);
    const Ended lost{3, followed.readAllStandardOutput(), followed.readAllStandardError()};
    QCOMPARE(lost.json()["error_code"].toString(), QStringLiteral("connection-lost"));
    QVERIFY(killed.waitForFinished(5000));
    QByteArray said;
    QVERIFY(
        test::waitFor([&] { return (said += stays.readAllStandardError()).contains("trying again in 1 s"); }, 20000));
    m_lab.joinController();
    said.clear();
    QVERIFY(test::waitFor([&] { return (said += stays.readAllStandardError()).contains("step"); }, 30000));
    stays.terminate();
    QVERIFY(test::waitFor([&] { return stepOf(run) > before; }, 30000));
    QVERIFY(stays.waitForFinished(10000));
    const QJsonObject now = show(run);
    QCOMPARE(now["restarts"].toInt(), 0);
    qInfo("%d steps while nobody here heard of it", now["steps"].toInt() - before);
}

void SshHomeTest::refuseWhatNeedsItHere(const QString& run) {
    const Ended listed = ctl({"runs"});
    QVERIFY2(listed.out.contains(run.toUtf8()) && listed.out.contains("h1"), listed.out.constData());
    const Ended exported = ctl({"export", "away", "--out", "/tmp/away.safetensors"});
    QCOMPARE(exported.code, 2);
    QVERIFY2(exported.err.contains("trainyardctl fetch " + run.toUtf8()), exported.err.constData());
    const Ended active = ctl({"fetch", "away", "--json"});
    QCOMPARE(active.json()["error_code"].toString(), QStringLiteral("already-running"));
}

// Stopped there, then a run of the workspace here, which needs that host no more.
void SshHomeTest::bringHere(const QString& run) {
    const double asked = monotonicSeconds();
    const Ended stopped = ctl({"stop", "away", "--json"});
    qInfo("stop was answered after %.2f s", monotonicSeconds() - asked);
    QVERIFY2(stopped.code == 0, stopped.said().constData());
    QCOMPARE(stopped.json()["status"].toString(), QStringLiteral("stopped"));
    const int last = stopped.json()["steps"].toInt();
    const QList<int> there = stepsOf(run);
    QCOMPARE(there.size(), last);
    for (int index = 0; index < last; ++index) QCOMPARE(there[index], index + 1);

    const double from = monotonicSeconds();
    const Ended fetched = ctl({"fetch", "away", "--checkpoint", "last", "--json"});
    QVERIFY2(fetched.code == 0, fetched.said().constData());
    qInfo("fetched in %.2f s", monotonicSeconds() - from);
    QCOMPARE(on(1, "ls ~/.cache/trainyard/runs | grep -c fetch").substr(0, 1), std::string("0"));
    m_lab.powerOff(1); // it is here
    QCOMPARE(stepsOf(run), there);
    const QJsonArray checkpoints = show(run)["checkpoints"].toArray();
    QCOMPARE(checkpoints.size(), 1);
    QCOMPARE(checkpoints[0].toObject()["step"].toInt(), last);
    QVERIFY(checkpoints[0].toObject()["path"].toString().startsWith(QString::fromStdString(m_lab.folder())));
    const Ended predicted = ctl({"predict", run, "data:validation/0", "--json"});
    QVERIFY2(predicted.code == 0, predicted.said().constData()); // from the table here
    QProcess resumed;
    resumed.start(program("trainyardctl"), here({"resume", run, "--json"}));
    QVERIFY(test::waitFor([&] { return stepOf(run) > last; }, 30000));
    QCOMPARE(ctl({"stop", run}).code, 0);
    QVERIFY(resumed.waitForFinished(20000));
    m_lab.boot(1);
}

// Waits for a step and stops the run; an error, or empty.
QString SshHomeTest::stopAt(const QString& run, int step, const QStringList& where) const {
    const auto steps = [&] { return ctl(QStringList{"show", run, "--json"} + where).json()["steps"].toInt(); };
    if (!test::waitFor([&] { return steps() > step; }, 30000)) return "it does not train";
    const Ended stopped = ctl(QStringList{"stop", run} + where);
    return stopped.code == 0 ? QString() : QString::fromUtf8(stopped.said());
}

// Killed while a file is on its way: nothing is here then, and what has come is not asked for again.
void SshHomeTest::cutAFetch(const QString& run) {
    m_lab.slowController();
    QProcess fetching;
    fetching.start(program("trainyardctl"), here({"fetch", run, "--json"}));
    QByteArray said;
    const auto begun = [&] {
        const auto lines = (said += fetching.readAllStandardError()).trimmed().split('\n');
        return QJsonDocument::fromJson(lines.last()).object()["bytes"].toInteger() > 0;
    };
    QVERIFY2(test::waitFor(begun, 30000), said.constData());
    fetching.kill();
    QVERIFY(fetching.waitForFinished(5000));
    m_lab.fastController();
    QVERIFY(!QFile::exists(QString::fromStdString(m_lab.folder()) + "/workspace/runs/" + run));
    QVERIFY(ctl({"runs"}).out.contains("h1"));
}

// Feature: a run is fetched again: only what is new, cut on the way and continued, words and files of here kept,
// refused once it was trained here; one checkpoint alone. Also in fetch_run_test.
void SshHomeTest::whatIsNewIsFetched() {
    const QString file = write(
        "again", {{"model", test::pacedModel(5, 10'000)}, {"scaling", QJsonObject{{"workers", 1}, {"device", "cpu"}}}});
    const Ended started = ctl({"run", file, "--on", "h1", "--detach"});
    QVERIFY2(started.code == 0, started.said().constData());
    const QString run = QString::fromUtf8(started.out).trimmed();
    QVERIFY(test::waitFor([&] { return !show(run)["checkpoints"].toArray().isEmpty(); }, 30000));

    // One checkpoint alone, while it trains.
    const Ended one = ctl({"fetch", run + "@last", "--json"});
    QVERIFY2(one.code == 0, one.said().constData());
    QCOMPARE(QFileInfo(one.json()["path"].toString()).size(), one.json()["bytes"].toInteger());
    const QString weights = QString::fromStdString(m_lab.folder()) + "/weights.safetensors";
    const Ended exported = ctl({"export", run + "@" + QString::number(one.json()["step"].toInt()), "--out", weights});
    QVERIFY2(exported.code == 0 && QFile::exists(weights), exported.said().constData());
    QVERIFY(ctl({"export", run + "@1", "--out", weights + "2"}).err.contains("trainyardctl fetch"));

    QCOMPARE(stopAt(run, 250, {}), QString());
    const int first = show(run)["steps"].toInt();
    cutAFetch(run);
    if (QTest::currentTestFailed()) return;
    const Ended fetched = ctl({"fetch", run, "--json"});
    QVERIFY2(fetched.code == 0, fetched.said().constData());
    const QJsonObject last = QJsonDocument::fromJson(fetched.err.trimmed().split('\n').last()).object();
    QVERIFY2(last["total"].toInteger() > 0 && last["bytes"] == last["total"], fetched.err.constData());
    QCOMPARE(stepsOf(run).size(), first);

    // It goes on there, and is fetched again by its name alone.
    QCOMPARE(ctl({"resume", run, "--on", "h1", "--detach"}).code, 0);
    QCOMPARE(stopAt(run, first + 100, {"--on", "h1"}), QString());
    QCOMPARE(ctl({"tag", "again", "mine"}).code, 0); // the words of here stay
    const Ended more = ctl({"fetch", "again", "--json"});
    QVERIFY2(more.code == 0, more.said().constData());
    const QJsonObject now = show(run);
    QVERIFY(now["steps"].toInt() > first);
    QCOMPARE(stepsOf(run).size(), now["steps"].toInt());
    QCOMPARE(now["checkpoints"].toArray().last().toObject()["step"].toInt(), now["steps"].toInt());
    QVERIFY(ctl({"runs", "--filter", "tag:mine"}).out.contains("again"));
    const Ended same = ctl({"fetch", "again", "--json"});
    QVERIFY2(same.code == 0 && same.err.contains("\"total\":0"), same.said().constData());

    // What was trained here stays.
    QCOMPARE(ctl({"resume", "again", "--detach"}).code, 0);
    QCOMPARE(stopAt(run, now["steps"].toInt(), {}), QString());
    const Ended refused = ctl({"fetch", "again", "--on", "h1", "--json"});
    QCOMPARE(refused.code, 2);
    QVERIFY2(refused.err.contains("has been trained on here since it was fetched"), refused.err.constData());
}

// With what that host knows of the other: nothing of this computer is asked for.
void SshHomeTest::aHostMayUseOthers() {
    const auto started = [&] {
        return ctl(
            {"run", write("wide", {{"hosts", QJsonArray{"h1", "root@h2"}}, {"steps", 300}}), "--on", "h1", "--json"});
    };
    const Ended refused = started();
    QCOMPARE(refused.code, 3);
    QCOMPARE(refused.json()["error_code"].toString(), QStringLiteral("host-key-unknown"));
    const auto key = sha256HexOf(m_lab.key("ed25519"));
    const auto session = m_lab.connect(1);
    QVERIFY(remote::sendMissing(*session, {{m_lab.key("ed25519"), *key, "/root/.ssh/id_ed25519", false}}).ok());
    const Ended tested = ctl({"hosts", "test", "root@h2", "--accept-new-key", "--on", "h1"});
    QVERIFY2(tested.code == 0, tested.said().constData());
    const Ended ended = started();
    QVERIFY2(ended.code == 0, ended.said().constData());
    QStringList hosts;
    for (const auto& worker : ended.json()["workers"].toArray()) hosts << worker.toObject()["host"].toString();
    QCOMPARE(hosts, QStringList({"", "root@h2"}));
    QCOMPARE(stepsOf("wide").size(), 300);
    QCOMPARE(ctl({"archive", "wide"}).code, 0);
    QCOMPARE(ctl({"delete", "wide"}).code, 0);
    QCOMPARE(ctl({"show", "wide", "--json"}).json()["error_code"].toString(), QStringLiteral("run-unknown"));
}

// On the hosts that its home knows; what is wrong is said as it is for a run of this computer.
void SshHomeTest::aRunIsResumedThereWithChanges() {
    const Ended started = ctl({"run", write("changed", {{"scaling", QJsonObject{{"workers", 1}, {"device", "cpu"}}}}),
                               "--on", "h1", "--detach"});
    QVERIFY2(started.code == 0, started.said().constData());
    const QString run = QString::fromUtf8(started.out).trimmed();
    QCOMPARE(stopAt(run, 100, {}), QString());
    const int stopped = stepOf(run);
    const auto refused = [&](const char* setting) {
        const Ended ended = ctl({"resume", run, "--set", QLatin1String(setting), "--detach", "--json"});
        return QString("%1 %2").arg(ended.code).arg(ended.json()["error"].toString());
    };
    QVERIFY2(refused("optimizer.lr=0.5").startsWith("2 "), qPrintable(refused("optimizer.lr=0.5")));
    QVERIFY2(refused("optimizer.lr=0.5").contains("a run keeps its optimizer.lr"),
             qPrintable(refused("optimizer.lr=0.5")));
    QVERIFY2(refused("hosts=[\"nowhere\"]").contains("nowhere"), qPrintable(refused("hosts=[\"nowhere\"]")));
    QVERIFY2(refused("failure.maxRestarts=-1").startsWith("2 "), qPrintable(refused("failure.maxRestarts=-1")));
    const Ended resumed = ctl({"resume", run, "--set", "hosts=[\"local\", \"root@h2\"]", "--set", "scaling.workers=2",
                               "--set", "failure.maxRestarts=7", "--detach"});
    QVERIFY2(resumed.code == 0, resumed.said().constData());
    QCOMPARE(stopAt(run, stopped + 100, {}), QString());
    QStringList hosts;
    for (const auto& worker : show(run)["workers"].toArray()) hosts << worker.toObject()["host"].toString();
    QCOMPARE(hosts, QStringList({"", "root@h2"}));
    const QList<int> steps = stepsOf(run);
    for (int index = 0; index < steps.size(); ++index) QCOMPARE(steps[index], index + 1);
    // It is the run file of the home that has changed, and it comes along.
    QCOMPARE(ctl({"fetch", run, "--json"}).code, 0);
    const QByteArray file = ctl({"show", run, "--as", "run-file"}).out;
    QVERIFY2(file.contains("\"maxRestarts\": 7") && file.contains("root@h2"), file.constData());
}

void SshHomeTest::aSweepLivesThere() {
    const QString run = write("base", {{"steps", 200}, {"scaling", QJsonObject{{"workers", 1}, {"device", "cpu"}}}});
    QFile file(run);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject sweep{
        {"version", 1},
        {"name", "rates"},
        {"run", QJsonDocument::fromJson(file.readAll()).object()},
        {"space", QJsonObject{{"optimizer.lr", QJsonArray{0.01, 0.1}}}},
        {"scoreBy", "train/loss"},
        {"mode", "min"},
    };
    const QString path = QString::fromStdString(m_lab.folder()) + "/sweep.json";
    QFile out(path);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(QJsonDocument(sweep).toJson());
    out.close();
    const Ended ended = ctl({"sweep", path, "--on", "h1", "--json"});
    QVERIFY2(ended.code == 0, ended.said().constData());
    QCOMPARE(ended.json()["trials"].toArray().size(), 2);
    const QString best = ended.json()["best_trial"].toString();
    QVERIFY(!best.isEmpty());
    QCOMPARE(show("rates")["best_trial"].toString(), best);
    const Ended fetched = ctl({"fetch", best, "--on", "h1", "--json"});
    QVERIFY2(fetched.code == 0, fetched.said().constData());
    QCOMPARE(stepsOf(best).size(), 200);
}

// Of objects and of paths by themselves, all of them relative to the sweep file.
void SshHomeTest::filesOfItsSpaceComeAlong() {
    const QString folder = QString::fromStdString(m_lab.folder());
    for (const char* name : {"first.csv", "second.csv"}) {
        QFile table(folder + '/' + QLatin1String(name));
        QVERIFY(table.open(QIODevice::WriteOnly));
        for (int row = 0; row < 60; ++row)
            table.write(QByteArray::number(row % 7) + ',' + QByteArray::number(row % 5) + ',' +
                        (row % 2 == 0 ? "yes" : name) + '\n');
    }
    const auto csv = [](const char* file) {
        return QJsonObject{{"name", "csv"}, {"params", QJsonObject{{"file", file}}}};
    };
    const QString run = write("base", {{"steps", 5},
                                       {"model", "softmax"},
                                       {"batch", QJsonObject{{"global", 12}}},
                                       {"dataset", csv("first.csv")},
                                       {"scaling", QJsonObject{{"workers", 1}, {"device", "cpu"}}}});
    QFile file(run);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject base = QJsonDocument::fromJson(file.readAll()).object();
    const auto ended = [&](const char* name, const QJsonObject& space) {
        const QJsonObject sweep{{"version", 1},           {"name", name},       {"run", base},
                                {"space", space},         {"searcher", "grid"}, {"mode", "min"},
                                {"scoreBy", "train/loss"}};
        const QString path = folder + '/' + QLatin1String(name) + ".json";
        QFile out(path);
        if (!out.open(QIODevice::WriteOnly)) return std::string("cannot write the sweep file");
        out.write(QJsonDocument(sweep).toJson());
        out.close();
        const Ended all = ctl({"sweep", path, "--on", "h1", "--json"});
        if (all.code != 0) return all.said().toStdString();
        int finished = 0;
        for (const auto& trial : all.json()["trials"].toArray())
            finished += trial.toObject()["status"].toString() == QLatin1String("finished") ? 1 : 0;
        return finished == 2 ? std::string() : all.said().toStdString();
    };
    const QJsonArray objects{csv("first.csv"), csv("second.csv")}, paths{"first.csv", "second.csv"};
    const auto objectsFailed = ended("objects", {{"dataset", objects}});
    QVERIFY2(objectsFailed.empty(), objectsFailed.c_str());
    const auto pathsFailed = ended("paths", {{"dataset.params.file", paths}});
    QVERIFY2(pathsFailed.empty(), pathsFailed.c_str());
}

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    return test::runInHostLab<SshHomeTest>(argc, argv,
                                           {test::program("trainyardctl"), test::program("trainyard-worker")});
}

#include "ssh_home_test.moc"
