// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/evaluate_checkpoint.h"

#include "engine/base/json_text.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/trainer/task/evaluate.h"
#include "engine/torch/trainer/training_batches.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace trainyard::train {

using nlohmann::json;

namespace {

// As the trainer counts it: whole epochs, and the share of the one in progress.
double epochOf(const TrainedModel& trained, const data::Dataset& dataset) {
    const std::int64_t global = std::max<std::int64_t>(1, trained.spec.globalBatch());
    const std::int64_t steps = (dataset.train.size() + (trained.spec.batch.dropLast ? 0 : global - 1)) / global;
    return static_cast<double>(trained.state.epoch) +
           static_cast<double>(trained.state.batchInEpoch) / static_cast<double>(std::max<std::int64_t>(1, steps));
}

} // namespace

Result<std::string> evaluationJson(const TrainedModel& trained, KeptDataset& datasets, const std::string& part) {
    TY_ASSIGN(const auto dataset, datasets.of(trained));
    TY_ASSIGN(const data::Split* const split, partOf(*dataset, part, "part"));
    TY_ASSIGN(const auto task, Task::make(trained.spec, *dataset));
    task->setThresholds(trained.state.modelInfo.thresholds);
    TY_ASSIGN(const Precision precision,
              Precision::make(trained.spec.precision == "bf16" ? "bf16" : "fp32", torch::kCPU));
    const EvaluationShare whole{.share = {.begin = 0, .end = split->size()},
                                .precision = precision,
                                .loader = loaderOptions(trained.spec, torch::kCPU, false)};
    EvaluatedShare found = evaluateShare(*trained.model, *task, *dataset, *split, whole);
    if (trained.model->leastBatch() == 1) judgeAlone(*trained.model, *task, *dataset, *split, found.examples);
    json evaluation = parseSortedJson(task->evaluate(found.sums, found.examples).json);
    evaluation["part"] = part;
    evaluation["step"] = trained.state.step;
    evaluation["epoch"] = epochOf(trained, *dataset);
    evaluation["notes"] = dataset->notes;
    return jsonText(evaluation);
}

Result<std::string> evaluationsJson(const std::vector<std::string>& checkpoints, const std::string& part) {
    return guarded("evaluate", [&]() -> Result<std::string> {
        KeptDataset datasets;
        json list = json::array();
        for (const std::string& checkpoint : checkpoints) {
            TY_ASSIGN(const TrainedModel trained, loadTrained(checkpoint));
            TY_ASSIGN(const std::string text, evaluationJson(trained, datasets, part));
            list.push_back(parseSortedJson(text));
            list.back()["checkpoint"] = checkpoint;
        }
        return jsonText(list);
    });
}

} // namespace trainyard::train
