// SPDX-License-Identifier: GPL-3.0-or-later
// How many workers the advisor recommends: a row is a card.
#include "engine/run/start/scaling.h"

#include <QTest>

using namespace trainyard;

namespace {

run::BriefTimes timesOf(int workers, double samplesPerSecond, double comm, bool disturbed = false) {
    run::BriefTimes times;
    times.workers = workers;
    times.samplesPerSecond = samplesPerSecond;
    times.stepSeconds = 64.0 * workers / samplesPerSecond;
    times.parts = {{"comm", comm * times.stepSeconds}, {"compute", (1 - comm) * times.stepSeconds}};
    times.othersShare = disturbed ? 0.5 : 0;
    return times;
}

} // namespace

class ScalingAdviceTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void doublesUpToTheMost_data();
    void doublesUpToTheMost();
    void recommendsTheFewestThatAreFastEnough_data();
    void recommendsTheFewestThatAreFastEnough();
    void saysWhatCannotBeTrusted();
};

void ScalingAdviceTest::doublesUpToTheMost_data() {
    QTest::addColumn<int>("most");
    QTest::addColumn<QList<int>>("counts");
    QTest::newRow("1") << 1 << QList<int>{1};
    QTest::newRow("2") << 2 << QList<int>{1, 2};
    QTest::newRow("6") << 6 << QList<int>{1, 2, 4, 6};
    QTest::newRow("8") << 8 << QList<int>{1, 2, 4, 8};
    QTest::newRow("none") << 0 << QList<int>{1};
}

void ScalingAdviceTest::doublesUpToTheMost() {
    QFETCH(int, most);
    const auto counts = run::scalingCounts(most);
    QTEST(QList<int>(counts.begin(), counts.end()), "counts");
}

// Feature: the scaling advisor: a recommendation; live in the window. Also in running_test.
void ScalingAdviceTest::recommendsTheFewestThatAreFastEnough_data() {
    QTest::addColumn<QList<double>>("speeds"); // of 1, 2, 4, … workers
    QTest::addColumn<double>("comm");          // share of a step of more than one
    QTest::addColumn<int>("workers");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("one count") << QList<double>{100} << 0.0 << 1
                               << QByteArray("use 1 worker: no other count was measured");
    QTest::newRow("doubles") << QList<double>{100, 190} << 0.05 << 2
                             << QByteArray("use 2 workers: 1.9 times as fast as 1 worker, at an efficiency of 95%");
    QTest::newRow("not faster") << QList<double>{100, 96} << 0.6 << 1
                                << QByteArray("use 1 worker: more workers are not faster; with 2 workers the limit is "
                                              "communication, 60% of a step");
    QTest::newRow("nearly as fast with fewer")
        << QList<double>{100, 180, 185} << 0.5 << 2
        << QByteArray("use 2 workers: 1.8 times as fast as 1 worker, at an efficiency of 90%; with 4 workers the limit "
                      "is communication, 50% of a step");
}

void ScalingAdviceTest::recommendsTheFewestThatAreFastEnough() {
    QFETCH(QList<double>, speeds);
    QFETCH(double, comm);
    std::vector<run::BriefTimes> times;
    int workers = 1;
    for (const double speed : speeds) {
        times.push_back(timesOf(workers, speed, workers == 1 ? 0 : comm));
        workers *= 2;
    }
    const auto advice = run::scalingAdvice(run::scalingCard(times, false));
    QTEST(advice.workers, "workers");
    QTEST(QByteArray::fromStdString(advice.text), "text");
}

void ScalingAdviceTest::saysWhatCannotBeTrusted() {
    const auto advice = run::scalingAdvice(run::scalingCard({timesOf(1, 100, 0, true)}, false));
    QVERIFY(advice.text.find("measure again") != std::string::npos);
}

QTEST_APPLESS_MAIN(ScalingAdviceTest)
#include "scaling_advice_test.moc"
