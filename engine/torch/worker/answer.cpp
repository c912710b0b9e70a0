// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/answer.h"

#include "engine/base/clock.h"
#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/worker/evaluate_checkpoint.h"
#include "engine/torch/worker/sample_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace trainyard::train {

using nlohmann::json;

namespace {

constexpr std::int64_t kMaxTop = 1000, kMaxTokens = 4096, kColumnsShown = 24;
constexpr double kMaxTemperature = 100;
constexpr const char* kFormat = "engine/torch/worker/ANSWER.md describes the questions";

// The members of a question, with their limits.
Result<std::string> wordIn(const json& question, const char* name, const std::string& missing = {}) {
    const auto found = question.find(name);
    if (found == question.end() && !missing.empty()) return missing;
    if (found == question.end() || !found->is_string()) return inputError("is not a text", name, kFormat);
    return found->get<std::string>();
}

Result<std::int64_t> wholeIn(const json& question, const char* name, std::int64_t missing, std::int64_t most) {
    const auto found = question.find(name);
    if (found == question.end()) return missing;
    const bool whole = found->is_number_integer() && (!found->is_number_unsigned() || *found <= json(most));
    const std::int64_t number = whole ? found->get<std::int64_t>() : -1;
    if (number < 0 || number > most)
        return inputError("is not a whole number from 0 to " + std::to_string(most), name, kFormat);
    return number;
}

Result<double> shareIn(const json& question, const char* name, double most) {
    const auto found = question.find(name);
    if (found == question.end()) return 0.0;
    const double number = found->is_number() ? found->get<double>() : -1;
    if (!(number >= 0 && number <= most))
        return inputError("is not a number from 0 to " + std::to_string(static_cast<int>(most)), name, kFormat);
    return number;
}

Result<const json*> listIn(const json& question, const char* name, std::size_t most) {
    const auto found = question.find(name);
    if (found == question.end() || !found->is_array() || found->size() > most)
        return inputError("is not a list of at most " + std::to_string(most), name, kFormat);
    return &*found;
}

json errorJson(const Error& error) {
    return {{"error", error.text()},
            {"error_kind", toString(error.kind)},
            {"error_code", toString(error.code)},
            {"message", error.message},
            {"where", error.where},
            {"remedy", error.remedy}};
}

// Of one sample what a person recognises it by: pixels, values or text.
json shownSample(const data::Dataset& dataset, const data::Split& split, std::int64_t index) {
    const torch::Tensor input = split.sample(index, dataset.sampleShape);
    json item = {{"index", index}};
    if (dataset.task == TaskKind::Language) {
        item["text"] = textOf(dataset.classNames, dataset.tokens, input);
        return item;
    }
    item["target"] = targetOf(dataset, split, index);
    if (dataset.sampleShape.size() == 3) item["pixels"] = pixelsOf(input);
    else item["values"] = valuesOf(dataset, input.reshape({-1}), kColumnsShown);
    return item;
}

} // namespace

std::string AnswerDesk::refuseLong() {
    return jsonText(json{{"id", nullptr},
                         {"error", errorJson(inputError("is longer than " + std::to_string(kMaxLine) + " bytes",
                                                        "question", "name files instead of writing them out"))}});
}

std::string AnswerDesk::answer(std::string_view line) {
    const double begun = monotonicSeconds();
    const json question = parseSortedJson(line);
    json reply = {{"id", question.is_object() && question.contains("id") ? question["id"] : json()}};
    const auto result = guarded("answer", [&]() -> Result<json> {
        if (!question.is_object()) return inputError("is not a JSON object", "question", kFormat);
        return answerTo(question);
    });
    if (result) reply["answer"] = *result;
    else reply["error"] = errorJson(result.error());
    reply["milliseconds"] = 1e3 * (monotonicSeconds() - begun);
    return jsonText(reply);
}

Result<json> AnswerDesk::answerTo(const json& question) {
    TY_ASSIGN(const std::string verb, wordIn(question, "do"));
    if (verb == "predict") return predict(question);
    if (verb == "samples") return samples(question);
    if (verb == "evaluate") return evaluate(question);
    if (verb == "draws") return draws(question);
    return inputError("\"" + printable(verb) + "\" is not known here", "do",
                      "one of: predict, samples, evaluate, draws");
}

