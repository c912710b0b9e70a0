// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/program/pattern_test_command.h"

#include "engine/base/text/amounts.h"
#include "engine/base/text/printable.h"
#include "engine/program/metrics/printed_reader.h"
#include "engine/spec/run/run_spec.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <cstdio>

namespace trainyard::ctl {
namespace {

Json pointJson(const imports::Point& point) {
    return {{"step", point.step},
            {"epoch", point.epoch > 0 ? Json(point.epoch) : Json(nullptr)},
            {"value", std::isfinite(point.value) ? Json(point.value) : Json(nullptr)}};
}

Json testJson(const program::PatternTest& test) {
    Json series = Json::array(), faults = Json::array();
    for (const auto& each : test.series)
        series.push_back({{"series", each.name},
                          {"points", each.points},
                          {"first", pointJson(each.first)},
                          {"last", pointJson(each.last)},
                          {"line", each.firstLine},
                          {"text", each.text}});
    for (const auto& each : test.faults) faults.push_back(each.text());
    return {{"lines", test.lines}, {"series", std::move(series)}, {"switched_off", std::move(faults)}};
}

std::string pointText(const imports::Point& point) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.6g @ %lld", point.value, static_cast<long long>(point.step));
    return text.data();
}

void printTest(const program::PatternTest& test) {
    constexpr std::size_t kMostText = 60;
    std::printf("%s lines, %zu series\n", grouped(test.lines).c_str(), test.series.size());
    std::vector<std::vector<std::string>> table{{"series", "points", "first @ step", "last @ step", "line", ""}};
    for (const auto& each : test.series)
        table.push_back({printable(each.name, kMostText), grouped(each.points), pointText(each.first),
                         pointText(each.last), std::to_string(each.firstLine), printable(each.text, kMostText)});
    if (test.series.empty()) std::printf("nothing in it looks like a metric; see program.metrics.patterns\n");
    else printTable(table);
    for (const auto& each : test.faults) std::printf("note: %s\n", forTerminal(each.text()).c_str());
}

} // namespace

int testPatternsOn(const Session& session, const std::string& log, const std::string& runFile) {
    const auto spec = spec::parseRunSpec(runFile, "run file");
    if (!spec) return fail(spec.error());
    if (!spec->program) return fail(inputError("names no program", "run file", "give it a \"program\""));
    const auto test = program::testPatterns(log, spec->program->metrics.patterns);
    if (!test) return fail(test.error());
    if (session.json) return printJson(testJson(*test));
    printTest(*test);
    return 0;
}

} // namespace trainyard::ctl
