// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/sweep/sweep_rules_file.h"

#include "engine/spec/run/check.h"
#include "engine/spec/run/run_fields.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace trainyard::spec {
namespace {

constexpr int kMaxRetries = 100;

void readScore(ObjectReader& reader, Errors& errors, SweepRules& rules) {
    std::string word = toString(rules.score);
    reader("score", word);
    Checker(errors).word("score", word, {"best", "last"});
    rules.score = word == "last" ? ScoreAt::Last : ScoreAt::Best;
}

StopRule readStopRule(const Json& given, const std::string& path, Errors& errors, bool isProgram) {
    StopRule rule;
    ObjectReader reader(given, path, errors);
    Checker check(errors, isProgram);
    reader("series", rule.series);
    if (reader.has("series")) check.series(joinPath(path, "series"), rule.series);
    else check.fail(joinPath(path, "series"), "", "is missing", "for example \"series\": \"val/loss\"");
    rule.above = reader.has("above");
    reader("above", rule.limit);
    reader("below", rule.limit);
    if (reader.has("above") == reader.has("below"))
        check.fail(path, shown(given), "needs above or below, one of the two", "for example \"below\": 0.1");
    reader("after", rule.after);
    check.range(joinPath(path, "after"), rule.after, 0.0, 1e15);
    reader.finish();
    return rule;
}

void readStop(ObjectReader& reader, Errors& errors, bool isProgram, SweepRules& rules) {
    const Json* list = reader.at("stop");
    if (list == nullptr) return;
    if (!list->is_array()) return reader.report("stop", *list, "must be a list of rules", "write [{ … }]");
    for (std::size_t i = 0; i < list->size(); ++i) {
        const std::string path = "stop." + std::to_string(i);
        if ((*list)[i].is_object()) rules.stop.push_back(readStopRule((*list)[i], path, errors, isProgram));
        else
            reader.report(path, (*list)[i], "must be an object { … }",
                          "for example {\"series\": \"val/loss\", \"below\": 0.1}");
    }
}

void readFailure(ObjectReader& outer, Errors& errors, FailureRule& rule) {
    const Json* given = outer.objectAt("failure");
    if (given == nullptr) return;
    ObjectReader reader(*given, "failure", errors);
    reader("retries", rule.retries);
    reader("maxShare", rule.maxShare);
    reader.finish(keysOf(RunSpec{}.failure), "it goes into \"failure\" of \"run\"");
    Checker check(errors);
    check.range("failure.retries", std::int64_t{rule.retries}, 0, kMaxRetries);
    check.range("failure.maxShare", rule.maxShare, 0.0, 1.0);
}

void readBudget(ObjectReader& outer, Errors& errors, Budget& budget) {
    Checker check(errors);
    if (const Json* given = outer.objectAt("budget")) {
        ObjectReader reader(*given, "budget", errors);
        for (const auto& [key, amount] : {std::pair{"seconds", &budget.seconds},
                                          {"trainSeconds", &budget.trainSeconds},
                                          {"epochs", &budget.epochs}}) {
            reader(key, *amount);
            check.range(reader.pathOf(key), *amount, 0.0, 1e15);
        }
        reader("target", budget.target);
        reader("idleTrials", budget.idleTrials);
        check.range("budget.idleTrials", std::int64_t{budget.idleTrials}, 0, 100'000);
        reader.finish();
    }
    std::string atEnd = "stop";
    outer("atEnd", atEnd);
    check.word("atEnd", atEnd, {"stop", "finish"});
    budget.finish = atEnd == "finish";
}

void readKeep(ObjectReader& outer, Errors& errors, SweepRules& rules) {
    const Json* given = outer.objectAt("keep");
    if (given == nullptr) return;
    KeepRule rule;
    ObjectReader reader(*given, "keep", errors);
    reader("best", rule.best);
    reader("minSeconds", rule.minSeconds);
    reader.finish();
    Checker check(errors);
    check.range("keep.best", std::int64_t{rule.best}, 1, 100'000);
    check.range("keep.minSeconds", rule.minSeconds, 0.0, 1e15);
    rules.keep = rule;
}

Json stopJson(const std::vector<StopRule>& rules) {
    Json list = Json::array();
    for (const StopRule& rule : rules)
        list.push_back({{"series", rule.series}, {rule.above ? "above" : "below", rule.limit}, {"after", rule.after}});
    return list;
}

Json budgetJson(const Budget& budget) {
    return {{"seconds", budget.seconds},
            {"trainSeconds", budget.trainSeconds},
            {"epochs", budget.epochs},
            {"target", budget.target ? Json(*budget.target) : Json(nullptr)},
            {"idleTrials", budget.idleTrials}};
}

} // namespace

const char* toString(ScoreAt score) { return score == ScoreAt::Last ? "last" : "best"; }

void readRules(ObjectReader& reader, Errors& errors, bool isProgram, SweepRules& rules) {
    readScore(reader, errors, rules);
    readStop(reader, errors, isProgram, rules);
    readFailure(reader, errors, rules.failure);
    readBudget(reader, errors, rules.budget);
    readKeep(reader, errors, rules);
}

void writeRules(const SweepRules& rules, Json& sweep) {
    sweep["score"] = toString(rules.score);
    sweep["stop"] = stopJson(rules.stop);
    sweep["failure"] = {{"retries", rules.failure.retries}, {"maxShare", rules.failure.maxShare}};
    sweep["budget"] = budgetJson(rules.budget);
    sweep["atEnd"] = rules.budget.finish ? "finish" : "stop";
    if (rules.keep) sweep["keep"] = {{"best", rules.keep->best}, {"minSeconds", rules.keep->minSeconds}};
}

} // namespace trainyard::spec
