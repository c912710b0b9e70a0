// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/rank_environment.h"

#include "engine/run/launch/cuda_devices.h"
#include "engine/run/launch/programs.h"
#include "engine/run/launch/relay/relay.h"
#include "engine/run/program/bond/supervisor_guard.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ifaddrs.h>
#include <memory>

namespace trainyard::run {
namespace {

constexpr const char* kLibraryPath = "LD_LIBRARY_PATH";
constexpr const char* kUseLibuv = "USE_LIBUV";
constexpr const char *kGlooInterface = "GLOO_SOCKET_IFNAME", *kNcclInterface = "NCCL_SOCKET_IFNAME";

} // namespace

void dropOwnVariables() {
    ::unsetenv(kLaunchVariable);
    ::unsetenv(kShortLives);
    const char* given = std::getenv(kLibraryPath);
    std::string_view paths = given ? given : "";
    std::string kept;
    std::error_code ignored;
    while (!paths.empty()) {
        const std::string one(paths.substr(0, paths.find(':')));
        paths.remove_prefix(std::min(paths.size(), one.size() + 1));
        if (!std::filesystem::equivalent(one, programFolder() / "libraries", ignored))
            kept += (kept.empty() ? "" : ":") + one;
    }
    if (given && kept.empty()) ::unsetenv(kLibraryPath);
    else if (given) ::setenv(kLibraryPath, kept.c_str(), 1);
}

std::string interfaceWith(const std::string& address) {
    ifaddrs* all = nullptr;
    if (::getifaddrs(&all) != 0) return {};
    const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owner(all, &::freeifaddrs);
    for (const ifaddrs* each = all; each != nullptr; each = each->ifa_next) {
        if (!each->ifa_addr || (each->ifa_addr->sa_family != AF_INET && each->ifa_addr->sa_family != AF_INET6))
            continue;
        const socklen_t size = each->ifa_addr->sa_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
        std::array<char, NI_MAXHOST> text{};
        if (::getnameinfo(each->ifa_addr, size, text.data(), static_cast<socklen_t>(text.size()), nullptr, 0,
                          NI_NUMERICHOST) == 0 &&
            address == text.data())
            return each->ifa_name;
    }
    return {};
}

std::map<std::string, std::string> rankEnvironment(const spec::RunSpec& spec, const RankPlace& place,
                                                   const RankFiles& files) {
    const auto number = [](int value) { return std::to_string(value); };
    std::map<std::string, std::string> variables{{"RANK", number(place.rank)},
                                                 {"WORLD_SIZE", number(place.worldSize)},
                                                 {"LOCAL_RANK", number(place.localRank)},
                                                 {"LOCAL_WORLD_SIZE", number(place.localWorldSize)},
                                                 {"GROUP_RANK", number(place.node)},
                                                 {"GROUP_WORLD_SIZE", number(place.nodes)},
                                                 {"ROLE_RANK", number(place.rank)},
                                                 {"ROLE_WORLD_SIZE", number(place.worldSize)},
                                                 {"ROLE_NAME", "default"},
                                                 {"MASTER_ADDR", place.address},
                                                 {"MASTER_PORT", number(place.port)},
                                                 {"TORCHELASTIC_RESTART_COUNT", number(place.restarts)},
                                                 {"TORCHELASTIC_MAX_RESTARTS", number(spec.failure.maxRestarts)},
                                                 {"TORCHELASTIC_RUN_ID", place.run},
                                                 {kAgentStore, place.hasStore ? "True" : "False"},
                                                 {"TORCHELASTIC_ERROR_FILE", files.error().string()},
                                                 {"TORCH_NCCL_ASYNC_ERROR_HANDLING", "1"},
                                                 {"PYTHONUNBUFFERED", "1"},
                                                 {"PYTHONFAULTHANDLER", "1"},
                                                 {"TRAINYARD_RUN", place.run},
                                                 {"TRAINYARD_SEED", std::to_string(spec.seed)},
                                                 {"TRAINYARD_TRIAL", place.trial},
                                                 {"TRAINYARD_METRICS", files.metrics().string()},
                                                 {"TRAINYARD_OUTPUT", files.output().string()},
                                                 {"TRAINYARD_CHECKPOINT", place.checkpoint},
                                                 {kRunVariable, place.run}};
    // PyTorch asks for libuv from 2.4 on, which distributions build it without.
    if (!std::getenv(kUseLibuv)) variables[kUseLibuv] = "0";
    // Gloo would take the address of the host's name, which on Debian is one of the loopback.
    if (!place.interface.empty()) {
        if (!std::getenv(kGlooInterface)) variables[kGlooInterface] = place.interface;
        if (!std::getenv(kNcclInterface)) variables[kNcclInterface] = "=" + place.interface;
    }
    if (spec.scaling.device == "cpu") variables[kVisibleDevices] = "";
    if (spec.program)
        for (const auto& [name, value] : spec.program->environment) variables.insert_or_assign(name, value);
    return variables;
}

} // namespace trainyard::run
