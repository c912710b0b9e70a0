// SPDX-License-Identifier: GPL-3.0-or-later
// What an outside process can reach of a run, and what it can do there: a run listens only on this computer's own
// address, and an intruder does not change how the run ends.
#include "engine/base/unique_fd.h"
#include "engine/run/attach/run_control.h"
#include "engine/wire/messages.h"
#include "tests/multiproc/lab/paced.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QScopeGuard>
#include <QTest>

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <grp.h>
#include <map>
#include <set>
#include <sstream>
#include <thread>

using namespace trainyard;
using test::RunLab;
namespace fs = std::filesystem;

namespace {

constexpr int kSteps = 600; // some seconds; the last one is saved

struct Listener {
    std::string address; // "127.0.0.1", "0.0.0.0", "::1"
    int port = 0;
    std::string owner; // what its process is shown as
    bool isLoopback() const { return address == "127.0.0.1" || address == "::1"; }
    std::string text() const { return address + ":" + std::to_string(port) + " of " + owner; }
};

std::string contentOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// "0100007F" or four such words, each in the byte order of this computer.
std::string addressOf(const std::string& hex) {
    in6_addr bytes{};
    for (std::size_t word = 0; 8 * word < hex.size() && word < 4; ++word) {
        const auto number = static_cast<std::uint32_t>(std::stoul(hex.substr(8 * word, 8), nullptr, 16));
        std::memcpy(reinterpret_cast<char*>(&bytes) + 4 * word, &number, 4);
    }
    char shown[INET6_ADDRSTRLEN] = {};
    ::inet_ntop(hex.size() > 8 ? AF_INET6 : AF_INET, &bytes, shown, sizeof shown);
    return shown;
}

// Sockets that wait for connections, by their inodes.
std::map<std::string, Listener> listeningSockets() {
    std::map<std::string, Listener> sockets;
    for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
        std::ifstream in(table);
        std::string line;
        std::getline(in, line); // the heading
        while (std::getline(in, line)) {
            std::istringstream words(line);
            std::string number, local, remote, state, queues, timer, retransmits, user, timeout, inode;
            words >> number >> local >> remote >> state >> queues >> timer >> retransmits >> user >> timeout >> inode;
            const auto colon = local.find(':');
            if (state != "0A" || colon == local.npos) continue;
            sockets[inode] = {addressOf(local.substr(0, colon)), std::stoi(local.substr(colon + 1), nullptr, 16), {}};
        }
    }
    return sockets;
}

std::set<std::string> socketsOf(const fs::path& process) {
    std::set<std::string> inodes;
    std::error_code ignored;
    // The process may end meanwhile.
    for (fs::directory_iterator entry(process / "fd", ignored), end; !ignored && entry != end;
         entry.increment(ignored)) {
        std::error_code closed;
        const auto target = fs::read_symlink(entry->path(), closed).string();
        if (target.starts_with("socket:[")) inodes.insert(target.substr(8, target.size() - 9));
    }
    return inodes;
}

// Everything that was started from this lab inherits the folder of its sockets: supervisor, pool, spares, ranks.
std::vector<fs::path> processesOf(const RunLab& lab) {
    std::vector<fs::path> processes;
    const std::string mark = "XDG_RUNTIME_DIR=" + lab.folder() + '\0';
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator("/proc", ignored))
        if (std::isdigit(entry.path().filename().string().front()) != 0 &&
            contentOf(entry.path() / "environ").find(mark) != std::string::npos)
            processes.push_back(entry.path());
    return processes;
}

std::vector<Listener> listeners(const std::vector<fs::path>& processes) {
    std::vector<Listener> found;
    const auto sockets = listeningSockets();
    if (sockets.empty()) return found;
    for (const auto& process : processes)
        for (const auto& inode : socketsOf(process))
            if (const auto socket = sockets.find(inode); socket != sockets.end()) {
                found.push_back(socket->second);
                found.back().owner =
                    contentOf(process / "cmdline").c_str() + std::string(" ") + process.filename().string();
            }
    return found;
}

std::string textOf(const std::vector<Listener>& listeners) {
    std::string text;
    for (const auto& listener : listeners) text += listener.text() + "\n";
    return text;
}

