// SPDX-License-Identifier: GPL-3.0-or-later
// What a supervisor makes of what it sees of its ranks: each row is a group at a moment, built from events with times.
#include "engine/run/launch/launcher.h"
#include "engine/run/supervise/failures/failure_detector.h"

#include <QTest>

#include <deque>

using namespace trainyard;
using run::FailureCode;
using run::FailureDetector;

namespace {

constexpr double kLimit = 10; // failure.heartbeatSeconds

// What the ranks of these groups do is a collective, unless it is one of these.
wire::Activity activityOf(const QByteArray& doing) {
    if (doing == "rendezvous") return wire::Activity::Rendezvous;
    return doing == "step" || doing == "validate" || doing == "load the data" ? wire::Activity::Work
                                                                              : wire::Activity::Collective;
}

// A group of which each rank has said hello, trained and beaten at second 0, and the detector that watches it.
struct Group {
    explicit Group(int count, bool program = false) : detector({kLimit, program}) {
        for (int rank = 0; rank < count; ++rank) {
            auto& record = records.emplace_back();
            record.placement.rank = rank;
            record.greeted = record.trained = record.rejoins = true;
            record.phase = wire::Phase::Train;
            beat(rank, 0, 100, "step");
        }
        detector.watch(0, 0);
    }
    Group& beat(int rank, double at, std::int64_t step, const char* doing, double share = 0.5) {
        auto& record = records[static_cast<std::size_t>(rank)];
        wire::Heartbeat beat;
        beat.step = step;
        beat.doing = doing;
        beat.activity = activityOf(doing);
        beat.computeShare = share;
        FailureDetector::noteBeat(record, beat, at);
        record.state.beat = beat;
        record.lastSign = at;
        return *this;
    }
    // Heartbeats in which nothing changes, of all that are in one, until the second given.
    Group& still(double until, const std::vector<const char*>& doing, std::int64_t step = 100) {
        for (double at = 1; at <= until; at += 1)
            for (std::size_t rank = 0; rank < doing.size(); ++rank)
                if (doing[rank]) beat(static_cast<int>(rank), at, step, doing[rank]);
        return *this;
    }
    run::Ranks ranks() {
        run::Ranks ranks;
        for (auto& record : records) ranks.push_back(&record);
        return ranks;
    }
    std::deque<run::RankRecord> records;
    FailureDetector detector;
    FailureDetector::Pace pace{100, 10, false}; // a tenth of a second a step
};

run::Cause causeOf(FailureCode code, int rank = 0, const char* host = "") {
    run::Cause cause;
    cause.code = code;
    cause.rank = rank;
    cause.host = HostName(host);
    return cause;
}

struct Found {
    FailureCode code;
    int rank;
    std::int64_t step;
    QString what;
};

} // namespace

Q_DECLARE_METATYPE(std::optional<Found>)

class FailureDetectorTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void finds_data();
    void finds();
    void everySilentRankIsFound();
    void whoIsNotHeardIsNotBlamed();
    void forsakes_data();
    void forsakes();
    void causesSayWhatCanBeDone_data();
    void causesSayWhatCanBeDone();
    void namesHowAProcessEnded_data();
    void namesHowAProcessEnded();
    void putsTheTrueCauseFirst_data();
    void putsTheTrueCauseFirst();
    void tellsPlaceOnce_data();
    void tellsPlaceOnce();
    void namesAStragglerOnce();
    void aShortDisturbanceIsNoStraggler();
    void countsAKillForMemoryOnce();
};

