// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/share/fetch_run.h"

#include "engine/base/json_text.h"
#include "engine/base/math/sha256.h"
#include "engine/base/text/names.h"
#include "engine/base/text/printable.h"
#include "engine/run/mirror/mirror_copy.h"
#include "engine/run/record/home_notes.h"
#include "engine/run/record/run_folder.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;
using Digests = std::map<std::string, std::string>;

constexpr const char* kNote = "fetched.json";
constexpr const char* kLaunch = "launch.json";

// What the files beside the checkpoints were when they were fetched last; nothing: this run was not fetched.
std::optional<Digests> readFetchNote(const fs::path& folder) {
    const auto text = readFile(folder / kNote, 1u << 20);
    const auto json = text ? parseJson(*text) : Json();
    if (!json.is_object() || !json.contains("files") || !json["files"].is_object()) return std::nullopt;
    Digests digests;
    for (const auto& [path, digest] : json["files"].items())
        if (digest.is_string()) digests[path] = digest.get<std::string>();
    return digests;
}

Result<void> writeFetchNote(const fs::path& folder, const std::string& host, const Digests& digests) {
    const Json json{{"version", 1}, {"host", host}, {"files", digests}};
    return writeFileAtomic(folder / kNote, jsonFile(json));
}

// Empty where there is no such file.
std::string digestOf(const fs::path& file) {
    std::error_code none;
    if (!fs::is_regular_file(file, none)) return {};
    return sha256HexOf(file).valueOr(std::string());
}

std::int64_t sizeOf(const fs::path& file) {
    std::error_code failure;
    const auto bytes = fs::file_size(file, failure);
    return failure ? -1 : static_cast<std::int64_t>(bytes);
}

std::string nameOf(const store::CheckpointRow& row) { return fs::path(row.path).filename().string(); }

// Whether the host's checkpoint is the one that is here.
bool isHere(const store::CheckpointRow& there, const store::CheckpointRow& here) {
    return nameOf(there) == nameOf(here) && there.step == here.step && there.bytes == here.bytes &&
           there.wallMs == here.wallMs && sizeOf(here.path) == here.bytes;
}

Result<std::vector<store::CheckpointRow>> chosenFrom(const std::vector<store::CheckpointRow>& rows,
                                                     const BundledCheckpoints& chosen, const std::string& run) {
    if (!chosen) return rows;
    std::vector<store::CheckpointRow> some;
    std::set<std::string> paths;
    for (const auto& word : *chosen) {
        TY_ASSIGN(auto row, store::checkpointNamed(word, rows, "run " + printable(run, 60)));
        if (paths.insert(row.path).second) some.push_back(std::move(row));
    }
    return some;
}

Result<void> moveInto(const fs::path& from, const fs::path& to) {
    std::error_code failure;
    fs::create_directories(to.parent_path(), failure);
    fs::rename(from, to, failure);
    if (failure) return environmentError("cannot be moved there: " + failure.message(), to.string());
    return {};
}

// A run that is here stays as it is unless it was fetched, and nobody has trained it since.
Result<void> mustTakeNews(const store::RunRow& row, const std::string& host) {
    const std::string where = "run " + printable(row.name, 60);
    const auto from = fetchedFrom(row);
    if (from && from->isUnchanged) return {};
    if (from || readFetchNote(row.folder))
        return inputError("has been trained on here since it was fetched, and stays as it is", where,
                          "archive the one here first, with: trainyardctl archive " + row.id +
                              " and trainyardctl delete " + row.id + "; or fork the one on " + printable(host, 60) +
                              " there, and fetch the fork");
    return inputError("is here already, was not fetched, and stays as it is", where,
                      "to fetch it anew: trainyardctl archive " + row.id + ", then trainyardctl delete " + row.id);
}

} // namespace

Result<RunFetch> RunFetch::open(const store::Workspace& workspace, const HostName& host, const RunId& run) {
    if (!isPlainId(run))
        return environmentError("the host named a run by something that is not an id", printable(run.text(), 60));
    TY_ASSIGN(auto query, store::RunQuery::open(workspace));
    if (const auto row = query->run(run); row && row->id == run) TY_TRY(mustTakeNews(*row, host));
    const fs::path arriving = workspace.root / ".fetch" / run.text();
    auto lock = store::RunLock::acquire(arriving);
    if (!lock && lock.error().code == ErrorCode::AlreadyRunning)
        return environmentError("is being fetched by another process", "run " + run.text(), "wait until that has ended")
            .withCode(ErrorCode::AlreadyRunning);
    if (!lock) return lock.error();
    return RunFetch(workspace, run, host, std::move(*lock), std::move(query));
}

fs::path RunFetch::arriving() const { return m_workspace.root / ".fetch" / m_run.text(); }

Result<MirrorRequest> RunFetch::request() { return requestOf(*m_query, m_run); }

Result<void> RunFetch::take(MirrorNews news, const BundledCheckpoints& chosen) {
    m_news = std::move(news);
    if (!m_news.row || m_news.row->id != m_run)
        return inputError("is not there any more", "run " + m_run.text() + " on " + m_host.text())
            .withCode(ErrorCode::RunUnknown);
    if (wire::isActive(m_news.row->status))
        return inputError("is running", "run " + printable(m_news.row->name, 60), "stop it, or wait until it has ended")
            .withCode(ErrorCode::AlreadyRunning);
    TY_ASSIGN(m_before, m_query->checkpoints(m_run));
    TY_ASSIGN(m_chosen,
              chosenFrom(m_news.checkpoints.value_or(std::vector<store::CheckpointRow>()), chosen, m_news.row->name));
    for (const auto& row : m_chosen)
        if (std::none_of(m_before.begin(), m_before.end(), [&row](const auto& each) { return isHere(row, each); }))
            m_wanted.push_back(row.path);
    return {};
}

