// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/new_run/training_source.h"

#include "engine/base/files/atomic_file.h"
#include "engine/formats/csv.h"
#include "engine/formats/number_style.h"
#include "engine/program/command/own_program.h"
#include "engine/run/start/first_run.h"
#include "engine/spec/run/task_kind.h"
#include "engine/spec/sweep/paths.h"
#include "engine/spec/sweep/sweep_spec.h"
#include "engine/store/files/zip_archive.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <set>

namespace trainyard::ui {

namespace {

// A kind of file: the part of a run file that names it, and its file name patterns.
struct SourceRow {
    TrainingSource::Kind kind;
    const char *entry, *param; // of the catalog; null for run files and programs
    bool isModel;
    QStringList patterns;
};

const QList<SourceRow>& sourceRows() {
    static const QList<SourceRow> all{
        {TrainingSource::RunFile, nullptr, nullptr, false, {QStringLiteral("*.json"), QStringLiteral("*.trainyard")}},
        {TrainingSource::Images, "images", "folder", false, {}},
        {TrainingSource::Table,
         "csv",
         "file",
         false,
         {QStringLiteral("*.csv"), QStringLiteral("*.tsv"), QStringLiteral("*.csv.gz"), QStringLiteral("*.tsv.gz"),
          QStringLiteral("*.npy"), QStringLiteral("*.npz")}},
        {TrainingSource::Text,
         "text",
         "file",
         false,
         {QStringLiteral("*.txt"), QStringLiteral("*.md"), QStringLiteral("*.txt.gz")}},
        {TrainingSource::Weights,
         nullptr,
         nullptr,
         true,
         {QStringLiteral("*.safetensors"), QStringLiteral("*.pth"), QStringLiteral("*.pt"), QStringLiteral("*.bin")}},
        {TrainingSource::Script,
         "torchscript",
         "path",
         true,
         {QStringLiteral("*.pt"), QStringLiteral("*.pth"), QStringLiteral("*.ts")}},
        {TrainingSource::Plugin, "plugin", "path", true, {QStringLiteral("*.so")}},
        {TrainingSource::Program, nullptr, nullptr, false, {QStringLiteral("*.py")}}};
    return all;
}

const SourceRow& sourceRowOf(TrainingSource::Kind kind) { return sourceRows()[static_cast<qsizetype>(kind)]; }

// The number that a cell of a table holds, however it is written; a decimal comma is one here.
std::optional<double> numberIn(const std::string& text) {
    const auto found = formats::withUnit(text);
    const std::string& number = found.unit.empty() ? text : found.number;
    double value = 0;
    for (const auto style :
         {formats::NumberStyle::Plain, formats::NumberStyle::Comma, formats::NumberStyle::CommaGroups,
          formats::NumberStyle::Gaps, formats::NumberStyle::GapsComma})
        if (formats::readingOf(number, value, style) == formats::Reading::Number) return value;
    return {};
}

// Whether the last column of a table is a quantity rather than a class.
bool isQuantity(const QString& file) {
    constexpr int kRows = 200;
    constexpr std::size_t kClasses = 50;
    auto reader = formats::CsvReader::open(file.toStdString());
    if (!reader) return false;
    std::vector<formats::CsvCell> record;
    std::set<double> seen;
    bool fraction = false;
    for (int row = 0; row < kRows; ++row) {
        const auto more = reader->next(record);
        if (!more || !*more) break;
        if (record.empty()) return false;
        if (formats::standsForMissing(record.back())) continue;
        const auto value = numberIn(record.back().text);
        if (!value && row > 0) return false; // the first row may be a header
        if (!value) continue;
        fraction = fraction || *value != std::floor(*value);
        seen.insert(*value);
    }
    return fraction || seen.size() > kClasses;
}

// An archive of TorchScript has code in it; one of torch.save has weights alone.
bool isTorchScript(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return false;
    const store::ZipSource source{
        static_cast<std::uint64_t>(file.size()), [&file](std::uint64_t at, std::span<std::byte> out) -> Result<void> {
            const auto size = static_cast<qint64>(out.size());
            if (file.seek(static_cast<qint64>(at)) && file.read(reinterpret_cast<char*>(out.data()), size) == size)
                return {};
            return environmentError("cannot be read", "", "");
        }};
    const auto records = store::readZipDirectory(source, path.toStdString());
    return records && std::ranges::any_of(*records, [](const store::ZipRecord& record) {
               return record.name.ends_with("/constants.pkl");
           });
}

} // namespace

QString runFileName(const QString& name) { return name + QStringLiteral(".trainyard.json"); }

QString withRunFileSuffix(const QString& path) {
    for (const QString& pattern : sourceRowOf(TrainingSource::RunFile).patterns)
        if (path.endsWith(pattern.mid(1), Qt::CaseInsensitive)) return path;
    return runFileName(path);
}

std::optional<TrainingSource> trainingSourceAt(const QString& path) {
    const QFileInfo info(path);
    if (info.isDir()) return TrainingSource{TrainingSource::Images, info.absoluteFilePath()};
    if (!info.isFile()) return {};
    if (info.fileName().endsWith(QLatin1String(".tar"), Qt::CaseInsensitive)) // pictures in an archive
        return TrainingSource{TrainingSource::Images, info.absoluteFilePath()};
    for (const SourceRow& row : sourceRows())
        for (const QString& pattern : row.patterns)
            if (info.fileName().endsWith(pattern.mid(1), Qt::CaseInsensitive) &&
                (row.kind != TrainingSource::Weights || !isTorchScript(info.absoluteFilePath())))
                return TrainingSource{row.kind, info.absoluteFilePath()};
    if (!program::ownProgram(info.absoluteFilePath().toStdString()).empty())
        return TrainingSource{TrainingSource::Program, info.absoluteFilePath()};
    return {};
}

QString trainingSourcesText() {
    return QCoreApplication::translate(
        "TrainingSource",
        "A run starts from a folder of images (or its .tar), a table (.csv, .tsv, .npy), a text (.txt), "
        "weights (.safetensors, .pth), a TorchScript model (.pt), a plug-in (.so), a "
        "Python script (.py), another program that may be executed, or a run or sweep file (.json)");
}

std::optional<TrainingSource::Kind> sourceKindOf(const std::string& entry) {
    for (const SourceRow& row : sourceRows())
        if (row.entry && entry == row.entry) return row.kind;
    return {};
}

QStringList filePatterns(const std::string& entry) {
    for (const SourceRow& row : sourceRows())
        if (row.entry && entry == row.entry) return row.patterns;
    return {};
}

QStringList filePatterns(TrainingSource::Kind kind) { return sourceRowOf(kind).patterns; }

void useSource(spec::RunSpec& spec, const TrainingSource& source, const spec::Catalog& catalog) {
    const SourceRow& row = sourceRowOf(source.kind);
    if (source.kind == TrainingSource::Weights) spec.weights = {.file = source.path.toStdString()};
    if (!row.entry) return;
    // A model for pictures takes no rows: the usual one comes with a table.
    const bool hadImages = spec.dataset.name == sourceRowOf(TrainingSource::Images).entry;
    if (source.kind == TrainingSource::Table && hadImages) {
        const spec::RunSpec usual = run::firstRun(catalog, 1);
        spec.model = usual.model;
        spec.optimizer = usual.optimizer;
    }
    spec::Choice choice{row.entry, {}};
    choice.params[row.param] = source.path.toStdString();
    (row.isModel ? spec.model : spec.dataset) = choice;
    const auto* entry = spec::Catalog::find(row.isModel ? catalog.models : catalog.datasets, row.entry);
    if (source.kind == TrainingSource::Table && isQuantity(source.path))
        spec.task = toString(spec::TaskKind::Regression);
    else if (source.kind == TrainingSource::Table) spec.task = toString(spec::TaskKind::Classification);
    else if (entry && !entry->serves(spec.task)) spec.task = entry->tasks.front();
    spec::fitToTask(spec, catalog);
}

Result<QString> readRunFile(const QString& path) {
    constexpr std::size_t kMostBytes = 4u << 20;
    const std::filesystem::path file = path.toStdString();
    TY_ASSIGN(const std::string text, readFile(file, kMostBytes));
    // Read by its path, so that errors name the file and a sweep finds the run file it refers to.
    std::string json;
    if (spec::isSweepFile(text)) {
        TY_ASSIGN(const auto sweep, spec::readSweepSpec(file));
        json = spec::toJson(sweep);
    } else {
        TY_ASSIGN(const auto run, spec::readRunSpec(file));
        json = spec::toJson(run);
    }
    return QString::fromStdString(spec::withAbsolutePaths(json, file.parent_path()));
}

} // namespace trainyard::ui