// Long because: a table, one row for each thing that can happen to a group.
// Feature: a supervisor's decisions, without processes: failures found, what follows a loss, the size of a group, the
// escalation of a stop, commands kept over a restart, how often the state is sent. Also in pending_commands_test,
// published_state_test, recovery_policy_test, stop_sequence_test.
// Fault: An endless loop in a rank, before its first step or later, while its heartbeats come; alone, or while others
// wait. After 15 times failure.heartbeatSeconds (or 20 usual steps) it is named with activity and step, ended and
// replaced; the second time at the same step, the run ends. Also in recovery_policy_test, script_runs_test.
// Fault: A node of a Slurm job is lost. Noticed after 7 s of silence while the others wait, although Slurm shows its
// step as running.
void FailureDetectorTest::finds_data() {
    using Prepare = void (*)(Group&);
    QTest::addColumn<Prepare>("prepare");
    QTest::addColumn<int>("count");
    QTest::addColumn<bool>("program");
    QTest::addColumn<double>("now");
    QTest::addColumn<std::optional<Found>>("found");
    const auto row = [](const char* name, Prepare prepare, double now, std::optional<Found> found, int count = 3,
                        bool program = false) { QTest::newRow(name) << prepare << count << program << now << found; };
    row("all advance",
        [](Group& g) {
            for (int i = 0; i < 3; ++i) g.beat(i, 11, 105, "step");
        },
        12, {});
    row("a rank was silent for less", [](Group& g) { g.still(9, {"step", nullptr, "step"}); }, 9.9, {});
    row(
        "a rank is silent", [](Group& g) { g.still(10, {"step", nullptr, "step"}); }, 10,
        Found{FailureCode::Silent, 1, 100, "has been silent for 10 s in step"});
    row(
        "a rank is silent for less, and the run is to end",
        [](Group& g) { g.still(7, {"step", nullptr, "step"}).pace.stopping = true; }, 7,
        Found{FailureCode::Silent, 1, 100, "has been silent for 7 s in step"});
    row(
        "a rank on a node of Slurm is silent, and the others wait for it",
        [](Group& g) {
            g.records[1].placement.host = HostName("slurm:n2");
            g.still(7, {"all-reduce of bucket 0", nullptr, "all-reduce of bucket 0"});
        },
        7, Found{FailureCode::Silent, 1, 100, "has been silent for 7 s in step"});
    row("the same, and it is not that long",
        [](Group& g) {
            g.records[1].placement.host = HostName("slurm:n2");
            g.still(7, {"all-reduce of bucket 0", nullptr, "all-reduce of bucket 0"});
        },
        6.9, {});
    row("a rank on a node of Slurm is silent, and the others compute",
        [](Group& g) {
            g.records[1].placement.host = HostName("slurm:n2");
            g.still(9, {"step", nullptr, "all-reduce of bucket 0"});
        },
        9, {});
    row("the run is to end, and a rank is not silent for that long",
        [](Group& g) { g.still(6, {"step", nullptr, "step"}).pace.stopping = true; }, 6.9, {});
    row("the same, and nobody else could save",
        [](Group& g) {
            for (const int rank : {0, 2}) g.records[static_cast<std::size_t>(rank)].finished.emplace();
            g.pace.stopping = true;
        },
        9, {});
    row(
        "the same of a program of its own",
        [](Group& g) { g.still(9, {"step", nullptr, "step"}).pace.stopping = true; }, 9, {}, 3, true);
    row(
        "a newcomer says nothing, and the run is to end",
        [](Group& g) {
            g.records[1].greeted = g.records[1].trained = false;
            g.records[1].joining = true;
            g.still(3, {"rendezvous", nullptr, "rendezvous"}).pace.stopping = true;
        },
        3, Found{FailureCode::Silent, 1, 100, "has been silent for 3 s in its start"});
    row("one of the first ranks says nothing, and the run is to end",
        [](Group& g) {
            g.records[1].greeted = g.records[1].trained = false;
            g.still(9, {"rendezvous", nullptr, "rendezvous"}).pace.stopping = true;
        },
        9, {});
    row("a rank that has finished may be silent",
        [](Group& g) {
            g.still(10, {"step", nullptr, "step"});
            g.records[1].finished.emplace();
        },
        10, {});
    row("a rank that never said hello has a minute",
        [](Group& g) {
            g.records[1].greeted = false;
            g.still(59, {"step", nullptr, "step"});
        },
        59, {});
    row(
        "and is silent then",
        [](Group& g) {
            g.records[1].greeted = false;
            g.still(60, {"step", nullptr, "step"});
        },
        60, Found{FailureCode::Silent, 1, 100, "has been silent for 60 s in its start"});
    row(
        "one is missing in a collective",
        [](Group& g) { g.still(12, {"all-reduce of bucket 0", "step", "all-reduce of bucket 0"}); }, 12,
        Found{FailureCode::Absent, 1, 100,
              "has not entered all-reduce of bucket 0 of step 101 for 10 s: it is in \"step\", and ranks 0, 2 wait"});
    row(
        "only one waits", [](Group& g) { g.still(12, {"step", "reduce the metrics"}); }, 12,
        Found{FailureCode::Absent, 0, 100,
              "has not entered reduce the metrics of step 101 for 10 s: it is in \"step\", and rank 1 waits"},
        2);
    row(
        "whatever the collective is called", [](Group& g) { g.still(12, {"step", "exchange"}); }, 12,
        Found{FailureCode::Absent, 0, 100,
              "has not entered exchange of step 101 for 10 s: it is in \"step\", and rank 1 waits"},
        2);
    row("not while it is paused",
        [](Group& g) {
            g.still(12, {"all-reduce of bucket 0", "step", "all-reduce of bucket 0"});
            g.pace.paused = true;
        },
        12, {});
    row(
        "not of a program, a rank of which may be long alone",
        [](Group& g) { g.still(12, {"all-reduce of bucket 0", "step", "all-reduce of bucket 0"}); }, 12, {}, 3, true);
    row("not while it validates",
        [](Group& g) {
            g.still(12, {"all-reduce of bucket 0", "validate", "all-reduce of bucket 0"});
            g.records[1].phase = wire::Phase::Validate;
        },
        12, {});
    row("not while one advances",
        [](Group& g) {
            g.still(12, {"all-reduce of bucket 0", "step", "all-reduce of bucket 0"});
            g.beat(2, 12, 101, "all-reduce of bucket 0");
        },
        13, {});
    row(
        "not before twenty usual steps",
        [](Group& g) {
            g.still(19, {"all-reduce of bucket 0", "step"});
            g.pace.trainSeconds = 100; // a second a step
        },
        19, {}, 2);
    row(
        "but after them",
        [](Group& g) {
            g.still(21, {"all-reduce of bucket 0", "step"});
            g.pace.trainSeconds = 100;
        },
        21,
        Found{FailureCode::Absent, 1, 100,
              "has not entered all-reduce of bucket 0 of step 101 for 20 s: it is in \"step\", and rank 0 waits"},
        2);
    row(
        "all in one collective",
        [](Group& g) { g.still(12, {"share the state", "share the state", "share the state"}); }, 12,
        Found{FailureCode::LinkBroken, 0, 100,
              "waits in share the state of step 101, as all others do: no data has passed between the ranks for 10 s"});
    row(
        "in different collectives", [](Group& g) { g.still(12, {"reduce the metrics", "wait for the others"}); }, 12,
        Found{FailureCode::LinkBroken, 0, 100,
              "waits in reduce the metrics of step 101 while rank 1 waits in wait for the others: they do not call the "
              "same collectives, or no data has passed between the ranks for 10 s"},
        2);
    row(
        "all in one, before the first step: not yet",
        [](Group& g) {
            g.still(20, {"all-reduce of bucket 0", "all-reduce of bucket 0"});
            g.pace = {};
        },
        20, {}, 2);
    row(
        "all in one, before the first step: three times as long",
        [](Group& g) {
            g.still(31, {"all-reduce of bucket 0", "all-reduce of bucket 0"});
            g.pace = {};
        },
        31,
        Found{FailureCode::LinkBroken, 0, 100,
              "waits in all-reduce of bucket 0 of step 101, as all others do: no data has passed between the ranks for "
              "30 s"},
        2);
    row(
        "one loads for long before the first step",
        [](Group& g) {
            g.still(40, {"all-reduce of bucket 0", "load the data"});
            g.pace = {};
        },
        40, {}, 2);
    row("nobody waits in a collective", [](Group& g) { g.still(12, {"step", "step"}); }, 12, {}, 2);
    row(
        "all meet and none is met", [](Group& g) { g.still(12, {"rendezvous", "rendezvous"}); }, 12,
        Found{FailureCode::LinkBroken, 0, 100,
              "waits in the rendezvous, as all ranks do: no data has passed between the ranks for 10 s"},
        2);
    row(
        "one does not come to the meeting",
        [](Group& g) {
            g.still(12, {"rendezvous", "all-reduce of bucket 0"});
            g.records[0].atRendezvous = true;
        },
        12,
        Found{FailureCode::Absent, 1, 100,
              "has not reached the rendezvous for 10 s: it is still in \"all-reduce of bucket 0\""},
        2);
    row(
        "a rank of which no heartbeat came yet",
        [](Group& g) {
            g.still(12, {"all-reduce of bucket 0", "step"});
            g.records[1].advancedAt = -1;
        },
        12, {}, 2);
    row("alone", [](Group& g) { g.still(12, {"all-reduce of bucket 0"}); }, 12, {}, 1);
    const char* const spins = "has made no progress for 150 s: it is in \"step\"";
    row("alone, it does one thing for long", [](Group& g) { g.still(149, {"step"}); }, 149, {}, 1);
    row(
        "alone, it does one thing without end", [](Group& g) { g.still(150, {"step"}); }, 150,
        Found{FailureCode::Stuck, 0, 100, spins}, 1);
    row(
        "the same before the first step, and nobody knows how long one takes",
        [](Group& g) {
            g.still(150, {"step", "all-reduce of bucket 0"});
            g.records[0].trained = g.records[1].trained = false;
            g.records[0].phase = g.records[1].phase = wire::Phase::FirstStep;
            g.pace = {};
        },
        150, Found{FailureCode::Stuck, 0, 100, spins}, 2);
    row(
        "the same in its start, before it is ready",
        [](Group& g) {
            g.still(150, {"step"});
            g.records[0].trained = false;
            g.records[0].phase = wire::Phase::Start;
            g.pace = {};
        },
        150, Found{FailureCode::Stuck, 0, 100, spins}, 1);
    row(
        "it loads its data for long",
        [](Group& g) {
            g.still(900, {"load the data"});
            g.records[0].phase = wire::Phase::LoadData;
            g.pace = {};
        },
        900, {}, 1);
    row(
        "it writes a checkpoint for long",
        [](Group& g) {
            g.still(900, {"step"});
            g.records[0].phase = wire::Phase::Checkpoint;
        },
        900, {}, 1);
    row(
        "its steps take that long",
        [](Group& g) {
            g.still(199, {"step"});
            g.pace.trainSeconds = 1000; // ten seconds a step
        },
        199, {}, 1);
    row(
        "it is paused for long",
        [](Group& g) {
            g.still(900, {"step"});
            g.pace.paused = true;
        },
        900, {}, 1);
    row("a program of its own does one thing for long", [](Group& g) { g.still(900, {"step"}); }, 900, {}, 1, true);
    row(
        "one lost a peer, the other not yet",
        [](Group& g) {
            g.records[1].lostPeerAt = 1;
            g.beat(0, 5, 101, "step");
        },
        9, {}, 2);
    row(
        "one lost a peer, and long nobody died",
        [](Group& g) {
            g.records[1].lostPeerAt = 1;
            g.still(11, {"step", "step"}, 101);
        },
        11.5, Found{FailureCode::LinkBroken, 1, 101, "lost its connection to another rank"}, 2);
    row(
        "all lost a peer a moment ago",
        [](Group& g) {
            g.records[0].lostPeerAt = 1.1;
            g.records[1].lostPeerAt = 1;
        },
        1.2, {}, 2);
    row(
        "all lost a peer, and nobody died",
        [](Group& g) {
            g.records[0].lostPeerAt = 1.1;
            g.records[1].lostPeerAt = 1;
        },
        1.3, Found{FailureCode::LinkBroken, 1, 100, "lost its connection to another rank"}, 2);
    row(
        "nothing more is found while there is a cause",
        [](Group& g) {
            g.still(12, {"all-reduce of bucket 0", "step"});
            g.detector.add(causeOf(FailureCode::Exited));
        },
        12, {}, 2);
}

