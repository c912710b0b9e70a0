// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/metrics/printed_reader.h"

#include "engine/base/files/file_reader.h"
#include "engine/base/text/printable.h"
#include "engine/imports/numbers.h"
#include "engine/program/metrics/line_splitter.h"
#include "engine/program/metrics/printed_choice.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace trainyard::program {
namespace {

constexpr std::size_t kLongestPrinted = 4096, kLogBlock = 64u << 10;

} // namespace

PrintedReader::PrintedReader(ValuePatterns patterns, Told told)
    : m_patterns(std::move(patterns)), m_told(std::move(told)), m_log(m_run) {
    m_run.passOn(
        {[this](const std::string& series, const imports::Point& point) { tell(series, point); }, [](std::int64_t) {}});
}

void PrintedReader::tell(const std::string& series, imports::Point point) {
    Last& last = m_lasts[series];
    if (!m_log.steps().hasSteps()) {
        const bool isAgain = point.step == last.step && point.value == last.value; // the last state of a bar, twice
        last.isOrdered = last.isOrdered || !m_log.steps().hasPlaces() || (point.step == last.step && !isAgain);
        if (last.isOrdered) point.step = last.step + 1;
    }
    last.step = point.step;
    last.value = point.value;
    m_told(series, point);
}

void PrintedReader::add(std::string_view line) {
    if (line.empty()) return;
    const auto matches = m_patterns.isEmpty() ? std::vector<PatternMatch>() : m_patterns.match(line);
    if (matches.empty()) return m_log.add(line);
    // One of them tells where the line stands.
    std::optional<double> step, epoch;
    for (const PatternMatch& each : matches) {
        if (!step) step = each.step;
        if (!epoch) epoch = each.epoch;
    }
    const auto whole = step ? imports::wholeNumber(std::floor(*step)) : std::nullopt;
    if (epoch && !std::isfinite(*epoch)) epoch.reset();
    imports::Point point = m_steps.next(whole, epoch);
    for (const PatternMatch& each : matches) {
        point.value = each.value;
        m_told(printable(each.name), point);
    }
}

void PrintedReader::end() { m_log.end(); }

Result<PatternTest> testPatterns(const std::filesystem::path& log, const std::vector<std::string>& patterns) {
    TY_ASSIGN(auto compiled, ValuePatterns::compile(patterns));
    TY_ASSIGN(auto file, FileReader::open(log));
    PatternTest test;
    std::map<std::string, std::size_t> known;
    std::string_view text;
    PrintedReader reader(std::move(compiled), [&](const std::string& name, const imports::Point& point) {
        const auto [place, isNew] = known.emplace(name, test.series.size());
        if (isNew)
            test.series.push_back({.name = name, .firstLine = test.lines, .first = point, .text = printable(text)});
        PrintedSeries& series = test.series[place->second];
        series.last = point;
        ++series.points;
    });
    reader.obey(namesOfPrinted(patterns));
    LineSplitter splitter(kLongestPrinted);
    const auto told = [&](const GrownLine& line) {
        test.lines = line.number;
        text = line.text;
        reader.add(line.text);
    };
    for (std::string block(kLogBlock, '\0');;) {
        TY_ASSIGN(const auto got, file.readSome(block.data(), std::ssize(block)));
        if (got == 0) break;
        splitter.add(std::string_view(block).substr(0, static_cast<std::size_t>(got)), told);
    }
    splitter.end(told);
    reader.end();
    test.faults = reader.takeFaults();
    return test;
}

} // namespace trainyard::program
