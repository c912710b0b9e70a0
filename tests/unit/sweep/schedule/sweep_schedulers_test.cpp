// SPDX-License-Identifier: GPL-3.0-or-later
// What each scheduler orders, event by event, and what holds for all of them over many random events.
#include "tests/unit/sweep/sweep_simulation.h"

#include <QElapsedTimer>
#include <QTest>

#include <cstdio>

using namespace trainyard;
using namespace trainyard::sweep;

namespace {

const char* const kRate = R"({"optimizer.lr":{"from":0.0001,"to":1,"scale":"log"}})";

std::string digits(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

std::string textOf(const std::vector<Order>& orders) {
    std::string text;
    for (const Order& order : orders) {
        if (!text.empty()) text += ", ";
        static const char* const words[] = {"start ", "resume ", "pause ", "stop ", "end ", "adopt "};
        text += words[static_cast<int>(order.kind)] + std::to_string(order.trial);
        if (order.kind == Order::Kind::Adopt) text += " from " + std::to_string(order.donor) + "@" + digits(order.t);
        if (order.kind != Order::Kind::Stop && order.kind != Order::Kind::Adopt) continue;
        text += order.why.isFinite() ? " (" + digits(order.why.loss) + " is " + std::to_string(order.why.place) +
                                           " of " + std::to_string(order.why.of) + " at " + digits(order.why.rung) +
                                           ", cut " + digits(order.why.cut) + ")"
                                     : " (no number at " + digits(order.why.rung) + ")";
    }
    return text.empty() ? "-" : text;
}

// "free", "2@3 0.5": trial 2 reports 0.5 at 3; "end 2 0.5", "fail 2", "tick 9": seconds; "adopted 2 1 3": by trial 2,
// from trial 1 at 3.
Event eventOf(const QString& text) {
    const auto words = text.split(QLatin1Char(' '));
    const auto number = [](const QString& word) {
        return word == QLatin1String("nan") ? std::nan("") : word.toDouble();
    };
    if (words[0] == QLatin1String("free")) return {.kind = Event::Kind::SlotFree};
    if (words[0] == QLatin1String("tick")) return {.kind = Event::Kind::Tick, .spent = {.seconds = number(words[1])}};
    if (words[0] == QLatin1String("fail")) return {.kind = Event::Kind::Failed, .trial = words[1].toInt()};
    if (words[0] == QLatin1String("end"))
        return {.kind = Event::Kind::Ended, .trial = words[1].toInt(), .t = 27, .loss = number(words[2])};
    if (words[0] == QLatin1String("adopted"))
        return {
            .kind = Event::Kind::Adopted, .trial = words[1].toInt(), .t = number(words[3]), .donor = words[2].toInt()};
    const auto place = words[0].split(QLatin1Char('@'));
    return {.kind = Event::Kind::Report, .trial = place[0].toInt(), .t = number(place[1]), .loss = number(words[1])};
}

using Steps = QList<std::pair<const char*, const char*>>; // event, orders

Judge judgeOf(const std::string& scheduler, int trials, const std::string& searcher = R"("random")") {
    const auto spec = test::sweepOf(kRate, "\"trials\":" + std::to_string(trials) + ",\"searcher\":" + searcher +
                                               ",\"failure\":{\"maxShare\":1},\"scheduler\":" + scheduler);
    if (!spec) qFatal("%s", spec.error().text().c_str());
    auto judge = Judge::make(*spec);
    if (!judge) qFatal("%s", judge.error().text().c_str());
    return std::move(*judge);
}

const QList<std::pair<const char*, std::string>> kSchedulers = {
    {"fifo", R"("fifo")"},
    {"asha", R"("asha")"},
    {"asha, 2 brackets", R"({"name":"asha","factor":2,"brackets":2})"},
    {"asha, promote", R"({"name":"asha","mode":"promote"})"},
    {"halving", R"({"name":"halving","factor":3})"},
    {"halving, with a deadline", R"({"name":"halving","deadlineSeconds":50})"},
    {"hyperband", R"("hyperband")"},
    {"hyperband, small first", R"({"name":"hyperband","factor":2.5,"order":"small"})"},
    {"median", R"({"name":"median","grace":2})"},
    {"pbt", R"({"name":"pbt","mutate":["optimizer.lr"]})"},
    {"pbt, synchronous", R"({"name":"pbt","mutate":"optimizer.lr","interval":3,"burnIn":4,"synchronous":true})"},
};

} // namespace

class SweepSchedulersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Long because: a table, rows of every scheduler.
    // Feature: schedulers: FIFO, ASHA, halving, HyperBand, median, PBT; no trial is lost or ordered twice, and what was
    // recorded makes the same judge again.
    void everyEventHasItsOrders_data() {
        QTest::addColumn<std::string>("scheduler");
        QTest::addColumn<int>("trials");
        QTest::addColumn<Steps>("steps");
        const auto row = [](const char* name, const char* scheduler, int trials, Steps steps) {
            QTest::newRow(name) << std::string(scheduler) << trials << steps;
        };
        row("fifo", R"("fifo")", 2,
            {{"free", "start 0"},
             {"0@1 9", "-"},
             {"free", "start 1"},
             {"free", "-"},
             {"end 0 9", "-"},
             {"fail 1", "-"}});
        // The first is never stopped; the third is worse than the third part of 0.3 and 0.5 (0.3667).
        row("asha", R"("asha")", 5,
            {{"free", "start 0"},
             {"free", "start 1"},
             {"free", "start 2"},
             {"free", "start 3"},
             {"0@0.5 0.9", "-"}, // before the rung
             {"0@1 0.5", "-"},
             {"1@1 0.3", "-"},
             {"2@1 0.4", "stop 2 (0.4 is 2 of 3 at 1, cut 0.3667)"},
             {"2@2 0.1", "-"}, // it is over
             {"3@1 nan", "stop 3 (no number at 1)"},
             {"0@2 9", "-"}, // between two rungs
             {"0@3 0.4", "-"},
             {"1@3 0.4", "-"}, // equal goes on
             {"free", "start 4"},
             {"4@4 0.2", "-"}, // after a jump judged at the highest rung it has passed
             {"4@5 9", "-"},
             {"4@9 9", "-"},
             {"1@9 10", "stop 1 (10 is 2 of 2 at 9, cut 9)"}});
        row("asha promotes the best third", R"({"name":"asha","mode":"promote"})", 4,
            {{"free", "start 0"},
             {"0@1 0.5", "pause 0"},
             {"free", "start 1"},
             {"1@1 0.3", "pause 1"},
             {"free", "start 2"},
             {"2@1 0.4", "pause 2"},
             {"free", "resume 1"},
             {"free", "start 3"},
             {"3@1 0.2", "pause 3"},
             {"free", "resume 3"},
             {"1@3 0.2", "pause 1"},
             {"fail 3", "-"},
             {"free", "resume 1"}, // nothing was promoted and nothing has ended: the best one goes on
             {"1@9 0.2", "pause 1"},
             {"free", "resume 1"},
             {"end 1 0.1", "-"},
             {"free", "stop 0 (0.5 is 4 of 4 at 1, cut 0.3), stop 2 (0.4 is 3 of 4 at 1, cut 0.3)"},
             {"free", "-"}});
        row("asha forgets one that ended while it paused", R"({"name":"asha","mode":"promote"})", 1,
            {{"free", "start 0"}, {"0@1 0.5", "pause 0"}, {"end 0 0.4", "-"}, {"free", "-"}});
        row("halving", R"("halving")", 4,
            {{"free", "start 0"},
             {"free", "start 1"},
             {"0@1 0.5", "pause 0"},
             {"free", "start 2"},
             {"1@1 0.3", "pause 1"},
             {"2@1 0.4", "pause 2"},
             {"free", "start 3"},
             {"free", "-"}, // all others wait for the last
             {"3@1 0.2", "stop 2 (0.4 is 3 of 4 at 1, cut 0.3), stop 0 (0.5 is 4 of 4 at 1, cut 0.3)"},
             {"free", "resume 1"},
             {"3@3 0.1", "pause 3"},
             {"fail 1", "-"}, // and is waited for no longer: the other one goes on
             {"free", "resume 3"},
             {"3@9 nan", "stop 3 (no number at 9)"}});
        row("halving without the one that failed", R"("halving")", 3,
            {{"free", "start 0"},
             {"free", "start 1"},
             {"free", "start 2"},
             {"0@1 0.5", "pause 0"},
             {"1@1 0.4", "pause 1"},
             {"fail 2", "stop 0 (0.5 is 2 of 3 at 1, cut 0.4)"},
             {"free", "resume 1"}});
        row("halving, of which a third went wrong", R"("halving")", 9,
            {{"free", "start 0"},
             {"free", "start 1"},
             {"free", "start 2"},
             {"free", "start 3"},
             {"free", "start 4"},
             {"free", "start 5"},
             {"free", "start 6"},
             {"free", "start 7"},
             {"free", "start 8"},
             {"0@1 nan", "stop 0 (no number at 1)"},
             {"1@1 nan", "stop 1 (no number at 1)"},
             {"3@1 0.1", "pause 3"},
             {"4@1 0.2", "pause 4"},
             {"5@1 0.3", "pause 5"},
             {"6@1 0.4", "pause 6"},
             {"7@1 0.5", "pause 7"},
             {"fail 2", "-"},
             {"8@1 0.6", // three of nine go on, not two of six
              "stop 6 (0.4 is 4 of 9 at 1, cut 0.3), stop 7 (0.5 is 5 of 9 at 1, cut 0.3), "
              "stop 8 (0.6 is 6 of 9 at 1, cut 0.3)"},
             {"free", "resume 3"},
             {"free", "resume 4"},
             {"free", "resume 5"}});
        // Two of five do not start the deadline; those that have measured nothing by then are stopped, begun or not.
        row("halving with a deadline", R"({"name":"halving","deadlineSeconds":60})", 5,
            {{"free", "start 0"},
             {"free", "start 1"},
             {"free", "start 2"},
             {"free", "start 3"},
             {"0@1 0.5", "pause 0"},
             {"1@1 0.3", "pause 1"},
             {"tick 90", "-"},
             {"2@1 0.4", "pause 2"},
             {"tick 100", "-"},
             {"tick 159.9", "-"},
             {"tick 160", "stop 0 (0.5 is 3 of 5 at 1, cut 0.4), stop 3 (no number at 1), stop 4 (no number at 1)"},
             {"3@1 0.1", "-"}, // it is over
             {"free", "resume 1"},
             {"free", "resume 2"},
             {"1@3 0.2", "pause 1"},
             {"tick 200", "-"},
             {"tick 259", "-"},
             {"2@2 0.1", "-"},                                     // before the rung
             {"tick 260", "stop 2 (0.4 is 2 of 2 at 3, cut 0.2)"}, // by what it had at the one before
             {"free", "resume 1"},
             {"tick 999", "-"},
             {"1@9 0.1", "-"}});
        row("halving lets the absent go on that were good", R"({"name":"halving","factor":1.5,"deadlineSeconds":60})",
            3,
            {{"free", "start 0"},
             {"free", "start 1"},
             {"free", "start 2"},
             {"0@1 0.1", "pause 0"},
             {"1@1 0.5", "pause 1"},
             {"2@1 0.9", "stop 2 (0.9 is 3 of 3 at 1, cut 0.5)"},
             {"free", "resume 0"},
             {"free", "resume 1"},
             {"1@1.5 0.6", "pause 1"},
             {"tick 10", "-"},
             {"tick 70", "-"},
             {"free", "resume 1"},
             {"0@1.5 0.2", "-"}, // the rung that it comes to now is the next one
             {"0@2.25 0.2", "pause 0"},
             {"1@2.25 0.3", "-"},
             {"free", "resume 0"}});
        // max 27: bracket 3 with 27 trials at 1, 3, 9; factor 27: brackets of 27 trials at 1, and of 2 without a rung.
        row("hyperband", R"({"name":"hyperband","factor":27,"order":"small"})", 4,
            {{"free", "start 0"},
             {"free", "start 1"},
             {"free", "start 2"},
             {"free", "start 3"},
             {"0@1 9", "-"}, // of the bracket without a rung
             {"2@1 0.5", "pause 2"},
             {"3@1 0.6", "stop 3 (0.6 is 2 of 2 at 1, cut 0.5)"},
             {"free", "resume 2"},
             {"2@9 9", "-"}});
        row("median", R"({"name":"median","grace":2})", 5,
            {{"free", "start 0"},
             {"free", "start 1"},
             {"free", "start 2"},
             {"free", "start 3"},
             {"free", "start 4"},
             {"0@1 0.9", "-"},
             {"0@2 0.5", "-"},
             {"1@2 0.4", "-"},
             {"2@2 0.9", "-"}, // too few others
             {"3@2 0.6", "stop 3 (0.6 is 3 of 4 at 2, cut 0.5)"},
             {"4@2 0.5", "-"}, // not worse than the median of .4 .5 .6 .9
             {"0@3 0.7", "-"},
             {"1@3 0.4", "-"},
             {"2@3 0.1", "-"},
             {"4@3 0.8", "-"}, // its best, 0.5, is no worse than the median of the means .6 .4 .5
             {"4@3 0.9", "-"}, // judged already
             {"2@4 nan", "stop 2 (no number at 4)"}});
        // As in Vizier and Ray a best value counts whenever it was measured.
        row("median remembers a best before grace", R"({"name":"median","grace":3})", 4,
            {{"free", "start 0"},
             {"free", "start 1"},
             {"free", "start 2"},
             {"free", "start 3"},
             {"3@1 0.1", "-"},
             {"3@2 nan", "-"},
             {"0@3 0.4", "-"},
             {"1@3 0.5", "-"},
             {"2@3 0.6", "-"},
             {"3@3 0.9", "-"}, // 0.1 is better than the median of .4 .5 .6
             {"0@4 0.4", "-"},
             {"1@4 0.4", "-"},
             {"2@4 0.05", "-"},
             {"3@4 0.9", "-"}}); // and than that of .4 .45 .325
        row("median remembers a best between two marks", R"({"name":"median","grace":2,"interval":2})", 4,
            {{"free", "start 0"},
             {"free", "start 1"},
             {"free", "start 2"},
             {"free", "start 3"},
             {"0@2 0.4", "-"},
             {"1@2 0.4", "-"},
             {"3@2 0.5", "-"},
             {"3@3 0.2", "-"},
             {"0@4 0.4", "-"},
             {"1@4 0.4", "-"},
             {"2@2 0.3", "-"},
             {"2@4 0.35", "-"},
             {"3@4 0.9", "-"}}); // its best is 0.2, and the median 0.4
        row("pbt", R"({"name":"pbt","mutate":"optimizer.lr","quantile":0.5})", 3,
            {{"free", "start 0"},      {"free", "start 1"},
             {"0@1 0.5", "pause 0"}, // gives way to the one that has not begun
             {"free", "start 2"},      {"free", "resume 0"},
             {"1@1 0.3", "-"}, // nothing is compared before all have been measured
             {"2@0.5 9", "-"},         {"2@1 nan", "adopt 2 from 1@1 (no number at 1)"},
             {"2@2 0.1", "-"},                           // what it trains until it stops
             {"end 2 0.1", "-"},       {"1@2 0.6", "-"}, // the only better one has no state yet
             {"adopted 2 1 1.5", "-"}, {"free", "resume 2"},
             {"0@2 0.4", "-"}, // the best two are 2, which has the state of 1, and 0
             {"1@3 0.5", "-"}, // the only better one is behind; a trial never goes back
             {"2@2 0.1", "-"},         {"fail 0", "-"},
             {"2@4 0.2", "-"},         {"1@4 0.3", "adopt 1 from 2@4 (0.3 is 2 of 2 at 4, cut 0.2)"},
             {"adopted 1 -1 4", "-"}, // there was no state to be had: it goes on with its own
             {"free", "resume 1"},     {"1@27 9", "-"}});
        row("pbt, synchronous", R"({"name":"pbt","mutate":"optimizer.lr","interval":2,"synchronous":true})", 4,
            {{"free", "start 0"},
             {"free", "start 1"},
             {"0@1 9", "-"},
             {"0@2 0.5", "pause 0"},
             {"1@2 0.3", "pause 1"},
             {"free", "start 2"},
             {"free", "start 3"},
             {"2@3 0.4", "pause 2"},
             {"free", "-"}, // all wait for the last
             {"3@2 0.4", "adopt 0 from 1@2 (0.5 is 4 of 4 at 2, cut 0.4), pause 3"},
             {"free", "-"}, // or a donor would be further than it was measured
             {"adopted 0 1 2", "-"},
             {"free", "resume 0"},
             {"free", "resume 1"},
             {"free", "resume 2"},
             {"free", "resume 3"},
             {"0@4 0.3", "pause 0"},
             {"2@4 0.2", "pause 2"},
             {"3@4 0.1", "pause 3"},
             {"end 1 0.1", "adopt 0 from 3@4 (0.3 is 3 of 3 at 4, cut 0.2)"}});
    }
    void everyEventHasItsOrders() {
        QFETCH(std::string, scheduler);
        QFETCH(int, trials);
        QFETCH(Steps, steps);
        Judge judge = judgeOf(scheduler, trials);
        for (const auto& [event, expected] : steps) {
            const auto given = textOf(judge.take(eventOf(QLatin1String(event))));
            QVERIFY2(given == expected, (std::string(event) + ": " + given).c_str());
        }
    }