// The lab's sockets in the file system: of supervisors and of the pool.
std::vector<fs::path> unixSockets(const RunLab& lab) {
    std::vector<fs::path> found;
    std::error_code ignored;
    for (fs::recursive_directory_iterator entry(lab.folder(), ignored), end; !ignored && entry != end;
         entry.increment(ignored)) {
        std::error_code gone;
        if (entry->is_socket(gone)) found.push_back(entry->path());
    }
    return found;
}

UniqueFd visit(const Listener& listener) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(listener.port));
    UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (::inet_pton(AF_INET, listener.address.c_str(), &address.sin_addr) != 1 ||
        ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        fd.reset();
    return fd;
}

UniqueFd visit(const fs::path& socket) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, socket.c_str(), sizeof address.sun_path - 1);
    for (const int type : {SOCK_STREAM, SOCK_SEQPACKET}) {
        UniqueFd fd(::socket(AF_UNIX, type | SOCK_CLOEXEC, 0));
        if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return fd;
    }
    return {};
}

// As far as the other side takes it.
void say(const UniqueFd& fd, const std::string& bytes) {
    for (std::size_t sent = 0; sent < bytes.size();) {
        const auto put = ::send(fd.get(), bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (put <= 0) return;
        sent += static_cast<std::size_t>(put);
    }
}

std::string garbage(std::size_t size) {
    std::string bytes(size, '\0');
    std::uint32_t state = 2463534242;
    for (char& c : bytes) {
        state = state * 1664525 + 1013904223;
        c = static_cast<char>(state >> 24);
    }
    return bytes;
}

// The other side closes the connection, without an answer.
bool isHungUp(const UniqueFd& fd) {
    pollfd ended{fd.get(), POLLIN, 0};
    char byte = 0;
    return ::poll(&ended, 1, 5000) == 1 && ::recv(fd.get(), &byte, 1, MSG_DONTWAIT) <= 0;
}

struct Words {
    std::string text;
    bool refused = false; // the sender is disconnected
};

// What strangers say: nothing, a little or a lot of nonsense, another protocol, a whole frame that is not theirs.
std::vector<Words> strangersWords() {
    const auto frame = wire::encodeMessage(wire::Finished{});
    return {{"", false},
            {garbage(64), true},
            {garbage(16u << 20), false}, // the pool takes no packet of that size
            {"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", true},
            {{reinterpret_cast<const char*>(frame.data()), frame.size()}, false}};
}

} // namespace

class ListenTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_lab = std::make_unique<RunLab>();
        m_lab->shareNothing(); // all sockets that are found belong to this lab
    }
    void cleanup() {
        m_lab.reset();
        qunsetenv("TRAINYARD_HOST");
    }

    void findsWhoListens();
    void nothingListensBeyondThisComputer_data();
    void nothingListensBeyondThisComputer();
    void strangersDoNotDisturb_data();
    void strangersDoNotDisturb();
    void aStrangerWhereRanksMeet_data();
    void aStrangerWhereRanksMeet();
    void otherUsersAreKeptOut();

private:
    spec::RunSpec spirals(const QString& averaging) const {
        auto spec = test::paced(RunLab::spirals(2, kSteps), PACED_MODEL, 5);
        spec.scaling.averaging = averaging.toStdString();
        return spec;
    }
    std::unique_ptr<RunLab> m_lab;
};

// What the other tests look with sees what is there.
void ListenTest::findsWhoListens() {
    for (const auto& [given, shown] : {std::pair("127.0.0.1", "127.0.0.1"), std::pair("0.0.0.0", "0.0.0.0")}) {
        const UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        sockaddr_in address{};
        address.sin_family = AF_INET;
        ::inet_pton(AF_INET, given, &address.sin_addr);
        socklen_t size = sizeof address;
        QCOMPARE(::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
        QCOMPARE(::listen(fd.get(), 1), 0);
        QCOMPARE(::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
        const auto found = listeners({"/proc/self"});
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].address, std::string(shown));
        QCOMPARE(found[0].port, static_cast<int>(ntohs(address.sin_port)));
        QVERIFY(visit(found[0]));
    }
    QVERIFY(listeners({"/proc/self"}).empty());
    QCOMPARE(addressOf("00000000000000000000000001000000"), std::string("::1"));
}

