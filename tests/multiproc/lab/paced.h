// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/run_spec.h"

#include <string>

namespace trainyard::test {

// The run with the plug-in of paced_model.cpp, each of whose training steps sleeps so many milliseconds: what a test
// waits for passes in fewer steps, and other tests have the cores meanwhile.
inline spec::RunSpec paced(spec::RunSpec spec, const char* plugin, int milliseconds = 1) {
    const auto settings =
        "ms=" + std::to_string(milliseconds) + ", dropout=" + spec::toText(spec.model.number("dropout", 0));
    spec.model = {"plugin", {{"path", std::string(plugin)}, {"settings", settings}}};
    return spec;
}

// The same bits without the sleep.
inline spec::RunSpec unpaced(spec::RunSpec spec) {
    if (spec.model.name != "plugin") return spec;
    auto& settings = std::get<std::string>(spec.model.params.at("settings"));
    settings = "ms=0" + settings.substr(settings.find(','));
    return spec;
}

} // namespace trainyard::test
