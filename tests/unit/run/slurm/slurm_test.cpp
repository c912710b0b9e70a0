// SPDX-License-Identifier: GPL-3.0-or-later
// What Slurm's programs print as values, and what they are asked for. sacct's lines are written by hand after its
// manual.
#include "engine/run/slurm/allocation.h"
#include "engine/run/slurm/partitions.h"
#include "engine/run/slurm/slurm_array.h"
#include "engine/run/slurm/slurm_job.h"
#include "engine/run/slurm/slurm_launcher.h"
#include "engine/spec/run/host_ranks.h"
#include "tests/unit/run/slurm/recorded_jobs.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace trainyard;
using run::Allocation;
using test::recorded;
using test::words;

class SlurmTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void scontrolTellsTheAllocation_data();
    void scontrolTellsTheAllocation();
    void aLimitEndsWhatStopsBeforeIt_data();
    void aLimitEndsWhatStopsBeforeIt();
    void aRunningJobIsQueuedAgainAtItsLimit_data();
    void aRunningJobIsQueuedAgainAtItsLimit();
    void timesAreRead_data();
    void timesAreRead();
    void aLimitWithoutTimeToTrainIsRefused_data();
    void aLimitWithoutTimeToTrainIsRefused();
    void otherTextIsNoJob_data();
    void otherTextIsNoJob();
    void sacctTellsTheAllocation_data();
    void sacctTellsTheAllocation();
    void tasksOfAnArrayAreTold_data();
    void tasksOfAnArrayAreTold();
    void sacctTellsTheTasks_data();
    void sacctTellsTheTasks();
    void taskListsAreExpanded_data();
    void taskListsAreExpanded();
    void partitionsAreRead_data();
    void partitionsAreRead();
    void tasksTogetherAreOneJob();
    void anArrayIsAskedForAsWanted();
    void endReasonsHaveTheirWords();
    void nodeListsAreExpanded_data();
    void nodeListsAreExpanded();
    void slurmStandsForTheNodesOfTheJob();
    void theAddressIsOneOfTheNode();
    void stepsRunBesideOthers();
    void theExitOfAStepIsThatOfItsWorker();
    void aJobIsAskedForAsWanted();
    void recordsOfJobsAreRead();
};

// Feature: runs as jobs of Slurm: why a job waits, its nodes, how it ended; two nodes give the bits of two ranks here;
// a job that is queued again goes on with its run and loses no step; a preempted one goes on, too; a cancelled one has
// saved; a lost node is named. Also in slurm_run_test.
void SlurmTest::scontrolTellsTheAllocation_data() {
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* expected) { QTest::newRow(name) << QString(expected); };
    row("pending", "pending Priority");
    row("running", "granted n1 n2");
    row("requeued", "granted n1"); // its processes are being ended
    row("preempted-requeued", "pending ReqNodeNotAvail,_UnavailableNodes:n1");
    row("completed", "ended exited 0");
    row("exited-3", "ended exited 3");
    row("killed-11", "ended signalled 11");
    row("nodefail", "ended node-lost 0");
    row("preempted", "ended preempted 15");
    row("timelimit", "ended time-limit 15");
    row("cancelled", "ended cancelled 15");
    row("cancelled-pending", "ended cancelled 0");
}

void SlurmTest::scontrolTellsTheAllocation() {
    QFETCH(QString, expected);
    const auto text = recorded(QTest::currentDataTag());
    QVERIFY(!text.isEmpty());
    const auto allocation = run::parseScontrolJob(text.toStdString());
    QVERIFY2(allocation.ok(), allocation ? "" : allocation.error().text().c_str());
    QCOMPARE(words(*allocation), expected);
}

