// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/child_environment.h"

#include <cstdlib>

extern char** environ;

namespace trainyard::run {
namespace {

// How often a thread of OpenMP looks for the others before it sleeps: about 0.1 ms. Its default, 300,000, takes the
// core from the very thread that it waits for when another program is busy: a twentieth of the speed was left.
constexpr const char* kOpenMpSpins = "5000";

} // namespace

std::map<std::string, std::string> openMpVariables() {
    if (std::getenv("OMP_WAIT_POLICY") || std::getenv("GOMP_SPINCOUNT")) return {};
    return {{"GOMP_SPINCOUNT", kOpenMpSpins}};
}

std::map<std::string, std::string> workerVariables() {
    auto variables = openMpVariables();
    if (!std::getenv("GLIBC_TUNABLES")) variables["GLIBC_TUNABLES"] = "glibc.malloc.hugetlb=1"; // glibc 2.35
    return variables;
}

std::vector<std::string> environmentWith(const std::map<std::string, std::string>& added) {
    std::vector<std::string> variables;
    for (char** entry = environ; entry && *entry; ++entry) {
        const std::string text = *entry;
        if (!added.contains(text.substr(0, text.find('=')))) variables.push_back(text);
    }
    for (const auto& [name, value] : added) variables.push_back(name + "=" + value);
    return variables;
}

} // namespace trainyard::run
