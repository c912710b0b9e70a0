// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard-relay as the holder of a rank whose channel is cut: what goes over one channel after another.
#include "engine/base/clock.h"
#include "engine/base/text/ids.h"
#include "engine/run/launch/launcher.h"
#include "engine/run/launch/process_check.h"
#include "engine/run/launch/programs.h"
#include "engine/run/launch/relay/held_link.h"
#include "engine/run/launch/relay/rank_holder.h"
#include "engine/run/launch/relay/relay.h"
#include "engine/wire/frame.h"
#include "engine/wire/messages.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <random>

using namespace trainyard;

namespace {

// The supervisor's end, over one channel after another.
struct FarEnd {
    run::HeldLink link;
    run::RankOutputReader reader;
    std::string frames, log, unsent;
    std::optional<run::ExitStatus> end;

    // Serves the channel until enough has come, its end, or the time is over. False: it has ended.
    bool serve(int fd, double seconds, std::size_t wanted) {
        const double until = monotonicSeconds() + seconds;
        while (monotonicSeconds() < until && frames.size() < wanted && !end) {
            if (unsent.empty()) unsent = link.output(16 << 10);
            pollfd entry{fd, static_cast<short>(unsent.empty() ? POLLIN : POLLIN | POLLOUT), 0};
            ::poll(&entry, 1, 20);
            const ssize_t put = ::send(fd, unsent.data(), unsent.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
            if (put > 0) unsent.erase(0, static_cast<std::size_t>(put));
            char buffer[16384];
            const ssize_t got = ::recv(fd, buffer, sizeof buffer, MSG_DONTWAIT);
            if (got == 0) return false;
            if (got > 0 && !take({buffer, static_cast<std::size_t>(got)})) return false;
        }
        return true;
    }
    bool take(std::string_view bytes) {
        const auto fresh = link.input(bytes);
        if (!fresh) return false;
        reader.feed(*fresh);
        for (auto output = reader.next(); output && *output; output = reader.next()) {
            auto& one = **output;
            if (one.kind == run::RankOutput::Kind::Frames) frames += one.bytes;
            if (one.kind == run::RankOutput::Kind::Log) log += one.bytes;
            if (one.kind == run::RankOutput::Kind::End) end = *run::decodeEnd(one.bytes);
        }
        return true;
    }
    void reconnected() {
        link.reconnected();
        unsent.clear();
    }
};

// The process that has sent this first frame.
std::int64_t helloPid(const std::string& frames) {
    wire::Decoder decoder;
    decoder.feed(std::as_bytes(std::span(frames)));
    const auto frame = decoder.next();
    const auto message = frame && *frame ? wire::decodeMessage(**frame) : Result<wire::Message>(runError("no frame"));
    const auto* hello = message ? std::get_if<wire::Hello>(&*message) : nullptr;
    return hello ? hello->pid : 0;
}

} // namespace

class HoldTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void bytesOutliveEveryCut_data();
    void bytesOutliveEveryCut();
    void anEndThatNobodyHeardIsToldLater();
    void aRankOfThePoolIsHeld();
    void nobodyIsWaitedForWithoutEnd();
    void isKilledWithItsHolder();
    void whatIsNotHeldCannotBeAttachedTo();

private:
    using Process = std::unique_ptr<run::WorkerProcess>;
    Process start(const std::string& program, const char* seconds);
    Process attach(const std::string& program);
    std::string script(const char* name, const char* text);
    std::string worker() const { return m_folder.filePath("trainyard-worker").toStdString(); }
    QTemporaryDir m_folder; // the pool ends with it
    std::string m_launch;
};

void HoldTest::initTestCase() {
    if (!QFile::exists(QString::fromStdString(run::relayProgram()))) QSKIP("trainyard-relay is not part of this build");
    QVERIFY(QFile::copy(QString::fromStdString(run::workerProgram()), QString::fromStdString(worker())));
}

