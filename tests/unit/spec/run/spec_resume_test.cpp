// SPDX-License-Identifier: GPL-3.0-or-later
// What of a run file may be another one when its run is resumed.
#include "engine/spec/run/resume_settings.h"

#include <QTest>

using namespace trainyard;

class SpecResumeTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void onlyHowItIsComputedMayChange_data();
    void onlyHowItIsComputedMayChange();
    void theFirstThatMayNotIsNamed();
};

void SpecResumeTest::onlyHowItIsComputedMayChange_data() {
    QTest::addColumn<QString>("change");
    QTest::addColumn<bool>("global");
    QTest::addColumn<QString>("refused"); // a part of the message; empty: it may
    QTest::addColumn<QString>("remedy");
    const QString fork = "trainyardctl fork calm-otter --set ";
    for (const char* change :
         {"hosts=[\"h1\"]", "hosts.0=h2", "spareHosts=[\"h3\"]", "failure.maxRestarts=9", "failure.nonFinite=skip",
          "checkpoint.keep=5", "tensorBoard=true", "tuning.layout=contiguous", "scaling.device=cpu",
          "scaling.backend=gloo", "data.onError=skip", "data.maxBad=0.5", "data.changed=accept",
          "scaling.averaging=buckets", "scaling.threadsPerWorker=2", "scaling.elastic.max=4"})
        QTest::newRow(change) << change << false << QString() << QString();
    for (const char* change : {"optimizer.lr=0.5", "batch.perRank=8", "seed=1", "steps=9", "scaling.compression=fp16",
                               "scaling.compressionRank=4", "scaling.lrRule=linear", "precision=bf16", "storage=/x",
                               "hostsX=1", "data.division=random", "scaling.threadsPerWorkers=2"})
        QTest::newRow(change) << change << true << "would change what is trained" << fork + change;
    const auto becomes = [](const char* change, const QString& remedy) {
        QTest::newRow(change) << change << true << "would change what is trained" << remedy;
    };
    becomes("scaling={\"workers\": 2}", fork + "'scaling={\"workers\": 2}'");
    becomes("dataset.params.file=t 0.csv", fork + "'dataset.params.file=t 0.csv'");
    becomes("loss.name=bce", fork + "loss=bce");                         // and none of the old one's parameters
    const QString fresh = "trainyardctl fork calm-otter --fresh --set "; // what was learnt fits the old one alone
    becomes("model.params.hidden=[8]", fresh + "'model.params.hidden=[8]'");
    becomes("model=softmax", fresh + "model=softmax");
    becomes("model.name=softmax", fresh + "model=softmax");
    becomes("optimizer=adam", fresh + "optimizer=adam");
    becomes("optimizer.name=adam", fresh + "optimizer=adam");
    QTest::newRow("workers that share a batch") << "scaling.workers=3" << true << QString() << QString();
    QTest::newRow("workers with a batch each")
        << "scaling.workers=3" << false << "would change the samples of a step" << fork + "scaling.workers=3";
    QTest::newRow("another place") << "scaling.place=free" << true << "is resumed where it was placed"
                                   << "--set 'hosts=";
    QTest::newRow("epochs") << "epochs=9" << true << "not with other epochs" << "trainyardctl continue calm-otter";
}

void SpecResumeTest::onlyHowItIsComputedMayChange() {
    QFETCH(QString, change);
    QFETCH(bool, global);
    QFETCH(QString, refused);
    QFETCH(QString, remedy);
    spec::RunSpec run;
    if (global) run.batch = {.perRank = std::nullopt, .global = 128};
    const auto may = spec::mayResumeWith(run, {change.toStdString()}, "calm-otter");
    QCOMPARE(may.ok(), refused.isEmpty());
    if (may) return;
    QVERIFY(may.error().kind == ErrorKind::Input);
    QVERIFY2(may.error().message.find(refused.toStdString()) != std::string::npos, may.error().message.c_str());
    QVERIFY2(may.error().remedy.find(remedy.toStdString()) != std::string::npos, may.error().remedy.c_str());
}

// A rate that is multiplied by the number of workers changes with it.
void SpecResumeTest::theFirstThatMayNotIsNamed() {
    spec::RunSpec run;
    run.batch = {.perRank = std::nullopt, .global = 128};
    run.scaling.lrRule = "linear";
    const auto may = spec::mayResumeWith(run, {"hosts=[]", "scaling.workers=3", "seed=1"}, "calm-otter");
    QVERIFY(!may.ok());
    QVERIFY2(may.error().message.find("scaling.workers") != std::string::npos, may.error().message.c_str());
    const auto spaced = spec::mayResumeWith(run, {"seed=1"}, "calm o'otter");
    QVERIFY2(spaced.error().remedy.ends_with("trainyardctl fork 'calm o'\\''otter' --set seed=1"),
             spaced.error().remedy.c_str());
}

QTEST_APPLESS_MAIN(SpecResumeTest)
#include "spec_resume_test.moc"