void SlurmTest::aLimitEndsWhatStopsBeforeIt_data() {
    QTest::addColumn<QByteArray>("exitCode");
    QTest::addColumn<QByteArray>("times");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* exitCode, const char* times, const char* expected) {
        QTest::newRow(name) << QByteArray(exitCode) << QByteArray(times) << QString(expected);
    };
    row("asked 120 s before", "130:0", "RunTime=00:58:03 TimeLimit=01:00:00", "ended time-limit 130");
    row("asked a minute earlier", "130:0", "RunTime=1-23:57:02 TimeLimit=2-00:00:00", "ended time-limit 130");
    row("stopped by its user, long before", "130:0", "RunTime=00:20:00 TimeLimit=01:00:00", "ended exited 130");
    row("no limit", "130:0", "RunTime=00:20:00 TimeLimit=UNLIMITED", "ended exited 130");
    row("failed shortly before", "1:0", "RunTime=00:59:00 TimeLimit=01:00:00", "ended exited 1");
    row("finished shortly before", "0:0", "RunTime=00:59:00 TimeLimit=01:00:00", "ended exited 0");
}

void SlurmTest::aLimitEndsWhatStopsBeforeIt() {
    QFETCH(QByteArray, exitCode);
    QFETCH(QByteArray, times);
    auto text = recorded("exited-3");
    text.replace("ExitCode=3:0", "ExitCode=" + exitCode);
    text.replace("RunTime=00:00:00 TimeLimit=UNLIMITED", times);
    const auto allocation = run::parseScontrolJob(text.toStdString());
    QVERIFY2(allocation.ok(), allocation ? "" : allocation.error().text().c_str());
    QTEST(words(*allocation), "expected");
}

void SlurmTest::aRunningJobIsQueuedAgainAtItsLimit_data() {
    QTest::addColumn<QString>("record");
    QTest::addColumn<QByteArray>("requeue");
    QTest::addColumn<QByteArray>("limit");
    QTest::addColumn<bool>("runs");
    QTest::addColumn<qint64>("seconds"); // that are left; -1: it is not queued again
    const auto row = [](const char* name, const char* record, const char* requeue, const char* limit, bool runs,
                        qint64 seconds) {
        QTest::newRow(name) << QString(record) << QByteArray(requeue) << QByteArray(limit) << runs << seconds;
    };
    row("runs", "running", "1", "01:00:00", true, 3599);
    row("may not be queued again", "running", "0", "01:00:00", true, -1);
    row("no limit", "running", "1", "UNLIMITED", true, -1);
    row("waits", "pending", "1", "01:00:00", false, -1);
    row("waits again", "requeued", "1", "01:00:00", false, -1);
    row("was cancelled", "cancelled", "1", "01:00:00", false, -1);
    row("came to its limit", "timelimit", "1", "01:00:00", false, -1);
}

void SlurmTest::aRunningJobIsQueuedAgainAtItsLimit() {
    QFETCH(QString, record);
    QFETCH(QByteArray, requeue);
    QFETCH(QByteArray, limit);
    auto text = QString::fromUtf8(recorded(record));
    text.replace(QRegularExpression("Requeue=[01]"), "Requeue=" + requeue);
    text.replace(QRegularExpression("TimeLimit=\\S+"), "TimeLimit=" + limit);
    QTEST(run::isJobRunning(text.toStdString()), "runs");
    QTEST(qint64(run::secondsToRequeue(text.toStdString()).value_or(-1)), "seconds");
}

void SlurmTest::timesAreRead_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("seconds"); // -1: none
    const auto row = [](const char* text, qint64 seconds) { QTest::newRow(text) << QString(text) << seconds; };
    row("90", 5400);
    row("4:30", 270);
    row("4:00:05", 14405);
    row("1-2", 93600);
    row("1-02:30", 95400);
    row("2-00:00:01", 172801);
    row("UNLIMITED", -1);
    row("", -1);
    row("1:2:3:4", -1);
    row("-5", -1);
    row("1-", -1);
}

void SlurmTest::timesAreRead() {
    QFETCH(QString, text);
    QTEST(qint64(run::slurmSeconds(text.toStdString()).value_or(-1)), "seconds");
}

void SlurmTest::aLimitWithoutTimeToTrainIsRefused_data() {
    QTest::addColumn<QString>("time");
    QTest::addColumn<bool>("good");
    QTest::newRow("none") << "" << true;
    QTest::newRow("one minute") << "1" << false;
    QTest::newRow("two minutes, in words of Slurm") << "0:02:00" << false;
    QTest::newRow("as the remedy says") << "0:05:00" << true;
    QTest::newRow("what sbatch is to judge") << "soon" << true;
}

