// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that meet over Gloo, and one in the place of another that does not know what only ranks can know.
#include "engine/base/clock.h"
#include "engine/torch/base/peer_lost.h"
#include "engine/torch/group/peer_loss.h"
#include "engine/torch/group/process_group.h"

#include <QTest>
#include <torch/csrc/distributed/c10d/HashStore.hpp>

#include <future>
#include <thread>

using namespace trainyard;
using namespace trainyard::train;

namespace {

// The view of somebody who meets the ranks and cannot write what proves that it is one of them.
class StrangersStore : public c10d::Store {
public:
    explicit StrangersStore(compat::StorePtr ranks) : c10d::Store(), m_ranks(std::move(ranks)) {}
    void set(const std::string& key, const std::vector<std::uint8_t>& value) override {
        if (key.find("secret") == key.npos) m_ranks->set(key, value);
    }
    std::vector<std::uint8_t> get(const std::string& key) override { return m_ranks->get(key); }
    std::int64_t add(const std::string& key, std::int64_t value) override { return m_ranks->add(key, value); }
    bool check(const std::vector<std::string>& keys) override { return m_ranks->check(keys); }
    void wait(const std::vector<std::string>& keys) override { m_ranks->wait(keys); }
    void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout) override {
        m_ranks->wait(keys, timeout);
    }
    bool deleteKey(const std::string& key) override { return m_ranks->deleteKey(key); }
    std::int64_t getNumKeys() override { return m_ranks->getNumKeys(); }
    c10::intrusive_ptr<c10d::Store> clone() { return c10::make_intrusive<StrangersStore>(m_ranks); }

private:
    compat::StorePtr m_ranks;
};

GroupOptions optionsOf(int rank) {
    GroupOptions options;
    options.rank = rank;
    options.worldSize = 2;
    options.timeout = std::chrono::seconds(20);
    return options;
}

} // namespace

class TorchMeetingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // What real ranks say that lose one over Gloo is in worker_failure_test.
    void noOtherFailureIsALostPeer() {
        QVERIFY(isPeerLoss(PeerLost("rank 1 has not finished its share")));
        for (const char* text : {"backend \"gloo\" is not known", "NCCL is not in this build", "the layer is broken",
                                 "not enough memory: a tensor of 8 bytes cannot be made"})
            QVERIFY2(!isPeerLoss(std::runtime_error(text)), text);
    }

    void onlyRanksOfTheRunMeet_data() {
        QTest::addColumn<bool>("stranger");
        QTest::newRow("two ranks") << false;
        QTest::newRow("a stranger who speaks Gloo in the place of one") << true;
    }
    void onlyRanksOfTheRunMeet() {
        QFETCH(bool, stranger);
        const compat::StorePtr store = c10::make_intrusive<c10d::HashStore>();
        compat::StorePtr others = store;
        if (stranger) {
            others = c10::make_intrusive<StrangersStore>(store);
            store->set("secret/1", std::vector<std::uint8_t>(32, 7)); // of the rank whose place it is
        }
        std::thread other([&] {
            const auto group = ProcessGroup::make(others, optionsOf(1));
            if (!group || stranger) return;
            auto one = torch::ones({1});
            group->sum(one);
        });
        const auto group = ProcessGroup::make(store, optionsOf(0));
        auto two = torch::ones({1});
        if (group) group->sum(two);
        other.join();
        QCOMPARE(group.ok(), !stranger);
        if (!stranger) QCOMPARE(two.item<float>(), 2.f);
        else QCOMPARE(group.error().message, std::string("what answers in the place of rank 1 is not of this run"));
    }

    // Gloo alone would wait for 20 s: what is sent waits until it is asked for.
    void whatNobodyAsksForEndsWithTheGroup() {
        const compat::StorePtr store = c10::make_intrusive<c10d::HashStore>();
        AbortFlag abort;
        std::promise<void> over;
        std::thread other([&] {
            const auto group = ProcessGroup::make(store, optionsOf(1));
            over.get_future().wait(); // in place of the broadcast
        });
        auto options = optionsOf(0);
        options.abort = &abort;
        auto group = ProcessGroup::make(store, options);
        QVERIFY(group.ok());
        std::thread supervisor([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(400));
            abort.raise();
        });
        const double begun = monotonicSeconds();
        auto sent = torch::ones({1 << 20});
        QVERIFY_EXCEPTION_THROWN(group->broadcast(sent), PeerLost);
        *group = ProcessGroup::single(); // which is not waited for either
        const double took = monotonicSeconds() - begun;
        supervisor.join();
        over.set_value();
        other.join();
        QVERIFY2(took > 0.3 && took < 5, QByteArray::number(took).constData());
    }
};

QTEST_GUILESS_MAIN(TorchMeetingTest)
#include "torch_rendezvous_test.moc"
