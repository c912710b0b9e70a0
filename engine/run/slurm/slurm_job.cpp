// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/slurm/slurm_job.h"

#include "engine/base/clock.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/files/disk_room.h"
#include "engine/base/json_text.h"
#include "engine/base/text/ids.h"
#include "engine/base/text/printable.h"
#include "engine/run/launch/programs.h"
#include "engine/run/record/home_notes.h"
#include "engine/run/record/run_folder.h"
#include "engine/run/slurm/slurm_programs.h"
#include "engine/spec/run/host_ranks.h"
#include "engine/store/store.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <sstream>

namespace fs = std::filesystem;

namespace trainyard::run {
namespace {

// The command comes as words, which need no quoting. The program takes the place of the shell, so that it is what
// `--signal=B:` reaches.
constexpr const char* kBatchScript =
    "#!/bin/sh\n"
    "# Started by trainyardctl slurm submit: trains a run, or goes on with it.\n"
    "[ -e number ] || echo \"$SLURM_JOB_ID\" > number\n" // also where its submission was cut short
    "if [ -e collected ]; then echo 'this run was fetched: resume it' >&2; exit 1; fi\n"
    "exec \"$@\"\n";

constexpr const char* kBeginsWith = "from.safetensors"; // in the folder of a job

constexpr int kMostTasksOfJob = 1'000'000;
constexpr std::int64_t kLeastSeconds = 240; // of a time limit: a minute more than what Slurm may ask before it

fs::path recordFile(const fs::path& folder) {
    return store::Workspace{folder.parent_path().parent_path()}.slurmRecord(folder.filename().string());
}

std::optional<Ended> endedFrom(const nlohmann::json& json) {
    if (!json.is_object()) return std::nullopt;
    const auto reason = json.find("reason"), code = json.find("code");
    if (reason == json.end() || !reason->is_string()) return std::nullopt;
    const auto known = endReasonFromString(reason->get<std::string>());
    if (!known) return std::nullopt;
    return Ended{*known, code != json.end() && code->is_number_integer() ? code->get<int>() : 0};
}

Json toJson(const Ended& ended) { return {{"reason", toString(ended.reason)}, {"code", ended.code}}; }

Result<SlurmJob> readRecord(const fs::path& folder) {
    TY_ASSIGN(const auto text, readFile(recordFile(folder), 16u << 20));
    const auto json = parseSortedJson(text);
    const auto field = [&](const char* key) {
        const auto found = json.is_object() ? json.find(key) : json.end();
        return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    SlurmJob job{folder, folder.filename().string(), field("name"), field("run"), field("job")};
    const auto tasks = json.is_object() ? json.find("tasks") : json.end();
    const bool isArray = tasks != json.end() && tasks->is_number_integer();
    const bool isSubmitted = isArray || !job.run.empty(); // or on its way: its number comes later
    if (job.job.empty() ? !isSubmitted : !isJobNumber(job.job))
        return inputError("is not the record of a job", recordFile(folder).string(), "remove its folder");
    if (const auto ended = json.find("ended"); ended != json.end()) job.ended = endedFrom(*ended);
    if (!isArray) return job;
    job.tasks = std::clamp(tasks->get<int>(), 0, kMostTasksOfJob);
    const auto over = json.find("endedTasks");
    for (int task = 0; over != json.end() && over->is_array() && task < std::ssize(*over); ++task)
        if (const auto end = endedFrom((*over)[static_cast<std::size_t>(task)])) job.endedTasks[task] = *end;
    return job;
}

// A submission that was killed while it made the folder of a job leaves one without a record.
void removeUnrecorded(const fs::path& folder) {
    removeAbandoned(folder, [&] {
        std::error_code failure;
        const bool isThere = fs::exists(recordFile(folder), failure);
        return isThere || failure || !numberInFolder(folder).empty();
    });
}

// From here on the job is known, with or without a number. sbatch may have been heard although it gave no answer.
Result<void> submitNoted(SlurmJob& job, const std::vector<std::string>& words) {
    auto number = callSbatch(words);
    if (!number && findJobNumber(job).valueOr(false)) return {};
    if (!number) return std::move(number).error();
    job.job = std::move(*number);
    (void)recordSlurmJob(job); // else it is found by its folder
    return {};
}

Result<void> copyCheckpoint(const fs::path& from, const fs::path& to) {
    std::error_code failure;
    fs::copy_file(from, to, failure);
    if (!failure) return {};
    return environmentError("the checkpoint cannot be copied: " + failure.message(), to.string(),
                            "check that the disk has room and the file is there");
}

Result<void> submitFrom(SlurmJob& job, const store::Workspace& workspace, const spec::RunSpec& spec,
                        const SlurmRequest& request, const SlurmFork& fork) {
    TY_TRY(writeFileAtomic(job.folder / "run.json", spec::toJson(spec)));
    if (!fork.checkpoint.empty()) TY_TRY(copyCheckpoint(fork.checkpoint, job.folder / kBeginsWith));
    // Last: its time is that of the submission (whileUnsubmitted), and a large checkpoint takes long to copy.
    TY_TRY(writeFileAtomic(job.folder / "job.sh", std::string_view(kBatchScript)));
    TY_TRY(recordSlurmJob(job));
    // It lives in its job: commands that name it find it there, and the window follows it.
    TY_TRY(noteHome(workspace, {job.run, job.name, spec::kSlurmHost, false, wallClockMs()}));
    auto submitted = submitNoted(job, sbatchArguments(request, job.folder, spec.name, fork.run));
    if (!submitted) (void)forgetHome(workspace, job.run);
    return submitted;
}

// From what Slurm keeps of each job, where it does. Nothing: it has no such job.
Result<std::optional<Allocation>> fromAccounting(const std::string& job) {
    const auto captured = askSlurmProgram({"sacct", "--noheader", "--parsable2", "--allocations", "--jobs=" + job,
                                           "--format=State,ExitCode,Reason,NodeList"});
    if (!captured || captured->exitCode != 0) return std::optional<Allocation>(); // there is no accounting
    return parseSacct(captured->output);
}

Result<Allocation> allocationOf(const SlurmJob& job) {
    TY_ASSIGN(const auto shown, askSlurmProgram({"scontrol", "show", "job", job.job}));
    if (shown.exitCode == 0) return parseScontrolJob(shown.output);
    TY_ASSIGN(auto kept, fromAccounting(job.job));
    if (kept) return *kept;
    const auto others = askSlurmProgram({"squeue", "--me", "--noheader", "--format=%i"});
    const bool isForgotten = others && others->exitCode == 0; // by a controller that answers others
    if (!isForgotten) return slurmIsSilent(job.job, shown);
    return environmentError("Slurm does not know it: " + complaintOf(shown), "job " + job.job,
                            "Slurm forgets jobs that are over after MinJobAge; see how it went in " +
                                (job.folder / "job.log").string())
        .withCode(ErrorCode::RunUnknown);
}

constexpr std::chrono::seconds kSubmissionTime{120}; // that sbatch takes at most, and then some

// Of the person's jobs the one that works in this folder, whose name no other one has.
Result<std::string> numberInSlurm(const fs::path& folder) {
    TY_ASSIGN(const auto all, askSlurmProgram({"squeue", "--me", "--states=all", "--noheader", "--format=%F %Z"}));
    if (all.exitCode != 0)
        return environmentError("Slurm does not list its jobs: " + complaintOf(all), "squeue", kSilentRemedy);
    std::istringstream lines(all.output);
    for (std::string line; std::getline(lines, line);) {
        const auto space = line.find(' ');
        const auto number = line.substr(0, space);
        if (space != line.npos && isJobNumber(number) &&
            fs::path(line.substr(space + 1)).filename() == folder.filename())
            return number;
    }
    return std::string();
}

} // namespace

bool isJobNumber(const std::string& text) {
    return !text.empty() && text.size() < 20 && text.find_first_not_of("0123456789") == text.npos;
}

Result<void> checkRequest(const SlurmRequest& request) {
    const auto seconds = slurmSeconds(request.time); // what sbatch does not understand either it says itself
    if (!seconds || *seconds >= kLeastSeconds) return {};
    return inputError("\"" + printable(request.time, 40) + "\" leaves no time to train: a run saves " +
                          std::to_string(kNoticeSeconds) + " s before its limit, and Slurm may ask a minute earlier",
                      "--time", "give at least 0:05:00, or leave it out");
}

bool requeueAtTimeLimit() {
    const char* job = std::getenv("SLURM_JOB_ID");
    if (job == nullptr || !isJobNumber(job)) return false;
    const auto shown = askSlurmProgram({"scontrol", "show", "job", job});
    if (!shown || shown->exitCode != 0) return false;
    const auto left = secondsToRequeue(shown->output);
    if (!left || *left > kNoticeSeconds + kNoticeEarlier) return false;
    const auto queued = askSlurmProgram({"scontrol", "requeue", job});
    return queued && queued->exitCode == 0;
}

std::vector<std::string> sbatchOptions(const SlurmRequest& request, const fs::path& folder, const std::string& log,
                                       const std::string& name) {
    std::vector<std::string> words{"--parsable",
                                   "--job-name=" + name,
                                   "--output=" + (folder / log).string(),
                                   "--open-mode=append",
                                   "--chdir=" + folder.string(),
                                   "--nodes=" + std::to_string(request.nodes),
                                   "--ntasks-per-node=1",
                                   "--signal=B:TERM@" + std::to_string(kNoticeSeconds), // before its time limit
                                   request.requeue ? "--requeue" : "--no-requeue"};
    const auto add = [&](const char* option, const std::string& value) {
        if (!value.empty()) words.push_back(std::string(option) + value);
    };
    add("--partition=", request.partition);
    add("--account=", request.account);
    add("--time=", request.time);
    if (request.cpusPerNode > 0) add("--cpus-per-task=", std::to_string(request.cpusPerNode));
    if (request.gpusPerNode > 0) add("--gpus-per-node=", std::to_string(request.gpusPerNode));
    return words;
}

std::vector<std::string> submitOptions(const SlurmRequest& request) {
    std::vector<std::string> words{"--nodes=" + std::to_string(request.nodes)};
    const auto add = [&](const char* option, const std::string& value) {
        if (!value.empty()) words.push_back(std::string(option) + value);
    };
    add("--partition=", request.partition);
    add("--account=", request.account);
    add("--time=", request.time);
    if (request.cpusPerNode > 0) words.push_back("--cpus-per-node=" + std::to_string(request.cpusPerNode));
    if (request.gpusPerNode > 0) words.push_back("--gpus-per-node=" + std::to_string(request.gpusPerNode));
    if (request.requeue) words.push_back("--requeue");
    return words;
}

std::vector<std::string> sbatchArguments(const SlurmRequest& request, const fs::path& folder, const std::string& name,
                                         const std::string& forkedFrom) {
    auto words = sbatchOptions(request, folder, "job.log", name);
    for (const auto& word : {(folder / "job.sh").string(), (programFolder() / "trainyardctl").string(),
                             std::string("run"), (folder / "run.json").string(), std::string("--resume-or-start"),
                             "--key=" + folder.filename().string(), "--workspace=" + folder.string()})
        words.push_back(word);
    if (!forkedFrom.empty()) {
        words.push_back("--begin-with=" + (folder / kBeginsWith).string());
        words.push_back("--forked-from=" + forkedFrom);
    }
    return words;
}

Result<fs::path> makeSlurmFolder(const fs::path& workspace, const std::string& id) {
    const auto folder = store::Workspace{fs::absolute(workspace)}.slurmFolder(id);
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (failure) return notMadeError("cannot create the job's folder", folder, failure);
    return folder;
}

Result<std::string> callSbatch(std::vector<std::string> words) {
    words.insert(words.begin(), "sbatch");
    TY_ASSIGN(const auto captured, askSlurmProgram(std::move(words)));
    const auto number = captured.output.substr(0, captured.output.find_first_of(";\n")); // "12;cluster"
    if (captured.exitCode != 0 || !isJobNumber(number))
        return environmentError("the job was not submitted: " + complaintOf(captured), "sbatch",
                                "see what there is with: sinfo");
    return number;
}

Result<void> recordSlurmJob(const SlurmJob& job) {
    Json json{{"version", 1}, {"name", job.name}, {"run", job.run}, {"job", job.job}};
    if (job.ended) json["ended"] = toJson(*job.ended);
    if (job.isArray()) {
        json["tasks"] = job.tasks;
        auto ended = Json::array();
        for (int task = 0; task < job.tasks; ++task) {
            const auto found = job.endedTasks.find(task);
            ended.push_back(found == job.endedTasks.end() ? Json() : toJson(found->second));
        }
        json["endedTasks"] = std::move(ended);
    }
    return writeFileAtomic(recordFile(job.folder), jsonFile(json));
}

Result<SlurmJob> submitToSlurm(const fs::path& workspace, const spec::RunSpec& spec, const SlurmRequest& request,
                               const SlurmFork& fork) {
    TY_TRY(checkRequest(request));
    TY_ASSIGN(const auto folder, makeSlurmFolder(workspace, newId()));
    TY_ASSIGN(const auto lock, store::RunLock::acquire(folder)); // until it is submitted (removeUnrecorded)
    SlurmJob job{folder, folder.filename().string(), spec.name, {}, {}};
    job.run = idOfKey(job.id);
    auto submitted = submitFrom(job, {workspace}, spec, request, fork);
    if (submitted) return job;
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    return std::move(submitted).error();
}

Result<std::vector<SlurmJob>> slurmJobs(const fs::path& workspace) {
    std::vector<SlurmJob> jobs;
    const auto all = store::Workspace{workspace}.slurmFolder({}).parent_path();
    std::error_code failure;
    std::vector<fs::path> unrecorded;
    for (const auto& entry : fs::directory_iterator(all, failure)) {
        if (std::error_code ignored; !fs::exists(recordFile(entry.path()), ignored)) {
            unrecorded.push_back(entry.path());
            continue;
        }
        TY_ASSIGN(auto job, readRecord(entry.path()));
        jobs.push_back(std::move(job));
    }
    for (const auto& folder : unrecorded) removeUnrecorded(folder);
    if (failure && failure != std::errc::no_such_file_or_directory)
        return environmentError("cannot be read: " + failure.message(), all.string());
    std::ranges::sort(jobs, {}, &SlurmJob::id);
    return jobs;
}

bool isSlurmJob(const fs::path& workspace, const std::string& id) {
    std::error_code ignored;
    return !id.empty() && fs::exists(store::Workspace{workspace}.slurmRecord(id), ignored);
}

Result<SlurmJob> findSlurmJob(const fs::path& workspace, const std::string& given) {
    TY_ASSIGN(const auto jobs, slurmJobs(workspace));
    const auto is = [&](const SlurmJob& job) {
        return job.id == given || job.job == given || job.run == given || job.name == given ||
               (given.size() >= 4 && job.id.starts_with(given));
    };
    const auto found = std::find_if(jobs.rbegin(), jobs.rend(), is);
    if (found == jobs.rend())
        return inputError("no such run was submitted to Slurm from this workspace", printable(given),
                          "list them with: trainyardctl slurm status")
            .withCode(ErrorCode::RunUnknown);
    return *found;
}

Result<Allocation> askSlurm(SlurmJob& job) {
    TY_ASSIGN(const bool isSubmitted, findJobNumber(job));
    if (!isSubmitted) return whileUnsubmitted(job);
    auto allocation = allocationOf(job);
    if (!allocation) return job.ended ? Result<Allocation>(*job.ended) : allocation;
    if (const auto* ended = std::get_if<Ended>(&*allocation)) {
        job.ended = *ended;
        (void)recordSlurmJob(job); // best effort: it was answered
    }
    return allocation;
}

Result<void> cancelSlurmJob(const SlurmJob& job) {
    if (!isJobNumber(job.job.substr(0, job.job.find('_'))))
        return environmentError("Slurm has no job for it: its submission was cut short",
                                (job.isArray() ? "sweep " : "run ") + printable(job.name), "submit it again");
    TY_ASSIGN(const auto captured, askSlurmProgram({"scancel", job.job}));
    if (captured.exitCode != 0)
        return environmentError("the job was not cancelled: " + complaintOf(captured), "job " + job.job);
    return {};
}

std::string numberInFolder(const fs::path& folder) {
    auto text = readFile(folder / "number", 64).valueOr("");
    while (text.ends_with('\n')) text.pop_back();
    return isJobNumber(text) ? text : std::string();
}

Result<bool> findJobNumber(SlurmJob& job) {
    if (!job.job.empty()) return true;
    job.job = numberInFolder(job.folder);
    if (job.job.empty()) { TY_ASSIGN(job.job, numberInSlurm(job.folder)); }
    if (job.job.empty()) return false;
    (void)recordSlurmJob(job); // else it is looked for again
    return true;
}

Allocation whileUnsubmitted(const SlurmJob& job) {
    std::error_code failure;
    const auto since = fs::file_time_type::clock::now() - fs::last_write_time(job.folder / "job.sh", failure);
    if (!failure && since < kSubmissionTime) return Pending{"being submitted"};
    return Ended{EndReason::Cancelled, 0};
}

} // namespace trainyard::run
