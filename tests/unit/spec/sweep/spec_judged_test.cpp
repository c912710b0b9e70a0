// SPDX-License-Identifier: GPL-3.0-or-later
// Which configurations a sweep is judged by before it starts.
#include "engine/spec/sweep/sweep_spec.h"

#include <QTest>

#include <set>

using namespace trainyard;
using namespace trainyard::spec;

class SpecJudgedTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ofVeryManyTheEndsAndAPartAreJudged() {
        SweepSpec sweep = *parseSweepSpec(
            R"({"version":1,"run":{"epochs":2},"space":{"optimizer.lr":[0.1,0.2],"seed":[1,2,3,4,5]}})");
        const auto few = judgedConfigurations(sweep, *foreseenConfigurations(sweep), 10);
        QCOMPARE(few.size(), 10u);
        for (int i = 0; i < 10; ++i) QCOMPARE(few[static_cast<std::size_t>(i)].number, std::optional(i));

        const auto foreseen = *foreseenConfigurations(sweep);
        std::set<Params> standIns;
        std::vector<int> chosen;
        for (const auto& [number, params] : judgedConfigurations(sweep, foreseen, 4)) {
            if (!number) standIns.insert(params);
            else if (params == foreseen[static_cast<std::size_t>(*number)]) chosen.push_back(*number);
        }
        QCOMPARE(chosen, (std::vector<int>{0, 3, 6, 9}));
        QCOMPARE(standIns.size(), 6u); // the first of all, the other rate, and four other seeds
    }
};

QTEST_GUILESS_MAIN(SpecJudgedTest)
#include "spec_judged_test.moc"
