// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/new_run/run_checks.h"

#include "engine/spec/run/host_ranks.h"
#include "ui/models/text/format.h"

#include <algorithm>
#include <set>

namespace trainyard::ui {

namespace {

constexpr double kMuchLost = 0.2; // share of a dataset's samples; training on the rest may give a different model

// Start asks for the sign-in: there is nothing to fix before.
RunCheck::State stateOf(const HostsCheck::Finding& finding) {
    return finding.signIn ? RunCheck::Wait : RunCheck::Wrong;
}

} // namespace

bool PreviewFacts::trainsHere() const {
    const auto& hosts = state.shown.hosts;
    return std::all_of(hosts.begin(), hosts.end(), spec::isThisComputer);
}

QString PreviewFacts::misfit() const {
    const auto* known = current();
    if (!known || !known->checkpoint || known->checkpoint->fits) return {};
    const auto& [fits, why, remedy, changed] = *known->checkpoint;
    return tr("The checkpoint does not fit: %1").arg(remedy.isEmpty() ? why : why + QStringLiteral("; ") + remedy);
}

// Until the worker has answered, or while it is not asked.
QString RunChecks::unknownYet() const {
    return m_facts.busy ? tr("checking…") : tr("known once the settings are valid");
}

QString RunChecks::textOf(const Preview::Weights& weights) {
    const QString fit = tr("%1 of %2 tensors fit").arg(weights.tensors).arg(weights.tensorsOfModel);
    if (weights.head == QLatin1String("new")) return tr("%1; the head is new").arg(fit);
    if (weights.head == QLatin1String("rows"))
        return tr("%1; the head keeps %n classes", nullptr, static_cast<int>(weights.headRows)).arg(fit);
    return fit;
}

// The worker's findings.
void RunChecks::checkData(QList<RunCheck>& list) const {
    const auto* preview = m_facts.current();
    if (preview) {
        const auto count = [](std::int64_t samples) { return countText(static_cast<double>(samples)); };
        const std::int64_t kept = preview->train + preview->validation + preview->test, all = kept + preview->lost;
        if (static_cast<double>(preview->lost) > kMuchLost * static_cast<double>(all))
            list << RunCheck{RunCheck::Wait, tr("Data"),
                             tr("skips %1 of %2 samples").arg(count(preview->lost), count(all))};
        list << RunCheck{RunCheck::Ok, tr("Data"),
                         preview->test == 0
                             ? tr("train %1, validation %2").arg(count(preview->train), count(preview->validation))
                             : tr("train %1, validation %2, test %3 once at the end")
                                   .arg(count(preview->train), count(preview->validation), count(preview->test))};
    } else {
        list << RunCheck{m_facts.refused.isEmpty() ? RunCheck::Unknown : RunCheck::Wrong, tr("Data and model"),
                         m_facts.refused.isEmpty()  ? unknownYet()
                         : m_facts.isRefusedAtField ? tr("marked in the form")
                                                    : tr("see above")};
    }
    // Weights of a checkpoint take the place of those of the file.
    if (preview && preview->weights && !preview->checkpoint)
        list << RunCheck{RunCheck::Ok, tr("Weights"), textOf(*preview->weights)};
    if (!preview || !preview->checkpoint) return;
    const auto& checkpoint = *preview->checkpoint;
    if (!checkpoint.fits) list << RunCheck{RunCheck::Wrong, tr("Checkpoint"), tr("see above")};
    else if (!checkpoint.changed.isEmpty()) list << RunCheck{RunCheck::Wait, tr("Checkpoint"), checkpoint.changed};
    else list << RunCheck{RunCheck::Ok, tr("Checkpoint"), tr("fits the model")};
}

QList<RunCheck> RunChecks::all() const {
    QList<RunCheck> list;
    checkData(list);
    if (m_facts.trainsHere()) list << checkOfMemory();
    if (!m_facts.state.slurm) list << checkOfPorts();
    list << checkOfSettings() << checkOfDevices();
    if (m_facts.state.home.isEmpty()) list << checkOfDisk();
    return list;
}

RunCheck RunChecks::checkOfSettings() const {
    const int errors = static_cast<int>(m_facts.state.errors.size());
    if (errors > 0) return {RunCheck::Wrong, tr("Settings"), tr("%n to fix, marked in the form", nullptr, errors)};
    const bool isSweep = m_facts.state.trials > 1 && !m_facts.isOpenEnded();
    return {RunCheck::Ok, tr("Settings"),
            isSweep ? tr("%n trials, every field valid", nullptr, m_facts.state.trials) : tr("every field valid")};
}

// The interpreter, and what it says of the script. On other hosts it is another one.
void RunChecks::checkScript(QList<RunCheck>& list, const ProgramFacts& program) const {
    const ProgramLook& look = program.look;
    if (program.busy) {
        list << RunCheck{RunCheck::Unknown, tr("Interpreter"), tr("checking…")}
             << RunCheck{RunCheck::Unknown, tr("Script"), tr("checking…")};
        return;
    }
    const bool isHere = m_facts.trainsHere() && !m_facts.state.slurm && m_facts.state.home.isEmpty();
    const QString versions = look.torch.isEmpty() ? tr("Python %1").arg(look.python)
                                                  : tr("Python %1, torch %2").arg(look.python, look.torch);
    if (!isHere) list << RunCheck{RunCheck::Ok, tr("Interpreter"), tr("each host has its own")};
    else if (!look.why.isEmpty()) list << RunCheck{RunCheck::Wrong, tr("Interpreter"), look.why};
    else list << RunCheck{RunCheck::Ok, tr("Interpreter"), versions};
    if (!look.syntax.isEmpty()) list << RunCheck{RunCheck::Wrong, tr("Script"), look.syntax};
    else if (isHere && !look.missing.isEmpty())
        list << RunCheck{RunCheck::Wait, tr("Script"),
                         tr("this Python has no %1").arg(look.missing.join(QStringLiteral(", ")))};
    else if (!look.python.isEmpty()) list << RunCheck{RunCheck::Ok, tr("Script"), tr("no syntax error")};
}

QList<RunCheck> RunChecks::ofProgram(const ProgramFacts& program) const {
    QList<RunCheck> list;
    const auto& spec = m_facts.state.spec;
    const bool isPython = spec.program && spec.program->command.empty();
    if (isPython && !(spec.program->script.empty() && spec.program->module.empty())) checkScript(list, program);
    list << checkOfSettings();
    if (!program.shared.isEmpty())
        list << RunCheck{RunCheck::Wait, tr("Output"),
                         tr("trials would overwrite each other: set %1 to {output}").arg(program.shared)};
    list << checkOfDevices();
    if (!m_facts.trainsHere() && !m_facts.state.slurm) list << checkOfPorts();
    list << RunCheck{RunCheck::Ok, tr("Restart"),
                     program.resume.isEmpty() ? tr("from the beginning") : tr("adds %1").arg(program.resume)};
    if (m_facts.state.home.isEmpty()) list << checkOfDisk();
    return list;
}

RunCheck RunChecks::checkOfMemory() const {
    const auto* preview = m_facts.current();
    if (!preview) return {RunCheck::Unknown, tr("Memory"), unknownYet()};
    const double need = preview->bytesOfAll, free = static_cast<double>(m_load.memoryTotal - m_load.memoryUsed);
    if (need <= free) return {RunCheck::Ok, tr("Memory"), tr("%1 of %2").arg(bytesText(need), bytesText(free))};
    return {m_load.memoryTotal > 0 ? RunCheck::Wrong : RunCheck::Ok, tr("Memory"),
            tr("needs about %1, %2 free").arg(bytesText(need), bytesText(free))};
}

// Checkpoints of a run that lives on another host stay there; those of a job are in the workspace, which its nodes
// share.
RunCheck RunChecks::checkOfDisk() const {
    const QString free = bytesText(static_cast<double>(m_load.diskFree));
    return {m_load.isDiskFull() ? RunCheck::Wrong : RunCheck::Ok, tr("Disk"),
            (m_facts.state.slurm ? tr("%1 free in the workspace") : tr("%1 free")).arg(free)};
}

RunCheck RunChecks::checkOfDevices() const {
    const auto& spec = m_facts.state.shown;
    if (m_facts.state.slurm) return {RunCheck::Ok, tr("Devices"), tr("the job's nodes")};
    if (!m_facts.trainsHere()) {
        const int hosts = static_cast<int>(std::set(spec.hosts.begin(), spec.hosts.end()).size());
        if (m_hosts.isBusy()) return {RunCheck::Unknown, tr("Devices"), tr("asking %n hosts…", nullptr, hosts)};
        if (const auto* finding = m_hosts.find(false))
            return {stateOf(*finding), tr("Devices"),
                    finding->signIn ? tr("%1 asks for a password at the start").arg(finding->host)
                                    : tr("%1: see above").arg(finding->host)};
        return {RunCheck::Ok, tr("Devices"), tr("%n hosts", nullptr, hosts)};
    }
    const int cores = SystemStats::cores(), running = m_activeRuns;
    return {spec.scaling.workers > cores || running > 0 ? RunCheck::Wait : RunCheck::Ok, tr("Devices"),
            running > 0 ? tr("shared with %n running runs", nullptr, running)
            : spec.scaling.workers > cores
                ? tr("%n workers share %1", nullptr, spec.scaling.workers).arg(tr("%n cores", nullptr, cores))
                : tr("%n workers on %1", nullptr, spec.scaling.workers).arg(tr("%n cores", nullptr, cores))};
}

RunCheck RunChecks::checkOfPorts() const {
    if (m_facts.trainsHere()) return {RunCheck::Ok, tr("Ports"), tr("none needed: workers connect over pipes")};
    if (m_facts.state.shown.hosts.size() == 1) return {RunCheck::Ok, tr("Ports"), tr("none needed on one host")};
    if (m_hosts.isBusy()) return {RunCheck::Unknown, tr("Ports"), tr("checking…")};
    if (const auto* finding = m_hosts.find(true))
        return {RunCheck::Wrong, tr("Ports"), tr("%1: see above").arg(finding->host)};
    if (!m_hosts.findings().isEmpty()) return {RunCheck::Unknown, tr("Ports"), tr("known once the hosts are reached")};
    return {RunCheck::Ok, tr("Ports"), tr("the hosts reach one another")};
}

} // namespace trainyard::ui
