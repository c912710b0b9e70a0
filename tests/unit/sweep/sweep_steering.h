// SPDX-License-Identifier: GPL-3.0-or-later
// Requests as short texts.
#pragma once

#include "engine/sweep/values/steering.h"

#include <sstream>

namespace trainyard::test {

// "stop 3", "add 2", "enqueue PATH=VALUE PATH=VALUE", "restrict PATH=RANGE", "set parallel=3 trials=40", "pause".
inline sweep::Steering steeringOf(const std::string& text) {
    std::istringstream words(text);
    std::string word;
    words >> word;
    sweep::Steering asked{.author = "ann@lab", .atMs = 7};
    for (const auto& [verb, name] : sweep::kVerbs)
        if (word == name) asked.verb = verb;
    using Verb = sweep::Steering::Verb;
    if (sweep::isOfTrial(asked.verb)) words >> asked.trial;
    if (asked.verb == Verb::Add) words >> asked.count;
    while (words >> word) {
        const auto setting = spec::parseSetting(word);
        if (asked.verb == Verb::Restrict) asked.restriction = spec::parseRestriction(word).value();
        if (!setting) continue;
        const auto& [path, value] = *setting;
        if (asked.verb == Verb::Enqueue) asked.params[path] = value;
        const auto number = static_cast<int>(spec::Choice{{}, {{"v", value}}}.integer("v", 0));
        if (path == "parallel") asked.parallel = number;
        if (path == "trials") asked.trials = number;
    }
    return asked;
}

} // namespace trainyard::test