// What was changed here since it came stays.
bool RunFetch::isToCome(const HostFile& file, Digests& noted) const {
    const fs::path here = m_workspace.runFolder(m_run) / file.path;
    const auto before = noted.find(file.path);
    if (file.path == kLaunch) return sizeOf(here) < 0;
    if (before == noted.end()) return digestOf(here) != file.digest;
    return before->second != file.digest && digestOf(here) == before->second;
}

Result<std::vector<FileToBring>> RunFetch::plan(const std::vector<HostFile>& there) {
    const RunFolder folder{m_workspace.runFolder(m_run)};
    Digests noted = readFetchNote(folder.root).value_or(Digests());
    std::set<std::string> told;
    for (const HostFile& file : there) {
        told.insert(file.path);
        const bool isCheckpoint = fs::path(file.path).is_absolute();
        const bool isAskedFor = isCheckpoint ? std::ranges::find(m_wanted, file.path) != m_wanted.end() &&
                                                   isPlainPath(fs::path(file.path).filename().string())
                                             : isPlainPath(file.path);
        if (!isAskedFor)
            return environmentError("the host named a file that was not requested", printable(file.path, 200));
        const fs::path path =
            isCheckpoint ? fs::path("checkpoints") / fs::path(file.path).filename() : fs::path(file.path);
        if (!isCheckpoint) m_digests[file.path] = file.digest;
        // One that a fetch has brought into its place, and died before it was recorded, has come.
        const bool comes = isCheckpoint ? digestOf(folder.root / path) != file.digest : isToCome(file, noted);
        if (comes) m_coming.push_back({file, arriving() / path});
    }
    for (const std::string& path : m_wanted)
        if (!told.contains(path))
            return environmentError("is not on the host any more", "checkpoint " + path,
                                    "fetch the run again, or only some checkpoints with --checkpoint")
                .withCode(ErrorCode::FileMissing);
    return m_coming;
}

// Those of the host that came or are here, then those that the host has no more, unless the run went back there.
std::vector<store::CheckpointRow> RunFetch::rowsHere() const {
    const RunFolder folder{m_workspace.runFolder(m_run)};
    std::vector<store::CheckpointRow> rows;
    std::set<std::string> names;
    const auto add = [&](store::CheckpointRow row) {
        if (!names.insert(nameOf(row)).second) return;
        row.path = (folder.checkpoints() / nameOf(row)).string();
        rows.push_back(std::move(row));
    };
    for (const auto& row : m_chosen) add(row);
    for (const auto& row : m_news.checkpoints.value_or(std::vector<store::CheckpointRow>()))
        if (std::any_of(m_before.begin(), m_before.end(), [&row](const auto& each) { return isHere(row, each); }))
            add(row);
    if (m_news.rewoundTo) return rows;
    for (auto row : m_before) {
        row.best = row.best && m_chosen.empty();
        row.last = row.last && m_chosen.empty();
        add(std::move(row));
    }
    return rows;
}

// The files take their places.
Result<void> RunFetch::place() {
    const RunFolder folder{m_workspace.runFolder(m_run)};
    std::error_code failure;
    fs::create_directories(folder.root, failure);
    for (const auto& each : m_coming) {
        if (each.file.path == kLaunch) continue;
        TY_TRY(moveInto(each.to, folder.root / each.to.lexically_relative(arriving())));
    }
    // Only runs of trainyard-worker go on elsewhere; the note of how it was launched is of the host.
    if (const auto launch = readLaunchRecord({arriving()}); launch && !launch->program) {
        const bool isFork = fs::exists(folder.startCheckpoint(), failure);
        TY_TRY(writeLaunchRecord(folder, {m_run, fs::absolute(m_workspace.root).string(),
                                          isFork ? folder.startCheckpoint().string() : std::string(), std::nullopt}));
    }
    return writeFetchNote(folder.root, m_host, m_digests);
}

Result<void> RunFetch::record(const std::vector<store::CheckpointRow>& rows) {
    TY_ASSIGN(const auto store, store::Store::open(m_workspace));
    m_news.row->sweep.clear();
    m_news.row->trial = -1;
    setFetchedFrom(*m_news.row, m_host);
    return store->together(
        [&]() -> Result<void> {
            TY_TRY(writeNews(*store, *m_query, m_workspace, m_news, UserEdits::OfThisComputer));
            TY_ASSIGN([[maybe_unused]] const auto kept, store->setCheckpoints(m_run, rows));
            return {};
        },
        Outlives::PowerLoss);
}

Result<BundledRun> RunFetch::commit() {
    BundledRun added;
    TY_ASSIGN(const auto still, store::RunLock::acquire(m_workspace.runFolder(m_run))); // nobody trains it here
    const auto before = m_query->run(m_run);
    added.isNew = !before || before->id != m_run;
    if (!added.isNew) TY_TRY(mustTakeNews(*before, m_host)); // it may have been trained on meanwhile
    std::set<std::string> series;
    for (const auto& delta : m_news.points) {
        series.insert(delta.series);
        added.points += std::ssize(delta.points);
    }
    added.series = std::ssize(series);
    const auto rows = rowsHere();
    TY_TRY(place());
    TY_TRY(record(rows));
    for (const auto& row : m_before) {
        const bool stays =
            std::any_of(rows.begin(), rows.end(), [&row](const auto& each) { return each.path == row.path; });
        std::error_code ignored;
        if (!stays && !row.pinned) fs::remove(row.path, ignored);
    }
    std::error_code ignored;
    fs::remove_all(arriving(), ignored);
    fs::remove(arriving().parent_path(), ignored); // unless another run is arriving
    TY_ASSIGN(added.row, m_query->run(m_run));
    return added;
}

} // namespace trainyard::run