void ListenTest::nothingListensBeyondThisComputer_data() {
    QTest::addColumn<QString>("averaging");
    QTest::addColumn<bool>("never"); // nothing listens at all
    QTest::newRow("shared memory") << "shared" << true;
    QTest::newRow("buckets over Gloo") << "buckets" << false;
    QTest::newRow("LibTorch's reducer") << "reducer" << false;
}

// From the start to the end, looked at again and again: most often while the ranks meet.
void ListenTest::nothingListensBeyondThisComputer() {
    QFETCH(QString, averaging);
    QFETCH(bool, never);
    std::atomic<bool> over{false};
    std::atomic<int> pauseMs{10}; // a look takes as long
    int looks = 0;
    std::vector<Listener> found;
    std::thread watcher([&] {
        for (; !over; std::this_thread::sleep_for(std::chrono::milliseconds(pauseMs)), ++looks) {
            const auto now = listeners(processesOf(*m_lab));
            found.insert(found.end(), now.begin(), now.end());
        }
    });
    const auto joined = qScopeGuard([&] {
        over = true;
        if (watcher.joinable()) watcher.join();
    });
    const auto run = m_lab->startReal(spirals(averaging));
    QVERIFY(m_lab->waitForStep(run, 50, 60));
    pauseMs = 100;
    const auto processes = processesOf(*m_lab);
    QVERIFY2(processes.size() >= 3, "supervisor and ranks"); // the search is right about whose they are
    for (const auto pid : m_lab->workerPids(run))
        QVERIFY(std::find(processes.begin(), processes.end(), fs::path("/proc") / std::to_string(pid)) !=
                processes.end());
    for (const auto& socket : unixSockets(*m_lab)) {
        struct stat folder{};
        QCOMPARE(::stat(socket.parent_path().c_str(), &folder), 0);
        QVERIFY2((folder.st_mode & 077) == 0, socket.c_str());
    }
    QCOMPARE(m_lab->waitForEnd(run, 120).status, wire::RunStatus::Finished);
    over = true;
    watcher.join();
    QVERIFY(looks > 5);
    for (const auto& listener : found) QVERIFY2(listener.isLoopback() && !never, textOf(found).c_str());
}

// Fault: A stranger at the supervisor's or the pool's socket: silent, garbage, 16 MiB of it, another protocol, a
// foreign frame. Malformed connections are closed; valid clients get in beside the silent ones; the run does not
// change, bit-equal to an undisturbed one.
void ListenTest::strangersDoNotDisturb_data() {
    QTest::addColumn<QString>("averaging");
    QTest::newRow("shared memory") << "shared";
    QTest::newRow("buckets over Gloo") << "buckets";
}

// At every socket of a run that trains: the supervisor's, the pool's, and whatever Gloo listens on.
void ListenTest::strangersDoNotDisturb() {
    QFETCH(QString, averaging);
    const auto spec = spirals(averaging);
    const auto undisturbed = m_lab->trained(spec, kSteps);
    QVERIFY(!undisturbed.empty());
    const auto run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(run, 50, 60));
    const auto sockets = unixSockets(*m_lab);
    QVERIFY2(sockets.size() >= 2, "of the supervisor and of the pool");
    std::vector<UniqueFd> strangers; // they stay
    for (const auto& words : strangersWords()) {
        for (const auto& listener : listeners(processesOf(*m_lab))) {
            strangers.push_back(visit(listener));
            if (strangers.back()) say(strangers.back(), words.text);
        }
        for (const auto& socket : sockets) {
            strangers.push_back(visit(socket));
            QVERIFY2(strangers.back(), socket.c_str());
            say(strangers.back(), words.text);
            if (words.refused) QVERIFY2(isHungUp(strangers.back()), socket.c_str());
        }
    }
    const auto saved = run::commandRun(m_lab->workspace(), run, wire::CommandKind::Checkpoint, 0);
    QVERIFY2(saved.ok(), saved ? "" : saved.error().text().c_str()); // who means well gets in beside them
    const auto row = m_lab->waitForEnd(run, 120);
    const auto log = m_lab->logText(run);
    QVERIFY2(row.status == wire::RunStatus::Finished, log.c_str());
    QVERIFY2(row.restarts == 0, log.c_str());
    QCOMPARE(m_lab->contiguity(run, kSteps), std::string());
    QCOMPARE(m_lab->difference(undisturbed, run), std::string());
    const auto next = m_lab->startReal(RunLab::spirals(2, 100)); // the pool is no worse for it
    QCOMPARE(m_lab->waitForEnd(next, 60).status, wire::RunStatus::Finished);
}

