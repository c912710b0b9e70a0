// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/share/import_sources.h"

#include "engine/base/text/names.h"
#include "engine/imports/event_files.h"
#include "engine/imports/json_lines.h"
#include "engine/imports/mlflow_folder.h"
#include "engine/imports/numbers.h"
#include "engine/imports/printed/printed_log.h"
#include "engine/imports/settings_file.h"
#include "engine/imports/table_files.h"
#include "engine/imports/wandb_files.h"
#include "engine/run/share/bundle.h"
#include "engine/run/share/import_names.h"
#include "engine/store/workspace.h"

#include <algorithm>
#include <map>
#include <set>

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWhatCanBeImported =
    "name event files of TensorBoard, an offline run of W&B, mlruns or mlflow.db of MLflow, CSV or JSON with a step or "
    "an epoch, a log that prints metrics, a bundle of Trainyard, or a folder with such files";

// The database of a workspace, which is not even opened: closing it would take this process's locks from a workspace
// that is in use.
bool isOfWorkspace(const fs::path& file) { return file.filename() == store::Workspace{}.database(); }

bool isCalledLog(const fs::path& file) {
    const std::string ending = file.extension().string();
    return ending == ".log" || ending == ".out" || ending == ".err" || ending == ".txt";
}

// What a folder holds so far, or the one file that was named.
struct Harvest {
    enum class From { Folder, Name };
    explicit Harvest(From source = From::Folder) : from(source) {}

    std::map<fs::path, std::vector<fs::path>> eventFolders;
    std::vector<fs::path> wandbFiles, databases, bundles, mlflowRuns, printedLogs;
    std::vector<std::pair<fs::path, imports::TableMapping>> tables, jsonLines;
    From from;

    // By its content, whatever its name; printed logs of a folder by their names, too, as any text may hold numbers.
    // False: it is nothing that can be imported.
    bool add(const fs::path& file) {
        if (isOfWorkspace(file)) return false;
        if (imports::isEventFile(file)) {
            eventFolders[file.parent_path()].push_back(file);
        } else if (imports::isWandbFile(file)) {
            wandbFiles.push_back(file);
        } else if (imports::isSqliteFile(file)) {
            databases.push_back(file);
        } else if (isBundle(file)) {
            bundles.push_back(file);
        } else if (auto lines = imports::mappingOfJsonLines(file)) {
            jsonLines.emplace_back(file, std::move(*lines));
        } else if (auto table = imports::mappingOfTable(file)) {
            tables.emplace_back(file, std::move(*table));
        } else if ((from == From::Name || isCalledLog(file)) && imports::isPrintedLog(file)) {
            printedLogs.push_back(file);
        } else {
            return false;
        }
        return true;
    }
};

// W&B copies what the program writes into `files` beside its log: the same run again.
bool isCopyOfWandb(const fs::path& file, const std::vector<fs::path>& logs) {
    return std::any_of(logs.begin(), logs.end(), [&](const fs::path& log) {
        const fs::path below = file.lexically_relative(log.parent_path() / "files");
        return !below.empty() && *below.begin() != "..";
    });
}

// TensorBoard's add_hparams() writes into a folder of its own, named by the time, below that of the run.
bool isMadeByHparams(const fs::path& folder) {
    const std::string name = folder.filename().string();
    return name.size() >= 10 && name.find_first_not_of("0123456789.") == name.npos;
}

using EventFolders = std::map<fs::path, std::vector<fs::path>>;

// The files of each run, in the order in which they were begun.
EventFolders joinedEventFolders(EventFolders folders) {
    std::map<fs::path, std::vector<fs::path>> below; // those of add_hparams(), by the folder of their run
    for (auto& [folder, files] : folders) {
        std::sort(files.begin(), files.end(), [](const fs::path& one, const fs::path& other) {
            return imports::comesBefore(one.filename().native(), other.filename().native());
        });
        if (isMadeByHparams(folder) && folders.contains(folder.parent_path()))
            below[folder.parent_path()].push_back(folder);
    }
    for (const auto& [run, made] : below) {
        if (made.size() > 1) continue; // several configurations: runs of their own
        auto& files = folders.at(run);
        const auto& added = folders.at(made.front());
        files.insert(files.end(), added.begin(), added.end());
        folders.erase(made.front());
    }
    return folders;
}

