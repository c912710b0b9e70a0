// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/pool/pool_fingerprint.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sched.h>
#include <sstream>

namespace trainyard::run {
namespace {

// FNV-1a suffices to tell environments apart: only this user can write into the folder.
class Fingerprint {
public:
    void add(const void* data, std::size_t size) {
        const auto* bytes = static_cast<const unsigned char*>(data);
        for (std::size_t i = 0; i < size; ++i) m_state = (m_state ^ bytes[i]) * 0x100000001b3u;
        m_state = (m_state ^ size) * 0x100000001b3u;
    }
    void add(const std::string& text) { add(text.data(), text.size()); }
    void add(std::int64_t number) { add(&number, sizeof number); }
    std::string text() const {
        std::array<char, 17> digits{};
        std::snprintf(digits.data(), digits.size(), "%016" PRIx64, m_state);
        return digits.data();
    }

private:
    std::uint64_t m_state = 0xcbf29ce484222325u;
};

// Slurm ends what a job has left: a pool is of one job, also where Slurm has no control groups to tell them apart.
constexpr const char* kJobVariable = "SLURM_JOB_ID=";

// Variables that libraries read once, while they are loaded; the others are given to each rank anew.
bool readAtLoad(const std::string& variable) {
    static constexpr std::array kPrefixes{"LD_",      "OMP_",  "GOMP_", "KMP_",    "OPENBLAS_", "GOTO_",  "MKL_",
                                          "BLIS_",    "ATEN_", "DNNL_", "ONEDNN_", "MALLOC_",   "GLIBC_", "TORCH_",
                                          "PYTORCH_", "C10_",  "NCCL_", "CUDA_",   "NVIDIA_",   "ASAN_",  "TSAN_",
                                          "UBSAN_",   "LSAN_", "GLOG_", "TZ=",     kJobVariable};
    return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                       [&](const char* prefix) { return variable.starts_with(prefix); });
}

void addProgram(Fingerprint& print, const std::filesystem::path& program) {
    struct stat info{};
    print.add(program.string());
    if (::stat(program.c_str(), &info) != 0) return;
    for (const std::int64_t number :
         {static_cast<std::int64_t>(info.st_dev), static_cast<std::int64_t>(info.st_ino),
          static_cast<std::int64_t>(info.st_size), static_cast<std::int64_t>(info.st_mtim.tv_sec),
          static_cast<std::int64_t>(info.st_mtim.tv_nsec)})
        print.add(number);
}

std::string contentOf(const char* file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

// What a child inherits silently: limits, cores, priority, namespaces, control group. And the computer: several may
// share the folder.
void addInheritance(Fingerprint& print) {
    for (const auto resource : {RLIMIT_AS, RLIMIT_CORE, RLIMIT_CPU, RLIMIT_DATA, RLIMIT_FSIZE, RLIMIT_MEMLOCK,
                                RLIMIT_NOFILE, RLIMIT_NPROC, RLIMIT_STACK}) {
        rlimit limit{};
        ::getrlimit(resource, &limit);
        print.add(&limit, sizeof limit);
    }
    cpu_set_t cores;
    CPU_ZERO(&cores);
    ::sched_getaffinity(0, sizeof cores, &cores);
    print.add(&cores, sizeof cores);
    print.add(std::int64_t{::getpriority(PRIO_PROCESS, 0)});
    const mode_t mask = ::umask(0);
    ::umask(mask);
    print.add(std::int64_t{mask});
    print.add(std::int64_t{::getegid()});
    std::error_code ignored;
    for (const char* space : {"mnt", "net", "pid", "user", "ipc", "uts", "cgroup"})
        print.add(std::filesystem::read_symlink(std::string("/proc/self/ns/") + space, ignored).string());
    print.add(withoutSessions(contentOf("/proc/self/cgroup")));
    print.add(contentOf("/proc/sys/kernel/random/boot_id"));
}

} // namespace

std::string withoutSessions(std::string_view cgroups) {
    constexpr std::string_view kBegin = "/session-", kEnd = ".scope";
    std::string kept;
    while (!cgroups.empty()) {
        const auto at = cgroups.find(kBegin);
        kept += cgroups.substr(0, at);
        if (at == std::string_view::npos) break;
        const auto end = std::min(cgroups.find_first_of("/\n", at + 1), cgroups.size());
        const auto name = cgroups.substr(at, end - at);
        if (!name.ends_with(kEnd)) kept += name;
        cgroups.remove_prefix(end);
    }
    return kept;
}

std::string inheritancePrint(const std::filesystem::path& program, const std::vector<std::string>& texts) {
    Fingerprint print;
    addProgram(print, program);
    addInheritance(print);
    for (const auto& each : texts) print.add(each);
    return print.text();
}

std::filesystem::path poolSocket(const std::filesystem::path& folder, const std::filesystem::path& worker,
                                 const std::vector<std::string>& environment) {
    auto variables = environment;
    std::erase_if(variables, [](const std::string& each) { return !readAtLoad(each); });
    std::sort(variables.begin(), variables.end());
    return folder / ("pool-" + inheritancePrint(worker, variables) + ".sock");
}

} // namespace trainyard::run
