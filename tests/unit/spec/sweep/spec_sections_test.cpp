// SPDX-License-Identifier: GPL-3.0-or-later
// The table of run file fields that forms and validation share.
#include "engine/spec/sweep/sweep_sections.h"
#include "tests/unit/spec/spec_test_catalog.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace trainyard;
using namespace trainyard::spec;

class SpecSectionsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: every field of a run file in the window's form. Also in window_test.
    void everyFieldIsOneOfTheRunFile() {
        const Params values = sectionValues(RunSpec{});
        std::set<std::string> seen;
        for (const auto& section : runSections()) {
            QVERIFY(!section.title.empty() && !section.help.empty());
            for (const auto& info : section.params) {
                QVERIFY2(seen.insert(info.name).second, info.name.c_str());
                const auto found = values.find(info.name);
                QVERIFY2(found != values.end(), info.name.c_str());
                // The form's default is the run file's.
                QCOMPARE(toText(found->second), toText(info.defaultValue));
                QVERIFY2(!info.title.empty() && info.help.ends_with('.'), info.name.c_str());
                const bool number = info.type == ParamType::Integer || info.type == ParamType::Number;
                QVERIFY2(!number || info.min, info.name.c_str());
            }
        }
    }

    void valuesGoThereAndBack() {
        RunSpec spec;
        spec.name = "kept";
        spec.steps = 10;
        spec.epochs.reset();
        const Params given{{"gradient.clipNorm", 1.5},
                           {"augment.flip", true},
                           {"scaling.elastic.min", std::int64_t{1}},
                           {"failure.nonFinite", std::string("skip")},
                           {"earlyStop.metric", std::string("val/loss")},
                           {"failure.heartbeatSeconds", std::int64_t{30}}};
        const auto changed = withSectionValues(spec, given);
        QVERIFY2(changed.ok(), changed.ok() ? "" : changed.error().text().c_str());
        QCOMPARE(changed->gradient.clipNorm, 1.5);
        QVERIFY(changed->augment.flip);
        QCOMPARE(changed->scaling.elastic.min, 1);
        QCOMPARE(changed->failure.nonFinite, std::string("skip"));
        QCOMPARE(changed->failure.heartbeatSeconds, 30.0);
        QCOMPARE(changed->name, std::string("kept"));
        QCOMPARE(*changed->steps, 10);
        QVERIFY(!changed->epochs);
        QVERIFY(*withSectionValues(*changed, sectionValues(*changed)) == *changed);
    }

    void aModeFollowsTheNameOfItsSeries_data() {
        QTest::addColumn<QString>("series");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("given");
        QTest::addColumn<QString>("mode");
        QTest::newRow("a larger accuracy") << "earlyStop.metric" << "val/accuracy" << "" << "max";
        QTest::newRow("a smaller loss") << "checkpoint.scoreBy" << "val/loss" << "" << "min";
        QTest::newRow("a given mode") << "checkpoint.scoreBy" << "val/loss" << "max" << "max";
        QTest::newRow("no series") << "earlyStop.metric" << "" << "" << "min"; // the default
    }
    void aModeFollowsTheNameOfItsSeries() {
        QFETCH(QString, series);
        QFETCH(QString, name);
        QFETCH(QString, given);
        QFETCH(QString, mode);
        const std::string path = modePathOf(series.toStdString());
        QVERIFY(!path.empty());
        Params values{{series.toStdString(), name.toStdString()}};
        if (!given.isEmpty()) values[path] = given.toStdString();
        const auto changed = withSectionValues({}, values);
        QVERIFY2(changed.ok(), changed.ok() ? "" : changed.error().text().c_str());
        QCOMPARE(QString::fromStdString(toText(sectionValues(*changed).at(path))), mode);
    }

    void wrongOnesAreRefused() {
        QVERIFY(!withSectionValues({}, {{"gradient.clipNrom", 1.0}}).ok());
        QVERIFY(!withSectionValues({}, {{"augment.flip", std::string("yes")}}).ok());
    }

    // Just outside of its range each field is an error at its own path, and the limit itself is none.
    // Bad inputs: run files, values beyond the limits of a field. Every field of the form, at both ends.
    void limitsAreJudged_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<double>("value");
        QTest::addColumn<bool>("right");
        for (const auto& section : runSections()) {
            for (const auto& info : section.params) {
                if (info.type != ParamType::Integer && info.type != ParamType::Number) continue;
                const QString path = QString::fromStdString(info.name);
                QTest::newRow(qPrintable(path + " below")) << path << *info.min - 1 << false;
                const bool special = path.startsWith("scaling.elastic") || path == "scaling.port";
                if (!special) QTest::newRow(qPrintable(path + " least")) << path << *info.min << true;
                if (info.max && *info.max < 1e15)
                    QTest::newRow(qPrintable(path + " above")) << path << *info.max + 1 << false;
            }
        }
    }
    void limitsAreJudged() {
        QFETCH(QString, path);
        QFETCH(double, value);
        QFETCH(bool, right);
        const bool whole = std::floor(value) == value;
        const Value given = whole ? Value(static_cast<std::int64_t>(value)) : Value(value);
        const auto exact = withSectionValues({}, {{path.toStdString(), given}});
        QVERIFY2(exact.ok(), exact.ok() ? "" : exact.error().text().c_str());
        const auto errors = validateFields(*exact);
        const bool found = std::any_of(errors.begin(), errors.end(),
                                       [&](const auto& error) { return error.path == path.toStdString(); });
        QCOMPARE(found, !right);
    }

    void wordsAreJudged() {
        for (const auto& section : runSections()) {
            for (const auto& info : section.params) {
                if (info.type != ParamType::Option || info.name == "precision") continue;
                const auto spec = withSectionValues({}, {{info.name, std::string("wrong")}});
                const auto errors = validateFields(*spec);
                QVERIFY2(errors.size() == 1 && errors.front().path == info.name, info.name.c_str());
            }
        }
    }

    // Those of a sweep: the form's defaults, words and ranges are the file's.
    void everyFieldOfASweepIsOneOfItsFile() {
        const auto plain = parseSweepSpec(R"({"run": {"model": "mlp", "epochs": 2}, "space": {"seed": [1, 2]}})");
        QVERIFY(plain.ok());
        const Params values = sweepValues(*plain);
        for (const auto& section : sweepSections()) {
            QVERIFY(!section.title.empty() && !section.help.empty());
            for (const auto& info : section.params) {
                QVERIFY2(!info.title.empty() && info.help.ends_with('.'), info.name.c_str());
                const auto found = values.find(info.name);
                if (info.name != "budget.target") QVERIFY2(found != values.end(), info.name.c_str());
                if (found != values.end()) QCOMPARE(toText(found->second), toText(info.defaultValue));
                std::vector<FieldError> errors;
                const auto same = withSweepValues(*plain, {{info.name, info.defaultValue}}, errors);
                QVERIFY2(errors.empty(), info.name.c_str());
                QVERIFY(same == *plain);
                if (info.type == ParamType::Text || info.name == "budget.target") continue;
                const bool word = info.type == ParamType::Option;
                const Value wrong = word ? Value(std::string("wrong")) : Value(std::int64_t{-1});
                withSweepValues(*plain, {{info.name, wrong}}, errors);
                QVERIFY2(errors.size() == 1 && errors.front().path == info.name, info.name.c_str());
            }
        }
    }

    // A number of 0 is what the file says by leaving the rule out.
    void aRuleOfASweepIsLeftOutByZero() {
        const auto plain = parseSweepSpec(R"({"run": {"model": "mlp", "epochs": 2}, "space": {"seed": [1, 2]},
            "keep": {"best": 3, "minSeconds": 5}, "reuse": false})");
        QVERIFY(plain.ok());
        std::vector<FieldError> errors;
        const auto all = withSweepValues(*plain, {{"keep.best", std::int64_t{0}}, {"reuse", true}}, errors);
        QVERIFY(errors.empty() && !all.rules.keep && all.reuse);
        const auto some = withSweepValues(all, {{"keep.best", std::int64_t{7}}}, errors);
        QVERIFY(errors.empty() && some.rules.keep == (KeepRule{.best = 7, .minSeconds = KeepRule().minSeconds}));
        const auto seeded = parseSweepSpec(R"({"run": {"model": "mlp", "epochs": 2}, "space": {"optimizer.lr": [1, 2]},
            "seeds": {"count": 3}})");
        const auto best = withSweepValues(*seeded, {{"seeds.best", std::int64_t{2}}}, errors);
        QVERIFY(errors.empty() && best.bestSeeded == 2 && best.seeds == 3);
        QVERIFY(withSweepValues(best, {{"seeds.best", std::int64_t{0}}}, errors) == *seeded);
        QVERIFY(errors.empty());
    }

    void describeListsThem() {
        const auto text = toJson(testCatalog());
        for (const auto& section : runSections())
            for (const auto& info : section.params)
                QVERIFY2(text.find("\"" + info.name + "\"") != std::string::npos, info.name.c_str());
        QVERIFY(catalogFromJson(text).ok());
    }
};

QTEST_GUILESS_MAIN(SpecSectionsTest)
#include "spec_sections_test.moc"
