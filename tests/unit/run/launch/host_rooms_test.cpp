// SPDX-License-Identifier: GPL-3.0-or-later
// What is remembered of other computers.
#include "engine/run/launch/host_rooms.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <thread>
#include <vector>

using namespace trainyard;
using run::HostRooms;
using run::Room;

class HostRoomsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_folder.emplace();
        qputenv("XDG_CACHE_HOME", m_folder->path().toUtf8());
    }

    void keepsWhatIsKnownOfHosts() {
        QVERIFY(run::knownHosts().empty());
        run::noteHost("h1", {.cores = 8, .devices = 2, .memoryBytes = 64'000'000'000});
        run::noteHost("anna@h2:2222", {.cores = 4, .devices = 0, .memoryBytes = 0});
        run::noteHost("", {.cores = 1, .devices = 0, .memoryBytes = 0});    // this computer is asked, not remembered
        run::noteHost("h1", {.cores = 16, .devices = 1, .memoryBytes = 0}); // by a run, which does not ask for memory
        QVERIFY(run::knownHosts() == (HostRooms{{"h1", {.cores = 16, .devices = 1, .memoryBytes = 64'000'000'000}},
                                                {"anna@h2:2222", {.cores = 4, .devices = 0, .memoryBytes = 0}}}));
    }

    void noneIsForgottenBesideOthers() {
        constexpr int kHosts = 12;
        std::vector<std::thread> threads;
        for (int host = 0; host < kHosts; ++host)
            threads.emplace_back(
                [host] { run::noteHost("h" + std::to_string(host), {.cores = 1, .devices = host, .memoryBytes = 0}); });
        for (auto& thread : threads) thread.join();
        QCOMPARE(static_cast<int>(run::knownHosts().size()), kHosts);
    }

    void whatCannotBeReadIsNotKnown_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<int>("known");
        QTest::newRow("empty") << QByteArray() << 0;
        QTest::newRow("cut short") << QByteArray(R"({"h1": {"cores": 8)") << 0;
        QTest::newRow("a list") << QByteArray("[1, 2]") << 0;
        QTest::newRow("hosts of no kind") << QByteArray(R"({"h1": 8, "h2": {"cores": 2}})") << 1;
        QTest::newRow("no cores") << QByteArray(R"({"h1": {"cores": 0}, "h2": {"devices": 2}})") << 0;
        QTest::newRow("numbers that are none") << QByteArray(R"({"h1": {"cores": "8"}, "h2": {"cores": 1e300}})") << 0;
        QTest::newRow("more than there can be") << QByteArray(R"({"h1": {"cores": 99999999999}})") << 0;
    }
    void whatCannotBeReadIsNotKnown() {
        QFETCH(QByteArray, content);
        const QString folder = m_folder->path() + "/trainyard";
        QVERIFY(QDir().mkpath(folder));
        QFile file(folder + "/host-rooms.json");
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
        file.close();
        QTEST(static_cast<int>(run::knownHosts().size()), "known");
    }

private:
    std::optional<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(HostRoomsTest)
#include "host_rooms_test.moc"
