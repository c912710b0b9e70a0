// SPDX-License-Identifier: GPL-3.0-or-later
// The load of this computer from the texts of /proc, and as it is.
#include "engine/base/machine/gpu_load.h"
#include "engine/base/machine/host_load.h"

#include <QTest>

#include <thread>

using namespace trainyard;

class HostLoadTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void countsTicks_data();
    void countsTicks();
    void readsMemory_data();
    void readsMemory();
    void addsUpInterfaces_data();
    void addsUpInterfaces();
    void measuresThisComputer();
    void aComputerWithoutAGpuHasNoSamples();
};

void HostLoadTest::countsTicks_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qulonglong>("busy");
    QTest::addColumn<qulonglong>("total");
    QTest::newRow("all fields") << QByteArray("cpu  10 1 5 100 4 2 3 7 50 6\ncpu0 1 2 3\n") << 28ULL << 132ULL;
    QTest::newRow("an old kernel") << QByteArray("cpu  10 1 5 100\n") << 16ULL << 116ULL;
    QTest::newRow("a core first") << QByteArray("cpu0 10 1 5 100 4 2 3 7\n") << 0ULL << 0ULL;
    QTest::newRow("no number") << QByteArray("cpu  x y\n") << 0ULL << 0ULL;
    QTest::newRow("too large a number") << QByteArray("cpu  99999999999999999999999 1\n") << 0ULL << 0ULL;
    QTest::newRow("empty") << QByteArray() << 0ULL << 0ULL;
}

void HostLoadTest::countsTicks() {
    QFETCH(QByteArray, text);
    const auto ticks = cpuTicks(text.toStdString());
    QTEST(qulonglong{ticks.busy}, "busy");
    QTEST(qulonglong{ticks.total}, "total");
}

void HostLoadTest::readsMemory_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qlonglong>("used");
    QTest::addColumn<qlonglong>("total");
    QTest::newRow("both") << QByteArray("MemTotal:  1000 kB\nMemFree: 1 kB\nMemAvailable:   400 kB\n") << 600LL * 1024
                          << 1000LL * 1024;
    QTest::newRow("more available than there is")
        << QByteArray("MemTotal: 10 kB\nMemAvailable: 40 kB\n") << 0LL << 10LL * 1024;
    QTest::newRow("no colon") << QByteArray("MemTotal 10 kB\n") << 0LL << 0LL;
    QTest::newRow("empty") << QByteArray() << 0LL << 0LL;
}

void HostLoadTest::readsMemory() {
    QFETCH(QByteArray, text);
    const auto memory = hostMemory(text.toStdString());
    QTEST(qlonglong{memory.used}, "used");
    QTEST(qlonglong{memory.total}, "total");
}

void HostLoadTest::addsUpInterfaces_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qulonglong>("received");
    QTest::addColumn<qulonglong>("sent");
    const QByteArray head("Inter-|   Receive  |  Transmit\n face |bytes packets errs|bytes\n");
    QTest::newRow("two, and the loopback")
        << head + "    lo: 9999 1 0 0 0 0 0 0 9999 1 0 0 0 0 0 0\n  eth0: 100 1 0 0 0 0 0 0 20 1 0 0 0 0 0 0\n"
                  "  eth1:5 1 0 0 0 0 0 0 7 1 0 0 0 0 0 0\n"
        << 105ULL << 27ULL;
    QTest::newRow("too few counters") << head + "  eth0: 100 1 0\n" << 0ULL << 0ULL;
    QTest::newRow("no interface") << head << 0ULL << 0ULL;
}

void HostLoadTest::addsUpInterfaces() {
    QFETCH(QByteArray, text);
    const auto bytes = networkBytes(text.toStdString());
    QTEST(qulonglong{bytes.received}, "received");
    QTEST(qulonglong{bytes.sent}, "sent");
}

void HostLoadTest::measuresThisComputer() {
    HostMeter meter;
    std::this_thread::sleep_for(std::chrono::milliseconds(50)); // ticks are of 10 ms
    const HostLoad load = meter.sample();
    QVERIFY(load.cpuShare >= 0 && load.cpuShare <= 1);
    QVERIFY(load.memoryTotal > 0);
    QVERIFY(load.memoryUsed > 0 && load.memoryUsed <= load.memoryTotal);
    QVERIFY(load.receivedPerSecond >= 0 && load.sentPerSecond >= 0);
}

void HostLoadTest::aComputerWithoutAGpuHasNoSamples() {
    const GpuMeter none(-1), far(4096);
    QVERIFY(!none.sample());
    QVERIFY(!far.sample()); // with a driver, too: there is no such device
    const GpuMeter first(0);
    if (const auto load = first.sample()) {
        QVERIFY(load->busyShare >= 0 && load->busyShare <= 1);
        QVERIFY(load->memoryUsed > 0 && load->memoryUsed <= load->memoryTotal);
    }
}

QTEST_APPLESS_MAIN(HostLoadTest)
#include "host_load_test.moc"