    // The numbers of trials and their first rungs of a whole round are those of the paper's table (max 81, factor 3).
    void hyperbandHasTheBracketsOfItsPaper() {
        const auto spec = *test::sweepOf(kRate, R"("trials":143,"searcher":"random","scheduler":"hyperband")", 81);
        Judge judge = *Judge::make(spec);
        std::map<double, int> first;
        for (int trial = 0; trial < 143; ++trial) {
            judge.take({.kind = Event::Kind::SlotFree});
            ++first[judge.nextReport(trial)];
        }
        QCOMPARE(first, (std::map<double, int>{{1, 81}, {3, 34}, {9, 15}, {27, 8}, {kNever, 5}}));
    }

    void allHold_data() {
        QTest::addColumn<std::string>("scheduler");
        QTest::addColumn<double>("failShare");
        QTest::addColumn<bool>("steered");
        for (const auto& [name, scheduler] : kSchedulers) {
            QTest::addRow("%s", name) << scheduler << 0.0 << false;
            QTest::addRow("%s, with failures", name) << scheduler << 0.05 << false;
            QTest::addRow("%s, steered by hand", name) << scheduler << 0.05 << true;
        }
    }

    // No trial is lost or ordered twice (Simulation), whatever the order of the events and the number of slots; losses
    // that are no numbers come as well.
    void allHold() {
        QFETCH(std::string, scheduler);
        QFETCH(double, failShare);
        QFETCH(bool, steered);
        for (std::uint64_t seed = 1; seed <= 12; ++seed) {
            Judge judge = judgeOf(scheduler, 60);
            test::Simulation simulation(judge,
                                        {.slots = 1 + static_cast<int>(seed % 7),
                                         .failShare = failShare,
                                         .seed = seed,
                                         .loss =
                                             [&](int trial, const spec::Params& params, double t) {
                                                 const bool lost = trial % 11 == 3 && t > static_cast<double>(seed);
                                                 return lost ? std::nan("") : test::trainingLoss(trial, params, t);
                                             },
                                         .steered = steered});
            QCOMPARE(QString::fromStdString(simulation.run()), QString());
            QVERIFY(failShare > 0 || simulation.ended() >= 1); // one is trained to its end at least
            QVERIFY(!steered || simulation.steered() >= 5);
        }
    }

