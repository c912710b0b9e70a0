// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/run_environment.h"

#include <nlohmann/json.hpp>

#include <sys/utsname.h>

namespace trainyard::run {

std::string toJson(const RunEnvironment& environment) {
    utsname system{};
    ::uname(&system);
    nlohmann::ordered_json json{{"trainyard", TRAINYARD_VERSION},
                                {"libtorch", environment.libtorch},
                                {"system", std::string(system.sysname) + " " + system.release + " " + system.machine},
                                {"computer", system.nodename},
                                {"computed", environment.computed}};
    for (const auto& [rank, host, device, threads] : environment.workers)
        json["workers"].push_back({{"rank", rank}, {"host", host}, {"device", device}, {"threads", threads}});
    for (const auto& [name, cores, ranks] : environment.hosts)
        json["hosts"].push_back({{"host", name}, {"cores", cores}, {"ranks", ranks}});
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace trainyard::run