void SlurmTest::aLimitWithoutTimeToTrainIsRefused() {
    QFETCH(QString, time);
    run::SlurmRequest request;
    request.time = time.toStdString();
    const auto checked = run::checkRequest(request);
    QTEST(checked.ok(), "good");
    if (!checked) QCOMPARE(checked.error().kind, ErrorKind::Input);
}

void SlurmTest::otherTextIsNoJob_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("another program") << QByteArray("Linux ctl 6.1\n");
    QTest::newRow("zero bytes") << QByteArray(64, '\0');
    QTest::newRow("in the job's command")
        << QByteArray("JobId=2 JobName=x\n   Command=sh\n   JobState=RUNNING Reason=None\n");
    QTest::newRow("in the job's name") << QByteArray("JobId=2 JobName=JobState=RUNNING Reason=None\n");
    QTest::newRow("unknown state") << QByteArray("   JobState=DANCING Reason=None\n   NodeList=n1\n");
    QTest::newRow("no exit code") << QByteArray("   JobState=FAILED Reason=None\n");
    QTest::newRow("exit code of one number") << QByteArray("   JobState=FAILED Reason=None\n   Requeue=1 ExitCode=3\n");
    QTest::newRow("exit code of words") << QByteArray("   JobState=FAILED Reason=None\n   Requeue=1 ExitCode=a:b\n");
    QTest::newRow("bad nodes") << QByteArray("   JobState=RUNNING Reason=None\n   NodeList=n[1-\n");
}

void SlurmTest::otherTextIsNoJob() {
    QFETCH(QByteArray, text);
    QVERIFY(!run::parseScontrolJob(text.toStdString()).ok());
}

void SlurmTest::sacctTellsTheAllocation_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("expected"); // "none": it has no such job; empty: refused
    const auto row = [](const char* name, const char* text, const char* expected) {
        QTest::newRow(name) << QByteArray(text) << QString(expected);
    };
    row("no job", "", "none");
    row("running", "RUNNING|0:0|None|n[1-2]\n", "granted n1 n2");
    row("pending", "PENDING|0:0|Resources|None assigned\n", "pending Resources");
    row("cancelled by a user", "CANCELLED by 1000|0:0|None|n1\n", "ended cancelled 0");
    row("no memory", "OUT_OF_MEMORY|0:125|OutOfMemory|n1\n", "ended out-of-memory 125");
    row("begun twice", "REQUEUED|0:0|None|n1\nCOMPLETED|0:0|None|n2\n", "ended exited 0");
    row("too few cells", "RUNNING|0:0\n", "");
    row("too many cells", "RUNNING|0:0|None|n1|n2\n", "");
    row("unknown state", "DANCING|0:0|None|n1\n", "");
}

void SlurmTest::sacctTellsTheAllocation() {
    QFETCH(QByteArray, text);
    QFETCH(QString, expected);
    const auto allocation = run::parseSacct(text.toStdString());
    QCOMPARE(allocation.ok(), !expected.isEmpty());
    if (allocation) QCOMPARE(*allocation ? words(**allocation) : QStringLiteral("none"), expected);
}

