// SPDX-License-Identifier: GPL-3.0-or-later
// What the sheet knows of "Will it run?", line by line.
#include "engine/spec/run/host_ranks.h"
#include "ui/models/text/format.h"
#include "ui/new_run/preview_pane.h"

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr double kMuchLost = 0.2; // of the samples of a data set; what is learned of the rest may be something else

// A sign-in is asked for at the start: there is nothing to put right before.
RunCheck::State stateOf(const HostsCheck::Finding& finding) {
    return finding.signIn ? RunCheck::Wait : RunCheck::Wrong;
}

} // namespace

// Else this computer's memory and cores say nothing.
bool PreviewPane::trainsHere() const {
    const auto& hosts = m_state.shown.hosts;
    return std::all_of(hosts.begin(), hosts.end(), spec::isThisComputer);
}

// Until the worker has answered, or as long as it is not asked.
QString PreviewPane::unknownYet() const { return m_busy ? tr("checking…") : tr("known when the settings are valid"); }

QString PreviewPane::misfit() const {
    const auto* preview = current();
    if (!preview || !preview->checkpoint || preview->checkpoint->fits) return {};
    const auto& [fits, why, remedy, changed] = *preview->checkpoint;
    return tr("The checkpoint does not fit: %1").arg(remedy.isEmpty() ? why : why + QStringLiteral("; ") + remedy);
}

// What the worker has looked at.
void PreviewPane::checkData(QList<RunCheck>& list) const {
    const auto* preview = current();
    if (preview) {
        const QString learned = preview->learned.isEmpty()
                                    ? tr("%n classes", nullptr, static_cast<int>(preview->classes.size()))
                                    : preview->learned;
        const auto count = [](std::int64_t samples) { return countText(static_cast<double>(samples)); };
        const std::int64_t kept = preview->train + preview->validation + preview->test, all = kept + preview->lost;
        if (static_cast<double>(preview->lost) > kMuchLost * static_cast<double>(all))
            list << RunCheck{RunCheck::Wait, tr("Data"),
                             tr("%1 of %2 samples are left out").arg(count(preview->lost), count(all))};
        list << RunCheck{RunCheck::Ok, tr("Data readable"),
                         preview->test == 0 ? tr("%1 samples to train, %2 to validate; %3")
                                                  .arg(count(preview->train), count(preview->validation), learned)
                                            : tr("%1 samples to train, %2 to validate, %3 to test once at the end; %4")
                                                  .arg(count(preview->train), count(preview->validation),
                                                       count(preview->test), learned)};
    } else {
        list << RunCheck{m_refused.isEmpty() ? RunCheck::Unknown : RunCheck::Wrong, tr("Data and model"),
                         m_refused.isEmpty() ? unknownYet() : tr("see above")};
    }
    if (!preview || !preview->checkpoint) return;
    const auto& checkpoint = *preview->checkpoint;
    if (!checkpoint.fits) list << RunCheck{RunCheck::Wrong, tr("Checkpoint"), tr("see above")};
    else if (!checkpoint.changed.isEmpty()) list << RunCheck{RunCheck::Wait, tr("Checkpoint"), checkpoint.changed};
    else list << RunCheck{RunCheck::Ok, tr("Checkpoint"), tr("fits the model")};
}

QList<RunCheck> PreviewPane::checks() const {
    QList<RunCheck> list;
    const bool wrong = !m_state.errors.isEmpty();
    checkData(list);
    if (trainsHere()) list << checkOfMemory();
    if (!m_state.slurm) list << checkOfPorts();
    list << RunCheck{wrong ? RunCheck::Wrong : RunCheck::Ok, tr("Settings"),
                     wrong ? m_state.errors.first()
                     : m_state.trials > 1 && !(m_state.sweep && spec::isOpenEnded(*m_state.sweep))
                         ? tr("%n trials, every field valid", nullptr, m_state.trials)
                         : tr("every field valid")};
    list << checkOfDevices();
    if (m_state.home.isEmpty()) list << checkOfDisk();
    return list;
}

