// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/metrics/framework_form.h"

#include "engine/base/files/file_reader.h"
#include "engine/imports/event_files.h"
#include "engine/imports/json_document.h"
#include "engine/imports/json_lines.h"
#include "engine/imports/mlflow_database.h"
#include "engine/imports/numbers.h"
#include "engine/imports/printed/printed_line.h"
#include "engine/imports/table_files.h"
#include "engine/imports/text_lines.h"
#include "engine/imports/wandb_files.h"

#include <algorithm>
#include <array>
#include <limits>

namespace trainyard::program {
namespace {

namespace fs = std::filesystem;

bool isEventName(const std::string& name) { return name.find("tfevents") != std::string::npos; }

// mlruns/EXPERIMENT/RUN/metrics/NAME, which may have slashes.
std::optional<fs::path> mlflowMetricsOf(const fs::path& file) {
    for (fs::path folder = file.parent_path(); folder.has_relative_path(); folder = folder.parent_path())
        if (folder.filename() == "metrics") return folder;
    return std::nullopt;
}

bool isMlflowSeries(const fs::path& file) {
    std::error_code ignored;
    const auto metrics = mlflowMetricsOf(file);
    return metrics && fs::is_regular_file(metrics->parent_path() / "meta.yaml", ignored);
}

bool hasTwoLines(const fs::path& file) {
    auto reader = FileReader::open(file);
    if (!reader) return false;
    imports::TextLines lines(std::move(*reader), std::size_t{16} << 20);
    std::string_view line;
    return lines.next(line).valueOr(false) && lines.next(line).valueOr(false);
}

// "version_3", "1764396731.25", "20261129_104512", "Nov29_10-45-12_host".
bool isPlainRunFolder(const std::string& name) {
    const auto digits = std::count_if(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
    return name.starts_with("version_") || name.find_first_not_of("0123456789.") == std::string::npos || digits >= 6 ||
           imports::secondsInName(name) > 0;
}

} // namespace

SourceKind sourceOf(FrameworkForm form) {
    switch (form) {
    case FrameworkForm::EventFile: return SourceKind::EventFiles;
    case FrameworkForm::WandbLog: return SourceKind::Wandb;
    case FrameworkForm::Table: return SourceKind::Table;
    case FrameworkForm::JsonLines:
    case FrameworkForm::JsonDocument: return SourceKind::JsonLog;
    case FrameworkForm::MlflowSeries:
    case FrameworkForm::MlflowDatabase: break;
    }
    return SourceKind::Mlflow;
}

bool mayHoldMetrics(const fs::path& file) {
    static constexpr std::array<std::string_view, 10> kEndings{".csv",    ".tsv", ".log",   ".json", ".jsonl",
                                                               ".ndjson", ".txt", ".wandb", ".db",   ".sqlite"};
    const std::string name = file.filename().string(), ending = file.extension().string();
    if (isEventName(name) || std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end()) return true;
    return mlflowMetricsOf(file).has_value() && isMlflowSeries(file);
}

bool mayLeadToMetrics(const fs::path& folder) {
    static constexpr std::array<std::string_view, 8> kOthers{"node_modules", "__pycache__", "site-packages", "venv",
                                                             "env",          "build",       "artifacts",     "media"};
    const std::string name = folder.filename().string();
    if (name.starts_with('.') || std::find(kOthers.begin(), kOthers.end(), name) != kOthers.end()) return false;
    std::error_code ignored;
    // The runs of a workspace have files of their own.
    return !fs::exists(folder / "pyvenv.cfg", ignored) && !fs::exists(folder / "trainyard.db", ignored);
}

std::optional<FrameworkForm> formOf(const fs::path& file) {
    if (isMlflowSeries(file)) return FrameworkForm::MlflowSeries;
    if (imports::isWandbFile(file)) return FrameworkForm::WandbLog;
    if (imports::isSqliteFile(file)) {
        constexpr auto kNone = std::numeric_limits<std::int64_t>::max(); // its tables, no row, and no waiting
        const auto tables = imports::readMlflowRowsSince(file, kNone, kNone, [](const auto&, const auto&, auto&) {});
        return tables ? std::optional(FrameworkForm::MlflowDatabase) : std::nullopt;
    }
    // A table is text: the checksum of an event file's head never is one by chance.
    if (imports::isEventFile(file)) return FrameworkForm::EventFile;
    if (imports::beginsAsJson(file)) {
        // A single object is a summary of what was told elsewhere, unless another line comes.
        if (imports::isJsonLines(file))
            return hasTwoLines(file) ? std::optional(FrameworkForm::JsonLines) : std::nullopt;
        return imports::holdsJsonRows(file) ? std::optional(FrameworkForm::JsonDocument) : std::nullopt;
    }
    if (imports::mappingOfTable(file)) return FrameworkForm::Table;
    return std::nullopt;
}

std::string prefixOfFolder(const fs::path& folder, bool parentHasEvents) {
    const std::string name = folder.filename().string();
    if (name.empty() || isPlainRunFolder(name)) return {};
    if (parentHasEvents) return name + "/";
    // A name that tells the part of the data stays as it is.
    const bool tellsPart = imports::nameWithin("val", name) == name;
    return tellsPart && name.find("train") == std::string::npos ? name + "/" : std::string();
}

} // namespace trainyard::program