// Feature: a sweep as a job array of Slurm: its trials train the bits of the same sweep here, where they are seen while
// they train; one task is cancelled, or all; what has to be judged while it trains is refused; a submission that is
// killed loses no trial, and one that Slurm refuses leaves nothing. Also in slurm_run_test, sweep_slurm_test.
void SlurmTest::tasksOfAnArrayAreTold_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("expected"); // empty: refused
    const auto row = [](const char* name, const char* expected) {
        QTest::newRow(name) << recorded(name) << QString(expected);
    };
    row("array-pending", "0 pending None, 1 pending None, 2 pending None, 3 pending None, 4 pending None, "
                         "5 pending None");
    row("array-begun", "0 granted n1, 1 granted n1, 2 granted n2, 3 pending JobArrayTaskLimit, "
                       "4 pending JobArrayTaskLimit, 5 pending JobArrayTaskLimit");
    row("array-ended", "0 ended exited 0, 1 granted n1, 2 ended exited 2, 3 ended exited 3, 4 granted n2");
    row("array-cancelled", "0 ended cancelled 0, 2 ended cancelled 0, 4 ended cancelled 0, 5 ended cancelled 0");
    QTest::newRow("nothing") << QByteArray() << QString();
    QTest::newRow("no array") << recorded("running") << QString();
    QTest::newRow("cut list") << recorded("array-pending").replace("0-5%3", "0,2,4,...") << QString();
    QTest::newRow("second record is none") << recorded("array-pending") + "JobId=9\nLinux\n" << QString();
}

void SlurmTest::tasksOfAnArrayAreTold() {
    QFETCH(QByteArray, text);
    QFETCH(QString, expected);
    const auto tasks = run::parseScontrolTasks(text.toStdString());
    QCOMPARE(tasks.ok(), !expected.isEmpty());
    if (tasks) QCOMPARE(words(*tasks), expected);
}

void SlurmTest::sacctTellsTheTasks_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("expected"); // empty: refused
    const auto row = [](const char* name, const char* text, const char* expected) {
        QTest::newRow(name) << QByteArray(text) << QString(expected);
    };
    row("tasks", "7_0|COMPLETED|0:0|None|n1\n7_1|FAILED|1:0|None|n2\n7_[2-3%2]|PENDING|0:0|Priority|None assigned\n",
        "0 ended exited 0, 1 ended exited 1, 2 pending Priority, 3 pending Priority");
    row("begun twice", "7_0|REQUEUED|0:0|None|n1\n7_0|RUNNING|0:0|None|n2\n", "0 granted n2");
    row("a job of its own", "7|COMPLETED|0:0|None|n1\n", "");
    row("too few cells", "7_0|COMPLETED\n", "");
    row("no number", "7_x|COMPLETED|0:0|None|n1\n", "");
}

void SlurmTest::sacctTellsTheTasks() {
    QFETCH(QByteArray, text);
    QFETCH(QString, expected);
    const auto tasks = run::parseSacctTasks(text.toStdString());
    QCOMPARE(tasks.ok(), !expected.isEmpty());
    if (tasks) QCOMPARE(words(*tasks), expected);
    QVERIFY(run::parseSacctTasks("")->empty());
}

void SlurmTest::taskListsAreExpanded_data() {
    QTest::addColumn<QByteArray>("list");
    QTest::addColumn<QByteArray>("numbers"); // "-": refused
    const auto row = [](const char* list, const char* numbers) {
        QTest::newRow(*list ? list : "empty") << QByteArray(list) << QByteArray(numbers);
    };
    row("3", "3");
    row("0,2,5-9:2%3", "0 2 5 7 9");
    row("0-3%2", "0 1 2 3");
    for (const char* bad : {"", "%2", "1,", "3-1", "1-x", "1:2", "1-5:0", "-1", "1,3,...", "0-99999999", "0 1"})
        row(bad, "-");
}

void SlurmTest::taskListsAreExpanded() {
    QFETCH(QByteArray, list);
    QFETCH(QByteArray, numbers);
    const auto expanded = run::expandTaskList(list.toStdString());
    QCOMPARE(expanded.ok(), numbers != "-");
    if (!expanded) return;
    QByteArray text;
    for (const int number : *expanded) text += (text.isEmpty() ? "" : " ") + QByteArray::number(number);
    QCOMPARE(text, numbers);
}

