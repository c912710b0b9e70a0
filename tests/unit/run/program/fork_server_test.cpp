// SPDX-License-Identifier: GPL-3.0-or-later
// A real fork server of the system's Python, and ranks that are forked by it.
#include "engine/base/clock.h"
#include "engine/base/files/atomic_file.h"
#include "engine/run/launch/pool/pool_connection.h"
#include "engine/run/launch/pool/pool_protocol.h"
#include "engine/run/launch/private_socket.h"
#include "engine/run/launch/socket_path.h"
#include "engine/run/program/fork/fork_messages.h"
#include "engine/run/program/fork/stacks_signal.h"
#include "engine/run/program/rank_start.h"
#include "tests/texts.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/socket.h>

#include <csignal>
#include <fstream>

using namespace trainyard;
using namespace trainyard::run;

namespace {

namespace fs = std::filesystem;

const char* const kForkPython = "/usr/bin/python3";
const char* const kLooksScript = TRAINYARD_SOURCE_DIR "/tests/programs/runs/looks.py";

pid_t forkParentOf(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string name, state;
    pid_t number = 0, parent = 0;
    file >> number >> name >> state >> parent;
    return parent;
}

QString linesOf(const std::vector<std::string>& texts) {
    QString text;
    for (const auto& each : texts) text += QString::fromStdString(each) + '\n';
    return text;
}

} // namespace

class ForkServerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (!QFile::exists(kForkPython)) QSKIP("python3 is not installed");
        qputenv("XDG_RUNTIME_DIR", m_folder.path().toUtf8());
        qunsetenv("PYTHONPATH");
        adoptOrphans();
    }
    void cleanupTestCase() {
        const std::string mark = m_folder.path().toStdString();
        for (const auto& name : QDir("/proc").entryList(QDir::Dirs)) {
            const auto words = readFile("/proc/" + name.toStdString() + "/cmdline", 64u << 10);
            if (words && words->find("trainyard fork server") != words->npos && words->find(mark) != words->npos)
                ::kill(name.toInt(), SIGKILL);
        }
    }
    void init() { QVERIFY(fs::create_directories(place())); }
    void cleanup() { fs::remove_all(place()); }

    // Feature: a rank that is forked finds what it would find if it were started as a program.
    void itLooksLikeAProgram() {
        const auto forked = ran("looks", "decimal", "forked"), started = ran("looks", "off", "started");
        QVERIFY(forked.wasForked && !started.wasForked);
        QCOMPARE(forked.status.code, 0);
        auto one = QString::fromStdString(*readFile(place() / "forked"));
        const auto other = QString::fromStdString(*readFile(place() / "started"));
        QVERIFY(other.size() > 1000);
        one.replace("/forked", "/started");
        const auto ones = one.split('\n'), others = other.split('\n');
        for (qsizetype i = 0; i < std::min(ones.size(), others.size()); ++i) QCOMPARE(ones[i], others[i]);
        QCOMPARE(ones.size(), others.size());
    }
    // Feature: it ends as a program would: code, signal, words, and all that is still to be written.
    void itEndsLikeAProgram_data() {
        QTest::addColumn<QString>("how");
        for (const char* how : {"looks", "raise", "import", "exit", "text", "closed", "interrupt", "segfault"})
            QTest::newRow(how) << QString(how);
    }
    void itEndsLikeAProgram() {
        QFETCH(QString, how);
        const auto forked = ran(how, "decimal", "same"), started = ran(how, "off", "same");
        QVERIFY(forked.wasForked && !started.wasForked);
        QCOMPARE(QString::fromStdString(forked.status.text()), QString::fromStdString(started.status.text()));
        if (how != "segfault") {
            QCOMPARE(forked.printed, started.printed);
            for (const char* end : {".atexit", ".thread"})
                QVERIFY2(fs::exists(place() / ("same" + std::string(end))), end);
            QCOMPARE(*readFile(place() / "same.unclosed"), std::string("never closed"));
        } else QVERIFY(forked.printed.contains("Segmentation fault") && forked.printed.contains("looks.py"));
    }
    void ranksDrawTheirOwn() {
        const auto one = ran("random", "decimal", "one"), two = ran("random", "decimal", "two");
        QVERIFY(one.wasForked && two.wasForked);
        const auto first = QString::fromStdString(*readFile(place() / "one")).split('\n');
        const auto second = QString::fromStdString(*readFile(place() / "two")).split('\n');
        QCOMPARE(first.size(), qsizetype{5});
        QVERIFY(first[1] != second[1] && first[2] != second[2]); // drawn, key
        QVERIFY2(first[3].contains("\"open\": 3"), qPrintable(first[3]));
    }
    void workersOfEveryKindRun() {
        const auto run = ran("workers", "decimal", "workers");
        QVERIFY2(run.wasForked && run.status.code == 0, qPrintable(run.printed));
        const auto told = QString::fromStdString(*readFile(place() / "workers")).simplified().remove(' ');
        for (const char* kind : {"fork", "spawn", "forkserver"})
            QVERIFY2(told.contains(QString("\"%1\":[2,4,6]").arg(kind)), qPrintable(told));
    }
    void modulesRunAsModules() {
        std::ofstream(place() / "train_this.py")
            << "import decimal, sys\nprint(__name__, __file__, sys.argv, sys.path[0])\n"
               "import a_module_that_is_not_there\n";
        for (const char* how : {"-m", "-c"}) {
            QString printed;
            for (const char* preload : {"off", "decimal"}) {
                auto rank = rankOf("", preload, "");
                rank.command.words = {kForkPython, how, how[1] == 'm' ? "train_this" : "import train_this", "--lr",
                                      "0.1"};
                const auto run = ran(rank);
                QCOMPARE(run.wasForked, preload[0] == 'd');
                QCOMPARE(run.status.code, 1);
                QVERIFY2(run.printed.contains("'--lr', '0.1'"), qPrintable(run.printed));
                if (run.wasForked) QCOMPARE(run.printed, printed);
                printed = run.printed;
            }
        }
    }
    // Feature: a forked rank prints its stacks at a signal and goes on.
    void itShowsItsStacks() {
        auto rank = rankOf("sleep", "decimal", "sleeping");
        RankStart start(rank, cache());
        auto process = started(start, rank);
        QVERIFY(process && process->forked());
        QTRY_VERIFY(fs::exists(place() / "sleeping.atexit") || fs::exists(place() / "sleeping.unclosed"));
        process->signal(stacksSignal(), false);
        QTRY_VERIFY(printed(rank).contains("looks.py") && printed(rank).contains("most recent call first"));
        QVERIFY(!process->exitStatus());
        process->signal(SIGTERM, false);
        QTRY_VERIFY(process->exitStatus());
        QCOMPARE(process->ended().code, SIGTERM);
        process->endFamily(5);
    }
    // Fault: a script sets a variable that libraries have read already, or hides a module. It runs as a program.
    void whatCannotBeForkedIsSaid() {
        const auto run = ran("variable", "decimal", "variable");
        QVERIFY(run.wasForked);
        QVERIFY2(run.unfit.contains("OMP_NUM_THREADS"), qPrintable(run.unfit));
        auto rank = rankOf("", "decimal", "");
        rank.command.words = {kForkPython, TRAINYARD_SOURCE_DIR "/tests/programs/runs/hiding/train.py"};
        const auto hidden = ran(rank);
        QVERIFY(!hidden.wasForked);
        QVERIFY2(hidden.notices.contains("decimal.py hides a module of that name"), qPrintable(hidden.notices));
        QVERIFY(hidden.printed.contains("A module of the user's own"));
    }
    // Fault: modules that start a thread, keep a descriptor, fail, or are the user's own. Nothing is forked from them.
    void dangersAreFound_data() {
        QTest::addColumn<QString>("module");
        QTest::addColumn<QString>("part");
        QTest::newRow("thread") << "threaded" << "2 threads run after the import";
        QTest::newRow("descriptor") << "holding" << "/dev/zero is open after the import";
        QTest::newRow("failure") << "failing" << "cannot be imported: ValueError: no";
        QTest::newRow("exit") << "leaving" << "the fork server has ended";
        QTest::newRow("own code") << "owned" << "is not an installed package";
        QTest::newRow("missing") << "not_there_at_all" << "cannot be imported: ModuleNotFoundError";
    }
    void dangersAreFound() {
        QFETCH(QString, module);
        QFETCH(QString, part);
        auto rank = rankOf("random", module.toStdString().c_str(), "danger");
        rank.interpreter = rank.command.words[0] = venv().string();
        rank.command.environment["PYTHONPATH"] = (m_root / "own").string();
        const auto run = ran(rank);
        QVERIFY(!run.wasForked);
        QCOMPARE(run.status.code, 0);
        QVERIFY2(run.notices.contains(part), qPrintable(run.notices));
    }
    // Feature: when packages are installed, the server that knows the old ones is replaced.
    void aServerThatIsOutOfDateIsReplaced() {
        auto rank = rankOf("sleep", "fine", "old");
        rank.interpreter = rank.command.words[0] = venv().string();
        const auto before = serverOf(rank);
        QVERIFY(before > 1);
        QCOMPARE(serverOf(rank), before);
        fs::create_directories(packages() / "new-1.0.dist-info");
        const auto after = serverOf(rank);
        QVERIFY2(after > 1 && after != before, (std::to_string(before) + " " + std::to_string(after)).c_str());
    }
    void thereAreTwoServersAtMost() {
        for (const char* modules : {"decimal", "fractions", "decimal,fractions", "decimal"})
            QVERIFY2(ran("random", modules, "many").wasForked, modules);
        const auto sockets =
            QDir(QString::fromStdString(socketFolder()->string())).entryList({"fork-*.sock"}, QDir::System);
        QVERIFY2(sockets.size() <= 2, qPrintable(sockets.join(' ')));
    }
    // Bad inputs: requests to a fork server. Each is refused, and the server goes on.
    void badRequestsAreRefused() {
        auto rank = rankOf("sleep", "decimal", "server");
        const auto server = serverOf(rank);
        QVERIFY(server > 1);
        const auto socket = newestSocket();
        const ForkRequest good{"M=1", {}, "/tmp", {kForkPython, "/nowhere/x.py"}, {"A=1"}};
        const std::string whole = encodeForkRequest(good), magic("trainyard fork 1\0", 17);
        std::string noFolder = encodeForkRequest({"M=1", {}, "/nowhere", {kForkPython, "x.py"}, {}});
        for (const std::string& bad :
             {std::string("x"), whole.substr(0, whole.size() - 1), magic, magic + std::string(100, '\0'),
              std::string(90'000, '\xff'), whole + "NOVALUE" + '\0', std::string(100, '\0'), noFolder,
              encodeForkRequest({"M=1", {}, "/tmp", {kForkPython}, {}}),
              encodeForkRequest({"M=1", {}, "/tmp", {kForkPython, "-m"}, {"A=1"}})}) {
            QVERIFY2(refusal(socket, bad, 2).starts_with("unfit"), bad.substr(0, 60).c_str());
        }
        QVERIFY(refusal(socket, whole, 1).starts_with("unfit"));
        QVERIFY(refusal(socket, whole, 3).starts_with("unfit"));
        connectToOwn(socket).reset(); // says nothing and leaves
        QCOMPARE(serverOf(rank), server);
    }
    // Fault: SIGKILL of the fork server. Its ranks go on.
    void ranksOutliveTheServer() {
        auto rank = rankOf("sleep", "decimal", "outlives");
        RankStart start(rank, cache());
        auto process = started(start, rank);
        QVERIFY(process && process->forked());
        ::kill(forkParentOf(process->forked()->holder()), SIGKILL);
        QTest::qWait(100);
        QVERIFY(!process->exitStatus());
        process->signal(SIGTERM, false);
        QTRY_VERIFY(process->exitStatus());
        QCOMPARE(process->ended().text(), ExitStatus({true, SIGTERM}).text());
    }
    // Fault: SIGKILL of the process that holds a forked rank. The rank ends with it.
    void aRankEndsWithItsHolder() {
        auto rank = rankOf("sleep", "decimal", "holder");
        RankStart start(rank, cache());
        auto process = started(start, rank);
        QVERIFY(process && process->forked());
        ::kill(process->forked()->holder(), SIGKILL);
        QTRY_VERIFY(process->exitStatus());
        QVERIFY(process->ended().signalled);
        const pid_t pid = process->pid();
        QTRY_VERIFY(::kill(pid, 0) != 0);
    }

private:
    struct Ran {
        bool wasForked = false;
        ExitStatus status{};
        QString printed{}, unfit{}, notices{};
    };

    fs::path place() const { return m_root / "place"; }
    fs::path cache() const { return place() / "cache"; }
    fs::path packages() const {
        for (const auto& each : fs::directory_iterator(m_root / "venv" / "lib"))
            if (fs::exists(each.path() / "site-packages")) return each.path() / "site-packages";
        return {};
    }
    QString printed(const KeptRank& rank) const {
        return QString::fromStdString(readFile(rank.command.printed).valueOr(""));
    }
    // An environment with modules of all kinds.
    fs::path venv() {
        const auto python = m_root / "venv" / "bin" / "python";
        if (fs::exists(python)) return python;
        QProcess::execute(kForkPython,
                          {"-m", "venv", "--without-pip", QString::fromStdString((m_root / "venv").string())});
        const auto write = [](const fs::path& file, const char* text) { std::ofstream(file) << text; };
        write(packages() / "fine.py", "");
        write(packages() / "threaded.py", "import threading\n"
                                          "threading.Thread(target=threading.Event().wait, daemon=True).start()\n");
        write(packages() / "holding.py", "held = open('/dev/zero')\n");
        write(packages() / "failing.py", "raise ValueError('no')\n");
        write(packages() / "leaving.py", "import os\nos._exit(3)\n");
        fs::create_directories(m_root / "own");
        write(m_root / "own" / "owned.py", "");
        return python;
    }
    KeptRank rankOf(const QString& how, const char* preload, const char* file) {
        KeptRank rank;
        spec::Program program;
        program.script = kLooksScript;
        program.interpreter = kForkPython;
        program.preload = preload;
        rank.spec = spec::programRun(program);
        rank.interpreter = kForkPython;
        rank.place.run = "a-run";
        rank.command.folder = place();
        rank.command.printed = place() / "printed";
        rank.command.environment = {{"PYTHONUNBUFFERED", "1"}, {"PYTHONFAULTHANDLER", "1"}, {"RANK", "0"}};
        rank.command.words = {kForkPython, kLooksScript, (place() / file).string(), how.toStdString()};
        return rank;
    }
    static std::optional<RankProcess> started(RankStart& start, const KeptRank& rank) {
        auto process = start.start(rank, [](int fd, double) { waitReadable(fd, 0.1); });
        if (!process) return std::nullopt;
        return std::move(*process);
    }
    Ran ran(const QString& how, const char* preload, const char* file) { return ran(rankOf(how, preload, file)); }
    Ran ran(const KeptRank& rank) {
        fs::remove(rank.command.printed);
        RankStart start(rank, cache());
        auto process = started(start, rank);
        if (!process) return {};
        Ran run{.wasForked = process->forked() != nullptr};
        const double until = monotonicSeconds() + 20;
        while (!process->exitStatus() && monotonicSeconds() < until) QTest::qWait(5);
        if (!process->exitStatus()) return run;
        run.status = process->ended();
        if (run.wasForked) run.unfit = QString::fromStdString(process->forked()->unfit());
        run.notices = linesOf(start.takeNotices());
        process->endFamily(5);
        run.printed = printed(rank);
        return run;
    }
    // The server that forks this rank, which is killed at once; 0: none.
    pid_t serverOf(const KeptRank& rank) {
        RankStart start(rank, cache());
        auto process = started(start, rank);
        if (!process || !process->forked()) {
            for (const auto& line : start.takeLines()) qWarning("%s", line.c_str());
            return 0;
        }
        const pid_t server = forkParentOf(process->forked()->holder());
        process->signal(SIGKILL, true);
        process->endFamily(5);
        return server;
    }
    static fs::path newestSocket() {
        const QDir folder(QString::fromStdString(socketFolder()->string()));
        const auto sockets = folder.entryList({"fork-*.sock"}, QDir::System, QDir::Time);
        return sockets.isEmpty() ? fs::path() : fs::path(folder.filePath(sockets.front()).toStdString());
    }
    // What the server answers to these bytes with so many descriptors.
    static std::string refusal(const fs::path& socket, const std::string& bytes, std::size_t descriptors) {
        const auto line = connectToOwn(socket);
        const UniqueFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
        if (!line ||
            !sendWithFds(line.get(), bytes.data(), bytes.size(), std::vector<int>(descriptors, nothing.get())) ||
            !waitReadable(line.get(), 10))
            return "no answer";
        std::string answer(kMaxForkReply, '\0');
        const auto got = ::recv(line.get(), answer.data(), answer.size(), 0);
        answer.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        return answer;
    }

    QTemporaryDir m_folder{"/tmp/tyfork-XXXXXX"}; // short, as it has sockets
    fs::path m_root{m_folder.path().toStdString() + "/files"};
};

QTEST_GUILESS_MAIN(ForkServerTest)
#include "fork_server_test.moc"