// A program that stands in the place of a worker.
std::string HoldTest::script(const char* name, const char* text) {
    const QString path = m_folder.filePath(name);
    QFile file(path);
    if (file.open(QIODevice::WriteOnly)) file.write(QByteArray("#!/bin/sh\n") + text);
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return path.toStdString();
}

HoldTest::Process HoldTest::start(const std::string& program, const char* seconds) {
    m_launch = newId();
    std::map<std::string, std::string> environment{{run::kLaunchVariable, m_launch}};
    if (program != worker()) environment["TRAINYARD_POOL"] = "off";
    auto launcher = run::makeLocalLauncher(run::relayProgram());
    auto relay = launcher->launch({{}, {program, "rank", seconds}, environment});
    const auto head = run::relayHead("{}");
    if (!relay || ::write((*relay)->frameFd(), head.data(), head.size()) != static_cast<ssize_t>(head.size()))
        return nullptr;
    return std::move(*relay);
}

HoldTest::Process HoldTest::attach(const std::string& program) {
    auto launcher = run::makeLocalLauncher(run::relayProgram());
    auto process = launcher->launch({{}, {"attach", program, m_launch}, {}});
    return process ? std::move(*process) : nullptr;
}

void HoldTest::bytesOutliveEveryCut_data() {
    QTest::addColumn<bool>("silent");
    QTest::newRow("channels end") << false;
    QTest::newRow("channels are silent, and another comes") << true;
}

