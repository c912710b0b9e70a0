// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/values/steering.h"

#include "engine/base/text/printable.h"
#include "engine/spec/values/params_text.h"

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

std::string plural(int count, const std::string& word) {
    return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

std::string setText(const Steering& steering) {
    std::string text;
    if (steering.parallel)
        text = *steering.parallel == 0 ? "as many slots as the cores allow" : plural(*steering.parallel, "slot");
    if (steering.trials) text += (text.empty() ? "" : " and ") + plural(*steering.trials, "configuration");
    return text;
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
    return body.dump();
}

Result<Steering> steeringFromBody(std::string_view text) {
    const auto body = nlohmann::json::parse(text, nullptr, false);
    const auto unknown = [&] { return inputError("is no request that this program knows: " + printable(text, 120)); };
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

std::string describe(const Steering& steering) {
    const std::string trial = "trial " + std::to_string(steering.trial);
    switch (steering.verb) {
    case Verb::Stop: return "stopped " + trial;
    case Verb::Kill: return "killed " + trial;
    case Verb::Promote: return "promoted " + trial;
    case Verb::Retry: return "retried " + trial;
    case Verb::Add: return "added " + plural(steering.count, "configuration");
    case Verb::Enqueue: return "enqueued " + pointText(steering.params);
    case Verb::Restrict: return "restricted " + spec::toText(steering.restriction);
    case Verb::Set: return "set " + setText(steering);
    case Verb::Pause: return "paused the sweep";
    case Verb::Resume: return "resumed the sweep";
    case Verb::Finish: return "asked the sweep to finish";
    }
    return {};
}

std::string answerText(const Result<int>& answer) {
    if (answer) return nlohmann::json{{"trial", *answer}}.dump();
    const Error& error = answer.error();
    return nlohmann::json{{"kind", toString(error.kind)},
                          {"code", toString(error.code)},
                          {"message", error.message},
                          {"where", error.where},
                          {"remedy", error.remedy}}
        .dump();
}

Result<int> answerFrom(std::string_view text) {
    const auto json = nlohmann::json::parse(text, nullptr, false);
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
