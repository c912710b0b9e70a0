// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainyard/tune.h"

#include "engine/base/json_text.h"
#include "engine/spec/values/params.h"
#include "engine/sweep/control/sweep_control.h"
#include "engine/sweep/control/sweep_follower.h"
#include "engine/sweep/results/sweep_result.h"
#include "engine/torch/api/engine_calls.h"
#include "engine/torch/api/raise.h"
#include "engine/torch/api/run_driver.h"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace trainyard::tune {
namespace {

// Domains have the form of a sweep file's "space"; the reader of that file checks them.
Json jsonOf(const std::vector<Value>& values) {
    Json list = Json::array();
    for (const Value& value : values) std::visit([&list](const auto& each) { list.push_back(Json(each)); }, value);
    return list;
}

template <class... Numbers>
Domain domainOf(const char* name, Numbers... numbers) {
    return Domain::ofJson(jsonText(Json{{name, Json::array({numbers...})}}));
}

Domain listDomain(const char* name, const std::vector<Value>& values) {
    return Domain::ofJson(jsonText(Json{{name, jsonOf(values)}}));
}

constexpr const char* kConfigPath = "model.params."; // of a training function's configuration, in its run file

Json algorithmJson(const Algorithm& algorithm) {
    Json json{{"name", algorithm.name}};
    for (const auto& [name, value] : algorithm.options.values())
        std::visit([&json, &key = name](const auto& each) { json[key] = each; }, value);
    return json;
}

// `prefix` stands before the paths of the space.
std::string sweepFileOf(const std::string& runJson, const TunerOptions& options, const std::string& prefix = {}) {
    const TuneConfig& config = options.tuneConfig;
    Json json{{"version", spec::kRunFileVersion}, {"run", parseJson(runJson)}};
    const std::string name = json["run"].value("name", std::string());
    json["name"] = options.name.empty() ? name : options.name;
    json["space"] = Json::object();
    for (const auto& [path, domain] : options.paramSpace) json["space"][prefix + path] = parseJson(domain.json());
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
    return jsonText(json, 2);
}

// `isProgram`: what it trains is a training function, whose keys the space names.
Trial trialOf(const sweep::TrialResult& result, bool isProgram) {
    Trial trial;
    trial.number = result.row.trial;
    trial.runId = result.row.id;
    trial.status = wire::toString(result.row.status);
    for (const auto& [path, value] : spec::paramsFromText(result.row.paramsJson))
        trial.config.set(isProgram && path.starts_with(kConfigPath) ? path.substr(std::strlen(kConfigPath)) : path,
                         value);
    trial.score = result.standing.score;
    trial.reason = result.reason;
    if (result.row.status == wire::RunStatus::Failed) trial.error = train::recordedError(result.row);
    return trial;
}

store::Workspace workspaceAt(const std::filesystem::path& folder) {
    return train::valueOrRaise(store::Workspace::open(folder.string()));
}

} // namespace

Domain Domain::ofJson(std::string json) {
    Domain domain;
    domain.m_json = std::move(json);
    return domain;
}

Domain Domain::constant(Value value) { return choice({std::move(value)}); }

Domain Domain::when(const std::string& path, const std::vector<Value>& values) const {
    Json json = parseJson(m_json);
    json["when"][path] = jsonOf(values);
    return ofJson(jsonText(json));
}

Domain uniform(double from, double to) { return domainOf("uniform", from, to); }
Domain quniform(double from, double to, double step) { return domainOf("quniform", from, to, step); }
Domain loguniform(double from, double to) { return domainOf("loguniform", from, to); }
Domain qloguniform(double from, double to, double step) { return domainOf("qloguniform", from, to, step); }
Domain randint(std::int64_t from, std::int64_t to) { return domainOf("randint", from, to); }
Domain qrandint(std::int64_t from, std::int64_t to, std::int64_t step) { return domainOf("qrandint", from, to, step); }
Domain lograndint(std::int64_t from, std::int64_t to) { return domainOf("lograndint", from, to); }
Domain qlograndint(std::int64_t from, std::int64_t to, std::int64_t step) {
    return domainOf("qlograndint", from, to, step);
}
Domain randn(double mean, double sd) { return domainOf("randn", mean, sd); }
Domain qrandn(double mean, double sd, double step) { return domainOf("qrandn", mean, sd, step); }
Domain choice(std::vector<Value> values) { return listDomain("choice", values); }
Domain gridSearch(std::vector<Value> values) { return listDomain("grid", values); }

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
    : m_json(sweepFileOf(base.json(), options)), m_workspace(std::move(options.workspace)), m_verbose(options.verbose) {
    m_json = spec::toJson(train::valueOrRaise(spec::parseSweepSpec(m_json)));
}

Tuner::Tuner(train::TrainFunction trainFunction, train::TrainerOptions trainer, TunerOptions options)
    : m_workspace(options.workspace.empty() ? trainer.run.workspace : options.workspace), m_verbose(options.verbose),
      m_program(Program{std::move(trainFunction), std::move(trainer), std::move(options)}) {}

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

// A rank of a trial trains here and does not come back.
void Tuner::startProgram() {
    const auto call = train::nextCall();
    if (call.role == train::CallPosition::Role::Rank) train::serveRank(m_program->function);
    if (call.role == train::CallPosition::Role::Earlier) {
        if (call.earlierRun.empty()) throw std::runtime_error("the sweep did not start in the program of this rank");
        m_sweepId = call.earlierRun;
        return;
    }
    if (!m_program->function) throw train::InputError("the Tuner was given no training function");
    const auto workspace = workspaceAt(m_workspace);
    auto made = train::valueOrRaise(train::programRun(call, m_program->trainer, workspace));
    m_json = sweepFileOf(spec::toJson(made.spec), m_program->options, kConfigPath);
    const auto file = train::valueOrRaise(spec::parseSweepSpec(m_json));
    m_sweepId = train::valueOrRaise(sweep::startSweep(workspace, file, {std::nullopt, std::move(made.program)}));
    train::recordCall(call, m_sweepId);
}

void Tuner::start() {
    if (m_program) return startProgram();
    const auto file = train::valueOrRaise(spec::parseSweepSpec(m_json));
    m_sweepId = train::valueOrRaise(sweep::startSweep(workspaceAt(m_workspace), file));
}

ResultGrid Tuner::fit() {
    const auto workspace = workspaceAt(m_workspace);
    const auto query = train::valueOrRaise(store::RunQuery::open(workspace));
    if (m_sweepId.empty()) start();
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
    const auto workspace = workspaceAt(m_workspace);
    const auto query = train::valueOrRaise(store::RunQuery::open(workspace));
    const auto row = train::valueOrRaise(query->sweep(m_sweepId));
    const auto ranking = train::valueOrRaise(sweep::rankTrials(*query, row));
    std::vector<Trial> trials;
    const bool isProgram =
        train::valueOrRaise(sweep::readSweepLaunch(workspace.sweepFolder(row.id))).program.has_value();
    for (const auto& each : ranking.trials) trials.push_back(trialOf(each, isProgram));
    return {
        m_sweepId, m_workspace, std::move(trials), {ranking.order.begin(), ranking.order.end()}, !ranking.best.empty()};
}

} // namespace trainyard::tune
