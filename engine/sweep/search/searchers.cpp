// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/search/searchers.h"

namespace trainyard::sweep {

const std::vector<SearcherEntry>& searchers() {
#define TRAINYARD_MAKE(entry) entry(),
    static const std::vector<SearcherEntry> entries = {TRAINYARD_SEARCHERS(TRAINYARD_MAKE)};
#undef TRAINYARD_MAKE
    return entries;
}

spec::ParamInfo startupInfo() {
    return {.name = "startup",
            .title = Engine::tr("Startup"),
            .type = spec::ParamType::Integer,
            .defaultValue = std::int64_t{10},
            .min = 1.0,
            .max = 100000.0,
            .help = Engine::tr("Random trials before the model is used.")};
}

} // namespace trainyard::sweep
