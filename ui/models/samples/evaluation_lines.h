// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/record/evaluation.h"

#include <QList>
#include <QPointF>
#include <QString>

namespace trainyard::ui {

// A chart of an evaluation.
enum class EvaluationCurve { Roc, Precision, Reliability };

// One line of such a chart: of a class, by its number; -1: of all predictions.
struct EvaluationLine {
    QString name;
    int number = -1;
    QList<QPointF> points;
};
// `only`: of this class alone, unless it has none; -1: of the first ten that have one.
QList<EvaluationLine> linesOf(const run::Evaluation& evaluation, EvaluationCurve curve, int only = -1);
bool hasCurve(const run::Evaluation& evaluation, EvaluationCurve curve);

} // namespace trainyard::ui
