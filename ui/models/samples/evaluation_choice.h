// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the evaluation in the Samples tab: a checkpoint on a part of the dataset, and the source of the evaluation.
#pragma once

#include "engine/run/record/evaluation.h"
#include "engine/store/rows.h"

#include <QString>

#include <map>
#include <vector>

namespace trainyard::ui {

// The parts of a dataset, in the order of the menu.
enum class DataPart { Validation, Test, Train };
const char* partWord(DataPart part); // as the worker calls it: "validation"

// The user's choice. An empty checkpoint means the newest validation, whether or not it was saved.
struct EvaluationChoice {
    std::string checkpoint{}; // its file
    DataPart part = DataPart::Validation;

    bool operator==(const EvaluationChoice&) const = default;
    auto operator<=>(const EvaluationChoice&) const = default;
};

// Evaluations that this window requested, by file and part.
using AskedEvaluations = std::map<EvaluationChoice, run::Evaluation>;

// The checkpoint behind a choice: the chosen one, else the last, else any; null if there is none.
const store::CheckpointRow* checkpointFor(const EvaluationChoice& choice,
                                          const std::vector<store::CheckpointRow>& checkpoints);

// Rule: which evaluation the Samples tab shows for a checkpoint and a part of the dataset.
// Null: not evaluated. A requested evaluation comes before those that the run wrote; of these, the newest validation
// counts for the checkpoint of its step, a test for its own checkpoint.
const run::Evaluation* evaluationFor(const EvaluationChoice& choice, const run::EvaluationSet* written,
                                     const AskedEvaluations& asked,
                                     const std::vector<store::CheckpointRow>& checkpoints);

// "accuracy 0.9403 on 10,000": the first figures of an evaluation, as one line.
QString evaluationSummary(const run::Evaluation& evaluation);

} // namespace trainyard::ui
