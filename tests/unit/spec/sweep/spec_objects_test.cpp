// SPDX-License-Identifier: GPL-3.0-or-later
// Axes whose values are objects, such as whole models, and axes that name another model or optimizer.
#include "engine/base/files/atomic_file.h"
#include "engine/spec/sweep/overrides.h"
#include "engine/spec/sweep/paths.h"
#include "engine/spec/sweep/space_objects.h"
#include "engine/spec/sweep/space_point.h"
#include "engine/spec/sweep/sweep_spec.h"
#include "engine/spec/values/params.h"
#include "tests/texts.h"
#include "tests/unit/spec/spec_test_catalog.h"

#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace trainyard::spec;
using trainyard::test::text;

namespace {

const std::string kModels = R"([{"name":"mlp","params":{"hidden":[64],"dropout":0.1}},{"name":"resnet18"}])";

Result<SweepSpec> objectSweep(const std::string& space, const std::string& run = "{}", const std::string& rest = {}) {
    return parseSweepSpec("{\"version\":1,\"name\":\"s\",\"run\":" + run + ",\"space\":" + space + rest + "}");
}

std::string namesOf(const Axis& axis) {
    std::string names;
    for (const Value& value : axis.values) names += (names.empty() ? "" : " | ") + toText(value);
    return names;
}

std::string paramsOf(const SweepSpec& sweep) {
    std::string lines;
    const auto configurations = *foreseenConfigurations(sweep);
    for (const Params& params : configurations) lines += (lines.empty() ? "" : " ") + paramsToText(params);
    return lines;
}

} // namespace

class SpecObjectsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: whole models, optimizers or other sections as values of a sweep's space, each with a short name; a trial
    // of another name has no parameters that only the old one has. Also in ctl_sweep_test.
    void objectsHaveShortNames_data() {
        QTest::addColumn<QByteArray>("values");
        QTest::addColumn<QString>("names");
        const auto row = [](const char* name, const std::string& values, const char* names) {
            QTest::newRow(name) << QByteArray::fromStdString(values) << QString::fromUtf8(names);
        };
        row("their names", kModels, "mlp | resnet18");
        row("a choice", "{\"choice\":" + kModels + "}", "mlp | resnet18");
        row("every one", "{\"grid\":" + kModels + "}", "mlp | resnet18");
        row("what tells equal names apart",
            R"([{"name":"mlp","params":{"hidden":[64],"dropout":0.1}},{"name":"mlp","params":{"hidden":[8,8],)"
            R"("dropout":0.1}},{"name":"resnet18"}])",
            "mlp hidden=[64] | mlp hidden=[8,8] | resnet18");
        row("a field that only one has", R"([{"name":"mlp"},{"name":"mlp","params":{"dropout":0.1}}])",
            "mlp | mlp dropout=0.1");
        row("a text among them", R"(["mlp",{"name":"mlp","params":{"dropout":0.1}},"resnet18"])",
            "mlp | mlp dropout=0.1 | resnet18");
        row("the same ones",
            R"([{"name":"mlp","params":{"dropout":0,"hidden":[8]}},)"
            R"({"params":{"hidden":[8],"dropout":0},"name":"mlp"}])",
            "mlp | mlp");
        row("without a name", R"([{"params":{"hidden":[8]}},{"params":{"hidden":[64]}}])", "hidden=[8] | hidden=[64]");
        row("too long a name",
            R"([{"name":"mlp","params":{"hidden":[1111,2222,3333,4444,5555,6666,7777,8888,9999,1111,2222]}},)"
            R"({"name":"mlp","params":{"hidden":[1]}},{"name":"mlp","params":{"hidden":[1]}}])",
            "mlp #1 | mlp #2 | mlp #2");
    }
    void objectsHaveShortNames() {
        QFETCH(QByteArray, values);
        QFETCH(QString, names);
        const auto sweep = objectSweep("{\"model\":" + values.toStdString() + "}");
        QVERIFY2(sweep.ok(), text(sweep).c_str());
        QCOMPARE(QString::fromStdString(namesOf(sweep->space.front())), names);
        const auto back = parseSweepSpec(toJson(*sweep));
        QVERIFY2(back.ok() && *back == *sweep, text(back).c_str());
    }
    void otherSectionsHaveObjectsToo() {
        const auto sweep = *objectSweep(R"({"batch":[{"perRank":16},{"global":64,"accumulate":2},{"perRank":32}]})");
        QCOMPARE(namesOf(sweep.space.front()), std::string("perRank=16 | accumulate=2 global=64 | perRank=32"));
        QCOMPARE(*trialSpec(sweep, (*foreseenConfigurations(sweep))[1], 1)->batch.global, 64);
        QVERIFY(!trialSpec(sweep, (*foreseenConfigurations(sweep))[1], 1)->batch.perRank);
    }
    void anObjectReplacesTheSectionOfTheRun() {
        const auto sweep =
            *objectSweep("{\"model\":" + kModels + "}", R"({"model":{"name":"mlp","params":{"activation":"gelu"}}})");
        QCOMPARE(paramsOf(sweep), std::string(R"({"model":"mlp"} {"model":"resnet18"})"));
        const auto trials = *foreseenConfigurations(sweep);
        const auto first = *trialSpec(sweep, trials[0], 0), second = *trialSpec(sweep, trials[1], 1);
        QVERIFY(first.model == (Choice{"mlp", {{"dropout", 0.1}, {"hidden", std::vector<double>{64}}}}));
        QVERIFY(second.model == (Choice{"resnet18", {}}));
    }
    // For a searcher an object is a category like any other, and a person names it like any other.
    void objectsAreCategories() {
        const auto sweep = *objectSweep("{\"model\":" + kModels + "}");
        const Axis& axis = sweep.space.front();
        QCOMPARE(cellsOf(axis), 2);
        QCOMPARE(toText(valueAt(axis, placeOf(axis, std::string("resnet18")))), std::string("resnet18"));
        const auto left = restricted(sweep.space, *parseRestriction("model=resnet18"));
        QVERIFY2(left.ok(), text(left).c_str());
        QCOMPARE(namesOf(left->front()), std::string("resnet18"));
        QVERIFY(left->front().objects == axis.objects);
        QVERIFY(pointOf(sweep.space, {*parseSetting("model=mlp")}).ok());
        QVERIFY(text(pointOf(sweep.space, {*parseSetting("model=vgg")})).find("take one of mlp, resnet18") !=
                std::string::npos);
    }
    void conditionsNameObjects_data() {
        QTest::addColumn<QByteArray>("when");
        QTest::addColumn<QString>("trials");
        const auto row = [](const char* name, const char* when, const char* trials) {
            QTest::newRow(name) << QByteArray(when) << QString::fromUtf8(trials);
        };
        row("by the short name", R"("mlp hidden=[8]")",
            R"({"ema":0.5,"model":"mlp hidden=[8]"} {"model":"mlp hidden=[64]"} {"model":"resnet18"})");
        row("by the name that several have", R"("mlp")",
            R"({"ema":0.5,"model":"mlp hidden=[8]"} {"ema":0.5,"model":"mlp hidden=[64]"} {"model":"resnet18"})");
        row("by the object", R"([{"params":{"hidden":[64]},"name":"mlp"},"resnet18"])",
            R"({"model":"mlp hidden=[8]"} {"ema":0.5,"model":"mlp hidden=[64]"} {"ema":0.5,"model":"resnet18"})");
    }
    void conditionsNameObjects() {
        QFETCH(QByteArray, when);
        QFETCH(QString, trials);
        const auto sweep = objectSweep(R"({"ema":{"choice":[0.5],"when":{"model":)" + when.toStdString() +
                                       R"(}},"model":[{"name":"mlp","params":{"hidden":[8]}},)"
                                       R"({"name":"mlp","params":{"hidden":[64]}},"resnet18"]})");
        QVERIFY2(sweep.ok(), text(sweep).c_str());
        QCOMPARE(QString::fromStdString(paramsOf(*sweep)), trials);
        QVERIFY(*parseSweepSpec(toJson(*sweep)) == *sweep);
    }
    void aFieldOfAnObjectMayVaryBesideIt() {
        const auto sweep = *objectSweep("{\"model\":" + kModels +
                                        R"(,"model.params.dropout":{"choice":[0.3],"when":{"model":"mlp"}}})");
        const auto trials = *foreseenConfigurations(sweep);
        QCOMPARE(trials.size(), 2u);
        QCOMPARE(trialSpec(sweep, trials[0], 0)->model.number("dropout", 0), 0.3);
        QCOMPARE(trialSpec(sweep, trials[0], 0)->model.list("hidden", {}), (std::vector<double>{64}));
    }
    void configurationsThatComeFirstNameObjects() {
        const auto sweep = objectSweep("{\"model\":" + kModels + "}", "{}",
                                       R"(,"searcher":"random","trials":4,"first":[{"model":{"name":"resnet18"}},)"
                                       R"({"model":"mlp"}])");
        QVERIFY2(sweep.ok(), text(sweep).c_str());
        QCOMPARE(toText(sweep->first[0].at("model")) + " " + toText(sweep->first[1].at("model")),
                 std::string("resnet18 mlp"));
    }
    // Two sweeps may call different objects alike, and the same ones differently.
    void anEarlierSweepsObjectsAreFoundAgain() {
        const auto earlier = *objectSweep(R"({"model":[{"name":"mlp","params":{"hidden":[8]}},{"name":"resnet18"}]})");
        const auto later = *objectSweep(R"({"model":[{"name":"mlp","params":{"hidden":[8]}},)"
                                        R"({"name":"mlp","params":{"hidden":[64]}},"resnet18"]})");
        const auto later2 = *objectSweep(R"({"model":[{"name":"mlp","params":{"hidden":[64]}},"resnet18"]})");
        const Params mlp{{"model", std::string("mlp")}}, resnet{{"model", std::string("resnet18")}};
        QCOMPARE(paramsToText(renamed(earlier.space, later.space, mlp)), std::string(R"({"model":"mlp hidden=[8]"})"));
        QCOMPARE(paramsToText(renamed(earlier.space, later.space, resnet)), std::string(R"({"model":"resnet18"})"));
        QCOMPARE(paramsToText(renamed(earlier.space, later2.space, mlp)), std::string("{}"));
    }
    void pathsOfObjectsAreAbsolute() {
        const std::string given = R"({"run":{},"space":{"model":["mlp",{"name":"script","params":{"path":"a.pt"}}],)"
                                  R"("dataset":{"choice":[{"name":"csv","params":{"file":"d/x.csv"}}]}}})";
        const auto changed = withAbsolutePaths(given, "/home/anna");
        QVERIFY2(changed.find("\"/home/anna/a.pt\"") != std::string::npos, changed.c_str());
        QVERIFY2(changed.find("\"/home/anna/d/x.csv\"") != std::string::npos, changed.c_str());
    }
    // Also of values that are paths by themselves, of configurations to begin with and of conditions.
    void pathsOfValuesAreAbsolute() {
        const std::string given =
            R"({"run":{},"space":{"dataset.params.file":["a.csv","/b.csv"],"epochs":{"choice":[1],)"
            R"("when":{"dataset.params.file":"c.csv"}}},"first":[{"dataset.params.file":"d.csv",)"
            R"("model":{"name":"script","params":{"path":"e.pt"}}}]})";
        const auto changed = withAbsolutePaths(given, "/home/anna");
        for (const char* path : {"a.csv", "c.csv", "d.csv", "e.pt"})
            QVERIFY2(changed.find("\"/home/anna/" + std::string(path) + "\"") != std::string::npos, changed.c_str());
        QVERIFY2(changed.find("\"/b.csv\"") != std::string::npos, changed.c_str());
    }
    // An object in the file, or its name, which then holds the path as it was written.
    void namesFollowTheirPaths_data() {
        QTest::addColumn<QByteArray>("first");
        QTest::newRow("object") << QByteArray(R"({"name":"script","params":{"path":"b.pt"}})");
        QTest::newRow("name") << QByteArray(R"("script path=b.pt")");
    }
    void namesFollowTheirPaths() {
        QFETCH(QByteArray, first);
        const QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("sweep.json").toStdString();
        for (const bool listed : {true, false}) {
            const QByteArray list = R"([{"name":"script","params":{"path":"a.pt"}},)"
                                    R"({"name":"script","params":{"path":"b.pt"}}])";
            const QByteArray values = listed ? list : R"({"choice":)" + list + "}";
            const QByteArray text =
                R"({"version":1,"run":{},"space":{"model":)" + values + R"(,"ema":{"choice":[0.5],"when":{"model":)" +
                first + R"(}}},"searcher":"random","trials":2,"first":[{"ema":0.5,"model":)" + first + "}]}";
            QVERIFY(writeFileAtomic(file, text.toStdString()).ok());
            const auto spec = parseSweepSpec(*readWithOverrides(file.string(), {}));
            QVERIFY2(spec.ok(), spec.ok() ? "" : spec.error().text().c_str());
            const auto trial = *trialSpec(*spec, spec->first.at(0), 0);
            QCOMPARE(trial.model.text("path", {}), (file.parent_path() / "b.pt").string());
            QCOMPARE(trial.ema, 0.5);
        }
    }
    // What stands for an object in conditions and first configurations is its name, which may hold its path.
    void valuesAreRelocated() {
        auto sweep = *objectSweep(R"({"model":[{"name":"script","params":{"path":"/here/a.pt"}},)"
                                  R"({"name":"script","params":{"path":"/here/b.pt"}}],)"
                                  R"("dataset.params.file":["/here/x.csv","/here/y.csv"],)"
                                  R"("ema":{"choice":[0.5],"when":{"dataset.params.file":"/here/y.csv"}}})",
                                  R"({"dataset":{"name":"csv","params":{"file":"/here/x.csv"}}})",
                                  R"(,"searcher":"random","trials":2,"first":[{"dataset.params.file":"/here/y.csv",)"
                                  R"("ema":0.5,"model":{"name":"script","params":{"path":"/here/b.pt"}}}])");
        QVERIFY(mayNameFiles("model") && mayNameFiles("dataset.params.file") && !mayNameFiles("dataset.params.target"));
        relocateValues(sweep, 0, {{{"model.path", "/there/1/a.pt"}}, {{"model.path", "/there/2/b.pt"}}});
        relocateValues(sweep, 1, {{{"dataset.file", "/there/x.csv"}}, {{"dataset.file", "/there/y.csv"}}});
        const auto again = parseSweepSpec(toJson(sweep));
        QVERIFY2(again.ok(), again.ok() ? "" : again.error().text().c_str());
        QCOMPARE(toJson(*again).find("/here/"), toJson(*again).find("/here/x.csv")); // that of the base run alone
        const auto trial = *trialSpec(*again, again->first.at(0), 0);
        QCOMPARE(trial.model.text("path", {}), std::string("/there/2/b.pt"));
        QCOMPARE(trial.dataset.text("file", {}), std::string("/there/y.csv"));
        QCOMPARE(toText(again->space[2].when.at(0).values.at(0)), std::string("/there/y.csv"));
    }
    // Bad inputs: objects in a sweep's space.
    void badObjectsAreExplained_data() {
        QTest::addColumn<QByteArray>("space");
        QTest::addColumn<QString>("error");
        const auto row = [](const char* name, const char* space, const char* error) {
            QTest::newRow(name) << QByteArray(space) << QString::fromUtf8(error);
        };
        row("key of an object", R"({"model":["mlp",{"name":"mlp","prams":{}}]})",
            "space.model.1.prams: is not a known key, found an object (parameters of the model go into \"params\")");
        row("type in an object", R"({"batch":{"choice":[{"perRank":8},{"perRank":"many"}]}})",
            "space.batch.1.perRank: must be a whole number, found \"many\"");
        row("range in an object", R"({"batch":[{"perRank":0}]})", "space.batch.0.perRank: must be at least 1, found 0");
        row("an object for a number", R"({"epochs":[1,{"name":"mlp"}]})",
            "space.epochs.1: must be a whole number, found an object");
        row("an object of no field", R"({"modle":[{"name":"mlp"}]})",
            "space.modle.0: is not a known key, found an object (did you mean \"model\"?)");
        row("an empty object", R"({"model":[{"name":"mlp"},{}]})",
            "space.model.1: is empty, found {} (name what it is, such as {\"name\": \"mlp\"})");
        row("a number among objects", R"({"model":[{"name":"mlp"},7]})",
            "space.model.1: must be a name or an object with \"name\", found 7");
        row("a list among objects", R"({"model":{"choice":[[],{"name":"mlp"}]}})",
            "space.model.0: must be a name or an object with \"name\", found []");
        row("a number for a name", R"({"optimizer":["sgd",true]})",
            "space.optimizer.1: must be a name or an object with \"name\", found true");
        row("condition on no object",
            R"({"model":[{"name":"mlp"}],"ema":{"choice":[0],"when":{"model":{"name":"a"}}}})",
            "space.ema.when.model.0: is not a value of model, found an object (take one that space.model has)");
    }
    void badObjectsAreExplained() {
        QFETCH(QByteArray, space);
        QFETCH(QString, error);
        const auto sweep = objectSweep(space.toStdString());
        QVERIFY(!sweep.ok());
        QVERIFY2(QString::fromStdString(text(sweep)).contains(error), text(sweep).c_str());
    }
    // Bad inputs: objects in a sweep's space that the catalog refuses.
    void objectsAreJudgedByTheCatalog() {
        const auto sweep = *objectSweep(R"({"model":["mlp",{"name":"mlp","params":{"dropout":2}},{"name":"resnet81"}],)"
                                        R"("optimizer":[{"name":"adamw","momentum":0.5}]})");
        const auto catalog = testCatalog();
        const auto errors = checkObjects(sweep, &catalog);
        std::string all;
        for (const auto& error : errors) all += error.path + ": " + error.message + ", found " + error.value + "\n";
        QCOMPARE(all, std::string("space.model.1.params.dropout: must be at most 0.9, found 2\n"
                                  "space.model.2.name: is not a known model, found \"resnet81\"\n"
                                  "space.optimizer.0.momentum: is not a parameter of adamw, found 0.5\n"));
        QVERIFY(checkObjects(*objectSweep("{\"model\":" + kModels + "}"), nullptr).empty());
    }
    void aParameterThatOnlySomeNamesHaveIsVariedWithThem_data() {
        QTest::addColumn<QByteArray>("space");
        QTest::addColumn<QByteArray>("when");
        QTest::newRow("by its name") << QByteArray(R"("optimizer.name":["sgd","adamw"])")
                                     << QByteArray(R"("when": {"optimizer.name": "sgd"})");
        QTest::newRow("as a whole") << QByteArray(R"("optimizer":["sgd","adamw"])")
                                    << QByteArray(R"("when": {"optimizer": "sgd"})");
        QTest::newRow("as objects") << QByteArray(R"("optimizer":[{"name":"sgd"},"adamw"])")
                                    << QByteArray(R"("when": {"optimizer": "sgd"})");
    }
    // What is said to be written works when it is written.
    void aParameterThatOnlySomeNamesHaveIsVariedWithThem() {
        QFETCH(QByteArray, space);
        QFETCH(QByteArray, when);
        const auto catalog = testCatalog();
        const auto everywhere = *objectSweep("{" + space.toStdString() + R"(,"optimizer.momentum":[0.1]})");
        const auto trials = *foreseenConfigurations(everywhere);
        const auto of = [&](const SweepSpec& sweep, const Params& params, int number) {
            return checkVaried(sweep, params, *trialSpec(sweep, params, number, &catalog), catalog);
        };
        QVERIFY(of(everywhere, trials[0], 0).empty());
        const auto refused = of(everywhere, trials[1], 1);
        QCOMPARE(refused.size(), std::size_t{1});
        QCOMPARE(refused[0].path + " " + refused[0].value, std::string("optimizer.momentum 0.1"));
        QCOMPARE(refused[0].message, std::string("is not a parameter of adamw"));
        QCOMPARE(refused[0].remedy, "vary it with one that has it alone: " + when.toStdString());
        const auto obeyed = objectSweep("{" + space.toStdString() + R"(,"optimizer.momentum":{"choice":[0.1],)" +
                                        when.toStdString() + "}}");
        QVERIFY2(obeyed.ok(), obeyed ? "" : obeyed.error().text().c_str());
        const auto both = *foreseenConfigurations(*obeyed);
        QCOMPARE(both.size(), std::size_t{2});
        QCOMPARE(trialSpec(*obeyed, both[0], 0, &catalog)->optimizer.number("momentum", 0), 0.1);
        QVERIFY(!trialSpec(*obeyed, both[1], 1, &catalog)->optimizer.params.contains("momentum"));
    }
    // What the old one shares with the new one, or nobody knows, stays; so does what the trial says itself.
    void aNewNameDropsWhatOnlyTheOldOneHas() {
        const auto catalog = testCatalog();
        const auto sweep =
            *objectSweep(R"({"optimizer.name":["sgd","adamw"],"optimizer.momentum":{"choice":[0.3],)"
                         R"("when":{"optimizer.name":"sgd"}}})",
                         R"({"optimizer":{"name":"sgd","lr":0.5,"momentum":0.9,"nesterov":true,"x":1}})");
        const auto trials = *foreseenConfigurations(sweep);
        QVERIFY(namesEntries(sweep));
        const auto sgd = *trialSpec(sweep, trials[0], 0, &catalog), adamw = *trialSpec(sweep, trials[1], 1, &catalog);
        QVERIFY(sgd.optimizer ==
                (Choice{"sgd", {{"lr", 0.5}, {"momentum", 0.3}, {"nesterov", true}, {"x", std::int64_t{1}}}}));
        QVERIFY(adamw.optimizer == (Choice{"adamw", {{"lr", 0.5}, {"x", std::int64_t{1}}}}));
        QCOMPARE(trialSpec(sweep, trials[1], 1)->optimizer.params.size(), 4u); // without a catalog
        const Params both{{"optimizer.name", std::string("adamw")}, {"optimizer.momentum", 0.1}};
        QCOMPARE(trialSpec(sweep, both, 0, &catalog)->optimizer.number("momentum", 0), 0.1);
        const auto models = *objectSweep(R"({"model.name":["mlp","resnet18"]})",
                                         R"({"model":{"name":"mlp","params":{"hidden":[8],"dropout":0.2}}})");
        QVERIFY(trialSpec(models, (*foreseenConfigurations(models))[1], 1, &catalog)->model ==
                (Choice{"resnet18", {}}));
        QVERIFY(!namesEntries(*objectSweep("{\"model\":" + kModels + "}")));
    }
};

QTEST_GUILESS_MAIN(SpecObjectsTest)
#include "spec_objects_test.moc"
