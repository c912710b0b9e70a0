// SPDX-License-Identifier: GPL-3.0-or-later
// What groups of runs are called.
#include "engine/spec/values/group_names.h"

#include <QTest>

using namespace trainyard;

using Lines = std::vector<std::string>;

class GroupNamesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: groups of runs are named by the fewest settings that tell them apart, in the window and in reports.
    void theFewestSettingsThatTellThemApart_data() {
        QTest::addColumn<Lines>("paths");
        QTest::addColumn<std::vector<Lines>>("values");
        QTest::addColumn<Lines>("names");
        const auto row = [](const char* name, const Lines& paths, const std::vector<Lines>& values,
                            const Lines& names) { QTest::newRow(name) << paths << values << names; };
        row("one setting", {"optimizer.lr"}, {{"0.1"}, {"0.03"}}, {"lr 0.1", "lr 0.03"});
        row("one of them is enough", {"batch.global", "optimizer.lr"}, {{"64", "0.1"}, {"128", "0.03"}},
            {"lr 0.1", "lr 0.03"});
        row("the one that tells more", {"batch.global", "optimizer.lr"}, {{"64", "0.1"}, {"128", "0.1"}, {"32", "1"}},
            {"batch (global) 64", "batch (global) 128", "batch (global) 32"});
        row("two", {"optimizer", "optimizer.lr"}, {{"adam", "0.1"}, {"sgd", "0.1"}, {"sgd", "1"}, {"adam", "2"}},
            {"lr 0.1, adam", "lr 0.1, sgd", "lr 1, sgd", "lr 2, adam"});
        row("words speak for themselves", {"model.params.activation"}, {{"relu"}, {"tanh"}}, {"relu", "tanh"});
        row("some do not", {"optimizer.nesterov", "schedule"},
            {{"true", "none"}, {"false", "none"}, {"true", "cosine"}},
            {"schedule none, nesterov true", "schedule none, nesterov false", "cosine, nesterov true"});
        row("one has none", {"optimizer.params.momentum"}, {{"0.9"}, {""}}, {"momentum 0.9", "momentum –"});
        row("three digits do", {"optimizer.lr"}, {{"0.140229899019"}, {"0.0164615710218"}}, {"lr 0.14", "lr 0.0165"});
        row("five are needed", {"optimizer.lr"}, {{"0.140221"}, {"0.140212"}}, {"lr 0.14022", "lr 0.14021"});
        row("whole numbers stay", {"batch.global"}, {{"100000"}, {"2048"}},
            {"batch (global) 100000", "batch (global) 2048"});
        row("nothing differs", {}, {{}}, {""});
        row("no groups", {"optimizer.lr"}, {}, {});
        row("not apart at all", {"optimizer.lr"}, {{"1"}, {"1"}}, {"", ""});
    }
    void theFewestSettingsThatTellThemApart() {
        QFETCH(Lines, paths);
        QFETCH(std::vector<Lines>, values);
        QFETCH(Lines, names);
        const auto found = spec::groupNames(paths, values);
        Lines brief;
        for (const auto& each : found) brief.push_back(each.brief);
        QCOMPARE(brief, names);
    }

    void theFullNameHasAll() {
        const auto names = spec::groupNames({"batch.global", "optimizer.lr"}, {{"64", "0.1"}, {"", "0.03"}});
        QCOMPARE(names[0].full, std::string("batch.global 64\noptimizer.lr 0.1"));
        QCOMPARE(names[1].full, std::string("batch.global –\noptimizer.lr 0.03"));
    }

    // A configuration for each of 5,000 runs: a table groups them while its filter is typed.
    void thousandsAreNamedAtOnce() {
        Lines paths;
        for (int i = 0; i < 40; ++i) paths.push_back("model.params.p" + std::to_string(i));
        std::vector<Lines> values;
        for (int group = 0; group < 5000; ++group) {
            values.emplace_back();
            for (int path = 0; path < 40; ++path) values.back().push_back(std::to_string(group % (path + 2)));
        }
        const auto names = spec::groupNames(paths, values);
        QCOMPARE(names.size(), std::size_t(5000));
        QVERIFY(names[0].brief != names[1].brief);
    }
};

QTEST_GUILESS_MAIN(GroupNamesTest)
#include "group_names_test.moc"