void FailureDetectorTest::finds() {
    using Prepare = void (*)(Group&);
    QFETCH(Prepare, prepare);
    QFETCH(int, count);
    QFETCH(bool, program);
    QFETCH(double, now);
    QFETCH(std::optional<Found>, found);
    Group group(count, program);
    prepare(group);
    const auto causes = group.detector.look(group.ranks(), group.pace, now);
    QCOMPARE(causes.size(), found ? std::size_t{1} : std::size_t{0});
    if (!found) return;
    QCOMPARE(QString::fromStdString(causes[0].what), found->what);
    QCOMPARE(causes[0].code, found->code);
    QCOMPARE(causes[0].rank, found->rank);
    QCOMPARE(causes[0].step, found->step);
    QVERIFY(!causes[0].error.remedy.empty());
}

void FailureDetectorTest::everySilentRankIsFound() {
    Group group(3);
    group.records[0].placement.host = HostName("lab1");
    group.still(15, {nullptr, "step", nullptr});
    const auto causes = group.detector.look(group.ranks(), group.pace, 15);
    QCOMPARE(causes.size(), std::size_t{2});
    QCOMPARE(causes[0].name(), std::string("rank 0 on lab1"));
    QCOMPARE(causes[1].name(), std::string("rank 2 on this computer"));
}

