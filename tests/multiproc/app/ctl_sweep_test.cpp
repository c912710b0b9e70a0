// SPDX-License-Identifier: GPL-3.0-or-later
// The terminal contract of `sweep show`, `events`, `simulate` and of what is asked of a sweep.
#include "tests/multiproc/app/terminal.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

using namespace trainyard;
using test::RunLab;
using trainyard::test::ctl;

namespace {

QStringList keys(const QJsonObject& object) {
    auto list = object.keys();
    list.sort();
    return list;
}

} // namespace

class CtlSweepTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_lab = std::make_unique<RunLab>(); }
    void cleanup() { m_lab.reset(); }

    void steersASweep();
    void triesWholeModelsAndOtherOptimizers();

private:
    QString write(const QString& name, const QByteArray& text) {
        QFile file(QString::fromStdString(m_lab->folder()) + "/" + name);
        if (file.open(QIODevice::WriteOnly)) file.write(text);
        return file.fileName();
    }
    std::unique_ptr<RunLab> m_lab;
};

void CtlSweepTest::steersASweep() {
    const auto run = QString::fromStdString(spec::toJson(m_lab->spec({.plan = "perEpoch=10 ms=10", .epochs = 20})));
    const auto file =
        write("steered.json", ("{\"version\":1,\"name\":\"steered\",\"run\":" + run +
                               ",\"space\":{\"optimizer.lr\":{\"from\":0.001,\"to\":1,\"scale\":\"log\"}},"
                               "\"searcher\":\"random\",\"trials\":3,\"parallel\":1}")
                                  .toUtf8());
    const auto id = ctl({"sweep", file, "--detach"}).out.trimmed();
    QVERIFY(
        m_lab->waitUntil([&] { return ctl({"sweep", "show", id, "--json"}).json()["trials"]["running"] == 1; }, 20));
    const auto shown = ctl({"sweep", "show", "steered", "--json"}).json().object();
    QCOMPARE(keys(shown), (QStringList{"best", "front", "name", "parallel", "reason", "restrictions", "scheduler",
                                       "searcher", "slots", "status", "sweep", "trials"}));
    QCOMPARE(keys(shown["trials"].toObject()),
             (QStringList{"begun", "failed", "finished", "paused", "planned", "running", "stopped"}));
    const auto paused = ctl({"sweep", "pause", "steered", "--json"});
    QVERIFY2(paused.code == 0, qPrintable(paused.err));
    QCOMPARE(keys(paused.json().object()), (QStringList{"request", "started", "sweep", "trial"}));
    const auto enqueued = ctl({"sweep", "enqueue", "steered", "--set", "optimizer.lr=0.5", "--json"});
    QCOMPARE(enqueued.json()["trial"].toInt(), 3);
    QCOMPARE(ctl({"sweep", "add", "steered", "2"}).out, QString("steered: added 2 configurations\n"));
    QCOMPARE(ctl({"sweep", "restrict", "steered", "optimizer.lr=0.01..0.1"}).code, 0);
    QCOMPARE(ctl({"sweep", "set", "steered", "parallel=2", "trials=5"}).code, 0);
    QCOMPARE(ctl({"sweep", "stop", "steered", "0"}).code, 0);
    const auto after = ctl({"sweep", "show", "steered", "--json"}).json().object();
    QCOMPARE(after["status"].toString(), QString("paused"));
    QCOMPARE(after["restrictions"][0].toString(), QString("optimizer.lr=0.01..0.1"));
    QCOMPARE(after["trials"]["planned"].toInt(), 5);
    QCOMPARE(after["parallel"].toInt(), 2);
    QVERIFY(after["slots"].toString().startsWith("2 slots, as requested: "));
    for (const QStringList& wrong : {QStringList{"promote", "steered", "9"},
                                     {"restrict", "steered", "optimizer.lr=2..3"},
                                     {"set", "steered", "speed=3"},
                                     {"enqueue", "steered", "--set", "optimizer.lr=9"},
                                     {"pause", "steered"}}) {
        const auto refused = ctl(QStringList{"sweep"} + wrong);
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains(", found "), qPrintable(refused.err));
    }
    const auto events = ctl({"sweep", "events", "steered", "--steered", "--json"}).json()["events"].toArray();
    QCOMPARE(events.size(), 6);
    QCOMPARE(keys(events[1].toObject()),
             (QStringList{"author", "details", "kind", "loss", "number", "t", "time_ms", "trial"}));
    QVERIFY(events[1]["author"].toString().contains('@'));
    QVERIFY(ctl({"sweep", "events", "steered"}).out.contains("enqueued optimizer.lr=0.5"));
    QCOMPARE(ctl({"sweep", "resume", "steered"}).code, 0);
    QCOMPARE(ctl({"sweep", "finish", "steered"}).code, 0);
    QVERIFY(m_lab->waitUntil([&] { return ctl({"sweep", "show", id, "--json"}).json()["status"] == "finished"; }, 60));
    QVERIFY(ctl({"sweep", "trials", "steered"}).out.contains("stopped by "));
    const auto simulated = ctl({"sweep", "simulate", file, "--curves", "steered", "--set", "scheduler=asha", "--json"});
    QVERIFY2(simulated.code == 0, qPrintable(simulated.err));
    QCOMPARE(keys(simulated.json().object()), (QStringList{"best", "best_trial", "ended", "fifo", "scheduler",
                                                           "searcher", "started", "stopped", "unit", "used"}));
    QCOMPARE(simulated.json()["started"].toInt(), 3);
}

