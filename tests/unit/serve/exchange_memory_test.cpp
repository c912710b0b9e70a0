// SPDX-License-Identifier: GPL-3.0-or-later
// The memory between a server and its replicas: batches go and come, and what a replica claims is not believed.
#include "engine/serve/exchange/replica_rings.h"

#include <QTest>

#include <sys/eventfd.h>

#include <cstring>
#include <thread>

using namespace trainyard;
using namespace trainyard::serve;

namespace {

constexpr int kBatches = 250; // of 1 to 40 slots: more than the rings have room for
constexpr ExchangeLayout kLayout{.slots = 40, .replicas = 2, .inputBytes = 5000, .outputBytes = 100};

ExchangeMemory made() {
    auto memory = ExchangeMemory::make(kLayout);
    if (!memory) qFatal("%s", memory.error().text().c_str());
    return std::move(*memory);
}

} // namespace

class ExchangeMemoryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void batchesGoAndComeInTheirOrder() {
        const ExchangeMemory memory = made();
        RingsOfServer server(memory.rings(1));
        std::thread replica([&] {
            RingsOfReplica rings(memory.rings(1), memory.serverSleeps(), -1);
            for (int batch = 0; batch < kBatches; ++batch) {
                const auto slots = rings.take();
                for (const auto slot : slots)
                    memory.output(slot)[0] = memory.input(slot)[0] ^ static_cast<std::byte>(0xff);
                rings.finish(slots);
            }
        });
        int wrong = 0;
        for (int batch = 0; batch < kBatches; ++batch) {
            std::vector<std::uint32_t> slots;
            for (int i = 0; i <= batch % 40; ++i) slots.push_back(static_cast<std::uint32_t>((batch + i) % 40));
            for (const auto slot : slots) memory.input(slot)[0] = static_cast<std::byte>(batch);
            server.give(slots);
            for (const auto expected : slots) {
                std::optional<std::uint32_t> slot;
                while (!(slot = server.next())) std::this_thread::yield();
                wrong +=
                    *slot != expected || memory.output(*slot)[0] != (static_cast<std::byte>(batch) ^ std::byte(0xff));
            }
        }
        replica.join();
        QCOMPARE(wrong, 0);
        QVERIFY(!server.next());
    }

    void aSleepingServerIsRung() {
        const ExchangeMemory memory = made();
        const UniqueFd bell(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
        RingsOfServer server(memory.rings(0));
        RingsOfReplica replica(memory.rings(0), memory.serverSleeps(), bell.get());
        std::uint64_t rung = 0;
        for (const bool sleeps : {false, true}) {
            memory.serverSleeps().store(sleeps ? 1 : 0);
            server.give(std::vector<std::uint32_t>{7});
            replica.finish(replica.take());
            QCOMPARE(::read(bell.get(), &rung, sizeof rung) == static_cast<ssize_t>(sizeof rung), sleeps);
            QCOMPARE(server.next(), std::optional<std::uint32_t>(7));
        }
    }

    // Bad inputs: a replica that writes what it likes into the rings gets nothing believed that it was not given.
    void aReplicaThatClaimsMoreGivesNothing() {
        const ExchangeMemory memory = made();
        RingsOfServer server(memory.rings(0));
        server.give(std::vector<std::uint32_t>{1, 2});
        memory.rings(0).done.store(3);
        QVERIFY(!server.next());
        memory.rings(0).done.store(0xffffffff);
        QVERIFY(!server.next());
        memory.rings(0).done.store(1);
        memory.rings(0).answers[0] = 12345;
        QCOMPARE(server.next(), std::optional<std::uint32_t>(12345)); // its reader looks for it among those it gave
        QVERIFY(!server.next());
    }

    void slotsDoNotOverlap() {
        const ExchangeMemory memory = made();
        for (std::uint32_t slot = 0; slot < kLayout.slots; ++slot) {
            std::memset(memory.input(slot).data(), static_cast<int>(slot), memory.input(slot).size());
            std::memset(memory.output(slot).data(), static_cast<int>(slot + 100), memory.output(slot).size());
            memory.head(slot).rows = slot;
        }
        for (std::uint32_t slot = 0; slot < kLayout.slots; ++slot) {
            QCOMPARE(memory.input(slot).back(), static_cast<std::byte>(slot));
            QCOMPARE(memory.output(slot).back(), static_cast<std::byte>(slot + 100));
            QCOMPARE(memory.head(slot).rows, slot);
        }
        auto again = ExchangeMemory::map(UniqueFd(::dup(memory.fd())), kLayout);
        QVERIFY(again.ok());
        QCOMPARE(again->head(39).rows, 39u);
        QVERIFY(::ftruncate(memory.fd(), 0) != 0); // a replica could end the server with that
        ExchangeLayout larger = kLayout;
        larger.slots = 4000;
        QVERIFY(!ExchangeMemory::map(UniqueFd(::dup(memory.fd())), larger).ok());
    }

    void memoryOfLargeBodiesIsGivenBack() {
        ExchangeLayout layout = kLayout;
        layout.inputBytes = 4 << 20;
        auto memory = ExchangeMemory::make(layout);
        QVERIFY(memory.ok());
        std::memset(memory->input(3).data(), 1, memory->input(3).size());
        memory->head(3).inputBytes = layout.inputBytes;
        memory->shrink(3);
        QCOMPARE(memory->input(3)[1000], std::byte(0));
    }
};

QTEST_GUILESS_MAIN(ExchangeMemoryTest)
#include "exchange_memory_test.moc"
