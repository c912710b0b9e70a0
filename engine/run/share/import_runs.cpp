// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/share/import_runs.h"

#include "engine/base/clock.h"
#include "engine/base/json_text.h"
#include "engine/base/math/sha256.h"
#include "engine/base/text/ids.h"
#include "engine/base/text/names.h"
#include "engine/base/text/printable.h"
#include "engine/imports/numbers.h"
#include "engine/run/record/series/system_series.h"
#include "engine/run/share/bundle.h"
#include "engine/run/share/import_names.h"
#include "engine/run/share/import_score.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <type_traits>

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;

Result<std::string> importDigest(const FoundImport& from) {
    Sha256 digest;
    for (const auto* files : {&from.files, &from.settings})
        for (const fs::path& file : *files) {
            TY_ASSIGN(const std::string content, sha256HexOf(file));
            const std::string line = content + "  " + file.filename().string() + "\n"; // as sha256sum prints it
            digest.add(line.data(), line.size());
        }
    return digest.hex();
}

// Input where nothing was read that a curve could be drawn of: such a run would say nothing.
Result<void> mustHavePoints(const imports::ImportedRun& run, const fs::path& path) {
    if (!run.series.empty() || !run.system.empty()) return {};
    std::string why = "holds no number at any step";
    if (run.otherValues > 0)
        why += ": its " + std::to_string(run.otherValues) + " values are words, pictures or histograms";
    if (!run.skipped.empty()) why += "; of " + run.skipped.front().where + ": " + run.skipped.front().message;
    return inputError(why, path.string(), "name a log with numbers");
}

// When a file was last written, in milliseconds since 1970; 0: unknown.
std::int64_t writtenMs(const fs::path& file) {
    std::error_code gone;
    const auto time = fs::last_write_time(file, gone);
    if (gone) return 0;
    const auto since = std::chrono::file_clock::to_sys(time).time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

// When the run began, by what its source says besides its points, or by the name of its file or folder; 0: unknown.
std::int64_t saidStartMs(const FoundImport& from, const imports::ImportedRun& run) {
    double seconds = run.startedSeconds;
    fs::path at = from.files.empty() ? from.path : from.files.front();
    for (int level = 0; level < 3 && seconds == 0; ++level, at = at.parent_path())
        seconds = imports::secondsInName(at.filename().string());
    return static_cast<std::int64_t>(seconds * 1000);
}

// Points without a date: the run ended when its log was written last.
void dateByFiles(const FoundImport& from, const imports::ImportedRun& run, store::RunRow& row) {
    if (row.finishedMs > 0) return;
    const auto lastedMs = static_cast<std::int64_t>(row.trainSeconds * 1000);
    for (const fs::path& file : from.files) row.finishedMs = std::max(row.finishedMs, writtenMs(file));
    row.startedMs = std::max<std::int64_t>(row.finishedMs - lastedMs, 0);
    const std::int64_t said = saidStartMs(from, run);
    if (said <= 0 || said > row.finishedMs) return;
    row.startedMs = said;
    if (lastedMs > 0) row.finishedMs = said + lastedMs; // a copy is written later
}

template <class Value>
void addBytes(Sha256& digest, const Value& value) {
    digest.add(&value, sizeof value);
}
void addText(Sha256& digest, const std::string& text) {
    addBytes(digest, text.size());
    digest.add(text.data(), text.size());
}

// Of a run in a database, whose file changes with its other runs: over what it says.
std::string digestOfValues(const imports::ImportedRun& run) {
    Sha256 digest;
    addText(digest, run.name + '\n' + run.notes);
    addBytes(digest, static_cast<int>(run.ending));
    for (const auto& [name, setting] : run.settings) {
        addText(digest, name);
        addBytes(digest, setting.index());
        std::visit(
            [&](const auto& value) {
                if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>) addText(digest, value);
                else addBytes(digest, value);
            },
            setting);
    }
    for (const auto& [name, points] : run.series) {
        addText(digest, name);
        for (const auto& point : points) {
            addBytes(digest, point.step);
            addBytes(digest, point.wallSeconds);
            addBytes(digest, point.value);
        }
    }
    return digest.hex();
}

std::string importedSpec(const imports::ImportedRun& run, const std::string& name) {
    Json json{{"name", name}};
    for (const auto& [key, setting] : run.settings)
        if (key != "name" && key != "version")
            std::visit([&, at = key](const auto& value) { json[at] = value; }, setting);
    if (const auto score = importedScore(run); !score.empty() && !json.contains("checkpoint"))
        json["checkpoint"] = {{"scoreBy", score}};
    return jsonText(json);
}

std::string importedEnvironment(const ImportSource& source) {
    Json json{{"kind", source.kind}, {"path", source.path}, {"digest", source.digest}};
    if (!source.part.empty()) json["part"] = source.part;
    return jsonText(Json{{"import", json}});
}