// Its supervisor does not hear it, so what it said last is no reason for anything.
void FailureDetectorTest::whoIsNotHeardIsNotBlamed() {
    Group group(3);
    group.still(40, {"all-reduce of bucket 0", nullptr, "all-reduce of bucket 0"});
    group.records[1].awaySince = 1;
    QVERIFY(group.detector.look(group.ranks(), group.pace, 40).empty());
    group.records[1].noteLink({}, 40); // what it says now counts
    QVERIFY(group.detector.look(group.ranks(), group.pace, 49).empty());
    QVERIFY(!group.detector.look(group.ranks(), group.pace, 50.5).empty());
}

void FailureDetectorTest::forsakes_data() {
    using Prepare = void (*)(Group&);
    QTest::addColumn<Prepare>("prepare"); // of three ranks, the last of which is away since second 1
    QTest::addColumn<double>("now");
    QTest::addColumn<bool>("stopping");
    QTest::addColumn<bool>("forsaken");
    const auto row = [](const char* name, Prepare prepare, double now, bool forsaken, bool stopping = false) {
        QTest::newRow(name) << prepare << now << stopping << forsaken;
    };
    const Prepare advance = [](Group& g) {
        for (double at = 1; at <= 60; at += 1)
            for (int rank : {0, 1}) g.beat(rank, at, 100 + static_cast<std::int64_t>(at), "all-reduce of bucket 0");
    };
    const Prepare wait = [](Group& g) { g.still(60, {"all-reduce of bucket 0", "all-reduce of bucket 0"}); };
    row("the others advance, so it does", advance, 60, false);
    row("the others wait for it", wait, 8, true);
    row("a moment only", wait, 7.9, false);
    row(
        "they wait at the rendezvous", [](Group& g) { g.still(60, {"rendezvous", "all-reduce of bucket 0"}); }, 9,
        true);
    row("one of them computes", [](Group& g) { g.still(60, {"step", "all-reduce of bucket 0"}); }, 60, false);
    row(
        "a step is long",
        [](Group& g) {
            g.still(60, {"all-reduce of bucket 0", "all-reduce of bucket 0"});
            g.pace.trainSeconds = 1000; // ten seconds a step
        },
        30, false);
    row(
        "a step is long, and three would be over",
        [](Group& g) {
            g.still(60, {"all-reduce of bucket 0", "all-reduce of bucket 0"});
            g.pace.trainSeconds = 1000;
        },
        31, true);
    row(
        "another has lost it",
        [](Group& g) {
            g.still(60, {"all-reduce of bucket 0", "step"});
            g.records[0].lostPeerAt = 7;
        },
        8, true);
    row(
        "another has lost one, and it is known whom",
        [](Group& g) {
            g.still(60, {"all-reduce of bucket 0", "step"});
            g.records[0].lostPeerAt = 7;
            g.detector.add(causeOf(FailureCode::Exited, 1));
        },
        8, false);
    row(
        "the run is paused",
        [](Group& g) {
            g.still(60, {"all-reduce of bucket 0", "all-reduce of bucket 0"});
            g.pace.paused = true;
        },
        60, false);
    row(
        "nobody is heard",
        [](Group& g) {
            for (auto& record : g.records) record.awaySince = 1;
        },
        60, false);
    row(
        "the others are done", [](Group& g) { g.records[0].finished.emplace(), g.records[1].finished.emplace(); }, 60,
        false);
    const Prepare newcomers = [](Group& g) {
        g.still(60, {"rendezvous", "rendezvous"});
        for (int rank : {0, 1}) {
            g.records[static_cast<std::size_t>(rank)].trained = false;
            g.records[static_cast<std::size_t>(rank)].joining = true;
        }
    };
    row("it alone has the state: the others were launched anew", newcomers, 60, false);
    row("it alone has the state, and the run is to stop", newcomers, 8, true, true);
    row(
        "one of the others has the state, too",
        [](Group& g) {
            g.still(60, {"rendezvous", "rendezvous"});
            g.records[0].trained = false;
            g.records[0].joining = true;
        },
        9, true);
    row("it has no state yet", [](Group& g) { g.records[2].trained = false; }, 8, true);
    row("the run is to stop", advance, 2, true, true);
    row("the run is to stop, and it was away a moment only", advance, 1.9, false, true);
    const Prepare others = [](Group& g) { g.records[0].rejoins = g.records[1].rejoins = false; };
    row("the run is to stop, and the others cannot save alone", others, 8, true, true);
    row("the run is to stop, the others cannot save alone, and it was away a moment only", others, 7.9, false, true);
}