// The logs of each run: one that went on has a folder for each start, beside one another, and one id.
std::vector<std::vector<fs::path>> wandbRuns(const std::vector<fs::path>& logs) {
    std::map<std::pair<fs::path, fs::path>, std::size_t> places;
    std::vector<std::vector<fs::path>> runs;
    for (const fs::path& log : logs) {
        const auto [known, isNew] = places.try_emplace({log.parent_path().parent_path(), log.filename()}, runs.size());
        if (isNew) runs.emplace_back();
        runs[known->second].push_back(log);
    }
    return runs;
}

// Of a trainer_state.json of Hugging Face, the folder that its checkpoints are in (checkpoint-500 and so on), and its
// own where it is none of them.
fs::path trainerFolder(const fs::path& state) {
    const fs::path folder = state.parent_path();
    return folder.filename().string().starts_with("checkpoint-") ? folder.parent_path() : folder;
}

// Each checkpoint repeats the history of those before it: the whole one is beside them, or else in the last of them.
bool isLaterState(const fs::path& one, const fs::path& other) {
    const bool beside = one.parent_path() == trainerFolder(one);
    return beside ||
           (other.parent_path() != trainerFolder(other) && imports::comesBefore(other.native(), one.native()));
}

using MappedFiles = std::vector<std::pair<fs::path, imports::TableMapping>>;

// The files of JSON by the run that they tell of: one of each.
std::map<fs::path, std::pair<fs::path, imports::TableMapping>> jsonRuns(MappedFiles files) {
    std::map<fs::path, std::pair<fs::path, imports::TableMapping>> runs;
    std::set<fs::path> withScalars; // OpenMMLab writes the same lines into a file named by the time
    for (const auto& [file, mapping] : files)
        if (file.filename() == "scalars.json") withScalars.insert(file.parent_path());
    for (auto& [file, mapping] : files) {
        const bool isState = file.filename() == "trainer_state.json";
        const bool isCopy = file.parent_path().filename() == "vis_data" && file.filename() != "scalars.json" &&
                            withScalars.contains(file.parent_path());
        if (isCopy) continue;
        const auto [known, isNew] = runs.try_emplace(isState ? trainerFolder(file) : file, file, mapping);
        if (!isNew && isLaterState(file, known->second.first)) known->second = {file, std::move(mapping)};
    }
    return runs;
}

// Turns what was found into runs.
class RunsOfHarvest {
public:
    explicit RunsOfHarvest(Harvest& harvest) : m_harvest(harvest) {}

    std::vector<FoundImport> take() {
        dropSummaries();
        for (const auto& [folder, files] : joinedEventFolders(m_harvest.eventFolders))
            if (!isCopy(files.front())) add(ImportKind::EventFiles, folder, files, imports::settingsFilesOf(folder));
        std::sort(m_harvest.wandbFiles.begin(), m_harvest.wandbFiles.end());
        for (const auto& logs : wandbRuns(m_harvest.wandbFiles)) add(ImportKind::Wandb, logs.front(), logs);
        std::sort(m_harvest.mlflowRuns.begin(), m_harvest.mlflowRuns.end());
        for (const fs::path& folder : m_harvest.mlflowRuns)
            add(ImportKind::MlflowFolder, folder, imports::mlflowFilesOf(folder));
        for (auto& [run, one] : jsonRuns(std::move(m_harvest.jsonLines))) {
            addMapped(ImportKind::JsonLines, run, one);
            m_withLines.insert(one.first.parent_path());
        }
        std::sort(m_harvest.tables.begin(), m_harvest.tables.end(),
                  [](const auto& a, const auto& b) { return a.first < b.first; });
        for (auto& one : m_harvest.tables)
            if (!m_withLines.contains(one.first.parent_path())) addMapped(ImportKind::Table, one.first, one);
        addPrintedLogs();
        return std::move(m_found);
    }

private:
    // The last values of a run of W&B stand alone only where nothing else tells of it.
    void dropSummaries() {
        std::map<fs::path, int> logsIn; // each folder
        for (const auto* files : {&m_harvest.jsonLines, &m_harvest.tables})
            for (const auto& [file, mapping] : *files) ++logsIn[file.parent_path()];
        std::erase_if(m_harvest.jsonLines, [&](const auto& each) {
            return each.first.filename() == "wandb-summary.json" && logsIn[each.first.parent_path()] > 1;
        });
    }

