// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/home/slurm_mirror.h"

#include "engine/base/clock.h"
#include "engine/run/launch/programs.h"
#include "engine/run/mirror/mirror_source.h"
#include "engine/run/record/run_folder.h"
#include "engine/run/slurm/slurm_launcher.h"
#include "engine/spec/run/host_ranks.h"

#include <poll.h>
#include <sys/socket.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace trainyard::ctl {
namespace {

constexpr double kAskSeconds = 3;   // between two questions to Slurm
constexpr double kOverSeconds = 60; // the same of a job that is over, and may be queued again
constexpr int kLookMs = 300;

// What is known of a run before its job has begun.
Result<store::RunRow> rowBefore(const run::SlurmJob& job) {
    TY_ASSIGN(const auto spec, spec::readRunSpec(run::RunFolder{job.folder}.runFile()));
    store::RunRow row;
    row.id = job.run;
    row.name = job.name;
    row.status = wire::RunStatus::Queued;
    row.specJson = spec::toJson(spec);
    row.paramsJson = "{}";
    row.worldSize = spec.scaling.workers;
    row.createdMs = wallClockMs();
    return row;
}

// The step ends with its input.
void endFeed(std::unique_ptr<run::WorkerProcess>& feed) {
    if (!feed) return;
    ::shutdown(feed->frameFd(), SHUT_RDWR);
    for (int tries = 0; tries < 100 && !feed->exitStatus(); ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    feed.reset();
}

} // namespace

SlurmMirror::SlurmMirror(store::Workspace workspace, LinkBook& links)
    : m_workspace(std::move(workspace)), m_links(links), m_local(run::makeLocalLauncher("/usr/bin/env")) {}

void SlurmMirror::follow() {
    m_links.set(spec::kSlurmHost, {run::HomeLink::State::Connecting, wallClockMs(), {}});
    for (;;) {
        const auto ended = followOnce();
        if (ended) return;
        m_links.lose(spec::kSlurmHost, ended.error());
        for (auto& [run, job] : m_jobs) endFeed(job.feed);
        m_jobs.clear();
        std::this_thread::sleep_for(std::chrono::duration<double>(backoffSeconds(++m_failures)));
    }
}

Result<void> SlurmMirror::followOnce() {
    TY_ASSIGN(auto copy, run::MirrorCopy::open(m_workspace));
    for (double nextAsk = 0;;) {
        if (monotonicSeconds() >= nextAsk) {
            std::map<std::string, Job> jobs;
            for (const auto& each : run::homeNotes(m_workspace)) {
                if (each.host != spec::kSlurmHost) continue;
                auto known = m_jobs.extract(each.id);
                if (!known.empty()) jobs.insert(std::move(known));
                else if (auto record = run::findSlurmJob(m_workspace.root, each.id)) jobs[each.id] = {*record};
            }
            for (auto& [run, job] : m_jobs) endFeed(job.feed); // those that are forgotten
            m_jobs = std::move(jobs);
            if (m_jobs.empty()) return {};
            TY_TRY(askForAll(copy));
            m_links.set(spec::kSlurmHost, {run::HomeLink::State::Up, wallClockMs(), {}});
            m_failures = 0;
            nextAsk = monotonicSeconds() + kAskSeconds;
        }
        wait();
        for (auto& [run, job] : m_jobs)
            if (job.feed) TY_TRY(take(copy, job));
    }
}

// What is wrong with one job does not hide the others.
Result<void> SlurmMirror::askForAll(run::MirrorCopy& copy) {
    Result<void> trouble;
    bool anyAnswered = false;
    for (auto& [run, job] : m_jobs) {
        if (job.over && monotonicSeconds() < job.nextLook) continue;
        auto asked = ask(copy, job);
        if (asked) anyAnswered = true;
        else trouble = std::move(asked);
    }
    return anyAnswered ? Result<void>() : trouble;
}

void SlurmMirror::wait() {
    std::vector<pollfd> inputs;
    for (const auto& [run, job] : m_jobs)
        if (job.feed) inputs.push_back({job.feed->frameFd(), POLLIN, 0});
    ::poll(inputs.data(), inputs.size(), kLookMs);
}

Result<void> SlurmMirror::ask(run::MirrorCopy& copy, Job& job) {
    auto asked = run::askSlurm(job.record);
    if (!asked && asked.error().code == ErrorCode::RunUnknown) // it is over, and forgotten since
        asked = run::Allocation(run::Ended{run::EndReason::Signalled, SIGKILL});
    TY_ASSIGN(const auto allocation, std::move(asked));
    auto state = run::toText(allocation);
    const bool isNews = std::exchange(job.state, state) != state;
    if (const auto* granted = std::get_if<run::Granted>(&allocation)) {
        job.over = false;
        if (job.feed || granted->nodes.empty()) return {};
        return startFeed(copy, job, granted->nodes.front());
    }
    job.feed.reset(); // its step is over
    job.news.clear();
    if (const auto* ended = std::get_if<run::Ended>(&allocation)) {
        if (isNews || !job.over) TY_TRY(tellEnded(copy, job, *ended));
        job.over = true;
        job.nextLook = monotonicSeconds() + kOverSeconds;
        return {};
    }
    job.over = false;
    return isNews ? tellWaiting(copy, job, state) : Result<void>();
}

// One that has trained before, and was queued again, keeps what is known of it.
Result<void> SlurmMirror::tellWaiting(run::MirrorCopy& copy, const Job& job, const std::string& why) {
    TY_ASSIGN(auto row, rowBefore(job.record));
    TY_ASSIGN(const auto known, copy.rowOf(job.record.run));
    if (known) row = *known;
    row.status = wire::RunStatus::Queued;
    row.error.message = "job " + job.record.job + " " + why;
    return copy.apply({.run = job.record.run, .row = std::move(row)});
}

// What it has left, and how it ended if it could not say so itself.
Result<void> SlurmMirror::tellEnded(run::MirrorCopy& copy, const Job& job, const run::Ended& ended) {
    const auto& run = job.record.run;
    run::MirrorSource source({job.record.folder});
    TY_ASSIGN(auto request, copy.requestFor(run));
    source.want(std::move(request));
    std::optional<store::RunRow> row;
    TY_ASSIGN(const auto news, source.poll());
    for (const auto& each : news) {
        if (each.row) row = each.row;
        TY_TRY(copy.apply(each));
    }
    if (row && !wire::isActive(row->status)) return {};
    const bool began = row.has_value();
    if (!began) { TY_ASSIGN(row, rowBefore(job.record)); }
    const bool cancelled = ended.reason == run::EndReason::Cancelled;
    row->status = began ? wire::RunStatus::Interrupted : cancelled ? wire::RunStatus::Stopped : wire::RunStatus::Failed;
    row->finishedMs = wallClockMs();
    const auto log = (job.record.folder / "job.log").string();
    row->error = runError("job " + job.record.job + " " + run::toText(ended) + (began ? "" : " before it began"), {},
                          began ? "queue it again: scontrol requeue " + job.record.job : "see " + log)
                     .withCode(ErrorCode::SupervisorLost);
    return copy.apply({.run = run, .row = std::move(row)});
}

Result<void> SlurmMirror::startFeed(run::MirrorCopy& copy, Job& job, const std::string& node) {
    run::LaunchRequest step;
    step.endsItself = true; // with its input: a killed srun would leave the step behind
    step.arguments = run::slurmStepArguments(job.record.job, node, "trainyard-feed");
    step.arguments.insert(step.arguments.begin(), "srun");
    for (const auto& word : {(run::programFolder() / "trainyardctl").string(), std::string("feed"),
                             "--workspace=" + job.record.folder.string()})
        step.arguments.push_back(word);
    TY_ASSIGN(job.feed, m_local->launch(step));
    TY_ASSIGN(const auto request, copy.requestFor(job.record.run));
    (void)askFeed(job.feed->frameFd(), run::toLine(request) + "\n"); // a feed that is gone is started anew
    return {};
}

Result<void> SlurmMirror::take(run::MirrorCopy& copy, Job& job) {
    TY_ASSIGN(const auto heard, job.news.read(job.feed->frameFd(), copy, job.record.name));
    if (heard == NewsReader::Heard::End) {
        job.feed.reset(); // the job says why, at the next look
        job.news.clear();
    }
    return {};
}

} // namespace trainyard::ctl
