// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/sweep/sweep_spec.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/target.h"

using namespace trainyard::spec;

TRAINYARD_FUZZ_TARGET(data, size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (isSweepFile(text)) {
        const auto sweep = parseSweepSpec(text);
        if (!sweep.ok()) return 0;
        const auto back = parseSweepSpec(toJson(*sweep));
        require(back.ok() && *back == *sweep, "a sweep that was read comes back the same");
        return 0;
    }
    (void)catalogFromJson(text).ok();
    const auto spec = parseRunSpec(text);
    if (!spec.ok()) {
        require(!spec.error().message.empty(), "an error has a message");
        return 0;
    }
    const auto back = parseRunSpec(toJson(*spec));
    require(back.ok() && *back == *spec, "a run that was read comes back the same");
    (void)validateFields(*spec);
    const auto changed = withOverride(text, "optimizer.lr", "0.5");
    require(changed.ok() && parseRunSpec(*changed).ok(), "a good file takes an override");
    (void)withOverride("{}", std::string(text.substr(0, size / 2)), std::string(text.substr(size / 2))).ok();
    return 0;
}
