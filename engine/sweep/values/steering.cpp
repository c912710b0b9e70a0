// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/values/steering.h"

#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"
#include "engine/spec/values/params.h"

#include <nlohmann/json.hpp>

#include <pwd.h>
#include <unistd.h>

#include <algorithm>

namespace trainyard::sweep {
namespace {

using Verb = Steering::Verb;

std::string userName() {
    passwd entry{};
    passwd* found = nullptr;
    std::array<char, 4096> buffer{};
    if (::getpwuid_r(::geteuid(), &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr)
        return found->pw_name;
    return std::to_string(::geteuid());
}

std::string pointText(const spec::Params& params) {
    std::string text;
    for (const auto& [path, value] : params)
        text += (text.empty() ? "" : ", ") + path + "=" + printable(spec::toText(value), 80);
    return text;
}

Sentence configurations(int count) { return Engine::tr("%n configurations", "%n configuration", count); }

Sentence setText(const Steering& steering) {
    Sentence slots;
    if (steering.parallel)
        slots = *steering.parallel == 0 ? Engine::tr("as many slots as the cores allow")
                                        : Engine::tr("%n slots", "%n slot", *steering.parallel);
    if (!steering.trials) return slots;
    if (slots.empty()) return configurations(*steering.trials);
    return {Engine::tr("%1 and %2"), {slots, configurations(*steering.trials)}};
}

} // namespace

const char* toString(Verb verb) {
    return std::find_if(kVerbs.begin(), kVerbs.end(), [&](const auto& each) { return each.first == verb; })->second;
}

bool isOfTrial(Verb verb) {
    return verb == Verb::Stop || verb == Verb::Kill || verb == Verb::Promote || verb == Verb::Retry;
}

bool asksForTraining(Verb verb) {
    return verb == Verb::Promote || verb == Verb::Retry || verb == Verb::Add || verb == Verb::Enqueue ||
           verb == Verb::Resume;
}

std::string bodyOf(const Steering& steering) {
    nlohmann::json body{{"verb", toString(steering.verb)}};
    if (steering.count != 0) body["count"] = steering.count;
    if (!steering.params.empty()) body["params"] = spec::paramsToText(steering.params);
    if (!steering.restriction.path.empty()) body["restriction"] = spec::toText(steering.restriction);
    if (steering.parallel) body["parallel"] = *steering.parallel;
    if (steering.trials) body["trials"] = *steering.trials;
    return jsonText(body);
}

Result<Steering> steeringFromBody(std::string_view text) {
    const auto body = parseSortedJson(text);
    const auto unknown = [&] {
        return inputError("is not a request that this program knows: " + printable(text, 120));
    };
    if (!body.is_object()) return unknown();
    const auto textAt = [&](const char* key) {
        const auto found = body.find(key);
        return found != body.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    const auto numberAt = [&](const char* key) -> std::optional<int> {
        const auto found = body.find(key);
        if (found == body.end() || !found->is_number_integer()) return std::nullopt;
        return found->get<int>();
    };
    const std::string word = textAt("verb");
    const auto verb = std::find_if(kVerbs.begin(), kVerbs.end(), [&](const auto& each) { return word == each.second; });
    if (verb == kVerbs.end()) return unknown();
    Steering steering{.verb = verb->first};
    steering.count = numberAt("count").value_or(0);
    steering.params = spec::paramsFromText(textAt("params"));
    steering.parallel = numberAt("parallel");
    steering.trials = numberAt("trials");
    if (steering.verb == Verb::Restrict) {
        TY_ASSIGN(steering.restriction, spec::parseRestriction(textAt("restriction")));
    }
    return steering;
}

Sentence describe(const Steering& steering) {
    const std::string trial = std::to_string(steering.trial);
    switch (steering.verb) {
    case Verb::Stop: return {Engine::tr("stopped trial %1"), {trial}};
    case Verb::Kill: return {Engine::tr("killed trial %1"), {trial}};
    case Verb::Promote: return {Engine::tr("promoted trial %1"), {trial}};
    case Verb::Retry: return {Engine::tr("retried trial %1"), {trial}};
    case Verb::Add: return Engine::tr("added %n configurations", "added %n configuration", steering.count);
    case Verb::Enqueue: return {Engine::tr("enqueued %1"), {pointText(steering.params)}};
    case Verb::Restrict: return {Engine::tr("restricted %1"), {spec::toText(steering.restriction)}};
    case Verb::Set: return {Engine::tr("set %1"), {setText(steering)}};
    case Verb::Pause: return Engine::tr("paused the sweep");
    case Verb::Resume: return Engine::tr("resumed the sweep");
    case Verb::Finish: return Engine::tr("asked the sweep to finish");
    }
    return {};
}

std::string answerText(const Result<int>& answer) {
    if (answer) return jsonText(nlohmann::json{{"trial", *answer}});
    const Error& error = answer.error();
    return jsonText(nlohmann::json{{"kind", toString(error.kind)},
                                   {"code", toString(error.code)},
                                   {"message", error.message},
                                   {"where", error.where},
                                   {"remedy", error.remedy}});
}

Result<int> answerFrom(std::string_view text) {
    const auto json = parseSortedJson(text);
    if (json.is_object() && json.contains("trial") && json["trial"].is_number_integer())
        return json["trial"].get<int>();
    const auto word = [&](const char* key) {
        return json.is_object() && json.contains(key) && json[key].is_string() ? json[key].get<std::string>()
                                                                               : std::string();
    };
    return Error{errorKindFromString(word("kind")), word("message"), word("where"), word("remedy"),
                 errorCodeFromString(word("code"))};
}

std::string authorHere() {
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) != 0) return userName();
    return userName() + "@" + host.data();
}

} // namespace trainyard::sweep
