// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/models/predictions.h"

#include "engine/base/text/printable.h"
#include "engine/run/record/series/metrics_csv.h"
#include "engine/spec/run/task_kind.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace trainyard::ctl {
namespace {

bool isOf(const Json& answer, spec::TaskKind task) { return answer.value("task", "") == toString(task); }

// Labels that are given to a sample. Classes have none: the likeliest is theirs.
bool isGiven(const Json& prediction) { return prediction.value("given", true); }

} // namespace

void printPredictions(const Json& answer) {
    const bool regression = isOf(answer, spec::TaskKind::Regression), labels = isOf(answer, spec::TaskKind::MultiLabel);
    std::vector<std::vector<std::string>> rows{{"input", "label",
                                                regression ? "outputs"
                                                : labels   ? "given"
                                                           : "likeliest"}};
    for (const auto& one : answer["inputs"]) {
        std::string text;
        for (const auto& each : one.value("predictions", Json::array())) {
            if (!isGiven(each)) continue;
            char percent[16];
            std::snprintf(percent, sizeof percent, " %.1f%%", 100 * each.value("probability", 0.0));
            text += (text.empty() ? "" : ", ") + printable(each.value("class", "")) + percent;
        }
        for (const auto& each : one.value("outputs", Json::array())) {
            char value[32];
            std::snprintf(value, sizeof value, "%.*g", each.value("digits", 6), each.value("value", 0.0));
            text += (text.empty() ? "" : ", ") + printable(each.value("name", "")) + " " + value;
        }
        rows.push_back({printable(one.value("input", "")), printable(one.value("label", "")), text});
    }
    printTable(rows);
    for (const auto& one : answer["inputs"])
        if (one.contains("continuation"))
            std::printf("\n%s|%s\n", forTerminal(one.value("input", "").substr(5)).c_str(),
                        forTerminal(one.value("continuation", "")).c_str());
}

void printAccuracy(const Json& answer) {
    std::int64_t known = 0, right = 0;
    if (isOf(answer, spec::TaskKind::MultiLabel)) return; // `evaluate` tells how good it is
    for (const auto& one : answer["inputs"]) {
        if (!one.contains("label") || one.value("predictions", Json::array()).empty()) continue;
        ++known;
        right += one["label"] == one["predictions"][0]["class"] ? 1 : 0;
    }
    if (known > 1)
        std::printf("accuracy %.4f (%s of %s)\n", static_cast<double>(right) / static_cast<double>(known),
                    grouped(right).c_str(), grouped(known).c_str());
}

void printPredictionsCsv(const Json& answer) {
    const bool regression = isOf(answer, spec::TaskKind::Regression), labels = isOf(answer, spec::TaskKind::MultiLabel);
    std::string text = "input";
    if (!regression) text += ",label,predicted,probability";
    else if (!answer["inputs"].empty())
        for (const auto& each : answer["inputs"][0].value("outputs", Json::array()))
            text += ',' + run::csvField(each.value("name", ""));
    for (const auto& one : answer["inputs"]) {
        text += '\n' + run::csvField(one.value("input", ""));
        if (!regression) text += ',' + run::csvField(one.value("label", ""));
        for (const auto& each : one.value("outputs", Json::array())) text += ',' + jsonText(each["value"]);
        const auto predictions = one.value("predictions", Json::array());
        if (regression || predictions.empty()) continue;
        std::string said;
        for (const auto& each : predictions)
            if (labels ? isGiven(each) : said.empty()) said += (said.empty() ? "" : ", ") + each.value("class", "");
        text += ',' + run::csvField(said) + ',' + jsonText(predictions[0]["probability"]);
    }
    std::printf("%s\n", text.c_str());
}

} // namespace trainyard::ctl
