// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/params_text.h"
#include "engine/sweep/sweep_control.h"
#include "engine/sweep/sweep_follower.h"
#include "engine/sweep/sweep_result.h"
#include "engine/torch/api/raise.h"
#include "engine/torch/api/run_driver.h"
#include "trainyard/tune.h"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace trainyard::tune {
namespace {

using Json = nlohmann::ordered_json;

Json algorithmJson(const Algorithm& algorithm) {
    Json json{{"name", algorithm.name}};
    for (const auto& [name, value] : algorithm.options.values())
        std::visit([&json, &key = name](const auto& each) { json[key] = each; }, value);
    return json;
}

std::string sweepFileOf(const train::RunFile& base, const TunerOptions& options) {
    const TuneConfig& config = options.tuneConfig;
    Json json{{"version", spec::kRunFileVersion}, {"run", Json::parse(base.json())}};
    const std::string name = json["run"].value("name", std::string());
    json["name"] = options.name.empty() ? name : options.name;
    json["space"] = Json::object();
    for (const auto& [path, domain] : options.paramSpace) json["space"][path] = Json::parse(domain.json());
    json["searcher"] = algorithmJson(config.searchAlg);
    json["scheduler"] = algorithmJson(config.scheduler);
    json["trials"] = config.numSamples;
    json["parallel"] = config.maxConcurrentTrials;
    json["seed"] = config.seed;
    json["seeds"]["count"] = config.seeds;
    json["reuse"] = config.reuseActors;
    if (!config.metric.empty()) json["scoreBy"] = config.metric;
    if (!config.mode.empty()) json["mode"] = config.mode;
    if (config.timeBudgetSeconds != 0) json["budget"]["seconds"] = config.timeBudgetSeconds;
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

Trial trialOf(const sweep::TrialResult& result) {
    Trial trial;
    trial.number = result.row.trial;
    trial.runId = result.row.id;
    trial.status = wire::toString(result.row.status);
    trial.config = Config(spec::paramsFromText(result.row.paramsJson));
    trial.score = result.score.value;
    trial.reason = result.reason;
    if (result.row.status == wire::RunStatus::Failed) trial.error = train::recordedError(result.row);
    return trial;
}

store::Workspace workspaceAt(const std::filesystem::path& folder) {
    return train::valueOrRaise(store::Workspace::open(folder.string()));
}

} // namespace

ResultGrid::ResultGrid(std::string sweepId, std::filesystem::path workspace, std::vector<Trial> trials,
                       std::vector<int> ranked, bool hasBest)
    : m_sweepId(std::move(sweepId)), m_workspace(std::move(workspace)), m_trials(std::move(trials)),
      m_ranked(std::move(ranked)), m_hasBest(hasBest) {}

std::size_t ResultGrid::numErrors() const {
    return static_cast<std::size_t>(
        std::count_if(m_trials.begin(), m_trials.end(), [](const Trial& each) { return each.error.has_value(); }));
}

std::size_t ResultGrid::numTerminated() const {
    return static_cast<std::size_t>(std::count_if(m_trials.begin(), m_trials.end(), [](const Trial& each) {
        return each.status == wire::toString(wire::RunStatus::Finished) || !each.reason.empty();
    }));
}

std::vector<Trial> ResultGrid::ranked() const {
    std::vector<Trial> list;
    list.reserve(m_ranked.size());
    for (const int place : m_ranked) list.push_back(m_trials[static_cast<std::size_t>(place)]);
    return list;
}

const Trial& ResultGrid::getBestResult() const {
    if (!m_hasBest) throw std::runtime_error("no trial of sweep " + m_sweepId + " has a finite score");
    return m_trials[static_cast<std::size_t>(m_ranked.front())];
}

train::Run ResultGrid::run(const Trial& trial) const { return train::Run::open(trial.runId, m_workspace); }

train::Result ResultGrid::result(const Trial& trial) const {
    train::Result result = run(trial).result();
    if (!trial.reason.empty()) result.error.reset(); // it was the scheduler that ended it
    return result;
}

Tuner::Tuner(const train::RunFile& base, TunerOptions options)
    : m_json(sweepFileOf(base, options)), m_workspace(std::move(options.workspace)), m_verbose(options.verbose) {
    m_json = spec::toJson(train::valueOrRaise(spec::parseSweepSpec(m_json)));
}

Tuner Tuner::read(const std::filesystem::path& sweepFile, const std::filesystem::path& workspace) {
    Tuner tuner;
    tuner.m_json = spec::toJson(train::valueOrRaise(spec::readSweepSpec(sweepFile)));
    tuner.m_workspace = workspace;
    return tuner;
}

Tuner Tuner::restore(const std::string& sweep, const std::filesystem::path& workspace) {
    Tuner tuner;
    tuner.m_workspace = workspace;
    const auto query = train::valueOrRaise(store::RunQuery::open(workspaceAt(workspace)));
    const auto row = train::valueOrRaise(query->sweep(sweep));
    tuner.m_sweepId = row.id;
    tuner.m_json = row.specJson;
    return tuner;
}

ResultGrid Tuner::fit() {
    const auto workspace = workspaceAt(m_workspace);
    const auto query = train::valueOrRaise(store::RunQuery::open(workspace));
    if (m_sweepId.empty())
        m_sweepId =
            train::valueOrRaise(sweep::startSweep(workspace, train::valueOrRaise(spec::parseSweepSpec(m_json))));
    else if (!wire::isActive(train::valueOrRaise(query->sweep(m_sweepId)).status))
        train::valueOrRaise(sweep::resumeSweep(workspace, m_sweepId));
    if (m_verbose && ::isatty(STDERR_FILENO) == 1)
        std::fprintf(stderr, "sweep %s: the window shows it, and so does trainyardctl sweep show %s\n",
                     m_sweepId.c_str(), m_sweepId.c_str());
    (void)train::valueOrRaise(sweep::SweepFollower(workspace, m_sweepId).wait(*query));
    return getResults();
}

ResultGrid Tuner::getResults() const {
    if (m_sweepId.empty()) throw train::InputError("the sweep has not been started: call fit() first");
    const auto query = train::valueOrRaise(store::RunQuery::open(workspaceAt(m_workspace)));
    const auto row = train::valueOrRaise(query->sweep(m_sweepId));
    const auto ranking = train::valueOrRaise(sweep::rankTrials(*query, row));
    std::vector<Trial> trials;
    for (const auto& each : ranking.trials) trials.push_back(trialOf(each));
    return {
        m_sweepId, m_workspace, std::move(trials), {ranking.order.begin(), ranking.order.end()}, !ranking.best.empty()};
}

} // namespace trainyard::tune