    void restoredAtAnyEventItIsTheSame_data() {
        allHold_data();
        for (const char* scheduler : {R"("fifo")", R"("asha")"}) // each configuration with two seeds
            QTest::addRow("%s, with seeds", scheduler)
                << scheduler + std::string(R"(,"seeds":{"count":2})") << 0.05 << false;
        for (const char* scheduler : {R"("fifo")", R"("asha")"}) // and the best with three
            QTest::addRow("%s, with seeds for the best", scheduler)
                << scheduler + std::string(R"(,"seeds":{"count":3,"for":"best","best":2})") << 0.05 << false;
        QTest::addRow("asha, with seeds, steered by hand")
            << std::string(R"("asha","seeds":{"count":2})") << 0.05 << true;
    }

    // Another judge that is told what was recorded has the same bytes and gives the same orders from there on.
    void restoredAtAnyEventItIsTheSame() {
        QFETCH(std::string, scheduler);
        QFETCH(double, failShare);
        QFETCH(bool, steered);
        Judge judge = judgeOf(scheduler, 30, R"({"name":"tpe","startup":5})");
        struct Moment {
            Event event;
            std::string orders, state;
            std::size_t recorded = 0; // before it
        };
        std::vector<Moment> moments;
        std::vector<Event> record;
        test::Simulation simulation(
            judge, {.slots = 3, .failShare = failShare, .loss = test::trainingLoss, .steered = steered});
        simulation.heard = [&](const Event& event, const std::vector<Order>& orders) {
            std::string text = textOf(orders);
            for (const Order& order : orders)
                text += " " + digits(spec::Choice{{}, order.params}.number("optimizer.lr", 0));
            moments.push_back({event, text, judge.state(), record.size()});
            for (const Event& each : judge.takeRecord()) record.push_back(each);
        };
        QCOMPARE(QString::fromStdString(simulation.run()), QString());
        for (std::size_t at = 1; at < moments.size(); at += 5) {
            Judge restored = judgeOf(scheduler, 30, R"({"name":"tpe","startup":5})");
            for (std::size_t i = 0; i < moments[at].recorded; ++i) restored.replay(record[i]);
            QCOMPARE(restored.state(), moments[at - 1].state);
            QVERIFY(restored.takeRecord().empty());
            for (std::size_t next = at; next < std::min(at + 10, moments.size()); ++next) {
                const auto orders = restored.take(moments[next].event);
                std::string text = textOf(orders);
                for (const Order& order : orders)
                    text += " " + digits(spec::Choice{{}, order.params}.number("optimizer.lr", 0));
                QCOMPARE(text, moments[next].orders);
                QCOMPARE(restored.state(), moments[next].state);
            }
        }
    }

