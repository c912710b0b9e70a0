// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/metrics/metric_line.h"

#include "engine/base/text/printable.h"
#include "engine/imports/json_values.h"
#include "engine/imports/numbers.h"
#include "engine/imports/text_lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace trainyard::program {
namespace {

using imports::JsonValue;

constexpr std::string_view kSummary = "summary/";
constexpr const char* kLineRemedy = "write an object in each line, such as {\"step\": 12, \"train/loss\": 0.31}";

// A number that was written as text, as languages write one whose JSON has no NaN: "nan", "-Infinity", "12".
std::optional<double> numberInText(std::string_view text) {
    double value = 0;
    const std::size_t sign = text.starts_with('+') ? 1 : 0;
    const auto [end, error] = std::from_chars(text.data() + sign, text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size() && !text.empty();
    return whole ? std::optional(value) : std::nullopt;
}

// A truth value counts as 1 or 0.
std::optional<double> metricValueOf(const JsonValue& value) {
    switch (value.kind) {
    case JsonValue::Kind::Number: return value.number;
    case JsonValue::Kind::Flag: return value.flag ? 1 : 0;
    case JsonValue::Kind::Text:
        // Text that is a usual number stays text: a version "1.13" is no metric.
        if (const auto number = numberInText(value.text); number && !std::isfinite(*number)) return number;
        return std::nullopt;
    default: return std::nullopt;
    }
}

class MetricLineReader {
public:
    explicit MetricLineReader(std::string_view line) : m_text(line) {}

    Result<MetricLine> read(const std::string& where) {
        const bool isObject = imports::readJsonObject(
            m_text, '/', [this](std::string_view path, const JsonValue& value) { member(path, value); });
        if (!isObject) return fault(where);
        if (!m_badStep.empty())
            return inputError("the step is " + m_badStep + ", which is no whole number from 0 on", where,
                              "count the steps, or leave the step out");
        return std::move(m_line);
    }

private:
    Error fault(const std::string& where) const {
        const auto at = imports::jsonFault(m_text);
        std::string what = "is no JSON object";
        if (at && *at < m_text.size())
            what += ": byte " + std::to_string(*at + 1) + " is " + printable(m_text.substr(*at, 20));
        else if (at) what += ": it is cut off";
        return inputError(what, where, kLineRemedy);
    }

    void member(std::string_view path, const JsonValue& value) {
        if (path == "step") return step(value);
        if (path == "epoch") return epoch(value);
        const bool isText = value.kind == JsonValue::Kind::Text;
        for (const auto& [name, place] : {std::pair{"checkpoint", &MetricLine::checkpoint},
                                          std::pair{"text", &MetricLine::text}, std::pair{"event", &MetricLine::event}})
            if (path == name && isText) {
                m_line.*place = imports::unescaped(value.text);
                return;
            }
        if (path.starts_with(kSummary)) return summary(path.substr(kSummary.size()), value);
        if (value.kind == JsonValue::Kind::Null) return;
        const auto number = metricValueOf(value);
        if (!number || m_line.values.size() == kMostMetricNames) return ignore(path);
        m_line.values.emplace_back(printable(path), *number);
    }
    void step(const JsonValue& value) {
        if (value.kind == JsonValue::Kind::Null) return;
        auto number = value.isNumber() ? std::optional(value.number) : std::nullopt;
        if (value.kind == JsonValue::Kind::Text) number = numberInText(value.text);
        const auto whole = number ? imports::wholeNumber(*number) : std::nullopt;
        if (whole && *whole >= 0) m_line.step = whole;
        else m_badStep = "\"" + printable(value.text, 40) + "\"";
    }
    void epoch(const JsonValue& value) {
        auto number = value.isNumber() ? std::optional(value.number) : std::nullopt;
        if (value.kind == JsonValue::Kind::Text) number = numberInText(value.text);
        if (number && std::isfinite(*number)) m_line.epoch = number;
        else if (value.kind != JsonValue::Kind::Null) ignore("epoch");
    }
    void summary(std::string_view name, const JsonValue& value) {
        if (m_line.summary.size() == kMostMetricNames) return ignore(name);
        if (auto setting = imports::settingOf(value)) m_line.summary.emplace_back(printable(name), std::move(*setting));
    }
    void ignore(std::string_view name) {
        if (m_line.ignored++ == 0) m_line.firstIgnored = printable(name);
    }

    std::string_view m_text;
    MetricLine m_line{};
    std::string m_badStep{};
};

} // namespace

Result<MetricLine> readMetricLine(std::string_view line, const std::string& where) {
    return MetricLineReader(line).read(where);
}

std::optional<MetricLine> MetricLines::read(std::string_view line) {
    ++m_number;
    if (imports::withoutSpaces(line).empty()) return std::nullopt;
    auto read = readMetricLine(line, m_file);
    if (read) return std::move(*read);
    Error error = std::move(read).error();
    error.where = where();
    fail(std::move(error));
    return std::nullopt;
}

void MetricLines::tooLong() {
    ++m_number;
    fail(inputError("a line has more than 16 MiB", where(), kLineRemedy));
}

void MetricLines::fail(Error error) {
    if (m_bad++ == 0) m_fault = std::move(error);
}

std::optional<Error> MetricLines::takeFault() { return std::exchange(m_fault, std::nullopt); }

} // namespace trainyard::program
