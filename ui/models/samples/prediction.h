// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QImage>
#include <QJsonObject>
#include <QList>
#include <QString>

namespace trainyard::ui {

// A model's output for one sample, from the worker's answer to `predict` (engine/torch/worker/ANSWER.md).
struct Prediction {
    struct Entry {
        QString name;
        double value = 0;
    };
    QList<Entry> classes; // or next tokens, with their probabilities, the likeliest first
    QList<Entry> outputs; // of regression, in the units of the data
    QString label;        // the true class, if known
    QString continuation; // of a text
    QImage seen;          // for an image file: the image as the model sees it
    int samples = 0;      // number of samples in the input, including this one
};

// For one sample of the answer, counted from 0. Input: the answer lacks it.
Result<Prediction> parsePrediction(const QJsonObject& answer, int index = 0);

// A line of the comparison of one or two models: a class or an output with each model's value, NaN without one.
struct PredictionLine {
    QString name;
    double first = 0, second = 0;
};
// For classes, the `most` likeliest of either model, in the order of the first; for regression, all outputs.
QList<PredictionLine> sideBySide(const Prediction* first, const Prediction* second, int most);

} // namespace trainyard::ui