// From the first time of the points to the last. Times may count from 1970 or from the start of the run.
struct TimeRange {
    double first = std::numeric_limits<double>::infinity(), last = -first;

    void add(double seconds) {
        if (!std::isfinite(seconds) || std::abs(seconds) > 1e11) return;
        first = std::min(first, seconds);
        last = std::max(last, seconds);
    }
    bool any() const { return first <= last; }
    bool isDated() const { return any() && first > 1e8; } // smaller ones count from the start of the run
    double origin() const { return isDated() ? first : 0; }
};

wire::SeriesPoints deltaOf(const std::string& name, const std::vector<imports::Point>& points, double origin) {
    wire::SeriesPoints delta;
    delta.series = name;
    delta.points.reserve(points.size());
    for (const auto& point : points) {
        const double seconds = point.wallSeconds - origin;
        delta.points.push_back(
            {point.step, point.epoch, std::isfinite(seconds) ? std::clamp(seconds, 0.0, 1e9) : 0, point.value});
    }
    return delta;
}

// What the points say of the run. Times count from its first point.
std::vector<wire::SeriesPoints> takePoints(const imports::ImportedRun& run, store::RunRow& row) {
    TimeRange times, systemTimes;
    row.step = 0;
    row.epoch = 0;
    for (const auto& [name, points] : run.series)
        for (const auto& point : points) {
            times.add(point.wallSeconds);
            row.step = std::max(row.step, point.step);
            row.epoch = std::max(row.epoch, point.epoch);
        }
    for (const auto& [name, points] : run.system)
        for (const auto& point : points) systemTimes.add(point.wallSeconds);
    if (!times.any() || times.isDated() == systemTimes.isDated()) { // on one clock
        if (systemTimes.any()) times.add(systemTimes.first), times.add(systemTimes.last);
        systemTimes = times;
    }
    row.totalSteps = row.step;
    row.trainSeconds = times.any() ? times.last - times.origin() : 0;
    row.startedMs = times.isDated() ? static_cast<std::int64_t>(times.first * 1000) : 0;
    row.finishedMs = times.isDated() ? static_cast<std::int64_t>(times.last * 1000) : 0;
    std::vector<wire::SeriesPoints> all;
    for (const auto& [name, points] : run.series) all.push_back(deltaOf(name, points, times.origin()));
    for (const auto& [name, points] : run.system)
        all.push_back(deltaOf(foreignSystemSeries(name), points, systemTimes.origin()));
    return all;
}

// What the source says of the run besides its points.
void takeFacts(const imports::ImportedRun& run, const FoundImport& from, bool isNew, store::RunRow& row) {
    using Ending = imports::ImportedRun::Ending;
    if (isNew) { // then they are the user's
        row.name = nameProblem(run.name).empty() ? run.name : from.name;
        row.notes = run.notes;
    }
    row.status = run.ending == Ending::Finished ? wire::RunStatus::Finished
                 : run.ending == Ending::Failed ? wire::RunStatus::Failed
                                                : wire::RunStatus::Stopped;
    row.error = row.status == wire::RunStatus::Failed ? runError("failed, says what was imported", from.path.string())
                                                      : Error{};
}

// Imports into one workspace.
class Importer {
public:
    static Result<Importer> open(const store::Workspace& workspace) {
        TY_ASSIGN(auto store, store::Store::open(workspace));
        store->setSyncInterval(1); // what a loss of power takes is imported again
        TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
        TY_ASSIGN(auto rows, query->runs(true));
        Importer importer(workspace, std::move(store));
        for (store::RunRow& row : rows)
            if (const auto source = importSource(row))
                importer.m_known.emplace(source->path + '\n' + source->part, std::move(row));
        return importer;
    }

    // Of a file or folder: it is read only where it has changed.
    Result<ImportedSource> add(const FoundImport& from) {
        TY_ASSIGN(const std::string digest, importDigest(from));
        if (const store::RunRow* row = known(from, digest)) return unchanged(from, *row);
        TY_ASSIGN(auto run, readImport(from));
        return store(from, run, digest);
    }
    // Of a run in a database.
    Result<ImportedSource> add(const FoundImport& from, imports::ImportedRun run) {
        const std::string digest = digestOfValues(run);
        if (const store::RunRow* row = known(from, digest)) return unchanged(from, *row);
        return store(from, run, digest);
    }

private:
    Importer(const store::Workspace& workspace, std::unique_ptr<store::Store> store)
        : m_workspace(&workspace), m_store(std::move(store)) {}