void FailureDetectorTest::forsakes() {
    using Prepare = void (*)(Group&);
    QFETCH(Prepare, prepare);
    QFETCH(double, now);
    QFETCH(bool, stopping);
    QFETCH(bool, forsaken);
    Group group(3);
    group.records[2].awaySince = 1;
    prepare(group);
    group.pace.stopping = stopping;
    const auto found = group.detector.findForsaken(group.ranks(), group.pace, now);
    QCOMPARE(!found.empty(), forsaken);
    if (forsaken) QCOMPARE(found, std::vector{&group.records[2]});
}

void FailureDetectorTest::causesSayWhatCanBeDone_data() {
    QTest::addColumn<FailureCode>("code");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<bool>("ends");
    QTest::addColumn<bool>("blames");
    QTest::addColumn<bool>("retry");
    const auto row = [](const char* name, FailureCode code, bool ends, bool blames, bool retry,
                        ErrorKind kind = ErrorKind::Run) {
        QTest::newRow(name) << code << kind << ends << blames << retry;
    };
    row("not begun", FailureCode::NotBegun, false, false, false);
    row("not launched", FailureCode::NotLaunched, false, false, true);
    row("no way", FailureCode::NoWay, false, false, false);
    row("exited", FailureCode::Exited, true, true, true);
    row("out of memory", FailureCode::OutOfMemory, true, true, true);
    row("silent", FailureCode::Silent, true, true, true);
    row("absent", FailureCode::Absent, true, true, true);
    row("stuck", FailureCode::Stuck, true, true, true);
    row("link broken", FailureCode::LinkBroken, false, false, true);
    row("bad frames", FailureCode::BadFrames, true, true, true);
    row("other protocol", FailureCode::OtherProtocol, true, true, false);
    row("reported", FailureCode::Reported, false, true, true);
    row("reported: environment", FailureCode::Reported, false, true, true, ErrorKind::Environment);
    row("reported: input", FailureCode::Reported, false, true, false, ErrorKind::Input);
    row("results differ", FailureCode::ResultsDiffer, false, false, false);
}

