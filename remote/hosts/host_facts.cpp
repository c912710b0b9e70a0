// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/hosts/host_facts.h"

#include "engine/base/clock.h"
#include "engine/base/text/amounts.h"
#include "engine/base/text/printable.h"
#include "remote/hosts/remote_host.h"

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <thread>

namespace trainyard::remote {
namespace {

// One round trip for all facts: "key value" lines. $1 cache folder; further parameters: library names to look for.
constexpr const char* kFactsScript = R"sh(
PATH=$PATH:/usr/sbin:/sbin
c=$1; shift
. /etc/os-release 2>/dev/null; echo "system ${PRETTY_NAME:-$(uname -sr)}"
echo "glibc $(getconf GNU_LIBC_VERSION 2>/dev/null | awk '{ print $2 }')"
awk -F': ' '/^model name/ { print "processor " $2; exit }' /proc/cpuinfo
awk '/^MemTotal/ { print "memory " $2 } /^MemAvailable/ { print "free " $2 }' /proc/meminfo
echo "load $(cut -d' ' -f1 /proc/loadavg)"
nvidia-smi --query-gpu=memory.total,memory.used,utilization.gpu,name --format=csv,noheader,nounits 2>/dev/null |
  sed -n 's/^\([0-9]*\), \([^,]*\), \([^,]*\), /gpu \1 \2 \3 /p'
d=$c; while [ ! -d "$d" ]; do d=$(dirname -- "$d"); done
df -Pk -- "$d" | awk 'NR==2 { print "disk " $4 }'
[ -w "$d" ] || echo "readonly $d"
libraries=$(ldconfig -p 2>/dev/null)
[ -n "$libraries" ] && for each in "$@"; do
  case $libraries in *"	$each "*) ;; *) echo "lacks $each" ;; esac
done
)sh";

// "COUNT RUN" of each run that processes here work for.
constexpr const char* kWorkersScript = R"sh(
for file in $(grep -lz '^TRAINYARD_WORKER_OF=.' /proc/[0-9]*/environ 2> /dev/null); do
  grep -zm 1 '^TRAINYARD_WORKER_OF=' "$file" 2> /dev/null | tr '\0\n' '\n '
done | sed 's/^TRAINYARD_WORKER_OF=//' | sort | uniq -c
)sh";

constexpr double kKillSeconds = 5;
constexpr double kRightSeconds = 2; // of a clock

// "81559 1024 37 NVIDIA H100": MiB, per cent; "[N/A]" where the driver does not say.
void readGpu(const std::string& value, HostFacts& facts) {
    std::istringstream words(value);
    std::string total, used, busy, name;
    if (!(words >> total >> used >> busy) || !std::getline(words >> std::ws, name)) return;
    facts.gpus.push_back({printable(name), std::atoll(total.c_str()) << 20, std::atoll(used.c_str()) << 20,
                          std::atof(busy.c_str()) / 100});
}

void readFact(const std::string& key, const std::string& value, FactsAnswer& answer) {
    HostFacts& facts = answer.facts;
    if (key == "system") facts.system = printable(value);
    else if (key == "glibc") facts.glibc = printable(value);
    else if (key == "processor") facts.processor = printable(value);
    else if (key == "memory") facts.memoryBytes = std::atoll(value.c_str()) * 1024;
    else if (key == "free") facts.freeMemoryBytes = std::atoll(value.c_str()) * 1024;
    else if (key == "load") facts.load = std::atof(value.c_str());
    else if (key == "disk") facts.freeDiskBytes = std::atoll(value.c_str()) * 1024;
    else if (key == "readonly") answer.readOnlyFolder = printable(value);
    else if (key == "lacks") answer.lacking.push_back(printable(value));
    else if (key == "gpu") readGpu(value, facts);
}

} // namespace

Result<FactsAnswer> askFacts(SshSession& session, const HostBasics& basics, const std::vector<std::string>& libraries) {
    std::vector<std::string> parameters{basics.cache};
    parameters.insert(parameters.end(), libraries.begin(), libraries.end());
    TY_ASSIGN(const ExecResult result, session.script(kFactsScript, parameters));
    FactsAnswer answer;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);)
        if (const auto space = line.find(' '); space != std::string::npos)
            readFact(line.substr(0, space), line.substr(space + 1), answer);
    answer.facts.architecture = basics.architecture;
    answer.facts.cores = basics.cores;
    return answer;
}

Result<double> clockAhead(SshSession& session) {
    const double before = static_cast<double>(wallClockMs()) / 1000;
    TY_ASSIGN(const ExecResult result, session.script("date +%s.%N"));
    const double after = static_cast<double>(wallClockMs()) / 1000, there = std::atof(result.out.c_str());
    if (!result.ok() || there <= 0)
        return environmentError("its clock cannot be read: " + result.complaint(), session.host().label());
    return there - (before + after) / 2;
}

std::string clockText(double secondsAhead) {
    if (std::abs(secondsAhead) < kRightSeconds) return {};
    return durationText(std::abs(secondsAhead)) + (secondsAhead > 0 ? " ahead" : " behind");
}

Result<std::map<std::string, int>> workersByRun(SshSession& session) {
    TY_ASSIGN(const ExecResult result, session.script(kWorkersScript));
    std::map<std::string, int> workers;
    std::istringstream lines(result.out);
    int count = 0;
    for (std::string run; lines >> count >> run;) workers[run] = count;
    return workers;
}

Result<int> endWorkers(SshSession& session, double seconds) {
    TY_ASSIGN(const auto before, workersByRun(session));
    int count = 0, left = 0;
    for (const auto& [run, processes] : before) count += processes;
    for (const int signal : {SIGTERM, SIGKILL}) {
        for (const auto& [run, processes] : before) TY_TRY(signalWorkersOf(session, RunId(run), signal));
        const double deadline = monotonicSeconds() + (signal == SIGTERM ? seconds : kKillSeconds);
        for (;;) {
            left = 0;
            for (const auto& [run, processes] : before) {
                TY_ASSIGN(const int alive, signalWorkersOf(session, RunId(run), 0));
                left += alive;
            }
            if (left == 0) return count;
            if (monotonicSeconds() > deadline) break;
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
        }
    }
    return environmentError(std::to_string(left) + " processes of runs do not end", session.host().label(),
                            "look at them on the host");
}

} // namespace trainyard::remote