    // The run with these very bytes; null: there is none.
    const store::RunRow* known(const FoundImport& from, const std::string& digest) const {
        const auto found = m_known.find(from.key());
        return found != m_known.end() && importSource(found->second)->digest == digest ? &found->second : nullptr;
    }
    static ImportedSource unchanged(const FoundImport& from, const store::RunRow& row) {
        ImportedSource result;
        result.path = from.path.string();
        result.run = row.id;
        result.name = row.name;
        return result;
    }

    Result<ImportedSource> store(const FoundImport& from, imports::ImportedRun& run, const std::string& digest) {
        TY_TRY(mustHavePoints(run, from.path));
        const auto before = m_known.find(from.key());
        const bool isNew = before == m_known.end();
        store::RunRow row = isNew ? store::RunRow{} : before->second;
        if (isNew) {
            row.id = newId();
            row.createdMs = wallClockMs();
            row.folder = m_workspace->runFolder(row.id).string(); // never the source's: deleting must not touch it
        }
        takeFacts(run, from, isNew, row);
        row.specJson = importedSpec(run, row.name);
        row.environmentJson = importedEnvironment({toString(from.kind), from.path.string(), digest, from.part});
        const auto points = takePoints(run, row);
        dateByFiles(from, run, row);
        const auto stored = m_store->together([&]() -> Result<void> {
            if (isNew) {
                TY_TRY(m_store->createRun(row));
            } else {
                TY_TRY(m_store->truncateAfter(row.id, std::numeric_limits<std::int64_t>::min()));
                TY_TRY(m_store->updateRun(row));
            }
            return m_store->appendPoints(row.id, points);
        });
        if (!stored) return stored.error();
        ImportedSource result = unchanged(from, row);
        result.outcome = isNew ? ImportedSource::Outcome::Added : ImportedSource::Outcome::Changed;
        result.series = std::ssize(points);
        for (const auto& delta : points) result.points += std::ssize(delta.points);
        result.otherValues = run.otherValues;
        result.skippedCount = run.skippedCount;
        result.skipped = std::move(run.skipped);
        result.repeated = run.repeated;
        result.numbered = std::move(run.numbered);
        return result;
    }

    const store::Workspace* m_workspace;
    std::unique_ptr<store::Store> m_store;
    std::map<std::string, store::RunRow> m_known{};
};

// The runs of one database or bundle that follow one another from `first` on.
std::span<const FoundImport> oneFile(std::span<const FoundImport> found) {
    std::size_t count = 1;
    while (count < found.size() && found[count].kind == found[0].kind && found[count].path == found[0].path) ++count;
    return found.first(count);
}

// Imports one source after another.
class ImportRound {
public:
    ImportRound(const store::Workspace& workspace, Importer importer, const ImportHooks& hooks)
        : m_workspace(&workspace), m_importer(std::move(importer)), m_hooks(&hooks) {}

    Result<std::vector<ImportedSource>> run(std::span<const FoundImport> found) {
        for (std::size_t at = 0; at < found.size() && !m_stopped;) {
            const auto some = oneFile(found.subspan(at));
            switch (found[at].kind) {
            case ImportKind::MlflowDatabase: TY_TRY(database(some)); break;
            case ImportKind::Bundle: TY_TRY(bundle(some)); break;
            default:
                for (const FoundImport& each : some)
                    if (begins()) TY_TRY(keep(each, m_importer.add(each)));
            }
            at += some.size();
        }
        return std::move(m_all);
    }

private:
    bool begins() {
        m_stopped = m_stopped || (m_hooks->begins && !m_hooks->begins(m_all.size()));
        return !m_stopped;
    }

    Result<void> keep(const FoundImport& from, Result<ImportedSource> one) {
        if (!one && one.error().kind != ErrorKind::Input) return std::move(one).error();
        if (!one) {
            ImportedSource failed;
            failed.outcome = ImportedSource::Outcome::Failed;
            failed.name = from.name;
            failed.path = from.path.string();
            failed.failure = one.error();
            one = std::move(failed);
        }
        if (m_hooks->told) m_hooks->told(*one);
        m_all.push_back(std::move(*one));
        return {};
    }

    Result<void> database(std::span<const FoundImport> some) {
        std::vector<imports::MlflowRun> runs;
        for (const FoundImport& each : some) runs.push_back({each.part, each.name});
        std::size_t next = 0;
        const auto read = imports::readMlflowRuns(some[0].path, runs, [&](const auto&, auto run) -> Result<void> {
            const FoundImport& from = some[next++];
            if (!begins()) return stoppedError("the import was stopped");
            return keep(from, m_importer.add(from, std::move(run)));
        });
        return keepRest(some.subspan(next), read);
    }