void SlurmTest::partitionsAreRead_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("expected"); // name, nodes, GPUs, time; * the default; "-": refused
    const auto row = [](const char* name, const char* text, const char* expected) {
        QTest::newRow(name) << QByteArray(text) << QString(expected);
    };
    row("none", "", "");
    row("two", "low*|2|(null)|infinite\nhigh|2|(null)|1-00:00:00\n", "low* 2 0 infinite, high 2 0 1-00:00:00");
    row("with GPUs", "gpu|4|gpu:a100:4(S:0-1)|1:00:00\n", "gpu 4 4 1:00:00");
    row("unlike nodes", "all|4|gpu:2|1:00\nall|3|(null)|1:00\nall|1|shard:8,gpu:h100:8|1:00\n", "all 8 8 1:00");
    row("GPUs without a number", "gpu|1|gpu:a100|1:00\n", "gpu 1 0 1:00");
    row("too few cells", "low|2\n", "-");
    row("too many cells", "low|2|(null)|1:00|x\n", "-");
    row("no number of nodes", "low|two|(null)|1:00\n", "-");
    row("no name", "*|2|(null)|1:00\n", "-");
    row("an option as name", "--wrap|2|(null)|1:00\n", "-");
}

void SlurmTest::partitionsAreRead() {
    QFETCH(QByteArray, text);
    QFETCH(QString, expected);
    const auto partitions = run::parseSinfo(text.toStdString());
    QCOMPARE(partitions.ok(), expected != "-");
    if (!partitions) return;
    QStringList all;
    for (const auto& each : *partitions)
        all << QStringLiteral("%1%2 %3 %4 %5")
                   .arg(QString::fromStdString(each.name), each.isDefault ? "*" : "")
                   .arg(each.nodes)
                   .arg(each.gpusPerNode)
                   .arg(QString::fromStdString(each.time));
    QCOMPARE(all.join(", "), expected);
}

void SlurmTest::tasksTogetherAreOneJob() {
    const run::Ended good{}, failed{run::EndReason::Exited, 1}, lost{run::EndReason::NodeLost, 0};
    run::TaskAllocations tasks{{0, good}, {1, run::Pending{"Priority"}}, {2, run::Pending{"Priority"}}};
    QCOMPARE(words(run::allocationOfAll(tasks)), QStringLiteral("pending Priority"));
    QCOMPARE(run::toText(tasks), std::string("3 tasks: 2 pending (Priority), 1 ended"));
    tasks[2] = run::Granted{{"n2"}};
    tasks[1] = run::Granted{{"n2", "n1"}};
    QCOMPARE(words(run::allocationOfAll(tasks)), QStringLiteral("granted n2 n1"));
    QCOMPARE(run::toText(tasks), std::string("3 tasks: 2 running, 1 ended"));
    QCOMPARE(words(run::allocationOfAll({{0, good}, {1, failed}})), QStringLiteral("ended exited 1"));
    QCOMPARE(words(run::allocationOfAll({{0, lost}, {1, failed}})), QStringLiteral("ended node-lost 0"));
}

void SlurmTest::anArrayIsAskedForAsWanted() {
    const auto has = [](const std::vector<std::string>& words, const char* word) {
        return std::find(words.begin(), words.end(), word) != words.end();
    };
    const auto plain = run::sbatchArrayArguments({.partition = "gpu"}, "/work/slurm/x", "my sweep", 4, 0);
    for (const char* word : {"--array=0-3", "--job-name=my sweep", "--partition=gpu", "--signal=B:TERM@120",
                             "--output=/work/slurm/x/tasks/%a/job.log", "/work/slurm/x/job.sh"})
        QVERIFY2(has(plain, word), word);
    QVERIFY(has(run::sbatchArrayArguments({}, "/work/slurm/x", "s", 4, 2), "--array=0-3%2"));
}

void SlurmTest::endReasonsHaveTheirWords() {
    for (int i = 0; i <= static_cast<int>(run::EndReason::Cancelled); ++i) {
        const auto reason = static_cast<run::EndReason>(i);
        QVERIFY(run::endReasonFromString(run::toString(reason)) == reason);
        QVERIFY(!run::toText(run::Ended{reason, 9}).empty());
    }
    QVERIFY(!run::endReasonFromString("exploded"));
    QCOMPARE(run::toText(run::Ended{run::EndReason::Signalled, SIGKILL}), std::string("was killed by SIGKILL"));
    QCOMPARE(run::toText(run::Granted{{"n1", "n2"}}), std::string("runs on n1, n2"));
    QCOMPARE(run::toText(run::Pending{"Resources"}), std::string("is pending (Resources)"));
}

