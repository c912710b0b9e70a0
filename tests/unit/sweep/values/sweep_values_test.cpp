// SPDX-License-Identifier: GPL-3.0-or-later
// The values that searchers and schedulers keep for each of very many trials.
#include "engine/base/math/hash_draw.h"
#include "engine/sweep/values/loss_set.h"
#include "engine/sweep/values/packed_params.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace trainyard;
using namespace trainyard::sweep;

class SweepValuesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void packedParametersComeBackToTheBit_data() {
        QTest::addColumn<spec::Params>("params");
        QTest::newRow("none") << spec::Params{};
        QTest::newRow("one of each kind") << spec::Params{{"optimizer.lr", 0.1 + 0.2},
                                                          {"batch.perRank", std::int64_t{-5'000'000'000}},
                                                          {"batch.dropLast", true},
                                                          {"optimizer.name", std::string("adam \"w\"\0x", 10)},
                                                          {"model.params.hidden", std::vector<double>{512, 0.1, -0.0}},
                                                          {"model.params.none", std::vector<double>{}},
                                                          {"name", std::string()},
                                                          {"schedule.warmup", false}};
        QTest::newRow("not finite") << spec::Params{{"optimizer.lr", std::numeric_limits<double>::infinity()}};
    }
    void packedParametersComeBackToTheBit() {
        QFETCH(const spec::Params, params);
        const PackedParams packed(params);
        QVERIFY(spec::Params(packed) == params);
        QVERIFY(packed == PackedParams(params));
        if (!params.empty()) QVERIFY(!(packed == PackedParams()));
    }

    // Beside the plain list of all losses, sorted anew for each answer.
    void lossesStandWhereASortedListHasThem_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("different");
        for (const int count : {1, 2, 1023, 1024, 1025, 20'000}) {
            QTest::addRow("%d", count) << count << 1'000'000'000;
            QTest::addRow("%d, many of them equal", count) << count << 7;
        }
    }
    void lossesStandWhereASortedListHasThem() {
        QFETCH(const int, count);
        QFETCH(const int, different);
        LossSet losses;
        std::vector<LossSet::Key> keys;
        for (int i = 0; i < count; ++i) {
            const double draw = unitDraw(1, Draw::Shift, static_cast<std::uint64_t>(i), 0);
            const double loss = std::floor(draw * different) / different;
            keys.push_back(losses.add(loss));
            QCOMPARE(keys.back(), LossSet::Key(loss, i));
        }
        auto sorted = keys;
        std::sort(sorted.begin(), sorted.end());
        QCOMPARE(losses.size(), count);
        QCOMPARE(losses.worst(), sorted.back().first);
        for (std::size_t place = 0; place < sorted.size(); place += 1 + sorted.size() / 500) {
            QCOMPARE(losses.before(sorted[place]), static_cast<int>(place));
            const double loss = sorted[place].first;
            const auto better =
                std::count_if(sorted.begin(), sorted.end(), [&](const auto& key) { return key.first <= loss; });
            QCOMPARE(losses.placeOf(loss), static_cast<int>(better) + 1); // the earlier of two equal ones is the better
        }
        for (const double share : {0.0, 0.25, 1.0 / 3, 0.5, 0.9, 1.0}) {
            const double at = share * (count - 1);
            const auto lower = static_cast<std::size_t>(at), upper = std::min(lower + 1, sorted.size() - 1);
            const double low = sorted[lower].first, high = sorted[upper].first;
            QCOMPARE(losses.quantile(share), low + (at - std::floor(at)) * (high - low));
        }
    }
};

QTEST_GUILESS_MAIN(SweepValuesTest)
#include "sweep_values_test.moc"