RunCheck PreviewPane::checkOfMemory() const {
    const auto* preview = current();
    if (!preview) return {RunCheck::Unknown, tr("Memory"), unknownYet()};
    const auto load = m_bench.load();
    const double need = preview->bytesOfAll, free = static_cast<double>(load.memoryTotal - load.memoryUsed);
    if (need <= free) return {RunCheck::Ok, tr("Memory"), tr("%1 of %2").arg(bytesText(need), bytesText(free))};
    return {load.memoryTotal > 0 ? RunCheck::Wrong : RunCheck::Ok, tr("Memory"),
            tr("needs about %1, %2 free").arg(bytesText(need), bytesText(free))};
}

// Checkpoints of a run that lives on another host stay there; those of a job lie in the workspace, which its nodes
// share.
RunCheck PreviewPane::checkOfDisk() const {
    const auto load = m_bench.load();
    const QString free = bytesText(static_cast<double>(load.diskFree));
    return {load.isDiskFull() ? RunCheck::Wrong : RunCheck::Ok, tr("Disk"),
            (m_state.slurm ? tr("%1 free in the workspace") : tr("%1 free")).arg(free)};
}

RunCheck PreviewPane::checkOfDevices() const {
    const auto& spec = m_state.shown;
    if (m_state.slurm) return {RunCheck::Ok, tr("Devices"), tr("those of the job's nodes")};
    if (!trainsHere()) {
        const int hosts = static_cast<int>(spec.hosts.size());
        if (m_hosts->isBusy()) return {RunCheck::Unknown, tr("Devices"), tr("asking %n hosts…", nullptr, hosts)};
        if (const auto* finding = m_hosts->find(false))
            return {stateOf(*finding), tr("Devices"),
                    finding->signIn ? tr("%1 asks for a password at the start").arg(finding->host)
                                    : tr("%1: see above").arg(finding->host)};
        return {RunCheck::Ok, tr("Devices"), tr("%n hosts", nullptr, hosts)};
    }
    const int cores = SystemStats::cores(), running = m_bench.feed.activeCount();
    return {spec.scaling.workers > cores || running > 0 ? RunCheck::Wait : RunCheck::Ok, tr("Devices"),
            running > 0 ? tr("shared with %n running runs", nullptr, running)
            : spec.scaling.workers > cores
                ? tr("%n workers share %1", nullptr, spec.scaling.workers).arg(tr("%n cores", nullptr, cores))
                : tr("%n workers on %1", nullptr, spec.scaling.workers).arg(tr("%n cores", nullptr, cores))};
}

RunCheck PreviewPane::checkOfPorts() const {
    if (trainsHere()) return {RunCheck::Ok, tr("Ports"), tr("none needed: workers connect over pipes")};
    if (m_state.shown.hosts.size() == 1) return {RunCheck::Ok, tr("Ports"), tr("none needed on one host")};
    if (m_hosts->isBusy()) return {RunCheck::Unknown, tr("Ports"), tr("checking…")};
    if (const auto* finding = m_hosts->find(true))
        return {RunCheck::Wrong, tr("Ports"), tr("%1: see above").arg(finding->host)};
    if (!m_hosts->findings().isEmpty()) return {RunCheck::Unknown, tr("Ports"), tr("known once the hosts are reached")};
    return {RunCheck::Ok, tr("Ports"), tr("the hosts reach one another")};
}

// What keeps the run from its hosts, whole.
QString PreviewPane::hostsWords() const {
    QStringList lines;
    for (const auto& each : m_hosts->findings())
        if (!each.signIn)
            lines << QStringLiteral("%1: %2").arg(each.host, each.text) +
                         (each.fix.isEmpty() ? QString() : QStringLiteral("; ") + each.fix);
    return lines.join(QLatin1Char('\n'));
}

} // namespace trainyard::ui
