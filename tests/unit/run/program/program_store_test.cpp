// SPDX-License-Identifier: GPL-3.0-or-later
// The store at which ranks meet: its requests in both dialects, its values, and a server with real connections.
#include "engine/base/clock.h"
#include "engine/run/program/store/store_server.h"
#include "tests/texts.h"

#include <QTest>

#include <arpa/inet.h>
#include <sys/socket.h>

using namespace trainyard;
using namespace trainyard::run;

namespace {

using ReadOutcome = StoreRequestReader::Outcome;

std::string eightBytes(std::uint64_t value) { return {reinterpret_cast<const char*>(&value), sizeof value}; }
std::string fourBytes(std::uint32_t value) { return {reinterpret_cast<const char*>(&value), sizeof value}; }
std::string oneByte(int value) { return std::string(1, static_cast<char>(value)); }
std::string withSize(const std::string& text) { return eightBytes(text.size()) + text; }
const std::string kStoreGreeting = oneByte(0) + fourBytes(0x3C85F7CE);

// What a rank of PyTorch 1.13 or 2 asks.
struct StoreAsks {
    bool isNew;
    std::string set(const std::string& key, const std::string& value) const {
        return oneByte(isNew ? 1 : 0) + withSize(key) + withSize(value);
    }
    std::string compareSet(const std::string& key, const std::string& expected, const std::string& desired) const {
        return oneByte(isNew ? 2 : 1) + withSize(key) + withSize(expected) + withSize(desired);
    }
    std::string get(const std::string& key) const { return oneByte(isNew ? 3 : 2) + withSize(key); }
    std::string add(const std::string& key, std::int64_t by) const {
        return oneByte(isNew ? 4 : 3) + withSize(key) + eightBytes(static_cast<std::uint64_t>(by));
    }
    std::string check(const std::string& key) const { return oneByte(isNew ? 5 : 4) + eightBytes(1) + withSize(key); }
    std::string wait(const std::string& key) const { return oneByte(isNew ? 6 : 5) + eightBytes(1) + withSize(key); }
    std::string count() const { return oneByte(isNew ? 7 : 6); }
    std::string remove(const std::string& key) const { return oneByte(8) + withSize(key); }
};

// A rank's connection to a server that this test serves.
class StoreClient {
public:
    StoreClient(StoreServer& server, int port)
        : m_server(server), m_fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        if (::connect(m_fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) m_fd.reset();
    }
    void send(const std::string& bytes) {
        std::string_view left = bytes;
        while (!left.empty()) {
            const auto sent = ::send(m_fd.get(), left.data(), left.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
            if (sent > 0) left.remove_prefix(static_cast<std::size_t>(sent));
            else if (errno != EAGAIN) return;
            serve();
        }
    }
    // What comes within a moment; "closed" when the server has ended the connection.
    std::string answer(std::size_t size) {
        std::string got;
        const double until = monotonicSeconds() + 2;
        while (got.size() < size && monotonicSeconds() < until) {
            serve();
            char byte = 0;
            const auto read = ::recv(m_fd.get(), &byte, 1, MSG_DONTWAIT);
            if (read == 0 || (read < 0 && errno == ECONNRESET)) return "closed";
            if (read > 0) got += byte;
        }
        return got;
    }
    bool isSilent() {
        for (int i = 0; i < 5; ++i) serve();
        char byte = 0;
        return ::recv(m_fd.get(), &byte, 1, MSG_DONTWAIT | MSG_PEEK) < 0 && errno == EAGAIN;
    }

private:
    void serve() {
        std::vector<pollfd> entries;
        m_server.addTo(entries);
        ::poll(entries.data(), entries.size(), 1);
        m_server.serve(entries.data(), entries.size());
    }
    StoreServer& m_server;
    UniqueFd m_fd;
};

} // namespace

class ProgramStoreTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ranksMeet_data() {
        QTest::addColumn<bool>("isNew");
        QTest::newRow("PyTorch 1") << false;
        QTest::newRow("PyTorch 2") << true;
    }
    void ranksMeet() {
        QFETCH(bool, isNew);
        const StoreAsks asks{isNew};
        auto server = StoreServer::open(2);
        QVERIFY(server.ok());
        QVERIFY((*server)->port(0) != (*server)->port(1));
        StoreClient one(**server, (*server)->port(0)), two(**server, (*server)->port(1));
        if (isNew) {
            for (auto* rank : {&one, &two}) rank->send(kStoreGreeting + oneByte(13) + fourBytes(7));
            QCOMPARE(one.answer(4), fourBytes(7));
            QCOMPARE(two.answer(4), fourBytes(7));
        }
        one.send(asks.add("n", 1) + asks.add("n", 41));
        QCOMPARE(one.answer(16), eightBytes(1) + eightBytes(42));
        two.send(asks.wait("late"));
        QVERIFY(two.isSilent());
        const std::string value("\0x", 2);
        one.send(asks.check("late") + asks.set("late", value) + asks.check("late"));
        QCOMPARE(one.answer(2), oneByte(1) + oneByte(0));
        QCOMPARE(two.answer(1), oneByte(0));
        two.send(asks.get("late") + asks.count());
        QCOMPARE(two.answer(10 + 8), withSize(value) + eightBytes(2));
        one.send(asks.compareSet("c", "", "a") + asks.compareSet("c", "x", "b") + asks.compareSet("c", "a", "z"));
        QCOMPARE(one.answer(27), withSize("a") + withSize("a") + withSize("z"));
        one.send(asks.compareSet("none", "x", "y") + asks.remove("c") + asks.remove("c"));
        QCOMPARE(one.answer(25), withSize("x") + eightBytes(1) + eightBytes(0));
        if (!isNew) return;
        one.send(oneByte(9) + withSize("late") + withSize("y") + oneByte(11) + eightBytes(1) + withSize("m") +
                 withSize("1") + oneByte(10) + eightBytes(2) + withSize("late") + withSize("m"));
        QCOMPARE(one.answer(20), withSize(value + "y") + withSize("1"));
        two.send(asks.wait("never") + oneByte(12));
        QCOMPARE(two.answer(1), oneByte(1));
    }
    // A request may come in any pieces.
    void requestsComeInPieces() {
        const StoreAsks asks{true};
        const std::string bytes = kStoreGreeting + asks.set("key", "value") + asks.wait("a") + asks.add("n", -3);
        StoreRequestReader reader;
        std::string in;
        std::vector<StoreRequest> requests;
        for (const char byte : bytes) {
            in += byte;
            std::string_view left = in;
            StoreRequest request;
            const auto outcome = reader.take(left, request);
            QVERIFY(outcome != ReadOutcome::Bad);
            if (outcome == ReadOutcome::Incomplete) {
                QCOMPARE(left.size(), in.size());
                continue;
            }
            QVERIFY(left.empty());
            in.clear();
            requests.push_back(request);
        }
        QCOMPARE(requests.size(), std::size_t{4});
        QCOMPARE(requests[1].texts[1], std::string("value"));
        QCOMPARE(requests[3].number, std::int64_t{-3});
    }
    // Bad inputs: requests to the store. The connection is closed, and others go on.
    void badRequestsAreClosed() {
        auto server = StoreServer::open(2);
        QVERIFY(server.ok());
        const StoreAsks old{false}, neu{true};
        StoreClient good(**server, (*server)->port(0));
        for (const auto& bad :
             {oneByte(9), oneByte(255), oneByte(7) + eightBytes(1), oneByte(0) + eightBytes(1ull << 40),
              old.get("missing"), oneByte(5) + eightBytes(1ull << 40),
              oneByte(5) + eightBytes(1) + eightBytes(1ull << 60), old.set("text", "x") + old.add("text", 1),
              old.set("big", "9223372036854775807") + old.add("big", 1), kStoreGreeting + oneByte(0),
              kStoreGreeting + oneByte(14), kStoreGreeting + oneByte(17), kStoreGreeting + neu.get("missing"),
              kStoreGreeting + oneByte(10) + eightBytes(1) + withSize("missing"),
              kStoreGreeting + neu.wait("x") + neu.wait("x")}) {
            StoreClient rank(**server, (*server)->port(1));
            rank.send(bad);
            QCOMPARE(rank.answer(64).substr(0, 6), std::string("closed"));
        }
        good.send(old.add("n", 1));
        QCOMPARE(good.answer(8), eightBytes(1));
    }
    // What ranks keep there is bounded.
    void theStoreIsBounded() {
        StoreValues values;
        StoreRequest request{.kind = StoreRequest::Kind::Set, .texts = {"", std::string(8u << 20, 'x')}};
        int kept = 0;
        for (; kept < 100; ++kept) {
            request.texts[0] = std::to_string(kept);
            if (!values.apply(1, request)) break;
        }
        QCOMPARE(kept, 15);
        request.texts[0] = "0"; // in the place of what is there
        QVERIFY(values.apply(1, request));
    }
    void whoHasNotComeIsNamed() {
        auto server = StoreServer::open(3);
        QVERIFY(server.ok());
        const double now = monotonicSeconds();
        QCOMPARE((*server)->missing(now + 1000), std::string());
        StoreClient one(**server, (*server)->port(0)), three(**server, (*server)->port(2));
        QVERIFY(one.isSilent() && three.isSilent());
        QCOMPARE((*server)->missing(now + 30), std::string());
        QCOMPARE((*server)->missing(now + 60),
                 std::string("rank 1 has not come to init_process_group for 40 s; 0 and 2 wait"));
        QCOMPARE((*server)->missing(now + 90), std::string());
    }
};

QTEST_GUILESS_MAIN(ProgramStoreTest)
#include "program_store_test.moc"
