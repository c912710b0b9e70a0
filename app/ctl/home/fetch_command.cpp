// SPDX-License-Identifier: GPL-3.0-or-later
// fetch: a run that has ended on another host becomes one of this workspace, or takes what is new there; or one of its
// checkpoints comes beside the copy of its record, and the run stays where it is. Of a run of this workspace: what its
// program has saved on hosts.
#include "app/ctl/home/fetch_command.h"

#include "app/ctl/home/fetch_saved.h"
#include "app/ctl/home/head_call.h"
#include "app/ctl/models/transfer_line.h"
#include "app/ctl/runs/follow.h"
#include "engine/base/error_json.h"
#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"
#include "engine/run/launch/launcher.h"
#include "engine/run/mirror/mirror_copy.h"
#include "engine/run/mirror/mirror_line.h"
#include "engine/run/record/checkpoint_book.h"
#include "engine/run/record/run_folder.h"
#include "engine/run/share/fetch_run.h"
#include "engine/run/share/take_from_job.h"
#include "engine/run/slurm/slurm_job.h"
#include "engine/spec/run/host_ranks.h"
#include "remote/files/fetch_files.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <memory>

namespace trainyard::ctl {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostAnswer = 64u << 20;
constexpr double kAnswerSeconds = 300; // without a word: a long record is read first

// All that the host has of a run and the request has not, as it is now; without a row when there is no such run.
// Environment, ConnectionLost: the link broke.
Result<run::MirrorNews> askRecord(remote::Head& head, const run::MirrorRequest& request) {
    std::vector<run::MirrorNews> pieces;
    std::string text;
    remote::ExecOptions options;
    options.input = run::toLine(request) + "\n";
    options.silenceSeconds = kAnswerSeconds;
    options.sink = [&](std::span<const std::byte> bytes) -> Result<void> {
        text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        std::size_t begin = 0;
        for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
            TY_ASSIGN(pieces.emplace_back(), run::mirrorNewsFrom(std::string_view(text).substr(begin, end - begin)));
            begin = end + 1;
        }
        text.erase(0, begin);
        if (text.size() > kMostAnswer)
            return environmentError("its feed sends a line that is too long", head.session().host().alias);
        return {};
    };
    TY_ASSIGN(const auto called, head.call({"feed"}, options));
    if (!called.ok())
        return programError("trainyardctl on " + head.session().host().alias, called.status.code, {}, called.err);
    return run::joined(std::move(pieces));
}

struct FetchOptions {
    std::string run;
    std::vector<std::string> checkpoints;
};

struct HomePlace {
    std::string host, run; // its id if it is known, else as the user named it
    bool isNoted = false;
};

Result<HomePlace> placeOf(const Session& session, const store::Workspace& workspace, const std::string& run) {
    const auto away = run::findNote(run::homeNotes(workspace), run);
    if (away && away->isSweep)
        return inputError("is a sweep, which cannot be fetched", "sweep " + printable(away->name, 60),
                          "fetch its trials: trainyardctl show " + away->id + " names them");
    if (!session.on.empty()) return HomePlace{session.on, away && away->host == session.on ? away->id : run, !!away};
    if (away) return HomePlace{away->host, away->id, true};
    if (const auto trial = run::homeNote(workspace, run)) return HomePlace{trial->host, trial->id, true};
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    if (const auto row = query->run(run)) {
        if (const auto from = run::fetchedFrom(*row)) return HomePlace{from->host, row->id};
        if (const auto job = run::findSlurmJob(workspace.root, row->id); job && job->run == row->id)
            return HomePlace{spec::kSlurmHost, row->id};
    }
    return inputError("no run \"" + printable(run, 60) + "\" was started on another host from this workspace", "run",
                      "name its host with --on")
        .withCode(ErrorCode::RunUnknown);
}

// The id of the run there.
Result<std::string> idThere(remote::Head& head, const std::string& run) {
    TY_ASSIGN(const auto text, callHead(head, {"show", run, "--json"}));
    const auto json = parseJson(text);
    if (json.is_object() && json.contains("run") && json["run"].is_string()) return json["run"].get<std::string>();
    return inputError("is a sweep, which cannot be fetched", "sweep " + printable(run, 60), "fetch its trials");
}

