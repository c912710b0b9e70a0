// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/run_environment.h"

#include "engine/base/json_text.h"

#include <nlohmann/json.hpp>

#include <sys/utsname.h>

namespace trainyard::run {

std::string toJson(const RunEnvironment& environment) {
    utsname system{};
    ::uname(&system);
    Json json{{"trainyard", TRAINYARD_VERSION},
              {"libtorch", environment.libtorch},
              {"system", std::string(system.sysname) + " " + system.release + " " + system.machine},
              {"computer", system.nodename},
              {"computed", environment.computed}};
    for (const auto& [rank, host, device, threads] : environment.workers)
        json["workers"].push_back({{"rank", rank}, {"host", host}, {"device", device}, {"threads", threads}});
    for (const auto& [name, cores, ranks] : environment.hosts)
        json["hosts"].push_back({{"host", name}, {"cores", cores}, {"ranks", ranks}});
    return jsonText(json);
}

} // namespace trainyard::run
