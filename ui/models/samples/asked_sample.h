// SPDX-License-Identifier: GPL-3.0-or-later
// A sample from the user for a model to predict, as an input of `trainyard-worker answer`.
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/task_kind.h"

#include <QImage>
#include <QString>

#include <optional>

class QMimeData;

namespace trainyard::ui {

struct AskedSample {
    QString input;  // in the format of engine/torch/worker/ANSWER.md: a file, "row:1,2", "text:To be", "data:test/17"
    QString title;  // for people: "shirt.png"
    QImage image{}; // if it is known without the worker
    bool operator==(const AskedSample& other) const { return input == other.input; }
};

// From typed text: a file, a row of numbers, a sample of the dataset as in "validation/17" or, if the model learned
// texts, a text. Input error: none of these, or too large a file; the error names the input and a remedy.
Result<AskedSample> sampleOfText(const QString& typed, std::optional<spec::TaskKind> task);
// From a file; the worker checks its content.
Result<AskedSample> sampleOfFile(const QString& path);
// From a drop or paste: the first file, an image, which is saved in `folder`, or text.
Result<AskedSample> sampleOfMime(const QMimeData& data, std::optional<spec::TaskKind> task, const QString& folder);

} // namespace trainyard::ui
