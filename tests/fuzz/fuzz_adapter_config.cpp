// SPDX-License-Identifier: GPL-3.0-or-later
// adapter_config.json of PEFT: what is read of it can be computed with, and what it names is looked for.
#include "engine/program/checkpoints/adapter_config.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/target.h"

#include <cmath>

using namespace trainyard;

TRAINYARD_FUZZ_TARGET(data, size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto config = program::parseAdapterConfig(text, "adapter_config.json");
    if (!config.ok()) {
        require(!config.error().message.empty() && !config.error().remedy.empty(), "an error says what and what to do");
        return 0;
    }
    require(config->rank > 0 && std::isfinite(config->alpha), "the product has a factor");
    const auto base = program::baseOfAdapter(*config, "/nowhere");
    require(base.ok() || !base.error().remedy.empty(), "an error says what to do");
    return 0;
}
