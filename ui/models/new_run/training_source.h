// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/catalog.h"
#include "engine/spec/run/run_spec.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace trainyard::ui {

// A file or folder that a run can start from, dropped on the window or opened from the desktop.
struct TrainingSource {
    enum Kind {
        RunFile, // of a run or a sweep
        Images,  // a folder
        Table,
        Text,
        Weights, // of a model: safetensors or torch.save
        Script,  // a TorchScript model
        Plugin,
        Program // a Python script that is run as it is
    };
    Kind kind = RunFile;
    QString path;
    bool operator==(const TrainingSource&) const = default;
};

// The file name under which a run or sweep is saved: desktops recognise its suffix, "*.trainyard.json".
QString runFileName(const QString& name);
// Adds that suffix, unless the path already has a run file's suffix.
QString withRunFileSuffix(const QString& path);

// The kind of source at this path, by folder or suffix; nothing: no run can start from it.
std::optional<TrainingSource> trainingSourceAt(const QString& path);
// A sentence that names what trainingSourceAt() accepts.
QString trainingSourcesText();
// The kind of file or folder that holds this dataset or model; nothing: it needs none.
std::optional<TrainingSource::Kind> sourceKindOf(const std::string& entry);
// File name patterns of a kind ("*.csv") for a dialog; `entry`: the catalog's name of the dataset or model.
QStringList filePatterns(const std::string& entry);
QStringList filePatterns(TrainingSource::Kind kind);

// Sets the dataset, the model or its weights to the source, and the task to match. Reads up to 200 rows of a table: a
// last column of fractions, or with more than 50 different numbers, makes it a regression. `source` is no RunFile and
// no Program.
void useSource(spec::RunSpec& spec, const TrainingSource& source, const spec::Catalog& catalog);

// A run or sweep file as JSON for the New run sheet. Relative paths in it are resolved from its folder. Errors name
// the file and the field.
Result<QString> readRunFile(const QString& path);

} // namespace trainyard::ui
