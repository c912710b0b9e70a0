// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/catalog.h"
#include "engine/spec/run/run_spec.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace trainyard::ui {

// A file or folder that a run can begin with, as it is dropped on the window or opened from a desktop.
struct TrainingSource {
    enum Kind {
        RunFile, // of a run or a sweep
        Images,  // a folder
        Table,
        Text,
        Script, // a TorchScript model
        Plugin
    };
    Kind kind = RunFile;
    QString path;
    bool operator==(const TrainingSource&) const = default;
};

// The name under which a run or sweep is saved: desktops know its suffix, "*.trainyard.json", as Trainyard's.
QString runFileName(const QString& name);
// The path with that suffix, unless it has one of a run file's already.
QString withRunFileSuffix(const QString& path);

// What is at this path, by its being a folder or by the suffix of its name; nothing: no run begins with it.
std::optional<TrainingSource> trainingSourceAt(const QString& path);
// What trainingSourceAt() takes, as a sentence.
QString trainingSourcesText();
// The kind of file or folder that a dataset or model of the user's own is in; nothing: it needs none.
std::optional<TrainingSource::Kind> sourceKindOf(const std::string& entry);
// How file names of a kind end, "*.csv", for a dialog; `entry`: the catalog's name of the dataset or model.
QStringList filePatterns(const std::string& entry);

// Sets the dataset or model to the source, and the task to what it serves. A table is read as far as its 200th row: a
// last column of numbers with fractions, or of more than 50 different ones, makes it a regression. `source` is no
// RunFile.
void useSource(spec::RunSpec& spec, const TrainingSource& source, const spec::Catalog& catalog);

} // namespace trainyard::ui
