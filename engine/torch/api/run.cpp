// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainyard/run.h"

#include "engine/run/attach/run_control.h"
#include "engine/run/attach/run_follower.h"
#include "engine/run/start/fork.h"
#include "engine/run/start/lr_find.h"
#include "engine/run/start/run_start.h"
#include "engine/spec/sweep/overrides.h"
#include "engine/torch/api/engine_calls.h"
#include "engine/torch/api/raise.h"
#include "engine/torch/api/run_driver.h"

#include <algorithm>

namespace trainyard::train {

RunFile RunFile::read(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
    const auto text = valueOrRaise(spec::readWithOverrides(file.string(), overrides));
    return RunFile(spec::toJson(valueOrRaise(spec::parseRunSpec(text, file.string()))));
}

RunFile RunFile::parse(const std::string& json, const std::vector<std::string>& overrides) {
    const auto text = valueOrRaise(spec::withOverrides(json, overrides));
    return RunFile(spec::toJson(valueOrRaise(spec::parseRunSpec(text))));
}

RunFile RunFile::with(const std::vector<std::string>& overrides) const { return parse(m_json, overrides); }

std::string RunFile::json() const { return m_json; }

struct Run::Content {
    store::Workspace workspace;
    std::string id;
    std::unique_ptr<run::RunFollower> follower; // of the present supervisor

    store::RunRow row() const { return valueOrRaise(query()->run(id)); }
    std::unique_ptr<store::RunQuery> query() const { return valueOrRaise(store::RunQuery::open(workspace)); }
    std::string at(const std::string& checkpoint) const { return checkpoint.empty() ? id : id + "@" + checkpoint; }
    std::int64_t command(wire::CommandKind kind, double value = 0) const {
        return valueOrRaise(run::commandRun(workspace, id, kind, value)).step;
    }
    void stop(wire::StopMode mode) const { valueOrRaise(run::stopRun(workspace, id, mode)); }
};

Run::Run(std::unique_ptr<Content> content) : m_content(std::move(content)) {}
Run::Run(Run&&) noexcept = default;
Run& Run::operator=(Run&&) noexcept = default;
Run::~Run() = default;

Run Run::start(const RunFile& file, const std::filesystem::path& workspace) {
    auto content = std::make_unique<Content>();
    content->workspace = valueOrRaise(store::Workspace::open(workspace.string()));
    content->id = valueOrRaise(run::startRun(content->workspace, valueOrRaise(spec::parseRunSpec(file.json()))));
    return Run(std::move(content));
}

Run Run::open(const std::string& idOrName, const std::filesystem::path& workspace) {
    auto content = std::make_unique<Content>();
    content->workspace = valueOrRaise(store::Workspace::open(workspace.string()));
    content->id = valueOrRaise(content->query()->run(idOrName)).id;
    return Run(std::move(content));
}

const std::string& Run::id() const { return m_content->id; }
std::string Run::status() const { return wire::toString(m_content->row().status); }
RunFile Run::file() const { return RunFile::parse(m_content->row().specJson); }

Result Run::result() const { return valueOrRaise(recordedResult(m_content->workspace, m_content->id)); }

bool Run::waitFor(std::chrono::milliseconds time) {
    auto& follower = m_content->follower;
    if (!follower) follower = valueOrRaise(run::RunFollower::open(m_content->workspace, m_content->id));
    const auto end = std::chrono::steady_clock::now() + time;
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
        if (valueOrRaise(follower->poll(static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 500)))).ended) {
            follower.reset(); // a resumed run is another one to follow
            return true;
        }
        if (left.count() <= 0) return false;
    }
}

Result Run::wait() {
    while (!waitFor(std::chrono::hours(1))) {}
    return result();
}

std::int64_t Run::pause() { return m_content->command(wire::CommandKind::Pause); }
std::int64_t Run::unpause() { return m_content->command(wire::CommandKind::Unpause); }
std::int64_t Run::saveCheckpoint() { return m_content->command(wire::CommandKind::Checkpoint); }
std::int64_t Run::setLearningRate(double rate) { return m_content->command(wire::CommandKind::SetLearningRate, rate); }
std::int64_t Run::setWorkers(int workers) { return m_content->command(wire::CommandKind::Resize, workers); }

void Run::stop() { m_content->stop(wire::StopMode::SaveAndStop); }
void Run::stopNow() { m_content->stop(wire::StopMode::StopNow); }
void Run::kill() { m_content->stop(wire::StopMode::Kill); }

void Run::resume(std::int64_t moreEpochs) {
    m_content->follower.reset();
    valueOrRaise(run::resumeRun(m_content->workspace, m_content->id, moreEpochs));
}

Run Run::fork(const std::string& checkpoint, const std::vector<std::string>& overrides) const {
    run::StartOptions options;
    const auto from = valueOrRaise(m_content->query()->checkpoint(m_content->at(checkpoint)));
    options.resumeFrom = from.path;
    options.forkedFrom = m_content->id;
    const auto row = m_content->row();
    const auto spec = valueOrRaise(run::forkedSpec(row, from));
    const auto text = valueOrRaise(spec::withOverrides(spec::toJson(spec), overrides));
    auto content = std::make_unique<Content>();
    content->workspace = m_content->workspace;
    content->id = valueOrRaise(
        run::startRun(content->workspace, valueOrRaise(spec::parseRunSpec(text, "run " + row.name)), options));
    return Run(std::move(content));
}

std::filesystem::path Run::checkpointFile(const std::string& checkpoint) const {
    return valueOrRaise(m_content->query()->checkpoint(m_content->at(checkpoint))).path;
}

void Run::exportModel(const std::filesystem::path& out, const std::string& format, const std::string& checkpoint,
                      bool overwrite) const {
    exportCheckpoint(checkpointFile(checkpoint), out, format, overwrite);
}

LearningRates findLearningRate(const RunFile& file, double from, double to, std::int64_t steps) {
    const auto spec = valueOrRaise(spec::parseRunSpec(file.json()));
    const auto curve = valueOrRaise(run::findRates(spec, {from, to, steps}));
    const double factor = run::lrRuleFactor(spec.scaling);
    LearningRates found;
    if (curve.suggested) found.suggested = *curve.suggested / factor;
    found.lowestLossAt = curve.lowest / factor;
    found.diverged = curve.diverged;
    for (const auto& point : curve.points) {
        found.rates.push_back(point.lr);
        found.losses.push_back(point.loss);
    }
    return found;
}

} // namespace trainyard::train
