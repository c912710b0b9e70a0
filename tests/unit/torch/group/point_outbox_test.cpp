// SPDX-License-Identifier: GPL-3.0-or-later
// When the points of a rank leave, and in what frames.
#include "engine/torch/group/point_outbox.h"
#include "engine/wire/frame.h"
#include "tests/unit/torch/group/point_at.h"

#include <QTest>

using namespace trainyard;
using std::chrono::milliseconds;
using train::PointOutbox;
using trainyard::test::pointAt;

class PointOutboxTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void leavesAtTimes();
    void hastensNoMoreThanAWindowCanDraw();
    void isCutIntoFrames();
};

namespace {

std::vector<wire::Metrics> framesIn(const std::vector<std::byte>& bytes) {
    wire::Decoder decoder;
    decoder.feed(bytes);
    std::vector<wire::Metrics> found;
    for (auto frame = decoder.next(); frame && *frame; frame = decoder.next())
        found.push_back(std::get<wire::Metrics>(*wire::decodeMessage(**frame)));
    return found;
}

} // namespace

void PointOutboxTest::leavesAtTimes() {
    const auto start = std::chrono::steady_clock::now();
    PointOutbox outbox;
    QVERIFY(outbox.isEmpty());
    QCOMPARE(outbox.due(start), start + PointOutbox::kEvery); // there is nothing to wait for
    outbox.add("train/loss", pointAt(1));
    QVERIFY(outbox.due(start) <= start); // the first at once
    std::vector<std::byte> bytes;
    outbox.takeAll(bytes, start);
    QVERIFY(outbox.isEmpty());
    outbox.add("train/loss", pointAt(2));
    QCOMPARE(outbox.due(start + milliseconds(3)), start + PointOutbox::kEvery);
    outbox.sendBy(start + milliseconds(3));
    QCOMPARE(outbox.due(start + milliseconds(3)), start + milliseconds(3));
}

void PointOutboxTest::hastensNoMoreThanAWindowCanDraw() {
    const auto start = std::chrono::steady_clock::now();
    PointOutbox outbox;
    std::vector<std::byte> bytes;
    outbox.add("train/loss", pointAt(1));
    outbox.takeAll(bytes, start);
    outbox.add("train/loss", pointAt(2));
    outbox.hasten();
    QCOMPARE(outbox.due(start), start + PointOutbox::kPause);
    outbox.takeAll(bytes, start + milliseconds(30));
    outbox.add("train/loss", pointAt(3));
    outbox.hasten();
    QCOMPARE(outbox.due(start), start + milliseconds(30) + PointOutbox::kPause);
}

void PointOutboxTest::isCutIntoFrames() {
    constexpr std::int64_t kLong = 2 * PointOutbox::kPerFrame + 5;
    PointOutbox outbox;
    for (std::int64_t step = 1; step <= kLong; ++step) outbox.add("a", pointAt(step));
    for (std::int64_t step = 1; step <= 10; ++step) outbox.add("b", pointAt(step));
    std::vector<std::byte> bytes;
    outbox.takeAll(bytes, {});
    std::int64_t a = 0, b = 0;
    const auto frames = framesIn(bytes);
    QCOMPARE(frames.size(), std::size_t{3});
    for (const auto& frame : frames) {
        std::size_t inFrame = 0;
        for (const auto& [series, first, points] : frame.series) {
            inFrame += points.size();
            for (const auto& point : points) QCOMPARE(point.step, ++(series == "a" ? a : b));
        }
        QVERIFY(inFrame <= PointOutbox::kPerFrame);
    }
    QCOMPARE(a, kLong);
    QCOMPARE(b, std::int64_t{10});
}

QTEST_APPLESS_MAIN(PointOutboxTest)
#include "point_outbox_test.moc"
