// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/clock.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/files/temporary_name.h"
#include "engine/base/machine/cores.h"
#include "engine/base/machine/cpu_use.h"
#include "engine/base/machine/idle_gate.h"
#include "engine/base/math/axis_ticks.h"
#include "engine/base/math/crc32c.h"
#include "engine/base/math/sha256.h"
#include "engine/base/nearest_word.h"
#include "engine/base/text/ids.h"
#include "engine/base/text/names.h"
#include "engine/base/text/printable.h"
#include "engine/base/text/sentence.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <fstream>
#include <sched.h>
#include <set>
#include <thread>
#include <tuple>
#include <vector>

using namespace trainyard;
namespace fs = std::filesystem;

namespace {

std::span<const std::byte> bytesOf(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }

std::size_t filesIn(const fs::path& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator{}));
}

// Runs `body` in a child process; gives its exit code, or 1000 + the signal that ended it.
int inChild(const std::function<int()>& body) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(body());
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

} // namespace

class BaseTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void checksumMatchesPublishedVectors_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<quint32>("crc");
        QTest::newRow("nothing") << QByteArray() << 0u;
        QTest::newRow("check string") << QByteArray("123456789") << 0xE3069283u;
        QTest::newRow("32 zeros, RFC 3720") << QByteArray(32, '\0') << 0x8A9136AAu;
        QTest::newRow("32 ones, RFC 3720") << QByteArray(32, '\xff') << 0x62A8AB43u;
    }
    void checksumMatchesPublishedVectors() {
        QFETCH(QByteArray, bytes);
        QFETCH(quint32, crc);
        const std::string text = bytes.toStdString();
        QCOMPARE(crc32c(bytesOf(text)), crc);
        for (std::size_t cut = 0; cut <= text.size(); ++cut)
            QCOMPARE(crc32c(bytesOf(text).subspan(cut), crc32c(bytesOf(text).first(cut))), crc);
    }

    void atomicWriteReplacesTheWholeFile() {
        QTemporaryDir dir;
        const fs::path file = fs::path(dir.path().toStdString()) / "a.json";
        QVERIFY(writeFileAtomic(file, "first, and longer").ok());
        QVERIFY(writeFileAtomic(file, "second").ok());
        QCOMPARE(*readFile(file), std::string("second"));
        QCOMPARE(filesIn(file.parent_path()), 1u);
    }
    void atomicWriteFollowsALink() {
        QTemporaryDir dir;
        const fs::path folder = dir.path().toStdString();
        QVERIFY(writeFileAtomic(folder / "real", "old").ok());
        fs::create_symlink("real", folder / "link");
        QVERIFY(writeFileAtomic(folder / "link", "new").ok());
        QVERIFY(fs::is_symlink(folder / "link"));
        QCOMPARE(*readFile(folder / "real"), std::string("new"));
    }
    void failedWriteKeepsTheOldFile_data() {
        QTest::addColumn<bool>("sizeKnown");
        QTest::newRow("size known") << true;
        QTest::newRow("size unknown") << false;
    }
    // A limit on file size fails the write at a real system call, like a disk that fills up.
    void failedWriteKeepsTheOldFile() {
        QFETCH(bool, sizeKnown);
        QTemporaryDir dir;
        const fs::path file = fs::path(dir.path().toStdString()) / "a.bin";
        QVERIFY(writeFileAtomic(file, "old").ok());
        const int code = inChild([&] {
            ::signal(SIGXFSZ, SIG_IGN);
            const rlimit limit{100'000, 100'000};
            ::setrlimit(RLIMIT_FSIZE, &limit);
            const std::string big(200'000, 'x');
            const auto written = writeFileAtomic(file, sizeKnown ? big.size() : 0,
                                                 [&](const ByteSink& sink) { return sink(bytesOf(big)); });
            if (written.ok()) return 1;
            const Error& error = written.error();
            if (error.kind != ErrorKind::Environment || error.remedy.empty()) return 2;
            if (error.code != ErrorCode::DiskFull || error.remedy != "raise the limit (ulimit -f)") return 3;
            return error.message.find("may not be larger than 100.0 kB here") != std::string::npos ? 0 : 4;
        });
        QCOMPARE(code, 0);
        QCOMPARE(*readFile(file), std::string("old"));
        QCOMPARE(filesIn(file.parent_path()), 1u);
    }
    // As processes leave them that are killed while they write.
    void removesTheTemporaryFilesOfTheDead_data() {
        QTest::addColumn<bool>("lives");
        QTest::addColumn<int>("secondsAgo"); // it was written to
        QTest::addColumn<bool>("stays");
        QTest::newRow("of this process") << true << 60 << true;
        QTest::newRow("of one that is gone") << false << 60 << false;
        QTest::newRow("of one that is gone here and writes elsewhere") << false << 1 << true;
    }
    void removesTheTemporaryFilesOfTheDead() {
        QFETCH(bool, lives);
        QFETCH(int, secondsAgo);
        QFETCH(bool, stays);
        QTemporaryDir dir;
        const fs::path folder = dir.path().toStdString();
        std::string name = temporaryName();
        QCOMPARE(ownerOfTemporary(name), ::getpid());
        const auto own = "." + std::to_string(::getpid()) + ".";
        if (!lives) name.replace(name.find(own), own.size(), ".4194999."); // above the largest pid
        for (const auto& each : {name, std::string("step-1.safetensors"), std::string(".tmp.mine")}) {
            std::ofstream(folder / each) << "x";
            fs::last_write_time(folder / each, fs::file_time_type::clock::now() - std::chrono::seconds(secondsAgo));
        }
        removeAbandonedTemporaries(folder);
        QCOMPARE(fs::exists(folder / name), stays);
        QCOMPARE(filesIn(folder), stays ? 3u : 2u);
    }
    void producerErrorLeavesNoTemporaryFile() {
        QTemporaryDir dir;
        const fs::path file = fs::path(dir.path().toStdString()) / "a.bin";
        const auto written = writeFileAtomic(file, 0, [&](const ByteSink& sink) -> Result<void> {
            TY_TRY(sink(bytesOf("half")));
            return runError("the tensor went away");
        });
        QCOMPARE(written.error().message, std::string("the tensor went away"));
        QCOMPARE(filesIn(file.parent_path()), 0u);
    }
    void largeFileComesOutWhole_data() {
        QTest::addColumn<qulonglong>("size");
        for (const std::size_t size :
             {std::size_t{0}, std::size_t{10}, kLargeFile - 1, kLargeFile, kLargeFile + 4096, 3 * kLargeFile + 12'345})
            QTest::addRow("%zu bytes", size) << static_cast<qulonglong>(size);
    }
    // In pieces of odd sizes, with a header that is known last; on this file system and on one in memory.
    void largeFileComesOutWhole() {
        QFETCH(qulonglong, size);
        std::string content(size, '\0');
        for (std::size_t i = 0; i < size; ++i) content[i] = static_cast<char>((i * 2654435761u) >> 13);
        QTemporaryDir dir, memory(QStringLiteral("/dev/shm/base-test-XXXXXX"));
        for (const QTemporaryDir* each : {&dir, &memory}) {
            if (!each->isValid()) continue; // there is no /dev/shm here
            const fs::path file = fs::path(each->path().toStdString()) / "a.bin";
            const auto written = writeLargeFileAtomic(file, size, [&](LargeFile& out) -> Result<void> {
                const std::size_t header = std::min<std::size_t>(size, 5);
                TY_TRY(out.append(bytesOf(std::string(header, '?'))));
                std::size_t at = header;
                for (std::size_t piece = 1; at < size; at += piece, piece = piece * 3 % 1'500'007) {
                    piece = std::min<std::size_t>(piece, size - at);
                    TY_TRY(out.append(bytesOf(std::string_view(content).substr(at, piece))));
                }
                return out.overwrite(0, bytesOf(std::string_view(content).substr(0, header)));
            });
            QVERIFY2(written.ok(), written ? "" : written.error().text().c_str());
            QVERIFY(*readFile(file) == content);
            QCOMPARE(filesIn(file.parent_path()), 1u);
        }
    }
    // The limit is no whole block: the write that meets it is cut short in the midst of one.
    // Busy cores hold up what goes through the gate, but do not shut it; nor does one that hurries wait.
    void idleGateLetsThrough() {
        for (const bool hurries : {false, true}) {
            std::atomic<bool> done{false};
            std::vector<std::thread> busy;
            for (unsigned i = 0; i < 2 * std::thread::hardware_concurrency(); ++i)
                busy.emplace_back([&] {
                    while (!done) {}
                });
            IdleGate gate;
            gate.hurry(hurries);
            int passed = 0;
            for (; passed < 50; ++passed) gate.pass(IdleGate::kPiece);
            done = true;
            for (auto& thread : busy) thread.join();
            QCOMPARE(passed, 50);
        }
    }
    void idleGateSpreadsWaitsOverATime() {
        IdleGate gate;
        QCOMPARE(gate.longestWait(), IdleGate::kLongestWait);
        gate.spread(80 * IdleGate::kPiece, 0.16);
        QCOMPARE(gate.longestWait(), 0.002);
        gate.spread(80 * IdleGate::kPiece, 60);
        QCOMPARE(gate.longestWait(), IdleGate::kLongestWait);
        gate.spread(0, 1);
        QCOMPARE(gate.longestWait(), IdleGate::kLongestWait);
        gate.spread(80 * IdleGate::kPiece, 0);
        QCOMPARE(gate.longestWait(), 0.0);
    }
    void fullDiskUnderALargeFile() {
        QTemporaryDir dir;
        const fs::path file = fs::path(dir.path().toStdString()) / "a.bin";
        QVERIFY(writeFileAtomic(file, "old").ok());
        const int code = inChild([&] {
            ::signal(SIGXFSZ, SIG_IGN);
            const rlimit limit{kLargeFile / 2 + 1000, kLargeFile / 2 + 1000};
            ::setrlimit(RLIMIT_FSIZE, &limit);
            const std::string big(kLargeFile, 'x');
            const auto written =
                writeLargeFileAtomic(file, big.size(), [&](LargeFile& out) { return out.append(bytesOf(big)); });
            return !written.ok() && written.error().kind == ErrorKind::Environment ? 0 : 1;
        });
        QCOMPARE(code, 0);
        QCOMPARE(*readFile(file), std::string("old"));
        QCOMPARE(filesIn(file.parent_path()), 1u);
    }
    // Killed at any moment, a writer leaves one of the two contents and never a mixture.
    void killedWriterLeavesOldOrNew() {
        QTemporaryDir dir;
        const fs::path file = fs::path(dir.path().toStdString()) / "a.bin";
        QVERIFY(writeFileAtomic(file, std::string(300'000, 'a')).ok());
        for (int round = 0; round < 20; ++round) {
            const pid_t child = ::fork();
            if (child == 0) {
                for (char c = 'b';; c = c == 'z' ? 'a' : static_cast<char>(c + 1))
                    if (!writeFileAtomic(file, std::string(300'000, c)).ok()) ::_exit(1);
            }
            ::usleep(static_cast<useconds_t>(2000 + 1500 * round));
            ::kill(child, SIGKILL);
            ::waitpid(child, nullptr, 0);
            const std::string content = *readFile(file);
            QCOMPARE(content.size(), 300'000u);
            QCOMPARE(content.find_first_not_of(content[0]), std::string::npos);
        }
    }

    void readFileNamesWhatIsWrong_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("part");
        QTest::newRow("missing") << "missing" << "no such file";
        QTest::newRow("folder") << "folder" << "a folder";
        QTest::newRow("fifo") << "fifo" << "not a regular file";
        QTest::newRow("large") << "large" << "larger than the limit";
        QTest::newRow("a link to itself") << "circle" << "(remove the link)";
    }
    void readFileNamesWhatIsWrong() {
        QFETCH(QString, name);
        QFETCH(QString, part);
        QTemporaryDir dir;
        const fs::path folder = dir.path().toStdString();
        fs::create_directory(folder / "folder");
        QCOMPARE(::mkfifo((folder / "fifo").c_str(), 0600), 0);
        QVERIFY(writeFileAtomic(folder / "large", std::string(2000, 'x')).ok());
        fs::create_symlink("circle", folder / "circle");
        const auto text = readFile(folder / name.toStdString(), 1000);
        QVERIFY(!text.ok());
        QCOMPARE(text.error().kind, ErrorKind::Input);
        QVERIFY2(text.error().text().find(part.toStdString()) != std::string::npos, text.error().text().c_str());
        QVERIFY(text.error().text().find((folder / name.toStdString()).string()) != std::string::npos);
        QVERIFY2(!text.error().remedy.empty(), text.error().text().c_str());
    }

    void idsAreUniqueAndOrdered() {
        std::set<std::string> seen;
        std::string before;
        for (int i = 0; i < 20'000; ++i) {
            const std::string id = newId();
            QVERIFY2(before < id, (before + " then " + id).c_str());
            QVERIFY(seen.insert(id).second);
            QCOMPARE(id.size(), 22u);
            before = id;
        }
    }
    void timeIsPrintedAsIso() {
        QCOMPARE(isoTime(1'795'171'512'345), std::string("2026-11-20T10:45:12Z"));
        QCOMPARE(isoTime(-1), std::string("1969-12-31T23:59:59Z"));
    }
    void digestsMatchPublishedVectors_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("digest");
        QTest::newRow("nothing") << QByteArray() << "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        QTest::newRow("abc, FIPS 180-4") << QByteArray("abc")
                                         << "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        QTest::newRow("a million a, FIPS 180-4")
            << QByteArray(1'000'000, 'a') << "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
    }
    void digestsMatchPublishedVectors() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, digest);
        const std::string text = bytes.toStdString();
        QCOMPARE(QString::fromStdString(sha256Hex(bytesOf(text))), digest);
        QCOMPARE(QString::fromStdString(toHex(sha256Raw(text))), digest);
        Sha256 pieces;
        for (std::size_t at = 0; at < text.size(); at += 100)
            pieces.add(text.data() + at, std::min(text.size() - at, std::size_t{100}));
        QCOMPARE(QString::fromStdString(pieces.hex()), digest);
        const QTemporaryDir dir;
        const fs::path file = fs::path(dir.path().toStdString()) / "file";
        QVERIFY(writeFileAtomic(file, text).ok());
        QCOMPARE(QString::fromStdString(*sha256HexOf(file)), digest);
        QCOMPARE(sha256HexOf(file / "none").error().kind, ErrorKind::Environment);
    }
    void coresFollowTheQuota_data() {
        QTest::addColumn<QByteArray>("cpuMax");
        QTest::addColumn<int>("cores");
        QTest::newRow("no quota") << QByteArray("max 100000") << 0;
        QTest::newRow("two") << QByteArray("200000 100000") << 2;
        QTest::newRow("one and a half is two") << QByteArray("150000 100000") << 2;
        QTest::newRow("a tenth is one") << QByteArray("10000 100000") << 1;
        QTest::newRow("nonsense") << QByteArray("cores: 7") << 0;
        QTest::newRow("no period") << QByteArray("100000 0") << 0;
        QTest::newRow("half a line") << QByteArray("100000") << 0;
    }
    void coresFollowTheQuota() {
        QFETCH(QByteArray, cpuMax);
        QFETCH(int, cores);
        QCOMPARE(coresOfQuota(cpuMax.toStdString()), cores);
    }
    // In a process of its own: its threads are moved.
    void coresAreThoseFirstGiven() {
        QCOMPARE(inChild([] {
                     cpu_set_t before, one, after;
                     const int cores = availableCores();
                     if (::sched_getaffinity(0, sizeof before, &before) != 0) return 1;
                     if (cores < 1 || cores > CPU_COUNT(&before)) return 2;
                     CPU_ZERO(&one);
                     CPU_SET(::sched_getcpu(), &one);
                     if (::sched_setaffinity(0, sizeof one, &one) != 0) return 3;
                     if (availableCores() != cores) return 4;
                     useAllCores();
                     ::sched_getaffinity(0, sizeof after, &after);
                     if (!CPU_EQUAL(&before, &after)) return 5;
                     // A thread that a moved one has made inherits its one core.
                     ::sched_setaffinity(0, sizeof one, &one);
                     std::atomic<int> step = 0;
                     std::thread made([&] {
                         step = 1;
                         while (step != 2) std::this_thread::yield();
                         ::sched_getaffinity(0, sizeof after, &after);
                     });
                     while (step != 1) std::this_thread::yield();
                     useAllCoresInEveryThread();
                     step = 2;
                     made.join();
                     return CPU_EQUAL(&before, &after) ? 0 : 6;
                 }),
                 0);
    }
    void othersShareIsWhatIsNotOurs_data() {
        QTest::addColumn<double>("busy");
        QTest::addColumn<double>("own");
        QTest::addColumn<double>("share"); // of two cores, over ten seconds
        QTest::newRow("idle") << 0.0 << 0.0 << 0.0;
        QTest::newRow("only ours") << 20.0 << 20.0 << 0.0;
        QTest::newRow("one core is another's") << 20.0 << 10.0 << 0.5;
        QTest::newRow("ours rounded up") << 10.0 << 10.02 << 0.0;
    }
    void othersShareIsWhatIsNotOurs() {
        QFETCH(double, busy);
        QFETCH(double, own);
        QFETCH(double, share);
        QCOMPARE(othersShare({100, 5, 3}, {110, 5 + busy, 3 + own}, 2), share);
        QCOMPARE(othersShare({100, 5, 3}, {100, 5, 3}, 2), 0.0); // no time has passed
    }

    // A process that computes for 0.3 s is told from one that is not ours by its number alone.
    void processorTimeIsCountedByProcess() {
        const pid_t child = ::fork();
        if (child == 0)
            for (volatile unsigned turns = 0;;) turns = turns + 1;
        const std::vector<std::int64_t> pids{child};
        const CpuUse before = cpuUse(pids);
        for (CpuUse now = before; now.own - before.own < 0.3 && now.at - before.at < 20; now = cpuUse(pids))
            QTest::qSleep(20);
        const CpuUse ours = cpuUse(pids), notOurs = cpuUse({});
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        QVERIFY(ours.own - before.own >= 0.3);
        QVERIFY(ours.busy - before.busy >= ours.own - before.own - 0.05);
        QCOMPARE(notOurs.own, 0.0);
    }

    void ticksStandAtRoundNumbers_data() {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<bool>("log");
        QTest::addColumn<QList<double>>("places");
        QTest::newRow("whole") << 0.0 << 10.0 << false << QList<double>{0, 2, 4, 6, 8, 10};
        QTest::newRow("through zero") << -1.0 << 1.0 << false << QList<double>{-0.8, -0.4, 0, 0.4, 0.8};
        QTest::newRow("decades") << 1e-3 << 1e3 << true << QList<double>{1e-2, 1, 1e2};
        QTest::newRow("parts of a decade") << 0.01 << 0.2 << true << QList<double>{0.01, 0.02, 0.05, 0.1, 0.2};
        QTest::newRow("too narrow for a log axis") << 1.0 << 3.0 << true << QList<double>{};
        QTest::newRow("no range") << 1.0 << 1.0 << false << QList<double>{};
        QTest::newRow("not finite") << 0.0 << HUGE_VAL << false << QList<double>{};
    }
    void ticksStandAtRoundNumbers() {
        QFETCH(double, low);
        QFETCH(double, high);
        QFETCH(bool, log);
        QFETCH(QList<double>, places);
        const auto found = log ? logTickPositions(low, high, 5) : linearTickPositions(low, high, 5);
        QCOMPARE(static_cast<qsizetype>(found.size()), places.size());
        for (qsizetype i = 0; i < places.size(); ++i)
            QVERIFY(std::abs(found[static_cast<std::size_t>(i)] - places[i]) <= std::abs(places[i]) * 1e-12);
    }
    void nearestWordFindsSlipsOnly_data() {
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("nearest");
        QTest::newRow("letter missing") << "optimzer" << "optimizer";
        QTest::newRow("letters swapped") << "sede" << "seed";
        QTest::newRow("case") << "Seed" << "seed";
        QTest::newRow("nothing near") << "quaternion" << "";
        QTest::newRow("very long") << QString(100'000, QLatin1Char('s')) << "";
    }
    void nearestWordFindsSlipsOnly() {
        QFETCH(QString, word);
        QFETCH(QString, nearest);
        const std::vector<std::string> known{"optimizer", "seed", "epochs"};
        QCOMPARE(QString::fromStdString(nearestWord(word.toStdString(), known)), nearest);
    }
    void untrustedTextIsMadePrintable_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("shown");
        QTest::newRow("plain") << QByteArray("naïve 量子") << QByteArray("naïve 量子");
        QTest::newRow("escape code") << QByteArray("\x1b[31mred") << QByteArray("\\x1b[31mred");
        QTest::newRow("newline") << QByteArray("a\nb") << QByteArray("a\\nb");
        QTest::newRow("right-to-left override") << QByteArray("a\u202eb") << QByteArray("a\\u202eb");
        QTest::newRow("not UTF-8") << QByteArray("a\xff\xc3") << QByteArray("a\\xff\\xc3");
        QTest::newRow("overlong") << QByteArray("\xc0\x80") << QByteArray("\\xc0\\x80");
        QTest::newRow("cut between characters") << QByteArray("ääääää") << QByteArray("ääää…");
    }
    void untrustedTextIsMadePrintable() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, shown);
        const std::size_t limit = text.size() == 12 && text.startsWith("ä") ? 9u : 200u;
        QCOMPARE(QByteArray::fromStdString(printable(text.toStdString(), limit)), shown);
    }
    void sentencesArePutTogether() {
        const Sentence one = Engine::tr("%n slots", "%n slot", 1), two = Engine::tr("%n slots", "%n slot", 2);
        const Sentence marks("%1 of %2", {std::string("%2"), std::string("%n")}), percent("5 % of %3%", {two});
        const Sentence::Translate other = [](const Sentence& each) {
            const std::string format = each.format;
            return format == "%1 of %2" ? "%2: %1" : format == "%n slots" ? "(%n)" : format;
        };
        const std::vector<std::tuple<Sentence, std::string, std::string>> rows{
            {{}, "", ""},
            {std::string("%1 of h1"), "%1 of h1", "%1 of h1"},
            {one, "1 slot", "(1)"},
            {{"%1 of %2", {two, std::string("x")}}, "2 slots of x", "x: (2)"},
            {marks, "%2 of %n", "%n: %2"},
            {percent, "5 % of %3%", "5 % of %3%"}};
        for (const auto& [sentence, english, translated] : rows) {
            QCOMPARE(sentence.text(), english);
            QCOMPARE(sentence.text(other), translated);
            QCOMPARE(sentence.empty(), english.empty());
        }
    }
    void aForksNameIsCutBetweenCharacters_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("fork");
        QTest::newRow("short") << QByteArray("mlp") << QByteArray("mlp-fork");
        QTest::newRow("95 characters") << QByteArray(95, 'x') << QByteArray(95, 'x') + "-fork";
        QTest::newRow("96 characters") << QByteArray(96, 'x') << QByteArray(95, 'x') + "-fork";
        for (const char* each : {"é", "量", "🦦"}) // two, three and four bytes
            QTest::newRow(each) << QByteArray(each).repeated(100) << QByteArray(each).repeated(95) + "-fork";
    }
    void aForksNameIsCutBetweenCharacters() {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, fork);
        const auto made = forkName(name.toStdString());
        QCOMPARE(QByteArray::fromStdString(made), fork);
        QCOMPARE(nameProblem(made), std::string());
    }
};

QTEST_GUILESS_MAIN(BaseTest)
#include "base_test.moc"
