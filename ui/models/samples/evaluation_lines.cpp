// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/samples/evaluation_lines.h"

#include "engine/report/evaluation_curves.h"

#include <QCoreApplication>

namespace trainyard::ui {

namespace {

constexpr qsizetype kMostLines = 10; // more cannot be told apart

QList<QPointF> asPoints(const std::vector<report::EvaluationPoint>& curve) {
    QList<QPointF> points;
    for (const auto& [x, y] : curve) points << QPointF(x, y);
    return points;
}

QList<QPointF> pointsOf(const run::Evaluation& evaluation, EvaluationCurve curve, const run::ClassScore& score) {
    return asPoints(curve == EvaluationCurve::Roc ? report::rocOf(score)
                                                  : report::precisionOf(score, report::samplesOf(evaluation)));
}

} // namespace

QList<EvaluationLine> linesOf(const run::Evaluation& evaluation, EvaluationCurve curve, int only) {
    QList<EvaluationLine> lines;
    if (curve == EvaluationCurve::Reliability) {
        EvaluationLine line{QCoreApplication::translate("EvaluationLines", "Predictions"), -1, {}};
        for (const run::Reliability& bin : evaluation.reliability) line.points << QPointF(bin.confidence, bin.accuracy);
        if (!line.points.isEmpty()) lines << line;
        return lines;
    }
    const auto add = [&](std::size_t number) {
        const run::ClassScore& score = evaluation.classes[number];
        if (const auto points = pointsOf(evaluation, curve, score); !points.isEmpty())
            lines << EvaluationLine{QString::fromStdString(score.name), static_cast<int>(number), points};
    };
    if (only >= 0 && static_cast<std::size_t>(only) < evaluation.classes.size()) add(static_cast<std::size_t>(only));
    if (!lines.isEmpty()) return lines;
    for (std::size_t i = 0; i < evaluation.classes.size() && lines.size() < kMostLines; ++i) add(i);
    return lines;
}

bool hasCurve(const run::Evaluation& evaluation, EvaluationCurve curve) {
    return !linesOf(evaluation, curve).isEmpty();
}

} // namespace trainyard::ui
