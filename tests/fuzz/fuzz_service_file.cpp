// SPDX-License-Identifier: GPL-3.0-or-later
// service.json, state.json and figures: whatever is read is written and read again as the same.
#include "engine/serve/control/figure_log.h"
#include "engine/serve/values/service_spec.h"
#include "engine/serve/values/service_status.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/target.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

TRAINYARD_FUZZ_TARGET(data, size) {
    using namespace trainyard;
    using namespace trainyard::serve;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto spec = parseServiceSpec(text, "service.json")) {
        const auto again = parseServiceSpec(serviceJson(*spec), "service.json");
        require(again.ok() && *again == *spec, "a service that was read comes back the same");
    }
    if (const auto status = statusFromJson(text, "state.json")) {
        const auto again = statusFromJson(jsonText(statusToJson(*status)), "state.json");
        require(again.ok() && again->state == status->state && again->versions == status->versions,
                "a state that was read comes back the same");
    }
    std::int64_t before = 0;
    for (const auto& point : figuresIn(text)) {
        require(point.atMs > before && std::isfinite(point.qps), "the points of a file ascend");
        before = point.atMs;
    }
    return 0;
}
