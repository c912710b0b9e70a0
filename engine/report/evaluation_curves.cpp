// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/evaluation_curves.h"

namespace trainyard::report {

std::vector<EvaluationPoint> rocOf(const run::ClassScore& score) {
    std::vector<EvaluationPoint> points;
    if (score.roc.size() < 2) return points;
    for (std::size_t i = 0; i < score.roc.size(); ++i) {
        const double root = static_cast<double>(i) / static_cast<double>(score.roc.size() - 1);
        points.push_back({root * root, score.roc[i]});
    }
    return points;
}

std::vector<EvaluationPoint> precisionOf(const run::ClassScore& score, double samples) {
    std::vector<EvaluationPoint> points;
    const auto own = static_cast<double>(score.samples), others = samples - own;
    if (!(own > 0 && others > 0)) return points;
    for (const EvaluationPoint& at : rocOf(score)) {
        const double right = at.y * own, wrong = at.x * others;
        if (right + wrong > 0) points.push_back({at.y, right / (right + wrong)});
    }
    return points;
}

double samplesOf(const run::Evaluation& evaluation) {
    if (const auto found = evaluation.metrics.find("samples"); found != evaluation.metrics.end()) return found->second;
    double samples = 0;
    for (const run::ClassScore& each : evaluation.classes) samples += static_cast<double>(each.samples);
    return samples;
}

} // namespace trainyard::report