void SlurmTest::nodeListsAreExpanded_data() {
    QTest::addColumn<QByteArray>("list");
    QTest::addColumn<QByteArray>("names"); // "-": refused
    const auto row = [](const char* list, const char* names) {
        QTest::newRow(*list ? list : "empty") << QByteArray(list) << QByteArray(names);
    };
    row("", "");
    row("(null)", "");
    row("n1", "n1");
    row("n[1-3,07],gpu1", "n1 n2 n3 n07 gpu1");
    row("n[08-11]", "n08 n09 n10 n11");
    row("rack[1-2]n[3-4]-ib", "rack1n3-ib rack1n4-ib rack2n3-ib rack2n4-ib");
    for (const char* bad : {"n[", "n[]", "n[1", "n1]x", "n[3-1]", "n[1-x]", "n[1-2", ",", "n1,", "n[1--2]",
                            "n[0-70000]", "a[0-999]b[0-999]", "n 1", "n;1", "-n1", "n[99999999999]"})
        row(bad, "-");
}

void SlurmTest::nodeListsAreExpanded() {
    QFETCH(QByteArray, list);
    QFETCH(QByteArray, names);
    const auto expanded = run::expandNodeList(list.toStdString());
    QCOMPARE(expanded.ok(), names != "-");
    if (!expanded) return;
    QByteArray text;
    for (const auto& name : *expanded) text += (text.isEmpty() ? "" : " ") + QByteArray::fromStdString(name);
    QCOMPARE(text, names);
}

void SlurmTest::slurmStandsForTheNodesOfTheJob() {
    using Hosts = std::vector<std::string>;
    QVERIFY(*run::withSlurmNodes({"h1", "local"}, "") == Hosts({"h1", "local"}));
    QVERIFY(*run::withSlurmNodes({"slurm"}, "n[1-2]") == Hosts({"slurm:n1", "slurm:n2"}));
    QVERIFY(*run::withSlurmNodes({"h1", "slurm:n7", "slurm:n8"}, "n[1-2]") == Hosts({"h1", "slurm:n1", "slurm:n2"}));
    QVERIFY(!run::withSlurmNodes({"slurm"}, "").ok());
    QVERIFY(!run::withSlurmNodes({"slurm"}, "n[").ok());
    QVERIFY(spec::isSlurmHost("slurm") && spec::isSlurmHost("slurm:n1") && !spec::isSlurmHost("slurmlogin"));
    QCOMPARE(spec::slurmNodeOf("slurm:n1"), std::string("n1"));
    QCOMPARE(spec::slurmNodeOf("slurm"), std::string());
}

// A node's own name may stand for its loopback there.
void SlurmTest::theAddressIsOneOfTheNode() {
    QCOMPARE(run::slurmNodeAddress("10.0.0.2", "192.168.0.2 10.0.0.2 "), std::string("10.0.0.2"));
    QCOMPARE(run::slurmNodeAddress("127.0.1.1", "192.168.0.2 10.0.0.2\n"), std::string("192.168.0.2"));
    QCOMPARE(run::slurmNodeAddress("", ""), std::string());
}

void SlurmTest::stepsRunBesideOthers() {
    const auto words = run::slurmStepArguments("12", "n1", "mark");
    for (const char* word : {"--jobid=12", "--overlap", "--nodelist=n1", "--unbuffered", "--job-name=mark"})
        QVERIFY2(std::find(words.begin(), words.end(), word) != words.end(), word);
    for (const auto& word : words) QVERIFY2(!word.starts_with("--cpus"), word.c_str()); // would confine it
}

void SlurmTest::theExitOfAStepIsThatOfItsWorker() {
    QCOMPARE(run::slurmStepExit({.code = 0}).text(), std::string("exited with 0"));
    QCOMPARE(run::slurmStepExit({.code = 7}).text(), std::string("exited with 7"));
    QCOMPARE(run::slurmStepExit({.code = 137}).text(), std::string("was killed by SIGKILL"));
    QVERIFY(run::slurmStepExit({.signalled = true, .code = SIGKILL}).hostLost);
}

