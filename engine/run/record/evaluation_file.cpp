// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/evaluation_file.h"

#include "engine/base/clock.h"
#include "engine/base/json_text.h"
#include "engine/run/record/evaluation.h"

#include <nlohmann/json.hpp>

#include <limits>
#include <string_view>
#include <utility>

namespace trainyard::run {
namespace {

constexpr const char* kBlank = " \t\r\n";
constexpr double kWaitSeconds = 0.25; // for a newer one
constexpr double kNothingDue = std::numeric_limits<double>::infinity();

// Null when it holds no metrics.
Json metrics(const std::string& text, std::int64_t step, double epoch) {
    auto json = parseJson(text);
    if (!json.is_object()) return nullptr;
    json["step"] = step;
    json["epoch"] = epoch;
    return json;
}

// The same with the file's other member, as text: the metrics have thousands of numbers, which need no parsing for it.
// Empty when it holds no metrics.
std::string fileOf(const wire::Evaluation& newest) {
    const std::string& text = newest.json;
    const auto begin = text.find_first_not_of(kBlank), end = text.find_last_not_of(kBlank);
    if (begin == text.npos || text[begin] != '{' || !Json::accept(text)) return {};
    const auto members = std::string_view(text).substr(begin, end - begin); // without the last brace
    const Json ours{{"step", newest.step}, {"epoch", newest.epoch}, {"version", EvaluationSet::kVersion}};
    const bool none = members.find_first_not_of(kBlank, 1) == members.npos;
    return std::string(members) + (none ? "" : ",") + jsonText(ours).substr(1);
}

} // namespace

EvaluationFile::EvaluationFile(std::filesystem::path path) : m_path(std::move(path)), m_due(kNothingDue) {}

double EvaluationFile::due() const { return m_due; }

void EvaluationFile::changed() {
    if (m_due == kNothingDue) m_due = monotonicSeconds() + kWaitSeconds;
}

void EvaluationFile::validated(wire::Evaluation evaluation) {
    m_newest = std::move(evaluation);
    m_tests.clear();
    changed();
}

void EvaluationFile::tested(wire::Tested tested) {
    m_tests.push_back(std::move(tested));
    changed();
}

Result<void> EvaluationFile::write(Outlives outlives) {
    if (m_due == kNothingDue) return {};
    m_due = kNothingDue;
    const auto newest = std::exchange(m_newest, std::nullopt);
    const auto tests = std::exchange(m_tests, {});
    if (newest && tests.empty())
        if (const auto text = fileOf(*newest); !text.empty()) return writeFileAtomic(m_path, text + "\n", outlives);
    Json json;
    if (newest) json = metrics(newest->json, newest->step, newest->epoch);
    else if (const auto text = readFile(m_path)) json = parseJson(*text);
    if (!json.is_object()) json = Json::object();
    for (const auto& each : tests)
        if (auto test = metrics(each.json, each.step, each.epoch); test.is_object())
            json["test"][each.which] = std::move(test);
    if (json.empty()) return {};
    json["version"] = EvaluationSet::kVersion;
    return writeFileAtomic(m_path, jsonText(json) + "\n", outlives);
}

} // namespace trainyard::run