// A file that was written anew is loaded anew.
Result<std::shared_ptr<const TrainedModel>> AnswerDesk::modelOf(const json& question) {
    TY_ASSIGN(const std::string path, wordIn(question, "checkpoint"));
    std::error_code problem;
    const auto written = std::filesystem::last_write_time(path, problem);
    const auto kept =
        std::find_if(m_models.begin(), m_models.end(), [&](const Kept& each) { return each.path == path; });
    if (kept != m_models.end() && !problem && kept->written == written) {
        m_models.splice(m_models.begin(), m_models, kept);
        return m_models.front().model;
    }
    if (kept != m_models.end()) m_models.erase(kept);
    if (m_models.size() >= kMaxModels) m_models.pop_back();
    TY_ASSIGN(TrainedModel loaded, loadTrained(path));
    // The weights are in the model now; optimizer state would only take memory.
    loaded.state.model.clear();
    loaded.state.average.clear();
    loaded.state.optimizer = {};
    m_models.push_front({path, written, std::make_shared<const TrainedModel>(std::move(loaded))});
    return m_models.front().model;
}

Result<json> AnswerDesk::predict(const json& question) {
    PredictOptions options;
    TY_ASSIGN(const std::int64_t top, wholeIn(question, "top", options.top, kMaxTop));
    TY_ASSIGN(const std::int64_t tokens, wholeIn(question, "continue", 0, kMaxTokens));
    TY_ASSIGN(options.temperature, shareIn(question, "temperature", kMaxTemperature));
    TY_ASSIGN(options.seed, wholeIn(question, "seed", options.seed, INT64_MAX));
    options.top = static_cast<int>(top);
    options.continueBy = static_cast<int>(tokens);
    options.seen = question.value("seen", json()) == json(true);
    TY_ASSIGN(const json* const list, listIn(question, "inputs", kMaxSamples));
    std::vector<std::string> inputs;
    for (const json& each : *list) {
        if (!each.is_string()) return inputError("is not a list of texts", "inputs", kFormat);
        inputs.push_back(each.get<std::string>());
    }
    TY_ASSIGN(const auto model, modelOf(question));
    return predictions(*model, m_datasets, inputs, options);
}

Result<json> AnswerDesk::samples(const json& question) {
    TY_ASSIGN(const std::string part, wordIn(question, "part", "validation"));
    TY_ASSIGN(const json* const indices, listIn(question, "indices", kMaxSamples));
    TY_ASSIGN(const auto model, modelOf(question));
    TY_ASSIGN(const auto dataset, m_datasets.of(*model));
    TY_ASSIGN(const data::Split* const split, partOf(*dataset, part, "part"));
    json items = json::array();
    for (const json& each : *indices) {
        const std::int64_t index = each.is_number_integer() ? each.get<std::int64_t>() : -1;
        if (index < 0 || index >= split->size())
            return inputError("holds " + printable(jsonText(each)) + ", and the samples are from 0 to " +
                                  std::to_string(split->size() - 1),
                              "indices");
        items.push_back(shownSample(*dataset, *split, index));
    }
    json answer = {{"part", part}, {"items", std::move(items)}, {"notes", dataset->notes}};
    const auto& shape = dataset->sampleShape;
    if (shape.size() == 3) {
        answer["channels"] = shape[0];
        answer["height"] = thumbnailSide(shape, 1);
        answer["width"] = thumbnailSide(shape, 2);
    } else if (dataset->task != TaskKind::Language && shape.size() == 1) {
        answer["columns"] = columnsOf(*dataset, kColumnsShown);
    }
    return answer;
}

Result<json> AnswerDesk::draws(const json& question) {
    TY_ASSIGN(const std::string run, wordIn(question, "run"));
    TY_ASSIGN(const std::int64_t picture, wholeIn(question, "picture", 0, INT32_MAX));
    TY_ASSIGN(const spec::RunSpec spec, spec::parseRunSpec(run, "run"));
    return m_draws.draws(spec, picture);
}

Result<json> AnswerDesk::evaluate(const json& question) {
    TY_ASSIGN(const std::string part, wordIn(question, "part", "validation"));
    TY_ASSIGN(const auto model, modelOf(question));
    TY_ASSIGN(const std::string text, evaluationJson(*model, m_datasets, part));
    return parseSortedJson(text);
}

} // namespace trainyard::train
