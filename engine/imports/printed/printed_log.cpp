// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/printed/printed_log.h"

#include "engine/base/files/file_reader.h"

#include <algorithm>
#include <cmath>

namespace trainyard::imports {
namespace {

constexpr std::size_t kPrintedBlock = 64u << 10, kLooksAt = 256u << 10;
constexpr std::size_t kLongestLine = 4096, kLongestTable = 4096; // the rest of a longer line is left out
constexpr std::size_t kMostCandidates = 10'000;                  // names by shapes
constexpr double kMostSteps = 9e15;                              // which a double counts one by one

// Divides the bytes of a file into lines, each cut to a length, and gives them to the log. A carriage return ends one,
// too: the states of a bar are lines.
class LineFeed {
public:
    explicit LineFeed(PrintedLog& log) : m_log(log) {}

    void add(std::string_view bytes) {
        for (;;) {
            const auto end = bytes.find_first_of("\r\n");
            m_line += bytes.substr(0, std::min(end, kLongestLine - m_line.size()));
            if (end == std::string_view::npos) return;
            endLine();
            bytes.remove_prefix(end + 1);
        }
    }
    void end() {
        endLine();
        m_log.end();
    }

private:
    void endLine() {
        if (!m_line.empty()) m_log.add(m_line);
        m_line.clear();
    }