    // Early stopping has to find what full training finds, in less of it.
    void earlyStopsSaveTraining() {
        const auto trained = [](const std::string& scheduler) {
            Judge judge = judgeOf(scheduler, 60);
            test::Simulation simulation(judge, {.slots = 4, .loss = test::trainingLoss});
            simulation.run();
            return std::pair(simulation.best(), simulation.trained());
        };
        const auto [best, all] = trained(R"("fifo")");
        for (const auto& [name, scheduler] : kSchedulers) {
            const auto [found, part] = trained(scheduler);
            const bool stops = scheduler != "\"fifo\"" && scheduler.find("pbt") == std::string::npos;
            QVERIFY2(!stops || part < 0.75 * all, name);
            QVERIFY2(found < best + 0.01, name);
        }
    }

    void manyTrialsStayFast() {
        for (const auto& [name, scheduler] : kSchedulers) {
            QElapsedTimer clock;
            clock.start();
            Judge judge = judgeOf(scheduler, 3000);
            test::Simulation simulation(judge, {.slots = 16, .loss = test::trainingLoss});
            QCOMPARE(QString::fromStdString(simulation.run()), QString());
            QVERIFY2(clock.elapsed() < 10'000, name); // a generous limit: some hundredths of a second are usual
        }
    }

    // Bad inputs: schedulers of sweeps.
    void badOptionsAreExplained_data() {
        QTest::addColumn<QString>("scheduler");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const char* scheduler, const char* part) {
            QTest::newRow(name) << QString(scheduler) << QString(part);
        };
        row("unknown scheduler", R"("ahsa")",
            "scheduler.name: is not a known scheduler, found \"ahsa\" (did you mean \"asha\"?)");
        row("unknown option", R"({"name":"asha","grase":2})",
            "scheduler.grase: is not a parameter of asha, found 2 (did you mean \"grace\"?)");
        row("factor 1", R"({"name":"asha","factor":1})", "scheduler.factor: must be greater than 1, found 1");
        row("grace 0", R"({"name":"asha","grace":0})", "scheduler.grace: must be greater than 0, found 0");
        row("grace of the run", R"({"name":"asha","grace":27})",
            "scheduler.grace: is as long as the run, which ends at 27, found 27 (take less than that)");
        row("grace of halving", R"({"name":"halving","grace":50})", "scheduler.grace: is as long as the run");
        row("grace of median", R"({"name":"median","grace":28})", "scheduler.grace: is as long as the run");
        row("mode", R"({"name":"asha","mode":"win"})", "scheduler.mode: must be one of stop, promote");
        row("no brackets", R"({"name":"asha","brackets":0})", "scheduler.brackets: must be at least 1, found 0");
        row("factor over the run", R"({"name":"hyperband","factor":28})", "scheduler.factor: is longer than the run");
        row("interval 0", R"({"name":"median","interval":0})", "scheduler.interval: must be greater than 0, found 0");
        row("no trials to compare", R"({"name":"median","minTrials":0})",
            "scheduler.minTrials: must be at least 1, found 0");
        row("nothing to mutate", R"("pbt")", "scheduler.mutate: is empty, found \"\"");
        row("an empty list to mutate", R"({"name":"pbt","mutate":[]})", "scheduler.mutate: is empty, found \"\"");
        row("mutates what is not varied", R"({"name":"pbt","mutate":["optimizer.rl"]})",
            "scheduler.mutate: is not a field of the space, found \"optimizer.rl\" (did you mean \"optimizer.lr\"?)");
        row("interval of the run", R"({"name":"pbt","mutate":"optimizer.lr","interval":27})",
            "scheduler.interval: lets no trial adopt before the run ends, which is at 27, found 27 (take less than "
            "27)");
        row("burn-in of the run", R"({"name":"pbt","mutate":"optimizer.lr","burnIn":26.5})",
            "scheduler.burnIn: lets no trial adopt before the run ends, which is at 27, found 26.5 (take at most 26)");
        row("burn-in of the run, in fours", R"({"name":"pbt","mutate":"optimizer.lr","interval":4,"burnIn":25})",
            "which is at 27, found 25 (take at most 24)");
        row("more than half adopt", R"({"name":"pbt","mutate":"optimizer.lr","quantile":0.6})",
            "scheduler.quantile: must be at most 0.5, found 0.6");
    }
    void badOptionsAreExplained() {
        QFETCH(QString, scheduler);
        QFETCH(QString, part);
        const auto spec =
            test::sweepOf(kRate, "\"trials\":5,\"searcher\":\"random\",\"scheduler\":" + scheduler.toStdString());
        QVERIFY(!spec.ok());
        QCOMPARE(spec.error().kind, ErrorKind::Input);
        QVERIFY2(QString::fromStdString(spec.error().text()).contains(part), spec.error().text().c_str());
    }
};

QTEST_GUILESS_MAIN(SweepSchedulersTest)
#include "sweep_schedulers_test.moc"