void FailureDetectorTest::causesSayWhatCanBeDone() {
    QFETCH(FailureCode, code);
    QFETCH(ErrorKind, kind);
    QTEST(run::endsProcess(code), "ends");
    QTEST(run::blamesRank(code), "blames");
    auto cause = causeOf(code);
    cause.error.kind = kind;
    QTEST(cause.canRetry(), "retry");
}

void FailureDetectorTest::namesHowAProcessEnded_data() {
    QTest::addColumn<std::optional<run::ExitStatus>>("exit");
    QTest::addColumn<QString>("lastLine");
    QTest::addColumn<bool>("forMemory");
    QTest::addColumn<QString>("message");
    using Exit = std::optional<run::ExitStatus>;
    QTest::newRow("closed its channel") << Exit{} << "" << false << "the worker process closed its channel";
    QTest::newRow("with 0, too early") << Exit({false, 0}) << "" << false
                                       << "the worker process exited with 0 before it had finished";
    QTest::newRow("with 3 and last words") << Exit({false, 3}) << "out of luck" << false
                                           << "the worker process exited with 3; the last line it printed: out of luck";
    QTest::newRow("killed") << Exit({true, 9}) << "" << false << "the worker process was killed by SIGKILL";
    QTest::newRow("with its host") << Exit({false, 255, true}) << "" << false
                                   << "the worker process was lost with the connection to its host";
    QTest::newRow("out of memory, and it could say so")
        << Exit({false, run::kOutOfMemoryExit}) << "" << false << "the worker process ran out of memory";
    QTest::newRow("killed for memory")
        << Exit({true, 9}) << "" << true
        << "the worker process was killed by SIGKILL when the kernel ended a process for lack of memory";
}

