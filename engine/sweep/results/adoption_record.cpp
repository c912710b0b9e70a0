// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/results/adoption_record.h"

#include "engine/spec/values/params.h"
#include "engine/sweep/results/decision_text.h"

#include <cstdlib>

namespace trainyard::sweep {
namespace {

std::string shortText(const spec::Value& value) {
    const auto* number = std::get_if<double>(&value);
    return number == nullptr ? spec::toText(value) : fourDigits(*number);
}

} // namespace

int donorOf(const store::TrialEventRow& adopted) {
    char* end = nullptr;
    const long donor = std::strtol(adopted.memo.c_str(), &end, 10);
    return end == adopted.memo.c_str() ? -1 : static_cast<int>(donor);
}

std::map<int, std::vector<Adoption>> adoptionsOf(const std::vector<store::TrialEventRow>& events) {
    std::map<int, std::vector<Adoption>> adoptions;
    for (const auto& event : events)
        if (event.kind == kAdopted)
            adoptions[event.trial].push_back({donorOf(event), event.t, spec::paramsFromText(event.params)});
    return adoptions;
}

std::string adoptionText(const Adoption& adoption, bool epochs) {
    if (adoption.donor < 0) return "should have adopted, but found no usable state";
    std::string params;
    for (const auto& [path, value] : adoption.params)
        params += (params.empty() ? "" : ", ") + path + " " + shortText(value);
    return "adopted trial " + std::to_string(adoption.donor) + " at " + (epochs ? "epoch " : "step ") +
           spec::toText(adoption.t) + (params.empty() ? "" : ", and continues with " + params);
}

std::string adoptionsText(const std::vector<Adoption>& adoptions, bool epochs) {
    if (adoptions.empty()) return {};
    const auto count = adoptions.size();
    return adoptionText(adoptions.back(), epochs) +
           (count > 1 ? " (the last of " + std::to_string(count) + " times)" : "");
}

} // namespace trainyard::sweep
