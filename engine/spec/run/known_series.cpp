// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/run/known_series.h"

#include "engine/base/nearest_word.h"
#include "engine/base/text/sentence.h"
#include "engine/spec/run/check.h"

#include <algorithm>

namespace trainyard::spec {

const std::vector<std::string>& knownSeries() {
    static const std::vector<std::string> names = {
        "train/loss", "train/accuracy", "train/rmse",    "val/loss",       "val/accuracy", "val/top5",
        "val/map",    "val/microF1",    "val/precision", "val/recall",     "val/f1",       "val/balancedAccuracy",
        "val/auc",    "val/prAuc",      "val/kappa",     "val/mcc",        "val/brier",    "val/ece",
        "val/rmse",   "val/mae",        "val/r2",        "val/perplexity", "time/step",    "samples_per_s",
        "grad_norm"};
    return names;
}

const std::vector<std::string>& seriesOf(TaskKind task) {
    static const std::vector<std::string> classification = {
        "val/accuracy", "val/loss",   "val/precision", "val/recall", "val/f1",    "val/balancedAccuracy",
        "val/auc",      "val/prAuc",  "val/kappa",     "val/mcc",    "val/brier", "val/ece",
        "val/top5",     "train/loss", "train/accuracy"};
    static const std::vector<std::string> regression = {"val/rmse", "val/loss",   "val/mae",
                                                        "val/r2",   "train/loss", "train/rmse"};
    static const std::vector<std::string> language = {"val/loss", "val/perplexity", "val/accuracy", "train/loss",
                                                      "train/accuracy"};
    static const std::vector<std::string> labels = {"val/map",       "val/loss",   "val/f1",        "val/microF1",
                                                    "val/precision", "val/recall", "val/auc",       "val/accuracy",
                                                    "val/brier",     "train/loss", "train/accuracy"};
    switch (task) {
    case TaskKind::Regression: return regression;
    case TaskKind::Language: return language;
    case TaskKind::MultiLabel: return labels;
    case TaskKind::Classification: break;
    }
    return classification;
}

std::string seriesUnit(std::string_view series) {
    if (series == "samples_per_s") return Engine::tr("samples/s");
    if (series.starts_with("time/")) return "s";
    if (series.ends_with("_percent")) return "%";
    if (series.ends_with("_mb_s")) return "MB/s";
    return series.ends_with("_mb") ? "MB" : "";
}

Result<void> checkRecorded(const std::string& series, TaskKind task, const std::string& path) {
    const auto& recorded = seriesOf(task);
    const bool isOfGroup = series.starts_with("val/") || series.starts_with("train/");
    if (!isOfGroup || std::find(recorded.begin(), recorded.end(), series) != recorded.end()) return {};
    constexpr std::size_t kSlip = 2; // letters: more is another series, not a slip of the pen
    const std::string near = nearestWord(series, recorded);
    const bool slip = !near.empty() && editDistance(series, near) <= kSlip;
    return inputError(std::string("is not measured in ") + toString(task) + ", found \"" + series + "\"", path,
                      !slip ? "take one of: " + joined(recorded) : "did you mean \"" + near + "\"?")
        .withCode(ErrorCode::FieldInvalid);
}

} // namespace trainyard::spec