    // Where nothing else tells of the run: no file beside the log or in a folder below.
    void addPrintedLogs() {
        std::sort(m_harvest.printedLogs.begin(), m_harvest.printedLogs.end());
        const std::vector<FoundImport> others = m_found;
        for (const fs::path& log : m_harvest.printedLogs) {
            const fs::path folder = log.parent_path();
            const auto isBelow = [&](const FoundImport& found) {
                const fs::path below = found.path.lexically_relative(folder);
                return !below.empty() && *below.begin() != "..";
            };
            if (isCopy(log) || std::any_of(others.begin(), others.end(), isBelow)) continue;
            add(ImportKind::PrintedLog, log, {log}, imports::settingsFilesOf(folder));
        }
    }

    bool isCopy(const fs::path& file) const { return isCopyOfWandb(file, m_harvest.wandbFiles); }

    void add(ImportKind kind, const fs::path& path, std::vector<fs::path> files, std::vector<fs::path> settings = {}) {
        m_found.push_back({kind, path, {}, {}, std::move(files), std::nullopt, std::move(settings)});
    }

    void addMapped(ImportKind kind, const fs::path& path, std::pair<fs::path, imports::TableMapping>& one) {
        const fs::path folder = one.first.parent_path();
        if (isCopy(one.first) || m_harvest.eventFolders.contains(folder)) return;
        add(kind, path, {one.first}, imports::settingsFilesOf(folder));
        m_found.back().mapping = std::move(one.second);
    }

    Harvest& m_harvest;
    std::vector<FoundImport> m_found{};
    std::set<fs::path> m_withLines{}; // folders
};

Result<void> addRunsOf(const fs::path& database, std::vector<FoundImport>& found) {
    TY_ASSIGN(const auto runs, imports::listMlflowRuns(database));
    for (const auto& each : runs) {
        const std::string name = each.name.empty() ? each.id.substr(0, 8) : each.name;
        found.push_back(
            {ImportKind::MlflowDatabase, database, each.id, nameProblem(name).empty() ? name : "imported", {database}});
    }
    return {};
}

Result<void> addRunsOfBundle(const fs::path& archive, std::vector<FoundImport>& found) {
    TY_ASSIGN(const auto rows, runsOfBundle(archive));
    for (const auto& row : rows) found.push_back({ImportKind::Bundle, archive, row.id, row.name, {archive}});
    return {};
}

Result<Harvest> harvestOf(const fs::path& root) {
    Harvest harvest;
    if (imports::mlflowFolderKind(root) != imports::MlflowFolder::None) {
        harvest.mlflowRuns.push_back(root); // also one that was deleted, since it was named
        return harvest;
    }
    std::error_code failure;
    fs::recursive_directory_iterator at(root, fs::directory_options::skip_permission_denied, failure), end;
    for (; !failure && at != end; at.increment(failure)) {
        std::error_code gone;
        if (at->is_symlink(gone)) continue;
        if (at->is_regular_file(gone)) {
            harvest.add(at->path());
        } else if (at->is_directory(gone)) {
            const auto kind = imports::mlflowFolderKind(at->path());
            if (kind == imports::MlflowFolder::None) continue;
            at.disable_recursion_pending(); // artifacts are no runs
            if (kind == imports::MlflowFolder::Run) harvest.mlflowRuns.push_back(at->path());
        }
    }
    if (failure)
        return environmentError("cannot be read: " + failure.message(), root.string(), "check its permissions");
    return harvest;
}

// Why a file that was named cannot be imported, as closely as its name or first byte tells what it is meant to be.
Error whyNot(const fs::path& file) {
    if (isOfWorkspace(file))
        return inputError("is the database of a workspace", file.string(),
                          "name a bundle of a run instead, as \"trainyardctl export RUN --bundle\" writes it");
    std::error_code gone;
    if (fs::file_size(file, gone) == 0 && !gone)
        return inputError("is empty", file.string(), "name a file with measured values");
    const std::string ending = file.extension().string();
    if (imports::beginsAsJson(file)) {
        if (const auto read = imports::readJsonLines(file); !read) return read.error();
    } else if (ending == ".csv" || ending == ".tsv") {
        if (const auto read = imports::readTableFile(file); !read) return read.error();
    }
    return inputError("cannot be imported", file.string(), kWhatCanBeImported);
}

} // namespace

