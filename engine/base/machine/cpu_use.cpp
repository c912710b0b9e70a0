// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/machine/cpu_use.h"

#include "engine/base/clock.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace trainyard {
namespace {

double ticksPerSecond() {
    static const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
    return ticks;
}

// user, nice, system, irq, softirq and steal; neither idle nor iowait. A guest's time is in user already.
double busyTicks() {
    std::ifstream stat("/proc/stat");
    std::string word;
    double user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0;
    if (!(stat >> word >> user >> nice >> system >> idle >> iowait >> irq >> softirq >> steal)) return 0;
    return user + nice + system + irq + softirq + steal;
}

double ticksOf(std::int64_t pid) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    if (!std::getline(stat, line)) return 0;
    const auto name = line.rfind(')'); // the name may hold anything
    if (name == std::string::npos) return 0;
    std::istringstream fields(line.substr(name + 1));
    std::string skipped;
    for (int field = 3; field < 14; ++field) fields >> skipped; // utime is the 14th field
    double user = 0, system = 0;
    return fields >> user >> system ? user + system : 0;
}

} // namespace

CpuUse cpuUse(const std::vector<std::int64_t>& ownProcesses) {
    CpuUse use{monotonicSeconds(), busyTicks() / ticksPerSecond(), 0};
    for (const std::int64_t pid : ownProcesses) use.own += ticksOf(pid) / ticksPerSecond();
    return use;
}

double othersShare(const CpuUse& before, const CpuUse& after, int cores) {
    const double available = (after.at - before.at) * std::max(1, cores);
    if (available <= 0) return 0;
    const double others = (after.busy - before.busy) - (after.own - before.own);
    return std::clamp(others / available, 0.0, 1.0);
}

} // namespace trainyard