// Fault: A stranger, silent or not, at the port where Gloo waits for a rank. That rendezvous fails, and the ranks
// repeat it; one restart at most, bit-equal.
void ListenTest::aStrangerWhereRanksMeet_data() {
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("silent") << QByteArray();
    QTest::newRow("nonsense") << QByteArray::fromStdString(garbage(64));
}

// The first peer to connect is taken for the expected rank. That may make the rendezvous fail, but not the run.
void ListenTest::aStrangerWhereRanksMeet() {
    QFETCH(QByteArray, words);
    auto spec = spirals("buckets");
    spec.steps = 400;
    spec.failure.heartbeatSeconds = 5; // for so long a silent one is waited for
    const auto undisturbed = m_lab->trained(spec, 400);
    QVERIFY(!undisturbed.empty());
    qputenv("LD_PRELOAD", SLOW_LISTEN); // the ranks stand still for a moment when they listen
    const auto run = m_lab->startReal(spec);
    qunsetenv("LD_PRELOAD");
    std::vector<UniqueFd> strangers; // they stay
    const bool inTime = m_lab->waitUntil(
        [&] {
            for (const auto& listener : listeners(processesOf(*m_lab))) {
                strangers.push_back(visit(listener));
                say(strangers.back(), words.toStdString());
            }
            return !strangers.empty();
        },
        30);
    const auto row = m_lab->waitForEnd(run, 120);
    const auto log = m_lab->logText(run);
    QVERIFY2(inTime, log.c_str());
    QVERIFY2(row.status == wire::RunStatus::Finished, log.c_str());
    QVERIFY2(row.restarts <= 1, log.c_str());
    if (row.restarts > 0) QVERIFY2(log.find("the rendezvous failed") != std::string::npos, log.c_str());
    QCOMPARE(m_lab->contiguity(run, 400), std::string());
    QCOMPARE(m_lab->difference(undisturbed, run), std::string());
}

// Fault: Another user at these sockets. The folder shuts them out, and without it the socket.
void ListenTest::otherUsersAreKeptOut() {
    if (::geteuid() != 0) QSKIP("only root can be somebody else");
    const auto run = m_lab->startReal(spirals("shared"));
    QVERIFY(m_lab->waitForStep(run, 20, 60));
    const auto sockets = unixSockets(*m_lab);
    QVERIFY(sockets.size() >= 2);
    for (const bool inTheWay : {true, false}) { // the folders; without them it is the sockets that refuse
        for (const auto& socket : sockets) {
            const mode_t mode = inTheWay ? 0700 : 0755;
            ::chmod(m_lab->folder().c_str(), mode);
            ::chmod(socket.parent_path().c_str(), mode);
            const pid_t other = ::fork();
            if (other == 0) {
                if (::setgroups(0, nullptr) != 0 || ::setgid(65534) != 0 || ::setuid(65534) != 0) ::_exit(2);
                const auto fd = visit(socket);
                ::_exit(!fd || isHungUp(fd) ? 0 : 1);
            }
            int status = 0;
            const auto waited = ::waitpid(other, &status, 0);
            ::chmod(socket.parent_path().c_str(), 0700);
            ::chmod(m_lab->folder().c_str(), 0700);
            QCOMPARE(waited, other);
            QVERIFY2(WIFEXITED(status) && WEXITSTATUS(status) == 0, socket.c_str());
        }
    }
    QCOMPARE(m_lab->waitForEnd(run, 120).status, wire::RunStatus::Finished);
}

QTEST_GUILESS_MAIN(ListenTest)
#include "listen_test.moc"