    Result<void> bundle(std::span<const FoundImport> some) {
        std::vector<std::string> runs;
        for (const FoundImport& each : some) runs.push_back(each.part);
        std::size_t next = 0;
        const auto added = addBundle(
            *m_workspace, some[0].path, runs, [&] { return begins(); },
            [&](const BundledRun& run) {
                ImportedSource one;
                one.outcome = run.isNew ? ImportedSource::Outcome::Added : ImportedSource::Outcome::Unchanged;
                one.run = run.row.id;
                one.name = run.row.name;
                one.path = some[next].path.string();
                one.series = run.series;
                one.points = run.points;
                (void)keep(some[next++], std::move(one)); // it has no error
            });
        return keepRest(some.subspan(next), added);
    }

    // Those that a file which cannot be read to its end still had.
    Result<void> keepRest(std::span<const FoundImport> rest, const Result<void>& read) {
        if (read) return {};
        if (read.error().kind == ErrorKind::Environment) return read.error();
        for (const FoundImport& each : rest)
            if (begins()) TY_TRY(keep(each, read.error()));
        return {};
    }

    const store::Workspace* m_workspace;
    Importer m_importer;
    const ImportHooks* m_hooks;
    std::vector<ImportedSource> m_all{};
    bool m_stopped = false;
};

} // namespace

std::optional<ImportSource> importSource(const store::RunRow& row) {
    const auto json = parseSortedJson(row.environmentJson);
    const auto found = json.is_object() ? json.find("import") : json.end();
    if (!json.is_object() || found == json.end() || !found->is_object()) return std::nullopt;
    const auto word = [&](const char* key) {
        const auto at = found->find(key);
        return at != found->end() && at->is_string() ? at->get<std::string>() : std::string();
    };
    return ImportSource{word("kind"), word("path"), word("digest"), word("part")};
}

Result<void> mustBeTrainedHere(const store::RunRow& row) {
    const auto source = importSource(row);
    if (!source) return {};
    return inputError("was imported from " + printable(source->path) + " and has no checkpoint of Trainyard",
                      "run " + printable(row.name, 60),
                      "compare it with runs that were trained here, or start a new one")
        .withCode(ErrorCode::NotTrainedHere);
}

const char* toString(ImportedSource::Outcome outcome) {
    switch (outcome) {
    case ImportedSource::Outcome::Added: return "added";
    case ImportedSource::Outcome::Changed: return "changed";
    case ImportedSource::Outcome::Unchanged: return "unchanged";
    case ImportedSource::Outcome::Failed: return "failed";
    }
    return "";
}

std::string toText(const imports::Numbered& numbered) {
    const std::string which = numbered.steps == 1 ? "one step" : std::to_string(numbered.steps) + " steps";
    return numbered.series + ": " + std::to_string(numbered.points) + " points share " + which +
           " and are numbered in the order of their " + (numbered.byRows ? "rows" : "times");
}

Result<std::vector<ImportPreview>> previewImports(const store::Workspace& workspace, const fs::path& path) {
    TY_ASSIGN(auto found, findImports(path));
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(const auto rows, query->runs(true));
    std::set<std::string> known;
    for (const store::RunRow& row : rows) {
        if (const auto source = importSource(row)) known.insert(source->path + '\n' + source->part);
        known.insert(row.id); // a run of a bundle keeps it
    }
    std::vector<ImportPreview> all;
    for (FoundImport& each : found) {
        ImportPreview preview;
        for (const fs::path& file : each.files) {
            std::error_code gone;
            const auto size = fs::file_size(file, gone);
            if (!gone) preview.bytes += static_cast<std::int64_t>(size);
        }
        preview.known = known.contains(each.kind == ImportKind::Bundle ? each.part : each.key());
        preview.found = std::move(each);
        all.push_back(std::move(preview));
    }
    return all;
}

Result<std::vector<ImportedSource>> importFound(const store::Workspace& workspace, std::span<const FoundImport> found,
                                                const ImportHooks& hooks) {
    TY_ASSIGN(auto importer, Importer::open(workspace));
    return ImportRound(workspace, std::move(importer), hooks).run(found);
}

Result<std::vector<ImportedSource>> importRuns(const store::Workspace& workspace, std::span<const fs::path> paths,
                                               const std::function<void(const ImportedSource&)>& told) {
    std::vector<FoundImport> all;
    for (const fs::path& path : paths) {
        TY_ASSIGN(auto found, findImports(path));
        std::move(found.begin(), found.end(), std::back_inserter(all));
    }
    nameApart(all);
    TY_ASSIGN(auto imported, importFound(workspace, all, {.told = told}));
    if (imported.size() == 1 && imported.front().outcome == ImportedSource::Outcome::Failed)
        return imported.front().failure;
    return imported;
}

Result<std::vector<ImportedSource>> importRuns(const store::Workspace& workspace, const fs::path& path,
                                               const std::function<void(const ImportedSource&)>& told) {
    return importRuns(workspace, std::span(&path, 1), told);
}

} // namespace trainyard::run
