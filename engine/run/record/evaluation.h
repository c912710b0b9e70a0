// SPDX-License-Identifier: GPL-3.0-or-later
// An evaluation as values, read from the JSON that engine/torch/trainer/EVALUATION.md describes.
#pragma once

#include "engine/base/result.h"
#include "engine/run/record/evaluation_examples.h"
#include "engine/spec/run/task_kind.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::run {

// Precision and recall of a class or a label, or the error of a column of a regression.
struct ClassScore {
    std::string name;
    double precision = 0, recall = 0, f1 = 0; // classification, multi-label
    std::int64_t samples = 0;                 // of that class
    double threshold = 0;                     // multi-label: the probability from which on it is given
    std::vector<double> roc{};        // share found, where that of the others is (i / (points - 1))²; may be empty
    double rmse = 0, mae = 0, r2 = 0; // regression
};

// Predictions whose probabilities are alike: means of them, and how many there are.
struct Reliability {
    double confidence = 0, accuracy = 0;
    std::int64_t samples = 0;
};

// The metrics of one checkpoint on one part of the dataset.
struct Evaluation {
    spec::TaskKind task = spec::TaskKind::Classification;
    std::int64_t step = 0;
    double epoch = 0;
    std::map<std::string, double> metrics; // "accuracy", "loss" and the other numbers of the object itself
    std::vector<ClassScore> classes;       // of classification; of regression the columns
    // Rows are true classes, columns predicted ones; empty if there are too many classes.
    std::vector<std::vector<std::int64_t>> confusion;
    std::vector<Reliability> reliability; // by growing confidence; empty where a file tells none
    std::vector<Example> examples;        // the largest loss first; empty in files of version 1

    // The kept samples of one cell of the table.
    std::vector<Example> cell(std::int64_t truth, std::int64_t predicted) const;
    // Wrong predictions, the largest loss first; without classes, all kept samples.
    std::vector<Example> mostWrong(std::size_t most) const;
};

// The content of evaluation.json.
struct EvaluationSet {
    static constexpr int kVersion = 2;       // of the file as this program writes it
    Evaluation newest;                       // of the newest validation
    bool validated = false;                  // false: the run has no validation samples, so `newest` is empty
    std::map<std::string, Evaluation> tests; // of "best" and "last", on the test samples
};

// The largest file that is read: one of a thousand classes is smaller.
inline constexpr std::size_t kLargestEvaluation = 32u << 20;

// Input: not JSON, a newer version, a member of another type, wrong counts, or a table that does not fit its classes;
// the error names the member. A file of version 1 has no `version` and no `examples`.
Result<EvaluationSet> parseEvaluations(std::string_view text, const std::string& where);
// One evaluation, as the worker gives it.
Result<Evaluation> parseEvaluation(std::string_view text, const std::string& where);
// Rule: what `evaluation.json` holds.
// Also Input with FileMissing: the run has not validated yet.
Result<EvaluationSet> readEvaluations(const std::filesystem::path& file);

// The member "examples" as JSON, and back, with every digit.
std::string examplesToJson(const std::vector<Example>& examples);
Result<std::vector<Example>> parseExamples(std::string_view text, const std::string& where);

} // namespace trainyard::run