const char* toString(ImportKind kind) {
    switch (kind) {
    case ImportKind::EventFiles: return "tensorboard";
    case ImportKind::Table: return "csv";
    case ImportKind::JsonLines: return "json-lines";
    case ImportKind::Wandb: return "wandb";
    case ImportKind::MlflowFolder: return "mlflow-folder";
    case ImportKind::MlflowDatabase: return "mlflow-database";
    case ImportKind::Bundle: return "bundle";
    case ImportKind::PrintedLog: return "printed-log";
    }
    return "";
}

Result<std::vector<FoundImport>> findImports(const fs::path& given) {
    std::error_code failure;
    fs::path root = fs::canonical(given, failure);
    if (failure)
        return inputError("cannot be found: " + failure.message(), given.string(), "check the path")
            .withCode(ErrorCode::FileMissing);
    if (!fs::is_directory(root, failure)) {
        Harvest harvest(Harvest::From::Name);
        if (!harvest.add(root)) return whyNot(root);
        auto found = RunsOfHarvest(harvest).take();
        if (!found.empty()) found.front().path = root;
        nameApart(found);
        if (!harvest.databases.empty()) TY_TRY(addRunsOf(root, found));
        if (!harvest.bundles.empty()) TY_TRY(addRunsOfBundle(root, found));
        if (found.empty()) return inputError("has no run", root.string(), "log a run first");
        return found;
    }
    TY_ASSIGN(Harvest harvest, harvestOf(root));
    auto found = RunsOfHarvest(harvest).take();
    std::sort(harvest.databases.begin(), harvest.databases.end());
    for (const fs::path& database : harvest.databases) {
        const auto added = addRunsOf(database, found);
        if (!added && added.error().kind == ErrorKind::Environment) return added.error(); // MLflow's, but locked
    }
    std::sort(harvest.bundles.begin(), harvest.bundles.end());
    for (const auto& bundle : harvest.bundles) TY_TRY(addRunsOfBundle(bundle, found));
    nameApart(found);
    if (found.empty()) return inputError("holds nothing that can be imported", root.string(), kWhatCanBeImported);
    return found;
}

bool holdsImports(const fs::path& given, int entries) {
    std::error_code failure;
    if (!fs::is_directory(given, failure))
        return fs::is_regular_file(given, failure) && Harvest(Harvest::From::Name).add(given);
    Harvest harvest;
    if (imports::mlflowFolderKind(given) != imports::MlflowFolder::None) return true;
    fs::recursive_directory_iterator at(given, fs::directory_options::skip_permission_denied, failure), end;
    for (; !failure && at != end && entries > 0; at.increment(failure), --entries) {
        std::error_code gone;
        if (at->is_symlink(gone)) continue;
        if (at->is_directory(gone) && imports::mlflowFolderKind(at->path()) != imports::MlflowFolder::None) return true;
        if (at->is_regular_file(gone) && harvest.add(at->path())) return true;
    }
    return false;
}

namespace {

Result<imports::ImportedRun> readFiles(const FoundImport& found) {
    switch (found.kind) {
    case ImportKind::EventFiles: return imports::readEventFiles(found.files);
    case ImportKind::Table: return imports::readTableFile(found.files.front());
    case ImportKind::JsonLines: return imports::readJsonLines(found.files.front());
    case ImportKind::Wandb: return imports::readWandbFiles(found.files);
    case ImportKind::MlflowFolder: return imports::readMlflowFolder(found.path);
    case ImportKind::PrintedLog: return imports::readPrintedLog(found.path);
    case ImportKind::MlflowDatabase:
    case ImportKind::Bundle: break;
    }
    return inputError("holds several runs", found.path.string(), "name its folder");
}

} // namespace

Result<imports::ImportedRun> readImport(const FoundImport& found) {
    TY_ASSIGN(auto run, readFiles(found));
    for (const fs::path& file : found.settings) imports::readSettingsFile(file, run);
    return run;
}

} // namespace trainyard::run
