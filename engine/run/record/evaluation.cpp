// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/evaluation.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace trainyard::run {
namespace {

using Value = nlohmann::json;

constexpr double kLargestCount = 9e15; // exact in a double, as counts are written
constexpr const char* kRemedy = "evaluate the run again: trainyardctl evaluate RUN";

Error bad(const std::string& what, const std::string& where) { return inputError(what, where, kRemedy); }

// The members of one object, asked for by name, with the place of each in errors.
class Members {
public:
    Members(const Value& object, std::string where) : m_object(object), m_where(std::move(where)) {}

    std::string placeOf(const char* name) const { return m_where + ", " + name; }
    const Value* find(const char* name) const {
        const auto at = m_object.find(name);
        return at == m_object.end() ? nullptr : &*at;
    }
    // A missing number is 0. NaN and infinity are written as null.
    Result<double> number(const char* name) const {
        const Value* found = find(name);
        if (!found || found->is_null()) return 0.0;
        if (!found->is_number()) return bad("is not a number", placeOf(name));
        return found->get<double>();
    }
    Result<std::int64_t> count(const char* name, std::int64_t missing = 0) const {
        const Value* found = find(name);
        if (!found) return missing;
        return countOf(*found, placeOf(name));
    }
    Result<std::string> text(const char* name) const {
        const Value* found = find(name);
        if (!found) return std::string();
        if (!found->is_string()) return bad("is not a text", placeOf(name));
        return found->get<std::string>();
    }
    Result<std::vector<double>> numbers(const char* name) const {
        std::vector<double> values;
        const Value* found = find(name);
        if (!found) return values;
        if (!found->is_array()) return bad("is not a list of numbers", placeOf(name));
        for (const Value& each : *found) {
            if (!each.is_number() && !each.is_null()) return bad("is not a list of numbers", placeOf(name));
            values.push_back(each.is_null() ? std::nan("") : each.get<double>());
        }
        return values;
    }
    static Result<std::int64_t> countOf(const Value& value, const std::string& where) {
        const double number = value.is_number() ? value.get<double>() : -1;
        if (number < 0 || number > kLargestCount || number != std::floor(number)) return bad("is not a count", where);
        return static_cast<std::int64_t>(number);
    }

private:
    const Value& m_object;
    std::string m_where;
};

// "FILE, classes[3]"
std::string itemOf(const std::string& where, const char* list, std::size_t index) {
    return where + ", " + list + "[" + std::to_string(index) + "]";
}

Result<std::vector<ClassScore>> classesFrom(const Value& list, const std::string& where, const char* name) {
    if (!list.is_array()) return bad("is not a list", where + ", " + name);
    std::vector<ClassScore> classes;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string place = itemOf(where, name, i);
        if (!list[i].is_object()) return bad("is not an object", place);
        const Members members(list[i], place);
        ClassScore one;
        TY_ASSIGN(one.name, members.text("name"));
        TY_ASSIGN(one.samples, members.count("samples"));
        TY_ASSIGN(one.roc, members.numbers("roc"));
        for (const auto& [member, value] :
             {std::pair{"precision", &one.precision}, std::pair{"recall", &one.recall}, std::pair{"f1", &one.f1},
              std::pair{"threshold", &one.threshold}, std::pair{"rmse", &one.rmse}, std::pair{"mae", &one.mae},
              std::pair{"r2", &one.r2}}) {
            TY_ASSIGN(*value, members.number(member));
        }
        classes.push_back(std::move(one));
    }
    return classes;
}

Result<std::vector<Reliability>> reliabilityFrom(const Value& list, const std::string& where) {
    if (!list.is_array()) return bad("is not a list", where);
    std::vector<Reliability> bins;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string place = where + "[" + std::to_string(i) + "]";
        if (!list[i].is_object()) return bad("is not an object", place);
        const Members members(list[i], place);
        Reliability bin;
        TY_ASSIGN(bin.confidence, members.number("confidence"));
        TY_ASSIGN(bin.accuracy, members.number("accuracy"));
        TY_ASSIGN(bin.samples, members.count("samples"));
        bins.push_back(bin);
    }
    return bins;
}