void SlurmTest::aJobIsAskedForAsWanted() {
    const auto has = [](const std::vector<std::string>& words, const char* word) {
        return std::find(words.begin(), words.end(), word) != words.end();
    };
    const auto plain = run::sbatchArguments({}, "/work/slurm/x", "my run");
    for (const char* word : {"--parsable", "--job-name=my run", "--nodes=1", "--no-requeue", "--signal=B:TERM@120",
                             "--key=x", "--workspace=/work/slurm/x", "--resume-or-start"})
        QVERIFY2(has(plain, word), word);
    for (const auto& word : plain)
        QVERIFY2(!word.starts_with("--time") && !word.starts_with("--partition") && !word.starts_with("--gpus"),
                 word.c_str());
    run::SlurmRequest request{.partition = "gpu", .account = "lab", .time = "1:00:00"};
    request.nodes = 2;
    request.gpusPerNode = 4;
    request.cpusPerNode = 8;
    request.requeue = true;
    const auto all = run::sbatchArguments(request, "/work/slurm/x", "run");
    for (const char* word : {"--partition=gpu", "--account=lab", "--time=1:00:00", "--nodes=2", "--gpus-per-node=4",
                             "--cpus-per-task=8", "--requeue"})
        QVERIFY2(has(all, word), word);
}

void SlurmTest::recordsOfJobsAreRead() {
    const QTemporaryDir folder;
    const std::filesystem::path root = folder.path().toStdString();
    QVERIFY(run::slurmJobs(root)->empty());
    const auto write = [&](const char* id, const char* text) {
        std::filesystem::create_directories(root / "slurm" / id);
        QFile file(folder.filePath(QStringLiteral("slurm/%1/slurm.json").arg(QLatin1String(id))));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) >= 0);
    };
    write("20261120-104512-7f3a9c", R"({"version":1,"name":"a","run":"key-1","job":"12"})");
    write("20261121-104512-7f3a9c",
          R"({"version":1,"name":"a","run":"key-2","job":"13","ended":{"reason":"node-lost","code":0}})");
    QCOMPARE(run::slurmJobs(root)->size(), std::size_t{2});
    for (const char* given : {"a", "13", "20261121", "key-2"})
        QCOMPARE(run::findSlurmJob(root, given)->job, std::string("13"));
    QVERIFY(run::findSlurmJob(root, "13")->ended->reason == run::EndReason::NodeLost);
    QCOMPARE(run::findSlurmJob(root, "b").error().code, ErrorCode::RunUnknown);
    write("20261122-104512-7f3a9c", R"({"version":1,"name":"s","run":"","job":"14","tasks":3,)"
                                    R"("endedTasks":[null,{"reason":"exited","code":2},{"reason":"?"}]})");
    const auto array = run::findSlurmJob(root, "14");
    QVERIFY(array && array->isArray() && array->tasks == 3);
    QCOMPARE(array->endedTasks.size(), std::size_t{1});
    QCOMPARE(array->endedTasks.at(1).code, 2);
    // Its submission was cut short.
    write("20261119-104512-7f3a9c", R"({"version":1,"name":"cut","run":"key-3","job":""})");
    const auto cut = run::findSlurmJob(root, "cut");
    QVERIFY(cut && cut->run == "key-3" && cut->job.empty());
    QVERIFY(run::isSlurmJob(root, "20261122-104512-7f3a9c") && !run::isSlurmJob(root, "") &&
            !run::isSlurmJob(root, "20261123-104512-7f3a9c"));
    for (const char* bad : {"", "[]", "{}", R"({"job":12})", R"({"job":"12; rm"})", R"({"job":"-1"})"}) {
        write("20261122-104512-7f3a9c", bad);
        QVERIFY2(!run::slurmJobs(root).ok(), bad);
    }
}

QTEST_GUILESS_MAIN(SlurmTest)
#include "slurm_test.moc"
