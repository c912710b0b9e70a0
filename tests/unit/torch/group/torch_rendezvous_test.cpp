// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that meet over Gloo, and one in the place of another that does not know what only ranks can know.
#include "engine/base/clock.h"
#include "engine/base/unique_fd.h"
#include "engine/torch/base/peer_lost.h"
#include "engine/torch/group/process_group.h"

#include <QTest>
#include <torch/csrc/distributed/c10d/HashStore.hpp>

#include <arpa/inet.h>
#include <sys/socket.h>

#include <csignal>
#include <functional>
#include <future>
#include <optional>
#include <thread>

using namespace trainyard;
using namespace trainyard::train;

namespace {

// The store where ranks meet, or what one of them does besides or instead.
class RanksStore : public c10d::Store {
public:
    using Before = std::function<bool(const std::string& key)>; // false: it is not done
    RanksStore(compat::StorePtr ranks, Before beforeSet, Before beforeGet)
        : c10d::Store(), m_ranks(std::move(ranks)), m_beforeSet(std::move(beforeSet)),
          m_beforeGet(std::move(beforeGet)) {}
    void set(const std::string& key, const std::vector<std::uint8_t>& value) override {
        if (m_beforeSet(key)) m_ranks->set(key, value);
    }
    std::vector<std::uint8_t> get(const std::string& key) override {
        m_beforeGet(key);
        return m_ranks->get(key);
    }
    std::int64_t add(const std::string& key, std::int64_t value) override { return m_ranks->add(key, value); }
    bool check(const std::vector<std::string>& keys) override { return m_ranks->check(keys); }
    void wait(const std::vector<std::string>& keys) override { m_ranks->wait(keys); }
    void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout) override {
        m_ranks->wait(keys, timeout);
    }
    bool deleteKey(const std::string& key) override { return m_ranks->deleteKey(key); }
    std::int64_t getNumKeys() override { return m_ranks->getNumKeys(); }
    c10::intrusive_ptr<c10d::Store> clone() {
        return c10::make_intrusive<RanksStore>(m_ranks, m_beforeSet, m_beforeGet);
    }

private:
    compat::StorePtr m_ranks;
    Before m_beforeSet, m_beforeGet;
};

bool always(const std::string&) { return true; }

// The store as an intruder sees it that joins the rendezvous and cannot write the proof of being a rank.
compat::StorePtr strangersStore(const compat::StorePtr& ranks) {
    return c10::make_intrusive<RanksStore>(
        ranks, [](const std::string& key) { return key.find("secret") == key.npos; }, always);
}

} // namespace

namespace foreign { // named: lambdas that hold one are members of a class with linkage

// Both ends of a TCP connection over the loopback that has nothing to do with ranks, as a server or a data loader in
// the same process has them.
class Connection {
public:
    Connection() {
        const UniqueFd listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* const where = reinterpret_cast<sockaddr*>(&address);
        m_client = UniqueFd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        if (::bind(listener.get(), where, size) != 0 || ::listen(listener.get(), 1) != 0 ||
            ::getsockname(listener.get(), where, &size) != 0 || ::connect(m_client.get(), where, size) != 0)
            return;
        m_server = UniqueFd(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    }
    bool carries() const { return carries(m_client, m_server) && carries(m_server, m_client); }

private:
    static bool carries(const UniqueFd& from, const UniqueFd& to) {
        char byte = 'x', got = 0;
        return ::send(from.get(), &byte, 1, MSG_NOSIGNAL) == 1 && ::recv(to.get(), &got, 1, 0) == 1 && got == byte;
    }
    UniqueFd m_client, m_server;
};

} // namespace foreign

namespace {

GroupOptions optionsOf(int rank) {
    GroupOptions options;
    options.rank = rank;
    options.worldSize = 2;
    options.timeout = std::chrono::seconds(20);
    return options;
}

} // namespace

class TorchRendezvousTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { std::signal(SIGPIPE, SIG_IGN); } // as every rank does

    // What real ranks say that lose one over Gloo is in worker_failure_test.
    void noOtherFailureIsALostPeer() {
        QVERIFY(isPeerLoss(PeerLost("rank 1 has not finished its share")));
        for (const char* text : {"backend \"gloo\" is not known", "NCCL is not in this build", "the layer is broken",
                                 "not enough memory: a tensor of 8 bytes cannot be made"})
            QVERIFY2(!isPeerLoss(std::runtime_error(text)), text);
    }

