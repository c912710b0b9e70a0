// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/trials/run_of_trial.h"

#include "engine/run/launch/catalog_cache.h"
#include "engine/run/launch/programs.h"
#include "engine/run/start/run_start.h"
#include "engine/spec/run/known_series.h"
#include "engine/spec/sweep/space_objects.h"
#include "engine/sweep/judge/judge.h"

#include <algorithm>

namespace trainyard::sweep {
namespace {

Result<spec::RunSpec> judged(spec::RunSpec trial, const std::string& where, TrialProgram program) {
    if (program == TrialProgram::Worker) return run::validated(std::move(trial), where);
    if (const auto errors = spec::validateFields(trial); !errors.empty()) return spec::toError(errors, where);
    return trial;
}

// What run::validated() says of these names no remedy that a sweep file can follow.
Result<void> judgeVaried(const spec::SweepSpec& spec, const spec::Params& params, const spec::RunSpec& trial,
                         const std::string& where) {
    TY_ASSIGN(const auto catalog, run::loadCatalog(run::workerProgram()));
    const auto errors = spec::checkVaried(spec, params, trial, *catalog);
    return errors.empty() ? Result<void>() : spec::toError(errors, where);
}

Error inFile(Error error, const std::string& file) {
    if (error.kind == ErrorKind::Input && !file.empty() && !error.where.starts_with(file))
        error.where = error.where.empty() ? file : file + ": " + error.where;
    return error;
}

// What trials are compared by has to be among what they record.
Result<void> checkCompared(const spec::SweepSpec& spec, const std::string& taskWord) {
    TY_ASSIGN(const auto task, spec::taskFromString(taskWord));
    TY_TRY(spec::checkRecorded(spec.scoreBy, task, spec.second ? "scoreBy.0" : "scoreBy"));
    if (spec.second) TY_TRY(spec::checkRecorded(spec.second->series, task, "scoreBy.1"));
    for (std::size_t rule = 0; rule < spec.rules.stop.size(); ++rule)
        TY_TRY(spec::checkRecorded(spec.rules.stop[rule].series, task, "stop." + std::to_string(rule) + ".series"));
    return {};
}

constexpr std::size_t kMostJudged = 1000; // configurations; each takes some 50 us

Result<void> judgeObjects(const spec::SweepSpec& spec, const std::string& file) {
    if (std::ranges::all_of(spec.space, [](const auto& axis) { return axis.objects.empty(); })) return {};
    TY_ASSIGN(auto catalog, run::loadCatalog(run::workerProgram()));
    auto errors = spec::checkObjects(spec, catalog.get());
    if (errors.empty()) return {};
    TY_ASSIGN(catalog, run::refreshCatalog(run::workerProgram())); // a dataset may have been installed since
    errors = spec::checkObjects(spec, catalog.get());
    return errors.empty() ? Result<void>() : spec::toError(errors, file);
}

} // namespace

Result<spec::RunSpec> runOfTrial(const spec::SweepSpec& spec, const spec::Params& params, int trial,
                                 TrialProgram program) {
    if (program == TrialProgram::Own || !spec::namesEntries(spec)) return spec::trialSpec(spec, params, trial);
    TY_ASSIGN(const auto catalog, run::loadCatalog(run::workerProgram()));
    return spec::trialSpec(spec, params, trial, catalog.get());
}

Result<ValidSweep> validated(spec::SweepSpec given, const std::string& file, TrialProgram program) {
    ValidSweep valid;
    if (const auto run = spec::parseRunSpec(given.runJson, file); run && run->program) program = TrialProgram::Own;
    auto checked = checkedSweep(std::move(given));
    if (!checked) return inFile(checked.error(), file);
    valid.spec = std::move(*checked);
    TY_ASSIGN(valid.trials, spec::countTrials(valid.spec));
    if (program == TrialProgram::Worker) TY_TRY(judgeObjects(valid.spec, file));
    TY_ASSIGN(const auto foreseen, spec::foreseenConfigurations(valid.spec));
    for (const auto& [configuration, params] : spec::judgedConfigurations(valid.spec, foreseen, kMostJudged)) {
        const int number = configuration.value_or(0) * spec::seedsOfEach(valid.spec);
        std::string where = file;
        if (configuration) where += (file.empty() ? "trial " : ", trial ") + std::to_string(number);
        TY_ASSIGN(auto trial, runOfTrial(valid.spec, params, number, program));
        if (program == TrialProgram::Worker) TY_TRY(judgeVaried(valid.spec, params, trial, where));
        valid.workers = trial.scaling.workers;
        const std::string task = trial.task;
        TY_ASSIGN(trial, judged(std::move(trial), where, program));
        if (program == TrialProgram::Own) continue;
        if (const auto compared = checkCompared(valid.spec, task); !compared) return inFile(compared.error(), file);
    }
    return valid;
}

} // namespace trainyard::sweep
