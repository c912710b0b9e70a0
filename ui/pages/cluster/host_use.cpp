// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/cluster/host_use.h"

#include "engine/run/record/series/system_series.h"
#include "ui/models/runs/run_item.h"

namespace trainyard::ui {

namespace {

bool isNamed(const remote::HostEntry& host, const std::string& name) {
    if (name.empty() || name == host.alias) return !name.empty();
    const auto words = remote::readHostWords(name);
    return words.ok() && (words->name == host.alias || words->name == host.target());
}

} // namespace

HostUse useOf(const remote::HostEntry& host, const std::vector<RunItemPtr>& runs, const SeriesStore& series) {
    HostUse use;
    for (const auto& each : runs) {
        if (!isTraining(*each)) continue;
        std::string name; // the host's name in the run
        const auto isThis = [&](const std::string& called) {
            if (!isNamed(host, each->home.nameHere(called))) return false;
            name = called;
            return true;
        };
        const QList<int> ranks = ranksWhere(*each, isThis);
        use.users.add(*each, ranks);
        const auto measured = [&](std::string_view what) {
            return series.find(each->id, QString::fromStdString(run::hostSeries(HostName(name), what)));
        };
        const auto* cpu = ranks.isEmpty() || use.cpuShare ? nullptr : measured(run::kCpuPercent);
        if (cpu == nullptr) continue;
        use.cpuShare = cpu->value(cpu->size() - 1) / 100;
        use.measured = cpu->size();
        if (const auto* memory = measured(run::kMemoryMb)) use.memoryBytes = memory->value(memory->size() - 1) * 1e6;
    }
    return use;
}

} // namespace trainyard::ui
