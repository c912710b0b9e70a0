// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/series/metrics_csv.h"

#include <array>
#include <charconv>

namespace trainyard::run {
namespace {

template <class Number>
void appendNumber(std::string& out, Number value, char after) {
    std::array<char, 40> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
    out.append(text.data(), end.ptr);
    out += after;
}

template <class Number>
void appendPoint(std::string& out, std::int64_t step, Number epoch, Number seconds, double value) {
    appendNumber(out, step, ',');
    appendNumber(out, epoch, ',');
    appendNumber(out, seconds, ',');
    appendNumber(out, value, '\n');
}

bool isNumber(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

} // namespace

std::string csvField(std::string_view text) {
    const bool isFormula = text.find_first_of("=+-@\t\r") == 0 && !isNumber(text);
    if (!isFormula && text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
    std::string field = isFormula ? "\"'" : "\"";
    for (const char character : text) {
        if (character == '"') field += '"';
        field += character;
    }
    return field + '"';
}

void appendCsvPoint(std::string& out, const wire::Point& point) {
    appendPoint(out, point.step, point.epoch, point.seconds, point.value);
}

void appendCsvPoint(std::string& out, std::int64_t step, float epoch, float seconds, double value) {
    appendPoint(out, step, epoch, seconds, value);
}

Result<std::string> metricsCsv(store::RunQuery& query, const std::string& run, const std::string& series) {
    std::vector<std::string> names{series};
    if (series.empty()) { TY_ASSIGN(names, query.seriesNames(run)); }
    std::string text = "series,";
    text += kPointColumns;
    for (const auto& name : names) {
        TY_ASSIGN(const auto points, query.points(RunId(run), name));
        const std::string head = csvField(name) + ',';
        for (const auto& point : points) {
            text += head;
            appendCsvPoint(text, point);
        }
    }
    return text;
}

} // namespace trainyard::run