// Really trained: the run's dropout is not that of the models, and its momentum is no business of adamw.
void CtlSweepTest::triesWholeModelsAndOtherOptimizers() {
    qputenv("TRAINYARD_BIN", RunLab::builtPrograms());
    const QByteArray sweep =
        R"({"version":1,"name":"whole","run":{"dataset":"blobs","steps":20,)"
        R"("model":{"name":"mlp","params":{"dropout":0.5}},"optimizer":{"name":"sgd","lr":0.1,"momentum":0.9},)"
        R"("scaling":{"workers":1,"device":"cpu","threadsPerWorker":1}},"scoreBy":"train/loss","mode":"min",)"
        R"("space":{"optimizer.name":["sgd","adamw"],"model":[{"name":"mlp","params":{"hidden":[8]}},)"
        R"({"name":"mlp","params":{"hidden":[16],"dropout":0}}]}})";
    const auto ended = ctl({"sweep", write("whole.json", sweep), "--json"});
    QVERIFY2(ended.code == 0, qPrintable(ended.err));
    const auto trials = ended.json()["trials"].toArray();
    QCOMPARE(trials.size(), 4);
    QStringList told;
    for (const auto& each : trials) {
        const auto trial = each.toObject();
        QCOMPARE(trial["status"].toString(), QString("finished"));
        const auto params = trial["params"].toObject();
        const auto spec = *spec::parseRunSpec(m_lab->query().run(trial["run"].toString().toStdString())->specJson);
        told << params["optimizer.name"].toString() + " on " + params["model"].toString();
        QCOMPARE(spec.optimizer.params.contains("momentum"), params["optimizer.name"].toString() == "sgd");
        QCOMPARE(spec.model.number("dropout", -1), 0.0);
        QCOMPARE(spec.model.list("hidden", {}).front(), params["model"].toString().contains("[8]") ? 8.0 : 16.0);
    }
    told.sort();
    QCOMPARE(told.join(", "), QString("adamw on mlp dropout=0 hidden=[16], adamw on mlp hidden=[8], "
                                      "sgd on mlp dropout=0 hidden=[16], sgd on mlp hidden=[8]"));
    auto wrong = sweep;
    wrong.replace("\"dropout\":0}", "\"dropout\":2}");
    const auto refused = ctl({"sweep", write("wrong.json", wrong), "--dry-run"});
    QCOMPARE(refused.code, 2);
    QVERIFY2(refused.err.contains("space.model.1.params.dropout: must be at most"), qPrintable(refused.err));
}

QTEST_GUILESS_MAIN(CtlSweepTest)
#include "ctl_sweep_test.moc"