    PrintedLog& m_log;
    std::string m_line{};
};

// False: it is no text.
Result<bool> readLines(const std::filesystem::path& path, std::size_t most, ImportedRun& run) {
    TY_ASSIGN(auto file, FileReader::open(path));
    PrintedLog log(run);
    LineFeed lines(log);
    std::string block(kPrintedBlock, '\0');
    for (std::size_t done = 0; done < most;) {
        TY_ASSIGN(const auto count, file.readSome(block.data(), static_cast<std::int64_t>(block.size())));
        if (count == 0) break;
        const auto bytes = std::string_view(block).substr(0, static_cast<std::size_t>(count));
        if (bytes.find('\0') != std::string_view::npos) return false;
        lines.add(bytes);
        done += bytes.size();
    }
    lines.end();
    return true;
}

bool isUsable(std::optional<double> number) {
    return number && std::isfinite(*number) && std::abs(*number) < kMostSteps;
}

} // namespace

PrintedSteps::Place PrintedSteps::next(const PrintedLine& line) {
    const bool hasEpoch = isUsable(line.epoch);
    auto place = byStep(line);
    if (hasEpoch) m_epoch = line.epoch;
    if (!place) place = byBatch(line);
    if (!place && hasEpoch && !m_hasSteps) {
        if (const auto step = m_rows.next({false, true}, std::nullopt, line.epoch))
            place = Place{*step, *line.epoch, m_rows.row()};
    }
    if (place) m_last = *place;
    return m_last;
}

std::optional<PrintedSteps::Place> PrintedSteps::byStep(const PrintedLine& line) {
    if (!isUsable(line.step) || (line.epoch && !isUsable(line.epoch))) return std::nullopt;
    const auto step = m_rows.next({true, line.epoch.has_value()}, std::floor(*line.step), line.epoch);
    if (!step) return std::nullopt;
    m_hasSteps = true;
    return Place{*step, line.epoch.value_or(m_epoch.value_or(0))};
}

// The first bar with values counts the training: that of a validation, with another length, stands where the training
// has come to.
std::optional<PrintedSteps::Place> PrintedSteps::byBatch(const PrintedLine& line) {
    if (!isUsable(line.batch) || !isUsable(line.batches) || line.batches < 2) return std::nullopt;
    if (m_batches == 0 && !line.values.empty() && line.heldOut.empty()) m_batches = line.batches;
    if (line.batches != m_batches || !line.heldOut.empty()) return std::nullopt;
    if (!m_epoch && *line.batch < m_batch) ++m_pass;
    m_batch = *line.batch;
    if (m_epoch && !m_firstEpoch) m_firstEpoch = std::floor(*m_epoch);
    // Epochs that are counted from 1 on: in the first, nothing is done yet.
    const double pass = m_epoch ? std::floor(*m_epoch) - (m_firstEpoch == 1 ? 1 : 0) : static_cast<double>(m_pass);
    const double step = pass * m_batches + m_batch;
    if (!isUsable(step)) return std::nullopt;
    m_hasSteps = true;
    return Place{static_cast<std::int64_t>(step), pass + m_batch / m_batches};
}

void PrintedLog::add(std::string_view line) {
    if (line.starts_with('|') && line.ends_with('|') && m_table.size() + line.size() < kLongestTable) {
        m_table += line;
        return;
    }
    end();
    read(line);
}

void PrintedLog::end() {
    if (!m_table.empty()) read(m_table);
    m_table.clear();
}

void PrintedLog::read(std::string_view text) {
    PrintedLine line;
    if (!m_columns.add(text, line)) line = lineOf(text);
    read(line);
}

PrintedLine PrintedLog::lineOf(std::string_view text) const {
    if (m_names.taken.empty()) return readPrintedLine(text);
    PrintedLine line = readPrintedLine(text, PrintedWhich::Named);
    std::erase_if(line.values,
                  [this](const PrintedValue& each) { return !each.isMetric && !m_names.taken.contains(each.name); });
    return line;
}

void PrintedLog::read(const PrintedLine& line) {
    const auto place = m_steps.next(line);
    m_run.rowsAreSteps = m_steps.areRows();
    const std::string heading = line.values.empty() ? std::string() : std::exchange(m_heading, {});
    if (!line.heldOut.empty() && !line.hasNumbers) m_heading = line.heldOut;
    const bool isPlaced = line.step || line.epoch || line.batch;
    for (const auto& each : line.values) {
        std::string name = nameWithin(heading, each.name);
        if (m_names.dropped.contains(name) || m_names.dropped.contains(each.name)) continue;
        if (isPlaced) m_placed.insert(name);
        // What sums an epoch up is no point of the curve of its steps.
        else if (m_placed.contains(name)) name += " (summary)";
        addValue(name, line.shape, {.step = place.step, .value = each.value, .epoch = place.epoch, .row = place.row});
    }
}

void PrintedLog::addValue(const std::string& name, std::uint64_t shape, const Point& point) {
    const auto known = m_candidates.find({name, shape});
    if (known == m_candidates.end()) {
        const bool isTaken = m_names.taken.contains(name);
        if (m_candidates.size() < kMostCandidates) m_candidates[{name, shape}] = {point, isTaken};
        if (!isTaken) return;
        m_lastSteps[name] = point.step;
        m_run.add(name, point);
        return;
    }
    Candidate& candidate = known->second;
    if (!candidate.isSeries) {
        const bool isSame =
            candidate.point.step == point.step &&
            (candidate.point.value == point.value || (std::isnan(candidate.point.value) && std::isnan(point.value)));
        if (isSame) return;
        candidate.isSeries = true;
        const auto last = m_lastSteps.find(name);
        if (last == m_lastSteps.end() || last->second <= candidate.point.step) m_run.add(name, candidate.point);
    }
    m_lastSteps[name] = point.step;
    m_run.add(name, point);
}

bool isPrintedLog(const std::filesystem::path& path) {
    ImportedRun run;
    if (!readLines(path, kLooksAt, run).valueOr(false)) return false;
    return std::any_of(run.series.begin(), run.series.end(),
                       [](const auto& each) { return each.second.size() > 1 && namesMetric(each.first); });
}

Result<ImportedRun> readPrintedLog(const std::filesystem::path& path) {
    ImportedRun run;
    TY_ASSIGN(const bool isText, readLines(path, std::string::npos, run));
    if (!isText || run.series.empty())
        return inputError("prints no metric twice", path.string(),
                          "name a log with lines such as \"step 100 loss 0.25\"");
    run.settle();
    return run;
}

} // namespace trainyard::imports
