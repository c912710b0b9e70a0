// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/wire/message_fields.h"

#include <nlohmann/json.hpp>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

using namespace trainyard;
using namespace trainyard::wire;

namespace {

// Fills every field of a message with a value of its own, so that a swapped or forgotten field shows.
class Filler {
public:
    void operator()(const char*, auto&& value) { fill(value); }

private:
    void fill(bool& v) { v = true; }
    void fill(int& v) { v = ++m_next; }
    void fill(std::int64_t& v) { v = -(std::int64_t{1} << 40) - ++m_next; }
    void fill(double& v) { v = ++m_next + 0.1; }
    void fill(std::string& v) { v = "text ü " + std::to_string(++m_next); }
    void fill(Bytes<std::string>& v) { v.text = std::string("\0\xff\x80 raw ", 8) + std::to_string(++m_next); }
    void fill(Phase& v) { v = Phase::Validate; }
    void fill(StopMode& v) { v = StopMode::Kill; }
    void fill(CommandKind& v) { v = CommandKind::SetLearningRate; }
    void fill(RunStatus& v) { v = RunStatus::Restarting; }
    void fill(Activity& v) { v = Activity::Collective; }
    void fill(RankStatus& v) { v = RankStatus::Finished; }
    void fill(ErrorKind& v) { v = ErrorKind::Environment; }
    void fill(ErrorCode& v) { v = ErrorCode::PeerLost; }
    void fill(Point& v) {
        fill(v.step);
        fill(v.epoch);
        fill(v.seconds);
        fill(v.value);
    }
    template <class T>
    void fill(const Added<T>& v) {
        fill(v.value);
    }
    void fill(std::map<std::string, double>& v) { v = {{"a/b", ++m_next + 0.5}, {"", -1}}; }
    void fill(std::map<std::string, std::string>& v) { v = {{"a.b", "/a b/" + std::to_string(++m_next)}, {"", ""}}; }
    template <class T>
    void fill(std::vector<T>& v) {
        v.resize(3);
        for (T& element : v) fill(element);
    }
    template <class T>
        requires requires(T& value, Filler& filler) { fields(value, filler); }
    void fill(T& v) {
        fields(v, *this);
    }
    int m_next = 0;
};

template <std::size_t... I>
std::vector<Message> defaults(std::index_sequence<I...>) {
    return {Message(std::variant_alternative_t<I, Message>{})...};
}

std::vector<Message> everyMessage() {
    std::vector<Message> messages = defaults(std::make_index_sequence<std::variant_size_v<Message>>());
    const std::size_t count = messages.size();
    for (std::size_t i = 0; i < count; ++i) {
        Message filled = messages[i];
        std::visit([](auto& m) { fields(m, Filler{}); }, filled);
        messages.push_back(filled);
    }
    return messages;
}

std::vector<std::byte> bytesOf(std::initializer_list<int> values) {
    std::vector<std::byte> bytes;
    for (const int v : values) bytes.push_back(static_cast<std::byte>(v));
    return bytes;
}

Frame onlyFrame(const std::vector<std::byte>& bytes) {
    Decoder decoder;
    decoder.feed(bytes);
    auto frame = decoder.next();
    return frame.ok() && *frame ? **frame : Frame{};
}

} // namespace

class WireTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyMessageComesBack() {
        std::set<int> types;
        for (const Message& message : everyMessage()) {
            const std::vector<std::byte> bytes = encodeMessage(message);
            const Frame frame = onlyFrame(bytes);
            QVERIFY(frame.type != 0);
            types.insert(frame.type);
            const auto back = decodeMessage(frame);
            QVERIFY2(back.ok(), back.ok() ? "" : back.error().text().c_str());
            QCOMPARE(back->index(), message.index());
            QVERIFY(encodeMessage(*back) == bytes);
        }
        QCOMPARE(types.size(), std::variant_size_v<Message>);
    }
    void valuesSurvive() {
        Metrics metrics{
            {{"train/loss", 0, {{1, 0.5, 0.25, std::nan("")}, {2, 1, 0.5, INFINITY}, {3, 1.5, 1e9, 1.0 / 3}}}}};
        const auto back = decodeMessage(onlyFrame(encodeMessage(metrics)));
        const auto& points = std::get<Metrics>(*back).series.at(0).points;
        QCOMPARE(points.size(), 3u);
        QVERIFY(std::isnan(points[0].value));
        QCOMPARE(points[1].value, static_cast<double>(INFINITY));
        QCOMPARE(points[2].value, 1.0 / 3);
        QCOMPARE(points[2].step, 3);
        StoreSet set{"key", std::string("\0\1\xff", 3)};
        QCOMPARE(std::get<StoreSet>(*decodeMessage(onlyFrame(encodeMessage(set)))).value, set.value);
    }
    void wordsComeBack() {
        for (int i = 0; i <= static_cast<int>(RunStatus::Interrupted); ++i) {
            const auto status = static_cast<RunStatus>(i);
            QVERIFY(runStatusFromString(toString(status)).ok());
            QCOMPARE(*runStatusFromString(toString(status)), status);
        }
        QVERIFY(!runStatusFromString("sleeping").ok());
        QCOMPARE(runStatusFromString("sleeping").error().kind, ErrorKind::Input);
    }

    void aCodeOfANewerProgramIsGeneral() {
        Failed failed{{ErrorKind::Run, "the moon is full", "", "", ErrorCode::PeerLost}, 3};
        Frame frame = onlyFrame(encodeMessage(failed));
        const std::string known = "peer-lost", newer = "moon-full";
        const auto same = [](std::byte left, char right) { return left == static_cast<std::byte>(right); };
        const auto at = std::search(frame.payload.begin(), frame.payload.end(), known.begin(), known.end(), same);
        QVERIFY(at != frame.payload.end());
        std::transform(newer.begin(), newer.end(), at, [](char c) { return static_cast<std::byte>(c); });
        const auto back = decodeMessage(frame);
        QVERIFY2(back.ok(), back.ok() ? "" : back.error().text().c_str());
        QCOMPARE(std::get<Failed>(*back).error.code, ErrorCode::General);
        QCOMPARE(std::get<Failed>(*back).step, 3);
    }

    void anErrorGoesIntoAStateAndOut() {
        RunState state;
        state.error = environmentError("no space", "rank 1", "free some").withCode(ErrorCode::DiskFull);
        const auto back = decodeMessage(onlyFrame(encodeMessage(state)));
        QVERIFY2(back.ok(), back.ok() ? "" : back.error().text().c_str());
        QVERIFY(std::get<RunState>(*back).error == state.error);
    }

    // Of a supervisor that was started before an upgrade.
    void aStateOfAnEarlierVersionIsRead() {
        RunState state;
        state.step = 7;
        const Frame frame = onlyFrame(encodeMessage(state));
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(frame.payload.data());
        auto object = nlohmann::json::from_cbor(bytes, bytes + frame.payload.size());
        for (const char* added : {"unseenOn", "error"}) QCOMPARE(object.erase(added), std::size_t{1});
        const auto payload = nlohmann::json::to_cbor(object);
        const auto back = decodeMessage(onlyFrame(encode(frame.type, std::as_bytes(std::span(payload)))));
        QVERIFY2(back.ok(), back.ok() ? "" : back.error().text().c_str());
        QCOMPARE(std::get<RunState>(*back).step, std::int64_t{7});
        QCOMPARE(std::get<RunState>(*back).unseenOn, std::string());
    }

    void whatIsLeftIsTold_data() {
        QTest::addColumn<int>("processes");
        QTest::addColumn<QString>("unseen");
        QTest::addColumn<QString>("text");
        QTest::newRow("before the end") << -1 << "" << "";
        QTest::newRow("nothing") << 0 << "" << "0 processes left";
        QTest::newRow("one") << 1 << "" << "1 process left";
        QTest::newRow("nobody knows") << 0 << "h2, h3" << "what is left on h2, h3 cannot be seen";
        QTest::newRow("both") << 2 << "h2" << "2 processes left; what is left on h2 cannot be seen";
    }
    void whatIsLeftIsTold() {
        QFETCH(int, processes);
        QFETCH(QString, unseen);
        RunState state;
        state.processesLeft = processes;
        state.unseenOn = unseen.toStdString();
        QTEST(QString::fromStdString(state.leftText()), "text");
    }

    void framesArriveInPiecesOfAnySize() {
        std::vector<std::byte> stream;
        const std::vector<Message> messages = everyMessage();
        for (const Message& m : messages) {
            const auto bytes = encodeMessage(m);
            stream.insert(stream.end(), bytes.begin(), bytes.end());
        }
        for (const std::size_t piece : {1u, 2u, 11u, 12u, 13u, 1000u, 1u << 20}) {
            Decoder decoder;
            std::size_t seen = 0;
            for (std::size_t at = 0; at < stream.size(); at += piece) {
                decoder.feed(std::span(stream).subspan(at, std::min(piece, stream.size() - at)));
                for (;;) {
                    auto frame = decoder.next();
                    QVERIFY(frame.ok());
                    if (!*frame) break;
                    QVERIFY(decodeMessage(**frame).ok());
                    ++seen;
                }
            }
            QCOMPARE(seen, messages.size());
        }
    }
    void truncatedFrameIsNotYet() {
        const auto bytes = encodeMessage(Hello{1, 42, "host", "0.1", "1.13"});
        for (std::size_t length = 0; length < bytes.size(); ++length) {
            Decoder decoder;
            decoder.feed(std::span(bytes).first(length));
            auto frame = decoder.next();
            QVERIFY(frame.ok());
            QVERIFY(!*frame);
        }
    }
    void everyFlippedBitIsFound() {
        const auto bytes = encodeMessage(Hello{1, 42, "host", "0.1", "1.13"});
        for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
            auto damaged = bytes;
            damaged[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
            Decoder decoder;
            decoder.feed(damaged);
            const auto frame = decoder.next(); // a longer length is "not yet", everything else an error
            QVERIFY(!frame.ok() || !*frame);
        }
    }
    // Bad inputs: frames between the processes, headers. The place is the byte of the channel. No user could act, so
    // there is no remedy: the other side is ended.
    void badHeadersAreRefused_data() {
        QTest::addColumn<QByteArray>("head");
        QTest::addColumn<QString>("part");
        QTest::newRow("text") << QByteArray("Segmentation fault") << "not a frame";
        QTest::newRow("zeros") << QByteArray(64, '\0') << "not a frame";
        QTest::newRow("newer") << QByteArray("TY\x02\x01\0\0\0\0\0\0\0\0", 12) << "frame version 2";
        QTest::newRow("one over the limit")
            << QByteArray("TY\x01\x01\x01\0\0\x01\0\0\0\0", 12) << "16777217 bytes is over";
        QTest::newRow("4 GiB") << QByteArray("TY\x01\x01\xff\xff\xff\xff\0\0\0\0", 12) << "over the limit";
        QTest::newRow("checksum") << QByteArray("TY\x01\x01\0\0\0\0\x01\x02\x03\x04", 12) << "checksum";
    }
    void badHeadersAreRefused() {
        QFETCH(QByteArray, head);
        QFETCH(QString, part);
        Decoder decoder;
        const auto good = encodeMessage(CheckpointListChanged{});
        decoder.feed(good);
        decoder.feed(std::as_bytes(std::span(head.constData(), static_cast<std::size_t>(head.size()))));
        QVERIFY(decoder.next().ok());
        const auto first = decoder.next();
        QVERIFY(!first.ok());
        QCOMPARE(first.error().kind, ErrorKind::Input);
        QVERIFY2(first.error().text().find(part.toStdString()) != std::string::npos, first.error().text().c_str());
        QCOMPARE(first.error().where, "byte " + std::to_string(good.size()) + " of the channel");
        decoder.feed(good); // nothing repairs the stream
        QCOMPARE(decoder.next().error().text(), first.error().text());
    }
    void payloadAtTheLimitPasses() {
        Start start;
        start.runJson = std::string(kMaxPayload - 1000, 'x');
        QVERIFY(decodeMessage(onlyFrame(encodeMessage(start))).ok());
    }

    // Bad inputs: frames between the processes, contents. Without a remedy, as for headers.
    void badPayloadsAreInputErrors_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<QByteArray>("payload");
        QTest::addColumn<QString>("part");
        QTest::newRow("empty") << 33 << QByteArray() << "not valid CBOR";
        QTest::newRow("not a map") << 33 << QByteArray("\x01", 1) << "not valid CBOR";
        QTest::newRow("field missing") << 33 << QByteArray("\xa0", 1) << "message 33.mode is missing";
        QTest::newRow("wrong type") << 33 << QByteArray("\xa1\x64mode\x05") << "message 33.mode has the wrong type";
        QTest::newRow("unknown word") << 33 << QByteArray("\xa1\x64mode\x64stop") << "message 33.mode";
        QTest::newRow("number too large")
            << 51 << QByteArray("\xa1\x66toStep\x1b\xff\xff\xff\xff\xff\xff\xff\xff") << "message 51.toStep";
        QTest::newRow("unknown message") << 200 << QByteArray("\xa0", 1) << "type 200 is not known";
        QTest::newRow("trailing byte") << 52 << QByteArray("\xa0\x00", 2) << "not valid CBOR";
        QTest::newRow("deep") << 33 << QByteArray(1'000'000, '\x81') << "not valid CBOR";
        QTest::newRow("huge array claimed")
            << 33 << QByteArray("\xa1\x64mode\x9b\x7f\xff\xff\xff\xff\xff\xff\xff") << "not valid CBOR";
        QTest::newRow("huge string claimed")
            << 33 << QByteArray("\xa1\x64mode\x7b\x7f\xff\xff\xff\xff\xff\xff\xff") << "not valid CBOR";
        QTest::newRow("too many values") << 33
                                         << QByteArray("\xa1\x64mode\x9a\x00\xff\xff\xf0", 10) +
                                                QByteArray(0xfffff0, '\0')
                                         << "not valid CBOR";
    }
    void badPayloadsAreInputErrors() {
        QFETCH(int, type);
        QFETCH(QByteArray, payload);
        QFETCH(QString, part);
        Frame frame{static_cast<std::uint8_t>(type), {}};
        for (const char c : payload) frame.payload.push_back(static_cast<std::byte>(c));
        const auto message = decodeMessage(frame);
        QVERIFY(!message.ok());
        QCOMPARE(message.error().kind, ErrorKind::Input);
        QVERIFY2(message.error().text().find(part.toStdString()) != std::string::npos, message.error().text().c_str());
    }
    void unknownKeyIsSkipped() {
        Frame frame{52, bytesOf({0xa1, 0x61, 'x', 0x01})};
        QVERIFY(decodeMessage(frame).ok());
    }
    void randomBytesNeverCrash() {
        std::mt19937 random(7);
        const std::vector<Message> messages = everyMessage();
        for (int round = 0; round < 20'000; ++round) {
            Frame frame = onlyFrame(encodeMessage(messages[random() % messages.size()]));
            if (frame.payload.empty()) frame.payload.resize(16);
            for (int change = static_cast<int>(random() % 4); change >= 0; --change)
                frame.payload[random() % frame.payload.size()] = static_cast<std::byte>(random());
            if (random() % 4 == 0) frame.payload.resize(random() % frame.payload.size());
            (void)decodeMessage(frame).ok();
        }
    }
};

QTEST_GUILESS_MAIN(WireTest)
#include "wire_test.moc"