// Brings the files, and tells how far that is.
Result<std::int64_t> bring(const Session& session, remote::Head& head, const std::string& name,
                           const std::vector<remote::FileToFetch>& files) {
    std::int64_t total = 0;
    for (const auto& file : files) total += file.bytes;
    TransferLine line(session.json ? TransferLine::Style::Json : TransferLine::Style::Text);
    line.update(name, 0, total);
    TY_TRY(remote::fetchFiles(head.session(), files, [&](std::int64_t bytes) { line.update(name, bytes, total); }));
    return total;
}

// All that belongs to a run beside its checkpoints; curves and logs may not be there.
std::vector<std::string> filesOfRun(std::vector<std::string> checkpoints) {
    for (const char* path : {"run.json", "launch.json", "evaluation.json", "start.safetensors", "curves.svg", "logs/*"})
        checkpoints.emplace_back(path);
    return checkpoints;
}

// As the copy of its record has them, which the window's follower keeps; where nobody follows it, as the files say. Its
// own record is the job's alone while it runs.
std::vector<store::CheckpointRow> checkpointsOfJob(const store::Workspace& workspace, const run::SlurmJob& job) {
    if (const auto copy = store::RunQuery::open(run::mirrorWorkspace(workspace)))
        if (auto rows = (*copy)->checkpoints(job.run); rows && !rows->empty()) return std::move(*rows);
    std::vector<store::CheckpointRow> rows;
    std::error_code failure;
    const run::RunFolder folder{store::Workspace{job.folder}.runFolder(job.run)};
    for (const auto& entry : fs::directory_iterator(folder.checkpoints(), failure)) {
        store::CheckpointRow row;
        row.step = run::checkpointStep(entry.path().filename().string());
        row.bytes = static_cast<std::int64_t>(entry.file_size(failure));
        row.path = entry.path().string();
        if (row.step >= 0) rows.push_back(std::move(row));
    }
    std::ranges::sort(rows, {}, &store::CheckpointRow::step);
    if (!rows.empty()) rows.back().last = true;
    return rows;
}

// The files of a job of Slurm are on the file system that it shares with this computer.
Result<int> fetchFromJob(const Session& session, const store::Workspace& workspace, const std::string& run,
                         const std::string& which) {
    TY_ASSIGN(const auto job, run::findSlurmJob(workspace.root, run));
    TY_ASSIGN(const auto row, store::checkpointNamed(which, checkpointsOfJob(workspace, job), "run " + job.name));
    const fs::path to = run::mirrorOfCheckpoint(workspace, run, row.path);
    const auto there = run::RunFolder{store::Workspace{job.folder}.runFolder(run)}.checkpoints() / to.filename();
    std::error_code failure;
    fs::create_directories(to.parent_path(), failure);
    TY_TRY(run::makeLocalLauncher({})->fetch({}, there.string(), to));
    if (session.json) return printJson({{"run", run}, {"step", row.step}, {"bytes", row.bytes}, {"path", to.string()}});
    std::printf("%s\n", to.c_str());
    return 0;
}

// How the job of a run has ended. Input: it has not.
Result<run::Ended> endOfJob(run::SlurmJob& job) {
    auto asked = run::askSlurm(job);
    if (!asked && asked.error().code == ErrorCode::RunUnknown) // it is over, and forgotten since
        return run::Ended{run::EndReason::Signalled, SIGKILL};
    TY_ASSIGN(const auto allocation, std::move(asked));
    if (const auto* ended = std::get_if<run::Ended>(&allocation)) return *ended;
    return inputError("job " + job.job + " " + run::toText(allocation), "run " + shownName(job.name),
                      "wait for its end, or stop it: trainyardctl stop " + job.run)
        .withCode(ErrorCode::AlreadyRunning);
}

