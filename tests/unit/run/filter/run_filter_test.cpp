// SPDX-License-Identifier: GPL-3.0-or-later
// The language in which runs are looked for: what it finds, what it refuses and where, what it offers.
#include "engine/run/filter/stored_runs.h"
#include "engine/spec/values/flat_settings.h"

#include <QStringList>
#include <QTest>

using namespace trainyard;
using namespace trainyard::run;

namespace {

StoredRun storedRun(const char* name, wire::RunStatus status, double lr, double dropout, const char* tags,
                    double accuracy) {
    store::RunRow row;
    row.id = row.name = name;
    row.status = status;
    row.tags = tags;
    row.notes = name == std::string("otter") ? "Wide layers, second try" : "";
    row.epoch = 5;
    row.step = 600;
    row.worldSize = 2;
    row.trainSeconds = 90;
    char spec[400];
    std::snprintf(spec, sizeof spec,
                  R"({"version": 1, "name": "%s", "model": {"name": "mlp", "params": {"dropout": %g}},)"
                  R"( "optimizer": {"name": "sgd", "lr": %g}, "batch": {"perRank": 64, "accumulate": 1},)"
                  R"( "scaling": {"elastic": {"min": 1}}, "checkpoint": {"scoreBy": "val/accuracy", "mode": "max"}})",
                  name, dropout, lr);
    row.specJson = spec;
    store::SeriesSummary score, loss;
    score.series = "val/accuracy";
    score.count = loss.count = 3;
    score.max = accuracy;
    score.last = accuracy - 0.1;
    score.min = 0.1;
    loss.series = "train/loss";
    loss.min = 1 - accuracy;
    loss.max = 2;
    loss.last = 0.5;
    return StoredRun(row, {score, loss});
}

std::vector<StoredRun> threeRuns() {
    return {storedRun("otter", wire::RunStatus::Finished, 0.1, 0.2, "baseline best", 0.95),
            storedRun("finch", wire::RunStatus::Finished, 0.03, 0, "", 0.91),
            storedRun("lynx", wire::RunStatus::Failed, 0.3, 0.5, "wild", 0.5)};
}

FilterNames filterNamesOf(const std::vector<StoredRun>& runs) {
    FilterNames names;
    for (const StoredRun& run : runs) {
        names.add(run.row());
        for (const auto& summary : run.summaries()) names.series.insert(summary.series);
    }
    return names;
}

} // namespace

class RunFilterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: the filter language: comparisons, `and`, `or`, `not`, brackets, tags, words, aspects of a series;
    // problems with their place, unknown names with the nearest, completion; the same in the terminal. Also in
    // pages_models_test, runs_table_test, same_answers_test.
    void findsRuns_data() {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QString>("found");
        const auto row = [](const char* filter, const char* found) {
            QTest::newRow(filter) << QString::fromUtf8(filter) << QString::fromUtf8(found);
        };
        row("", "otter finch lynx");
        row("ott", "otter");
        row("FAILED", "lynx");
        row("mlp", "otter finch lynx");
        row("\"second try\"", "otter");
        row("notes:wide", "otter");
        row("notes!=wide", "finch lynx");
        row("lr<0.1", "finch");
        row("lr <= 0.1", "otter finch");
        row("lr in 0.05..0.2", "otter");
        row("lr<0,1", "finch"); // a decimal comma
        row("lr in 0,05..0,2", "otter");
        row("lr=1,5e-3", "");
        row("optimizer.lr>0.2", "lynx");
        row("model.dropout>0.3", "lynx");
        row("model.params.dropout>0.3", "lynx");
        row("out>0", "");
        row("batch=64", "otter finch lynx");
        row("elastic.min=1", "otter finch lynx");
        row("model=MLP", "otter finch lynx");
        row("tag:baseline", "otter");
        row("tag!=baseline", "finch lynx");
        row("status:finished", "otter finch");
        row("workers>1 epoch:5 step>=600 time<100", "otter finch lynx");
        row("trial>=0", "");
        row("val/accuracy>0.9", "otter finch");
        row("val/accuracy.last>0.83", "otter");
        row("val/accuracy.min<0.2", "otter finch lynx");
        row("train/loss<0.2", "otter finch"); // of a loss the least is the best
        row("train/loss.max>1", "otter finch lynx");
        row("val/rmse<9", "");
        // and binds more closely than or; not most closely of all.
        row("otter or finch and lynx", "otter");
        row("(otter or finch) and status:finished", "otter finch");
        row("otter OR lynx", "otter lynx");
        row("otter || lynx", "otter lynx");
        row("lr<0.2 && val/accuracy>0.92", "otter");
        row("lr<0.2 val/accuracy>0.92", "otter");
        row("not otter", "finch lynx");
        row("not otter finch", "finch");
        row("not (otter or finch)", "lynx");
        row("not not otter", "otter");
        row("((lynx))", "lynx");
        row("\"or\"", "");
        row("name:\"otter\"", "otter");
    }
    void findsRuns() {
        QFETCH(QString, filter);
        QFETCH(QString, found);
        const Filter parsed(filter.toStdString());
        QVERIFY2(!parsed.problem(), parsed.problem() ? parsed.problem()->message.c_str() : "");
        QStringList names;
        for (const StoredRun& run : threeRuns())
            if (parsed.matches(run)) names << QString::fromStdString(run.row().name);
        QCOMPARE(names.join(' '), found);
    }

    // Bad inputs: filters of runs. The place is the column. The window shows the message below the field, and all runs.
    void refusesWhatItCannotRead_data() {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QString>("says");
        QTest::addColumn<int>("position");
        QTest::addColumn<int>("length");
        QTest::newRow("no value") << "otter lr<" << R"("lr<" needs a value)" << 8 << 1;
        QTest::newRow("a sign for a value") << "lr< <3" << "needs a value" << 2 << 1;
        QTest::newRow("words compared") << "lr<small" << R"("small" is not a number)" << 3 << 5;
        QTest::newRow("half a range") << "lr in 0.1" << R"("0.1" is not a range)" << 6 << 3;
        QTest::newRow("no name") << "<3" << R"("<" has no name before it)" << 0 << 1;
        QTest::newRow("an open bracket") << "not (otter" << "the bracket is never closed" << 4 << 1;
        QTest::newRow("a bracket too many") << "otter) or" << "there is no ( for this )" << 5 << 1;
        QTest::newRow("nothing after and") << "otter and" << "a term is missing here" << 9 << 0;
        QTest::newRow("nothing before or") << "or otter" << R"(a term is missing before "or")" << 0 << 2;
        QTest::newRow("nothing in the brackets") << "()" << "a term is missing here" << 1 << 1;
        QTest::newRow("an open quotation") << "name:\"otter" << "the quotation mark is never closed" << 5 << 6;
        QTest::newRow("too deep") << QString(60, '(') + "a" + QString(60, ')') << "too many brackets within brackets"
                                  << 50 << 1;
        QTest::newRow("too long") << QString(5000, 'a') << "a filter of 5000 bytes is too long" << 4000 << 1000;
    }
    void refusesWhatItCannotRead() {
        QFETCH(QString, filter);
        QFETCH(QString, says);
        QFETCH(int, position);
        QFETCH(int, length);
        const Filter parsed(filter.toStdString());
        QVERIFY(parsed.problem());
        const FilterProblem& problem = *parsed.problem();
        QVERIFY2(QString::fromStdString(problem.message).contains(says), problem.message.c_str());
        QVERIFY(!problem.remedy.empty());
        QCOMPARE(static_cast<int>(problem.position), position);
        QCOMPARE(static_cast<int>(problem.length), length);
        QVERIFY(parsed.matches(threeRuns()[0])); // as if there were none
    }

    // Bad inputs: names in filters of runs. The nearest name is the remedy.
    void namesThatNoRunHasAreRefused_data() {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QString>("says");
        QTest::addColumn<QString>("remedy");
        QTest::newRow("a setting misspelled") << "otter lrr<0.05" << R"(no run has "lrr")" << "did you mean lr?";
        QTest::newRow("a series misspelled") << "val/acuracy>0.9" << R"(no run has "val/acuracy")"
                                             << "did you mean val/accuracy?";
        QTest::newRow("nothing like it") << "not zzzzzzzz:1" << R"(no run has "zzzzzzzz")"
                                         << "name a setting or a series";
        QTest::newRow("a setting") << "lr<1 or dropout>0 or model.dropout>0 or batch>1" << "" << "";
        QTest::newRow("a series and its last value") << "train/loss.last<1 train/loss>0" << "" << "";
        QTest::newRow("what every run has") << "tags:x status:y time>0" << "" << "";
        QTest::newRow("a word is no name") << "lrr" << "" << "";
    }
    void namesThatNoRunHasAreRefused() {
        QFETCH(QString, filter);
        QFETCH(QString, says);
        QFETCH(QString, remedy);
        const auto unknown = Filter(filter.toStdString()).unknownName(filterNamesOf(threeRuns()));
        QCOMPARE(unknown ? QString::fromStdString(unknown->message) : QString(), says);
        QCOMPARE(unknown ? QString::fromStdString(unknown->remedy) : QString(), remedy);
        if (unknown)
            QCOMPARE(filter.mid(static_cast<int>(unknown->position), static_cast<int>(unknown->length)),
                     says.section('"', 1, 1));
    }

    void namesAreOffered_data() {
        QTest::addColumn<QString>("text"); // the cursor stands at |
        QTest::addColumn<QString>("words");
        QTest::addColumn<int>("from");
        QTest::newRow("nothing typed") << "|" << "" << 0;
        QTest::newRow("a series") << "lr<1 and val/|" << "val/accuracy" << 9;
        QTest::newRow("settings and words, in order") << "s|" << "scoreBy status step" << 0;
        QTest::newRow("the signs after a complete word") << "status|" << "status: status!=" << 0;
        QTest::newRow("the signs after a setting, then longer names") << "lr|" << "lr= lr< lr> lr!=" << 0;
        QTest::newRow("the signs after a series") << "val/accuracy|" << "val/accuracy< val/accuracy>" << 0;
        QTest::newRow("in the middle") << "(drop|>1)" << "dropout" << 1;
        QTest::newRow("what of a series") << "train/loss.m|" << "train/loss.max train/loss.min" << 0;
        QTest::newRow("tags after their sign") << "tag:b|" << "baseline best" << 4;
        QTest::newRow("states after theirs") << "status!=f|" << "finished failed" << 8;
        QTest::newRow("the values of a setting") << "lr<|" << "0.1 0.2" << 3;
        QTest::newRow("those that begin so") << "lr<0.2|" << "" << 3;
        QTest::newRow("no values of a series") << "val/accuracy>|" << "" << 13;
    }
    void namesAreOffered() {
        QFETCH(QString, text);
        QFETCH(QString, words);
        QFETCH(int, from);
        const auto cursor = static_cast<std::size_t>(text.indexOf('|'));
        const auto offered = completeFilter(text.remove('|').toStdString(), cursor, filterNamesOf(threeRuns()),
                                            [](const FilterName& name) -> std::vector<std::string> {
                                                if (name.low == "lr") return {"0.1", "0.2"};
                                                return {};
                                            });
        QStringList list;
        for (const std::string& word : offered.words) list << QString::fromStdString(word);
        QCOMPARE(list.join(' '), words);
        QCOMPARE(static_cast<int>(offered.from), from);
    }

    void settingsLieFlat() {
        const auto settings = spec::flatSettings(R"({"version": 1, "name": "a", "model": {"name": "mlp", "params":)"
                                                 R"( {"hidden": [512, 0.5]}}, "tensorBoard": true, "epochs": 5})");
        const std::vector<std::pair<std::string, std::string>> expected{
            {"epochs", "5"}, {"model", "mlp"}, {"model.params.hidden", "[512, 0.5]"}, {"tensorBoard", "true"}};
        QCOMPARE(settings, expected);
        QVERIFY(spec::flatSettings("[1]").empty());
        QVERIFY(spec::flatSettings("no json").empty());
    }
};

QTEST_GUILESS_MAIN(RunFilterTest)
#include "run_filter_test.moc"
