// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/actions/import_runs.h"

#include "engine/base/clock.h"
#include "engine/base/ids.h"
#include "engine/base/sha256.h"
#include "engine/imports/event_files.h"
#include "engine/imports/table_files.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;
using ImportJson = nlohmann::ordered_json;

// The files of one run, in the order of their names, which begin with the time.
struct ImportFiles {
    fs::path path;
    std::string name, kind;
    std::vector<fs::path> files;
};

constexpr const char *kEventFiles = "tensorboard", *kTable = "csv";

std::string importedName(const fs::path& path, const fs::path& root) {
    std::string name = root.filename().string();
    const fs::path below = path.lexically_relative(root);
    if (!below.empty() && below != ".") {
        name = below.string();
        std::replace(name.begin(), name.end(), '/', '-');
    }
    return nameProblem(name).empty() ? name : "imported";
}

Result<std::vector<ImportFiles>> findImports(const fs::path& given) {
    std::error_code failure;
    fs::path root = fs::canonical(given, failure);
    if (failure)
        return inputError("cannot be found: " + failure.message(), given.string(), "check the path")
            .withCode(ErrorCode::FileMissing);
    const char* remedy =
        "name event files of TensorBoard, tables with a column step or epoch, or a folder with such files";
    if (!fs::is_directory(root, failure)) {
        const char* kind = imports::isEventFile(root) ? kEventFiles : imports::isTableFile(root) ? kTable : nullptr;
        if (kind == nullptr) return inputError("is nothing that can be imported", root.string(), remedy);
        return std::vector{ImportFiles{root, importedName(root, root), kind, {root}}};
    }
    std::map<fs::path, std::vector<fs::path>> folders;
    std::vector<fs::path> tables;
    fs::recursive_directory_iterator at(root, fs::directory_options::skip_permission_denied, failure), end;
    for (; !failure && at != end; at.increment(failure)) {
        std::error_code gone;
        if (at->is_symlink(gone) || !at->is_regular_file(gone)) continue;
        if (imports::isEventFile(at->path())) folders[at->path().parent_path()].push_back(at->path());
        else if (imports::isTableFile(at->path())) tables.push_back(at->path());
    }
    if (failure)
        return environmentError("cannot be read: " + failure.message(), root.string(), "check its permissions");
    std::vector<ImportFiles> found;
    for (auto& [folder, files] : folders) {
        std::sort(files.begin(), files.end());
        found.push_back({folder, importedName(folder, root), kEventFiles, std::move(files)});
    }
    std::sort(tables.begin(), tables.end());
    for (const fs::path& table : tables) // what has event files, too, would come twice
        if (!folders.contains(table.parent_path()))
            found.push_back({table, importedName(table, root), kTable, {table}});
    if (found.empty()) return inputError("holds nothing that can be imported", root.string(), remedy);
    return found;
}

Result<std::string> importDigest(const std::vector<fs::path>& files) {
    Sha256 digest;
    for (const fs::path& file : files) {
        TY_ASSIGN(const std::string content, sha256HexOf(file));
        const std::string line = content + "  " + file.filename().string() + "\n"; // as sha256sum prints it
        digest.add(line.data(), line.size());
    }
    return digest.hex();
}

std::string importedSpec(const imports::ImportedRun& run, const std::string& name) {
    ImportJson json{{"name", name}};
    for (const auto& [key, setting] : run.settings)
        if (key != "name" && key != "version")
            std::visit([&, at = key](const auto& value) { json[at] = value; }, setting);
    return json.dump(-1, ' ', false, ImportJson::error_handler_t::replace);
}

std::string importedEnvironment(const ImportSource& source) {
    const ImportJson json{{"import", {{"kind", source.kind}, {"path", source.path}, {"digest", source.digest}}}};
    return json.dump(-1, ' ', false, ImportJson::error_handler_t::replace);
}

// What the points say of the run. Times count from its first point.
std::vector<wire::SeriesDelta> takePoints(const imports::ImportedRun& run, store::RunRow& row) {
    double first = std::numeric_limits<double>::infinity(), last = -first;
    row.step = 0;
    row.epoch = 0;
    for (const auto& [name, points] : run.series)
        for (const auto& point : points) {
            if (std::isfinite(point.wallSeconds) && std::abs(point.wallSeconds) < 1e11) {
                first = std::min(first, point.wallSeconds);
                last = std::max(last, point.wallSeconds);
            }
            row.step = std::max(row.step, point.step);
            row.epoch = std::max(row.epoch, point.epoch);
        }
    const bool timed = first <= last;
    row.totalSteps = row.step;
    row.trainSeconds = timed ? last - (first > 1e8 ? first : 0) : 0;
    const bool dated = timed && first > 1e8; // smaller ones count from the start of the run
    row.startedMs = dated ? static_cast<std::int64_t>(first * 1000) : 0;
    row.finishedMs = dated ? static_cast<std::int64_t>(last * 1000) : 0;
    std::vector<wire::SeriesDelta> all;
    for (const auto& [name, points] : run.series) {
        wire::SeriesDelta delta;
        delta.series = name;
        delta.points.reserve(points.size());
        for (const auto& point : points) {
            const double seconds = dated ? point.wallSeconds - first : point.wallSeconds;
            delta.points.push_back(
                {point.step, point.epoch, std::isfinite(seconds) ? std::clamp(seconds, 0.0, 1e9) : 0, point.value});
        }
        all.push_back(std::move(delta));
    }
    return all;
}

