// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QImage>
#include <QJsonObject>
#include <QList>
#include <QString>

namespace trainyard::ui {

// What a model said of one sample, from the worker's answer to `predict` (engine/torch/worker/ANSWER.md).
struct Prediction {
    struct Entry {
        QString name;
        double value = 0;
    };
    QList<Entry> classes; // or next tokens, with their probabilities, the likeliest first
    QList<Entry> outputs; // of regression, in the units of the data
    QString label;        // the true class, where it is known
    QString continuation; // of a text
    QImage seen;          // of an image file: as the model was given it
    int samples = 0;      // that the input held, this one among them
};

// Of one of the samples of the answer, counted from 0. Input: an answer without it.
Result<Prediction> parsePrediction(const QJsonObject& answer, int index = 0);

// One line of what one or two models say: a class or an output with a value of each model, NaN where there is none.
struct PredictionLine {
    QString name;
    double first = 0, second = 0;
};
// Of classes the `most` that either model finds likeliest, in the order of the first; of regression all.
QList<PredictionLine> sideBySide(const Prediction* first, const Prediction* second, int most);

} // namespace trainyard::ui