// A job of Slurm that is over: the record comes into this workspace, the files stay in the job's folder.
Result<int> takeRunOfJob(const Session& session, const store::Workspace& workspace, const FetchOptions& options,
                         const std::string& run) {
    if (!options.checkpoints.empty())
        return inputError("all files of a job stay in its folder", "--checkpoint", "leave it out");
    TY_ASSIGN(auto job, run::findSlurmJob(workspace.root, run));
    TY_ASSIGN(const auto ended, endOfJob(job));
    TY_ASSIGN(const auto there, store::RunQuery::open({job.folder}));
    auto row = there->run(run);
    if (!row && row.error().code != ErrorCode::RunUnknown) return std::move(row).error();
    if (!row)
        return environmentError("job " + job.job + " " + run::toText(ended) + " before its run began",
                                "run " + shownName(job.name), "see " + (job.folder / "job.log").string());
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    run::CopiedRecord copied;
    const auto here = query->run(run); // an earlier fetch was cut short
    if (!here && here.error().code != ErrorCode::RunUnknown) return here.error();
    if (!here) {
        TY_ASSIGN(const auto store, store::Store::open(workspace));
        run::endWithJob(*row, ended, "its job");
        TY_ASSIGN(copied, run::takeFromJob({job.folder}, *there, *row, workspace, *store));
    }
    TY_TRY(run::forgetHome(workspace, run));
    if (!session.json && !here)
        std::fprintf(stderr, "took %s from job %s: %s points\n", shownName(row->name).c_str(), job.job.c_str(),
                     grouped(copied.points).c_str());
    if (here) row = here; // it may have been trained on since
    TY_TRY(printResult(session, *query, *row));
    return 0;
}

Result<int> fetchRun(const Session& session, const FetchOptions& options) {
    TY_ASSIGN(const auto chosen, run::bundledCheckpoints(options.checkpoints));
    TY_ASSIGN(const auto workspace, session.workspace());
    TY_ASSIGN(const auto place, placeOf(session, workspace, options.run));
    if (place.host == spec::kSlurmHost) return takeRunOfJob(session, workspace, options, place.run);
    TY_ASSIGN(auto head, openHead(session, place.host));
    TY_ASSIGN(const auto id, idThere(head, place.run));
    TY_ASSIGN(auto fetch, run::RunFetch::open(workspace, HostName(place.host), RunId(id)));
    TY_ASSIGN(const auto request, fetch.request());
    TY_ASSIGN(auto news, askRecord(head, request));
    TY_TRY(fetch.take(std::move(news), chosen));
    TY_ASSIGN(const auto there, remote::describeFiles(head.session(), fetch.folderThere(), filesOfRun(fetch.wanted())));
    std::vector<run::HostFile> known;
    for (const auto& file : there) known.push_back({file.path, file.bytes, file.digest});
    TY_ASSIGN(const auto coming, fetch.plan(known));
    std::vector<remote::FileToFetch> files;
    for (const auto& [file, to] : coming)
        files.push_back({(fs::path(fetch.folderThere()) / file.path).string(), file.bytes, file.digest, to});
    TY_ASSIGN(const auto bytes, bring(session, head, options.run, files));
    TY_ASSIGN(const auto added, fetch.commit());
    TY_TRY(run::forgetHome(workspace, id));
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    if (!session.json)
        std::fprintf(stderr, "fetched %s%s from %s: %s, %s points\n", added.isNew ? "" : "what is new of ",
                     shownName(added.row.name).c_str(), place.host.c_str(), bytesText(bytes).c_str(),
                     grouped(added.points).c_str());
    TY_TRY(printResult(session, *query, added.row));
    return 0;
}

// The copy with its record up to date. The window's follower keeps it so while it runs; else it is done here.
Result<run::MirrorNews> refreshCopy(const store::Workspace& workspace, remote::Head& head, const std::string& run) {
    const auto lock = store::RunLock::acquire(run::mirrorWorkspace(workspace).root);
    TY_ASSIGN(auto copy, run::MirrorCopy::open(workspace));
    TY_ASSIGN(const auto request, copy.requestFor(run));
    TY_ASSIGN(auto news, askRecord(head, request));
    if (lock) TY_TRY(copy.apply(news));
    return news;
}

// Why no single file of a run comes: nothing is noted here of where it is.
Error notNoted(const Session& session, const store::Workspace& workspace, const std::string& run) {
    const std::string name = printable(run, 60), host = session.on.empty() ? "HOST" : printable(session.on, 60);
    if (const auto query = store::RunQuery::open(workspace); query && (*query)->run(run))
        return inputError("is here already, with its checkpoints", "run " + name,
                          "see: trainyardctl checkpoints " + name);
    return inputError("was not started from this workspace, so its files cannot be fetched one by one", "run " + name,
                      "fetch the whole run: trainyardctl fetch " + name + " --on " + host)
        .withCode(ErrorCode::RunUnknown);
}

