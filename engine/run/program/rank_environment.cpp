// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/rank_environment.h"

#include "engine/run/launch/cuda_devices.h"
#include "engine/run/launch/relay/relay.h"

namespace trainyard::run {

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
                                                 {"TRAINYARD_METRICS", files.metrics().string()},
                                                 {"TRAINYARD_OUTPUT", files.output().string()},
                                                 {"TRAINYARD_CHECKPOINT", place.checkpoint},
                                                 {kRunVariable, place.run}};
    if (spec.scaling.device == "cpu") variables[kVisibleDevices] = "";
    if (spec.program)
        for (const auto& [name, value] : spec.program->environment) variables.insert_or_assign(name, value);
    return variables;
}

} // namespace trainyard::run