Result<std::vector<std::vector<std::int64_t>>> confusionFrom(const Value& table, std::size_t classes,
                                                             const std::string& where) {
    const std::string fit = "is not a table of " + std::to_string(classes) + " by " + std::to_string(classes);
    if (!table.is_array() || table.size() != classes) return bad(fit, where);
    std::vector<std::vector<std::int64_t>> rows;
    for (std::size_t i = 0; i < classes; ++i) {
        if (!table[i].is_array() || table[i].size() != classes) return bad(fit, where);
        std::vector<std::int64_t> row;
        for (const Value& cell : table[i]) {
            TY_ASSIGN(const std::int64_t count, Members::countOf(cell, where + "[" + std::to_string(i) + "]"));
            row.push_back(count);
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

Result<Example> exampleFrom(const Value& object, const std::string& place) {
    if (!object.is_object()) return bad("is not an object", place);
    const Members members(object, place);
    Example one;
    TY_ASSIGN(one.index, members.count("index", -1));
    if (one.index < 0) return bad("has no index", place);
    const Value* loss = members.find("loss");
    TY_ASSIGN(one.loss, members.number("loss"));
    if (loss && loss->is_null()) one.loss = std::nan("");
    TY_ASSIGN(one.truth, members.count("true", -1));
    TY_ASSIGN(one.predicted, members.count("predicted", -1));
    if (one.hasClasses() != (one.predicted >= 0)) return bad("has only one of the classes", place);
    TY_ASSIGN(one.probability, members.number("probability"));
    TY_ASSIGN(one.target, members.numbers("target"));
    TY_ASSIGN(one.output, members.numbers("output"));
    if (one.target.size() != one.output.size()) return bad("does not have as many outputs as targets", place);
    return one;
}

Result<std::vector<Example>> examplesFrom(const Value& list, const std::string& where) {
    if (!list.is_array()) return bad("is not a list", where);
    std::vector<Example> examples;
    for (std::size_t i = 0; i < list.size(); ++i) {
        TY_ASSIGN(Example one, exampleFrom(list[i], where + "[" + std::to_string(i) + "]"));
        examples.push_back(std::move(one));
    }
    return examples;
}

Result<Evaluation> evaluationFrom(const Value& object, const std::string& where) {
    const Members members(object, where);
    Evaluation evaluation;
    TY_ASSIGN(const std::string task, members.text("task"));
    const auto kind = spec::taskFromString(task);
    if (!kind) return bad("\"" + printable(task) + "\" is not a task", members.placeOf("task"));
    evaluation.task = *kind;
    TY_ASSIGN(evaluation.step, members.count("step"));
    TY_ASSIGN(evaluation.epoch, members.number("epoch"));
    for (const auto& [name, value] : object.items())
        if (value.is_number() && name != "step" && name != "epoch" && name != "version")
            evaluation.metrics[name] = value.get<double>();
    for (const char* name : {"classes", "columns"})
        if (const Value* list = members.find(name)) { TY_ASSIGN(evaluation.classes, classesFrom(*list, where, name)); }
    const std::size_t classes = evaluation.classes.size();
    if (const Value* table = members.find("confusion")) {
        TY_ASSIGN(evaluation.confusion, confusionFrom(*table, classes, members.placeOf("confusion")));
    }
    if (const Value* bins = members.find("reliability")) {
        TY_ASSIGN(evaluation.reliability, reliabilityFrom(*bins, members.placeOf("reliability")));
    }
    const Value* examples = members.find("examples");
    if (!examples) return evaluation;
    TY_ASSIGN(evaluation.examples, examplesFrom(*examples, members.placeOf("examples")));
    for (std::size_t i = 0; i < evaluation.examples.size(); ++i) {
        const Example& one = evaluation.examples[i];
        if (one.hasClasses() && std::max(one.truth, one.predicted) >= static_cast<std::int64_t>(classes))
            return bad("has a class that is not among the " + std::to_string(classes), itemOf(where, "examples", i));
    }
    return evaluation;
}

Result<Value> objectIn(std::string_view text, const std::string& where) {
    Value object = parseSortedJson(text);
    if (!object.is_object()) return bad("is not a JSON object", where);
    return object;
}

} // namespace

std::vector<Example> Evaluation::cell(std::int64_t truth, std::int64_t predicted) const {
    std::vector<Example> found;
    for (const Example& one : examples)
        if (one.hasClasses() && one.truth == truth && one.predicted == predicted) found.push_back(one);
    return found;
}

std::vector<Example> Evaluation::mostWrong(std::size_t most) const {
    std::vector<Example> found;
    for (const Example& one : examples) {
        if (found.size() >= most) break;
        if (!one.hasClasses() || one.isWrong()) found.push_back(one);
    }
    return found;
}

Result<EvaluationSet> parseEvaluations(std::string_view text, const std::string& where) {
    TY_ASSIGN(const Value object, objectIn(text, where));
    const Members members(object, where);
    TY_ASSIGN(const std::int64_t version, members.count("version", 1));
    if (version > EvaluationSet::kVersion)
        return inputError("has version " + std::to_string(version) + ", and this program reads up to " +
                              std::to_string(EvaluationSet::kVersion),
                          where, "use a newer Trainyard");
    EvaluationSet set;
    set.validated = object.contains("task");
    if (set.validated) { TY_ASSIGN(set.newest, evaluationFrom(object, where)); }
    const Value* tests = members.find("test");
    if (!tests) return set;
    if (!tests->is_object()) return bad("is not an object", members.placeOf("test"));
    for (const auto& [which, metrics] : tests->items()) {
        const std::string place = members.placeOf("test") + ", " + printable(which);
        if (!metrics.is_object()) return bad("is not an object", place);
        TY_ASSIGN(set.tests[which], evaluationFrom(metrics, place));
    }
    return set;
}

Result<Evaluation> parseEvaluation(std::string_view text, const std::string& where) {
    TY_ASSIGN(const Value object, objectIn(text, where));
    return evaluationFrom(object, where);
}

Result<EvaluationSet> readEvaluations(const std::filesystem::path& file) {
    TY_ASSIGN(const std::string text, readFile(file, kLargestEvaluation));
    return parseEvaluations(text, file.string());
}

std::string examplesToJson(const std::vector<Example>& examples) {
    Value list = Value::array();
    for (const Example& one : examples) {
        Value object = {{"index", one.index}, {"loss", one.loss}};
        if (one.hasClasses()) {
            object["true"] = one.truth;
            object["predicted"] = one.predicted;
            object["probability"] = one.probability;
        }
        if (!one.target.empty()) {
            object["target"] = one.target;
            object["output"] = one.output;
        }
        list.push_back(std::move(object));
    }
    return jsonText(list);
}

Result<std::vector<Example>> parseExamples(std::string_view text, const std::string& where) {
    return examplesFrom(parseSortedJson(text), where);
}

} // namespace trainyard::run