void HoldTest::bytesOutliveEveryCut() {
    QFETCH(bool, silent);
    std::mt19937 random(11);
    std::string sent;
    for (int i = 0; i < 3'000'000; ++i) sent += static_cast<char>(random());
    const auto relay = start(script("echoes", "exec cat\n"), "60");
    QVERIFY(relay);
    FarEnd far;
    std::vector<Process> channels;
    int fd = relay->frameFd(), cuts = 0;
    for (std::size_t at = 0; far.frames.size() < sent.size();) {
        const std::size_t piece = std::min<std::size_t>(random() % 300'000, sent.size() - at);
        far.link.send(std::string_view(sent).substr(at, piece));
        at += piece;
        const auto wanted = at == sent.size() ? sent.size() : far.frames.size() + random() % 200'000;
        QVERIFY(far.serve(fd, 20, wanted));
        QVERIFY(sent.starts_with(far.frames));
        if (at == sent.size()) break;
        if (!silent) ::shutdown(fd, SHUT_RDWR);
        ++cuts;
        channels.push_back(attach(m_folder.filePath("echoes").toStdString()));
        QVERIFY(channels.back());
        fd = channels.back()->frameFd();
        far.reconnected();
    }
    QVERIFY(cuts > 5);
    QVERIFY(far.frames == sent);
    QVERIFY(!relay->exitStatus());
    for (std::size_t i = 0; i + 1 < channels.size(); ++i) // who has brought a channel ends with it
        QTRY_VERIFY_WITH_TIMEOUT(channels[i]->exitStatus().has_value(), 5000);
}

// Fault: The end of a rank while the link to its host is silent. How it ended is reported once the link is back.
void HoldTest::anEndThatNobodyHeardIsToldLater() {
    const auto program = script("ends", "echo last words >&2; read line; echo \"$line\"; exit 7\n");
    const auto relay = start(program, "60");
    QVERIFY(relay);
    FarEnd far;
    far.link.send("so be it\n");
    while (far.log.empty()) QVERIFY(far.serve(relay->frameFd(), 0.05, 1'000'000)); // "so be it" is on its way
    ::shutdown(relay->frameFd(), SHUT_RDWR);
    QTest::qSleep(300); // the program ends in that time, or is still to hear it
    const auto channel = attach(program);
    far.reconnected();
    QVERIFY(far.serve(channel->frameFd(), 20, 1'000'000));
    QVERIFY(far.end.has_value());
    QCOMPARE(far.end->text(), std::string("exited with 7"));
    QCOMPARE(far.frames, std::string("so be it\n"));
    QCOMPARE(far.log, std::string("last words\n"));
    far.link.acknowledge();
    far.end.reset();
    far.serve(channel->frameFd(), 0.5, 1'000'000);
    QTRY_VERIFY_WITH_TIMEOUT(relay->exitStatus().has_value(), 10000);
    QCOMPARE(relay->exitStatus()->text(), std::string("exited with 7"));
}

void HoldTest::aRankOfThePoolIsHeld() {
    const auto relay = start(worker(), "60");
    QVERIFY(relay);
    FarEnd far;
    QVERIFY(far.serve(relay->frameFd(), 30, 20)); // its hello
    ::shutdown(relay->frameFd(), SHUT_RDWR);
    far.link.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"); // no frame: it leaves
    const auto channel = attach(worker());
    far.reconnected();
    QVERIFY(far.serve(channel->frameFd(), 20, 1'000'000));
    QVERIFY(far.end.has_value());
    QCOMPARE(far.end->text(), std::string("exited with 2"));
    QVERIFY2(far.log.find("leaving: ") != std::string::npos, far.log.c_str());
}

// The channel ends and no other comes: the rank is told, and has nothing to save yet.
// Fault: The end of a held rank's channel, whose supervisor does not come back. After 5 s (at most failure.linkSeconds)
// the rank saves and ends.
void HoldTest::nobodyIsWaitedForWithoutEnd() {
    const auto relay = start(worker(), "1.5");
    QVERIFY(relay);
    FarEnd far;
    QVERIFY(far.serve(relay->frameFd(), 30, 20));
    ::shutdown(relay->frameFd(), SHUT_RDWR);
    QTRY_VERIFY_WITH_TIMEOUT(relay->exitStatus().has_value(), 20000);
    QCOMPARE(relay->exitStatus()->text(), std::string("exited with 3"));
    QVERIFY(!QFile::exists(m_folder.filePath("held-" + QString::fromStdString(m_launch) + ".sock")));
}

// The socket that is left is removed by the next holder.
void HoldTest::isKilledWithItsHolder() {
    std::filesystem::path left;
    for (const auto& program : {worker(), script("sleeps", "echo $$; exec sleep 1000\n")}) {
        const auto relay = start(program, "60");
        QVERIFY(relay);
        FarEnd far;
        QVERIFY(far.serve(relay->frameFd(), 30, 2));
        const std::int64_t rank = program == worker() ? helloPid(far.frames) : std::stoll(far.frames);
        QVERIFY(run::isAlive(rank));
        QVERIFY(!std::filesystem::exists(left));
        relay->signal(SIGKILL);
        QTRY_VERIFY_WITH_TIMEOUT(relay->exitStatus().has_value(), 20000);
        QTRY_VERIFY_WITH_TIMEOUT(!run::isAlive(rank), 5000);
        const auto late = attach(program);
        QTRY_VERIFY_WITH_TIMEOUT(late->exitStatus().has_value(), 20000);
        QCOMPARE(late->exitStatus()->code, run::kNothingHeld);
        left = run::holderSocket(worker(), m_launch);
        QVERIFY(std::filesystem::exists(left));
        const auto now = std::filesystem::file_time_type::clock::now();
        std::filesystem::last_write_time(left, now - std::chrono::hours(1)); // a fresh one may not be listened at yet
    }
}

void HoldTest::whatIsNotHeldCannotBeAttachedTo() {
    m_launch = newId();
    const auto channel = attach(worker());
    QTRY_VERIFY_WITH_TIMEOUT(channel->exitStatus().has_value(), 20000);
    QCOMPARE(channel->exitStatus()->code, run::kNothingHeld);
}

QTEST_GUILESS_MAIN(HoldTest)
#include "hold_test.moc"
