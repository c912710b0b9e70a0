// SPDX-License-Identifier: GPL-3.0-or-later
// Real processes of a rank, and the port that is reserved for them.
#include "engine/base/clock.h"
#include "engine/base/files/atomic_file.h"
#include "engine/run/program/rank_plan.h"
#include "engine/run/program/rank_process.h"
#include "engine/run/program/reserved_port.h"
#include "tests/texts.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <netinet/in.h>
#include <sys/socket.h>

#include <csignal>
#include <fstream>
#include <set>

using namespace trainyard;
using namespace trainyard::run;

namespace {

// A socket on the port, listening with or without the option; its number, or -1.
int listenOn(int port, bool reuse) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int yes = reuse ? 1 : 0;
    ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_ANY);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    const bool listens =
        ::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 && ::listen(fd, 8) == 0;
    if (listens) return fd;
    ::close(fd);
    return -1;
}

} // namespace

class RankProcessTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { adoptOrphans(); }

    // What appears in a project while trials run there may be of any of them.
    void trialsLookIntoTheirOwnFolder_data() {
        QTest::addColumn<QString>("trial");
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("value"); // of a variable of the run file
        QTest::addColumn<int>("folders");
        QTest::newRow("a trial that is given its folder") << "3" << "--out=/ws/run/output" << "" << 1;
        QTest::newRow("by the environment") << "3" << "--lr=1" << "/ws/run/output" << 1;
        QTest::newRow("a trial that is not") << "3" << "--out=here" << "" << 2;
        QTest::newRow("no trial") << "" << "--out=/ws/run/output" << "" << 2;
    }
    void trialsLookIntoTheirOwnFolder() {
        QFETCH(QString, trial);
        QFETCH(QString, word);
        QFETCH(QString, value);
        QFETCH(int, folders);
        KeptRank rank;
        rank.spec.program.emplace().environment["OUT"] = "{output}";
        rank.files.folder = "/ws/run";
        rank.place.trial = trial.toStdString();
        rank.command.words = {"python3", "train.py", word.toStdString()};
        rank.command.environment["OUT"] = value.toStdString();
        rank.command.folder = "/project";
        QCOMPARE(static_cast<int>(foldersWritten(rank).size()), folders);
    }

    void outputGoesToTheFile() {
        auto process = start({"sh", "-c", "echo out; echo err >&2; echo $COLOUR; pwd; exit 3"}, {{"COLOUR", "blue"}});
        QVERIFY2(process.ok(), test::text(process).c_str());
        const auto status = waitFor(*process);
        QVERIFY(!status.signalled);
        QCOMPARE(status.code, 3);
        QCOMPARE(*readFile(printed()), "out\nerr\nblue\n" + m_folder.path().toStdString() + "\n");
    }
    void aSignalOfItsOwnGroupOrItself() {
        auto process = start({"sh", "-c", "sleep 100 & wait"}, {});
        QVERIFY(process.ok());
        QTRY_VERIFY(descendants().size() >= 2);
        process->signal(SIGTERM, true);
        QVERIFY(waitFor(*process).signalled);
        QTRY_VERIFY(descendants().empty());
    }
    void whatItLeavesIsFoundAndEnded() {
        auto process = start(
            {"sh", "-c", "for i in 1 2 3; do (trap '' TERM; env -i setsid sh -c 'sleep 100 & sleep 100' &) ; done"},
            {});
        QVERIFY(process.ok());
        waitFor(*process);
        QTRY_VERIFY(descendants().size() >= 6);
        QElapsedTimer timer;
        timer.start();
        QVERIFY(endDescendants(5) >= 6);
        QVERIFY(descendants().empty());
        QCOMPARE(endDescendants(5), 0);
    }
    void whatCannotBeStartedSaysWhy_data() {
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("part");
        QTest::newRow("no program") << "no-such-program-anywhere" << "" << "there is no such program";
        QTest::newRow("no file") << "/nowhere/program" << "" << "there is no such program";
        QTest::newRow("no permission") << QString::fromStdString(plainFile()) << "" << "chmod +x";
        QTest::newRow("no folder") << "true" << "/nowhere" << "set program.folder";
    }
    void whatCannotBeStartedSaysWhy() {
        QFETCH(QString, word);
        QFETCH(QString, folder);
        QFETCH(QString, part);
        const auto process =
            RankProcess::start({{word.toStdString()},
                                {},
                                {},
                                folder.isEmpty() ? m_folder.path().toStdString() : folder.toStdString(),
                                printed()});
        QVERIFY(!process.ok());
        QVERIFY2(process.error().text().find(part.toStdString()) != std::string::npos, process.error().text().c_str());
        QCOMPARE(process.error().kind, ErrorKind::Input);
    }

    // Feature: the port of the ranks' rendezvous cannot be taken by another program, and rank 0 can listen on it.
    void aReservedPortIsRankZerosAlone() {
        const auto reserved = ReservedPort::take();
        QVERIFY2(reserved.ok(), test::text(reserved).c_str());
        QCOMPARE(listenOn(reserved->port(), false), -1);
        for (int again = 0; again < 3; ++again) { // at once after it has ended, too
            const int rank = listenOn(reserved->port(), true);
            QVERIFY(rank >= 0);
            ::close(rank);
        }
        std::set<int> given{reserved->port()};
        std::vector<ReservedPort> others;
        for (int i = 0; i < 200; ++i) {
            auto other = ReservedPort::take();
            QVERIFY(other.ok());
            QVERIFY(given.insert(other->port()).second);
            others.push_back(std::move(*other));
        }
    }

private:
    // One that nobody may execute.
    std::string plainFile() const {
        const auto path = m_folder.filePath("plain").toStdString();
        std::ofstream(path) << "text\n";
        std::filesystem::permissions(path, std::filesystem::perms::owner_read);
        return path;
    }
    std::filesystem::path printed() const { return m_folder.filePath("out").toStdString(); }
    Result<RankProcess> start(std::vector<std::string> words, std::map<std::string, std::string> environment) {
        std::filesystem::remove(printed());
        return RankProcess::start(
            {std::move(words), std::move(environment), {}, m_folder.path().toStdString(), printed()});
    }
    static ExitStatus waitFor(RankProcess& process) {
        const double until = monotonicSeconds() + 20;
        while (monotonicSeconds() < until) {
            if (const auto status = process.exitStatus()) return *status;
            QTest::qSleep(5);
        }
        return {};
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(RankProcessTest)
#include "rank_process_test.moc"