Result<int> fetchCheckpoint(const Session& session, const std::string& run, const std::string& which) {
    TY_ASSIGN(const auto workspace, session.workspace());
    const auto noted = placeOf(session, workspace, run);
    if (!noted && noted.error().code != ErrorCode::RunUnknown) return noted.error();
    if (!noted || !noted->isNoted) return notNoted(session, workspace, run);
    const auto& place = *noted;
    if (place.host == spec::kSlurmHost) return fetchFromJob(session, workspace, place.run, which);
    TY_ASSIGN(auto head, openHead(session, place.host));
    TY_ASSIGN(const auto news, refreshCopy(workspace, head, place.run));
    if (!news.row || !news.checkpoints)
        return inputError("is not there any more", "run " + place.run + " on " + place.host)
            .withCode(ErrorCode::RunUnknown);
    TY_ASSIGN(const auto row, store::checkpointNamed(which, *news.checkpoints, "run " + news.row->name));
    TY_ASSIGN(const auto there, remote::describeFiles(head.session(), "/", {row.path}));
    if (there.empty())
        return environmentError("is not on the host any more", "checkpoint " + row.path,
                                "see: trainyardctl checkpoints " + place.run)
            .withCode(ErrorCode::FileMissing);
    const fs::path to = run::mirrorOfCheckpoint(workspace, place.run, row.path);
    const std::string name = printable(news.row->name, 60) + "@" + std::to_string(row.step);
    TY_TRY(bring(session, head, name, {{row.path, there[0].bytes, there[0].digest, to}}));
    if (session.json)
        return printJson({{"run", place.run}, {"step", row.step}, {"bytes", there[0].bytes}, {"path", to.string()}});
    std::printf("%s\n", to.c_str());
    return 0;
}

// What a program of a run of this workspace has saved on hosts: the one that is named, or those that are chosen.
std::optional<Result<int>> fetchOfProgram(const Session& session, const FetchOptions& options) {
    const auto workspace = session.workspace();
    const auto query =
        workspace ? store::RunQuery::open(*workspace) : Result<std::unique_ptr<store::RunQuery>>(workspace.error());
    if (!query || !session.on.empty()) return std::nullopt;
    const auto at = options.run.rfind('@');
    const auto row = (*query)->run(options.run.substr(0, at));
    auto saved = row ? (*query)->checkpoints(row->id) : Result<std::vector<store::CheckpointRow>>(row.error());
    if (!saved || std::ranges::none_of(*saved, isSavedOnHost)) return std::nullopt;
    std::vector<std::string> chosen = options.checkpoints;
    if (at != std::string::npos) chosen = {options.run.substr(at + 1)};
    if (chosen.empty() || chosen == std::vector<std::string>{"all"}) {
        std::erase_if(*saved, [](const auto& each) { return !isSavedOnHost(each); });
        return fetchSaved(session, *row, *saved);
    }
    std::vector<store::CheckpointRow> named;
    for (const auto& which : chosen) {
        if (which == "none") continue;
        auto found = store::checkpointNamed(which, *saved, "run " + row->name);
        if (!found) return Result<int>(found.error());
        if (isSavedOnHost(*found)) named.push_back(std::move(*found));
    }
    return fetchSaved(session, *row, named);
}

Result<int> fetch(const Session& session, const FetchOptions& options) {
    if (auto fetched = fetchOfProgram(session, options)) return std::move(*fetched);
    const auto at = options.run.rfind('@');
    if (at == std::string::npos) return fetchRun(session, options);
    if (!options.checkpoints.empty())
        return inputError("RUN@CHECKPOINT already names the checkpoint", "--checkpoint", "leave it out");
    return fetchCheckpoint(session, options.run.substr(0, at), options.run.substr(at + 1));
}

} // namespace

void addFetchCommand(CLI::App& app, Session& session) {
    const auto options = std::make_shared<FetchOptions>();
    auto* command = app.add_subcommand("fetch", "copy a run that has ended on another host into this workspace, or "
                                                "update the copy; RUN@CHECKPOINT: copy only that file. Of a run of a "
                                                "program: the checkpoints that it has saved on hosts");
    command->add_option("RUN", options->run, "id, beginning of an id, or name; RUN@best, RUN@last or RUN@STEP")
        ->required();
    command->add_option("--on", session.on, "its host, if it was not started from this workspace")->type_name("HOST");
    command
        ->add_option("--checkpoint", options->checkpoints,
                     "all (the default), none, or best, last or a step; may be repeated")
        ->take_all();
    addCommonOptions(*command, session);
    command->callback([&session, options] {
        session.action = [&session, options] {
            const auto code = fetch(session, *options);
            return code ? *code : fail(code.error());
        };
    });
}

} // namespace trainyard::ctl