void FailureDetectorTest::namesHowAProcessEnded() {
    QFETCH(std::optional<run::ExitStatus>, exit);
    QFETCH(QString, lastLine);
    QFETCH(bool, forMemory);
    Group group(1);
    group.records[0].exit = exit;
    const auto cause = run::exitCause(group.records[0], 117, lastLine.toStdString(), forMemory);
    QTEST(QString::fromStdString(cause.error.message), "message");
    const bool isMemory = forMemory || (exit && !exit->signalled && exit->code == run::kOutOfMemoryExit);
    QCOMPARE(cause.code, isMemory ? FailureCode::OutOfMemory : FailureCode::Exited);
    QCOMPARE(cause.error.code == ErrorCode::OutOfMemory, isMemory);
    const bool isWithHost = exit && exit->hostLost; // what can be done without it
    QCOMPARE(cause.error.remedy.empty(), !isMemory && !isWithHost);
    QCOMPARE(cause.error.code == ErrorCode::ConnectionLost, exit && exit->hostLost);
    QCOMPARE(cause.step, 117); // another rank has said so
}

void FailureDetectorTest::putsTheTrueCauseFirst_data() {
    // "lost": a reported loss of a peer; "own", "input": reported, of its own; "exit"; "way": hosts that cannot meet
    QTest::addColumn<QStringList>("causes");
    QTest::addColumn<int>("first");
    QTest::newRow("only consequences") << QStringList{"lost", "lost"} << 0;
    QTest::newRow("an exit behind a consequence") << QStringList{"lost", "lost", "exit"} << 2;
    QTest::newRow("a failure of its own behind a consequence") << QStringList{"lost", "own", "exit"} << 1;
    QTest::newRow("a failure of its own is in front already") << QStringList{"own", "exit"} << 0;
    QTest::newRow("ranks that did not meet, and why") << QStringList{"own", "lost", "way"} << 2;
    QTest::newRow("bad data, and a way that is blocked") << QStringList{"input", "way"} << 0;
    QTest::newRow("an exit, and a way that is blocked") << QStringList{"exit", "way"} << 0;
}

void FailureDetectorTest::putsTheTrueCauseFirst() {
    QFETCH(QStringList, causes);
    FailureDetector detector({});
    detector.watch(0, 0);
    for (int i = 0; i < causes.size(); ++i) {
        auto cause = causeOf(causes[i] == "exit"  ? FailureCode::Exited
                             : causes[i] == "way" ? FailureCode::NoWay
                                                  : FailureCode::Reported,
                             i);
        if (causes[i] == "lost") cause.error.code = ErrorCode::PeerLost;
        if (causes[i] == "input") cause.error.kind = ErrorKind::Input;
        detector.add(cause);
    }
    detector.preferTrueCause();
    QTEST(detector.causes().front().rank, "first");
}