Result<ImportedSource> importOne(const store::Workspace& workspace, store::Store& store,
                                 const std::map<std::string, store::RunRow>& known, const ImportFiles& from) {
    ImportedSource result;
    result.path = from.path.string();
    TY_ASSIGN(const std::string digest, importDigest(from.files));
    const auto before = known.find(result.path);
    store::RunRow row = before == known.end() ? store::RunRow{} : before->second;
    if (before != known.end() && importSource(row)->digest == digest) {
        result.run = row.id;
        result.name = row.name;
        return result;
    }
    TY_ASSIGN(imports::ImportedRun run,
              from.kind == kTable ? imports::readTableFile(from.files.front()) : imports::readEventFiles(from.files));
    const bool isNew = before == known.end();
    if (isNew) {
        row.id = newId();
        row.name = from.name;
        row.createdMs = wallClockMs();
        row.folder = workspace.runFolder(row.id).string(); // never the source's, which deleting the run must not touch
        row.status = wire::RunStatus::Finished;
    }
    row.specJson = importedSpec(run, row.name);
    row.environmentJson = importedEnvironment({from.kind, result.path, digest});
    const auto points = takePoints(run, row);
    const auto stored = store.together([&]() -> Result<void> {
        if (isNew) {
            TY_TRY(store.createRun(row));
        } else {
            TY_TRY(store.truncateAfter(row.id, std::numeric_limits<std::int64_t>::min()));
            TY_TRY(store.updateRun(row));
        }
        return store.appendPoints(row.id, points);
    });
    if (!stored) return stored.error();
    result.outcome = isNew ? ImportedSource::Outcome::Added : ImportedSource::Outcome::Changed;
    result.run = row.id;
    result.name = row.name;
    result.series = std::ssize(points);
    for (const auto& delta : points) result.points += std::ssize(delta.points);
    result.otherValues = run.otherValues;
    result.skippedCount = run.skippedCount;
    result.skipped = std::move(run.skipped);
    return result;
}

} // namespace

std::optional<ImportSource> importSource(const store::RunRow& row) {
    const auto json = nlohmann::json::parse(row.environmentJson, nullptr, false);
    const auto found = json.is_object() ? json.find("import") : json.end();
    if (!json.is_object() || found == json.end() || !found->is_object()) return std::nullopt;
    const auto word = [&](const char* key) {
        const auto at = found->find(key);
        return at != found->end() && at->is_string() ? at->get<std::string>() : std::string();
    };
    return ImportSource{word("kind"), word("path"), word("digest")};
}

Result<void> mustBeTrainedHere(const store::RunRow& row) {
    const auto source = importSource(row);
    if (!source) return {};
    return inputError("was imported from " + printable(source->path) + " and has no checkpoint of Trainyard",
                      "run " + printable(row.name, 60),
                      "compare it with runs that were trained here, or start a new one")
        .withCode(ErrorCode::NotRunning);
}

const char* toString(ImportedSource::Outcome outcome) {
    switch (outcome) {
    case ImportedSource::Outcome::Added: return "added";
    case ImportedSource::Outcome::Changed: return "changed";
    case ImportedSource::Outcome::Unchanged: return "unchanged";
    }
    return "";
}

Result<std::vector<ImportedSource>> importRuns(const store::Workspace& workspace, const fs::path& path,
                                               const std::function<void(const ImportedSource&)>& told) {
    TY_ASSIGN(const auto found, findImports(path));
    TY_ASSIGN(const auto store, store::Store::open(workspace));
    store->setSyncInterval(1); // what a loss of power takes is imported again
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(auto rows, query->runs(true));
    std::map<std::string, store::RunRow> known;
    for (store::RunRow& row : rows)
        if (const auto source = importSource(row)) known.emplace(source->path, std::move(row));
    std::vector<ImportedSource> all;
    for (const ImportFiles& each : found) {
        TY_ASSIGN(auto one, importOne(workspace, *store, known, each));
        if (told) told(one);
        all.push_back(std::move(one));
    }
    return all;
}

} // namespace trainyard::run
