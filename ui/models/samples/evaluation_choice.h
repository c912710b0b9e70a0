// SPDX-License-Identifier: GPL-3.0-or-later
// Which evaluation the Samples tab shows: a checkpoint on a part of the dataset, and where it is known from.
#pragma once

#include "engine/run/record/evaluation.h"
#include "engine/store/rows.h"

#include <QString>

#include <map>
#include <vector>

namespace trainyard::ui {

// A part of a dataset, in the order in which they are offered.
enum class DataPart { Validation, Test, Train };
const char* partWord(DataPart part); // as the worker takes it: "validation"

// What is looked at. An empty checkpoint is the newest validation, whether or not it was saved.
struct EvaluationChoice {
    std::string checkpoint{}; // its file
    DataPart part = DataPart::Validation;

    bool operator==(const EvaluationChoice&) const = default;
    auto operator<=>(const EvaluationChoice&) const = default;
};

// Evaluations that were asked for in this window, by file and part.
using AskedEvaluations = std::map<EvaluationChoice, run::Evaluation>;

// The checkpoint that answers for a choice: the chosen one, else the last, else any; null when there is none.
const store::CheckpointRow* checkpointFor(const EvaluationChoice& choice,
                                          const std::vector<store::CheckpointRow>& checkpoints);

// Rule: which evaluation the Samples tab shows of a checkpoint and a part of the dataset.
// The evaluation of a choice; null: it has not been measured. One that was asked for goes before what the run wrote,
// and of that the newest validation holds for the checkpoint of its step, a test for the checkpoint of its own.
const run::Evaluation* evaluationFor(const EvaluationChoice& choice, const run::EvaluationSet* written,
                                     const AskedEvaluations& asked,
                                     const std::vector<store::CheckpointRow>& checkpoints);

// "accuracy 0.9403 on 10,000": the first figures of an evaluation, as one line.
QString evaluationSummary(const run::Evaluation& evaluation);

} // namespace trainyard::ui