void FailureDetectorTest::tellsPlaceOnce_data() {
    QTest::addColumn<QString>("said");
    QTest::addColumn<QString>("where");
    QTest::addColumn<ErrorCode>("code");
    QTest::newRow("a loss that all ranks tell of") << "rank 0, step 5" << "rank 0, step 5" << ErrorCode::LossNotFinite;
    QTest::newRow("nothing") << "" << "rank 1 on lab1, step 7" << ErrorCode::General;
    QTest::newRow("a layer") << "layer 3" << "rank 1 on lab1, step 7, layer 3" << ErrorCode::General;
    QTest::newRow("the rank itself") << "rank 1" << "rank 1 on lab1, step 7" << ErrorCode::General;
    QTest::newRow("the step itself") << "step 7" << "rank 1 on lab1, step 7" << ErrorCode::General;
    QTest::newRow("another step") << "step 8" << "rank 1 on lab1, step 7, step 8" << ErrorCode::General;
    QTest::newRow("another rank") << "rank 12" << "rank 1 on lab1, step 7, rank 12" << ErrorCode::General;
}

void FailureDetectorTest::tellsPlaceOnce() {
    QFETCH(QString, said);
    QFETCH(ErrorCode, code);
    auto cause = causeOf(FailureCode::Reported, 1, "lab1");
    cause.step = 7;
    cause.error.where = said.toStdString();
    cause.error.code = code;
    QTEST(QString::fromStdString(run::located(cause).error.where), "where");
}

void FailureDetectorTest::namesAStragglerOnce() {
    Group group(3);
    int named = 0;
    double namedAt = 0;
    for (double at = 1; at < 60; at += 0.5) {
        group.beat(0, at, static_cast<int>(at), "step", 0.2);
        group.beat(1, at, static_cast<int>(at), "step", 0.6);
        group.beat(2, at, static_cast<int>(at), "step", 0.2);
        for (const auto& slow : FailureDetector::findStragglers(group.ranks(), at)) {
            ++named;
            namedAt = at;
            QCOMPARE(slow.rank->rank(), 1);
            QCOMPARE(slow.notice, std::string("rank 1 on this computer is slow: it computes 3 times as long in each "
                                              "step as the others, which wait for it"));
        }
    }
    QCOMPARE(named, 1);
    QCOMPARE(namedAt, 16.0); // 15 s after it was first seen
}

void FailureDetectorTest::aShortDisturbanceIsNoStraggler() {
    Group group(2);
    for (double at = 1; at < 60; at += 1) {
        const bool disturbed = static_cast<int>(at) % 15 != 0;
        group.beat(0, at, static_cast<int>(at), "step", 0.2);
        group.beat(1, at, static_cast<int>(at), "step", disturbed ? 0.9 : 0.3);
        QVERIFY(FailureDetector::findStragglers(group.ranks(), at).empty());
    }
}

void FailureDetectorTest::countsAKillForMemoryOnce() {
    FailureDetector detector({});
    detector.watch(5, 92); // ended before the run
    QVERIFY(!detector.memoryLookDue(96));
    QVERIFY(!detector.claimMemoryKill(5));
    QVERIFY(detector.claimMemoryKill(6));
    QVERIFY(!detector.claimMemoryKill(6)); // another rank's end
    QVERIFY(detector.memoryLookDue(100));
    detector.noteMemoryKills(7, 100);
    QVERIFY(!detector.memoryLookDue(104));
    QVERIFY(detector.claimMemoryKill(7)); // seen at the last look: a moment ago
    detector.noteMemoryKills(8, 105);
    detector.noteMemoryKills(8, 110);
    QVERIFY(!detector.claimMemoryKill(8)); // long ago
}

QTEST_GUILESS_MAIN(FailureDetectorTest)
#include "failure_detector_test.moc"