    // Fault: A stranger who speaks Gloo's protocol in the place of a rank, without the token. Named; that group is
    // never used.
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
            others = strangersStore(store);
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
        else QCOMPARE(group.error().message, std::string("the peer answering as rank 1 is not part of this run"));
    }

    // Gloo alone would wait for 20 s: what is sent waits until it is asked for.
    void whatNobodyAsksForEndsWithTheGroup() {
        const compat::StorePtr store = c10::make_intrusive<c10d::HashStore>();
        AbortFlag abort;
        std::promise<void> over;
        std::thread other([&] {
            const auto group = ProcessGroup::make(store, optionsOf(1));
            over.get_future().wait(); // instead of the broadcast
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

    // Its wait, by Gloo, would last for 20 s.
    // Feature: a lost group's connections are ended, and no others of the process.
    void endsWaitsForPeersAndNothingElse() {
        const compat::StorePtr store = c10::make_intrusive<c10d::HashStore>();
        const foreign::Connection earlier;
        std::optional<foreign::Connection> meanwhile;
        PeerConnections connections;
        std::promise<void> over;
        std::thread other([&] {
            const auto group = ProcessGroup::make(store, optionsOf(1));
            over.get_future().wait(); // instead of the sum
        });
        const compat::StorePtr watched = c10::make_intrusive<RanksStore>(store, always, [&](const std::string&) {
            if (!meanwhile) meanwhile.emplace(); // while the ranks connect
            return true;
        });
        auto options = optionsOf(0);
        options.connections = &connections;
        const auto group = ProcessGroup::make(watched, options);
        QVERIFY(group.ok());
        const foreign::Connection later;
        auto ended = std::async(std::launch::async, [&] {
            try {
                auto one = torch::ones({1});
                group->sum(one);
                return -1.0;
            } catch (const std::exception&) { return monotonicSeconds(); }
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        const double begun = monotonicSeconds();
        connections.shutDown();
        const double took = ended.get() - begun;
        over.set_value();
        other.join();
        QVERIFY2(took > 0 && took < 1, QByteArray::number(took).constData());
        QVERIFY(meanwhile.has_value());
        QVERIFY(earlier.carries());
        QVERIFY(meanwhile->carries());
        QVERIFY(later.carries());
    }

    // The word that a rank is lost may come while the others are still connecting.
    void whatIsShutDownWhileItMeetsIsNoGroup() {
        const compat::StorePtr store = c10::make_intrusive<c10d::HashStore>();
        store->setTimeout(std::chrono::seconds(2)); // the other may have failed before it has said what it should
        PeerConnections connections;
        std::thread other([&] { (void)ProcessGroup::make(store, optionsOf(1)); });
        const compat::StorePtr watched = c10::make_intrusive<RanksStore>(store, always, [&](const std::string&) {
            if (connections.timesShutDown() == 0) connections.shutDown();
            return true;
        });
        auto options = optionsOf(0);
        options.connections = &connections;
        const double begun = monotonicSeconds();
        const auto group = ProcessGroup::make(watched, options);
        const double took = monotonicSeconds() - begun;
        other.join();
        QVERIFY(!group.ok());
        QVERIFY2(took < 5, QByteArray::number(took).constData());
    }

    // A group that was lost does not take the next one with it.
    void theNextGroupIsNotTouched() {
        PeerConnections connections;
        for (int round = 0; round < 2; ++round) {
            const compat::StorePtr store = c10::make_intrusive<c10d::HashStore>();
            std::thread other([&] {
                const auto group = ProcessGroup::make(store, optionsOf(1));
                auto one = torch::ones({1});
                if (group) group->sum(one);
            });
            auto options = optionsOf(0);
            options.connections = &connections;
            const auto group = ProcessGroup::make(store, options);
            auto two = torch::ones({1});
            if (group) group->sum(two);
            other.join();
            connections.shutDown();
            QVERIFY(group.ok());
            QCOMPARE(two.item<float>(), 2.f);
        }
    }
};

QTEST_GUILESS_MAIN(TorchRendezvousTest)
#include "torch_rendezvous_test.moc"
