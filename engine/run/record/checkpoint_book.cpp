// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/checkpoint_book.h"

#include "engine/base/clock.h"
#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"
#include "engine/run/record/run_folder.h"
#include "engine/spec/run/better.h"
#include "engine/store/files/safetensors.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string_view>

namespace trainyard::run {

bool isCheckpointFormat(const std::string& word) { return word == "trainyard-checkpoint" || word == "trainyard-files"; }

std::int64_t checkpointStep(const std::string& fileName) {
    constexpr std::string_view before = "step-", behind = ".safetensors";
    if (!fileName.starts_with(before) || !fileName.ends_with(behind)) return -1;
    const std::string_view digits =
        std::string_view(fileName).substr(before.size(), fileName.size() - before.size() - behind.size());
    std::int64_t step = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), step);
    return problem == std::errc() && end == digits.data() + digits.size() ? step : -1;
}

namespace {

namespace fs = std::filesystem;

// Superseded ones first.
bool earlier(const store::CheckpointRow& a, const store::CheckpointRow& b) {
    return a.superseded != b.superseded ? a.superseded : a.step < b.step;
}

// A checkpoint file whose worker or supervisor died before it could be recorded, and for each series the step of the
// newest point that was measured before it.
struct Stray {
    store::CheckpointRow row;
    std::map<std::string, std::int64_t> points;
    wire::Metrics unstored;
    std::string runName; // of the run that saved it; empty: it does not say
    double seconds = 0;  // of training
};

// Numbers that cannot be read are not numbers.
wire::Metrics unstoredIn(const nlohmann::json& json) {
    wire::Metrics metrics;
    if (!json.is_object()) return metrics;
    for (const auto& [series, points] : json.items()) {
        wire::SeriesPoints each{series, 0, {}};
        for (const auto& point : points) {
            if (!point.is_array() || point.size() != 4) continue;
            const auto number = [&point](std::size_t index) {
                return point[index].is_number() ? point[index].get<double>() : std::nan("");
            };
            if (std::isfinite(number(0)))
                each.points.push_back({static_cast<std::int64_t>(number(0)), number(1), number(2), number(3)});
        }
        metrics.series.push_back(std::move(each));
    }
    return metrics;
}

std::string textIn(const store::Metadata& metadata, const char* key) {
    const auto found = metadata.find(key);
    return found == metadata.end() ? std::string() : found->second;
}

std::map<std::string, double> numbersIn(const std::string& json) {
    std::map<std::string, double> numbers;
    const auto object = parseSortedJson(json);
    if (object.is_object())
        for (const auto& [key, value] : object.items())
            if (value.is_number()) numbers[key] = value.get<double>();
    return numbers;
}

// What the file under a row's path is, where it is not the checkpoint that the row tells of; empty: it is. The metrics
// that both have are the same bits, or they are two.
std::string otherThan(const store::CheckpointRow& row, const store::Metadata& file) {
    if (!isCheckpointFormat(textIn(file, "format"))) return "it is not a checkpoint of Trainyard";
    const auto step = std::strtoll(textIn(file, "step").c_str(), nullptr, 10);
    if (step != row.step) return "it is the checkpoint of another step, " + std::to_string(step);
    for (const auto& [series, value] : numbersIn(textIn(file, "metrics"))) {
        const auto found = row.metrics.find(series);
        if (found == row.metrics.end() || !std::isfinite(found->second) || found->second == value) continue;
        std::array<char, 96> numbers{};
        std::snprintf(numbers.data(), numbers.size(), " is %.9g in it, and was %.9g", value, found->second);
        return "it is the checkpoint of another run: " + series + numbers.data();
    }
    return {};
}

// The name in a run file, as a checkpoint holds one; empty: there is none.
std::string runNameIn(const std::string& runJson) {
    const auto json = parseSortedJson(runJson);
    const auto name = json.is_object() ? json.find("name") : json.end();
    return json.is_object() && name != json.end() && name->is_string() ? name->get<std::string>() : std::string();
}

// Nothing when it is damaged.
std::optional<Stray> readStray(const fs::path& path) {
    const auto file = store::SafetensorsFile::open(path);
    if (!file) return std::nullopt;
    const auto text = [&](const char* key) { return textIn(file->metadata(), key); };
    if (!isCheckpointFormat(text("format"))) return std::nullopt;
    Stray stray;
    stray.runName = runNameIn(text("run"));
    auto& row = stray.row;
    row.path = path.string();
    row.step = std::strtoll(text("step").c_str(), nullptr, 10);
    row.epoch = std::strtod(text("epoch").c_str(), nullptr);
    std::error_code ignored;
    row.bytes = static_cast<std::int64_t>(fs::file_size(path, ignored));
    row.wallMs = wallClockMs();
    row.metrics = numbersIn(text("metrics"));
    const auto points = parseSortedJson(text("points"));
    if (points.is_object())
        for (const auto& [series, step] : points.items())
            if (step.is_number_integer()) stray.points[series] = step.get<std::int64_t>();
    stray.unstored = unstoredIn(parseSortedJson(text("unstored")));
    const auto state = parseSortedJson(text("state"));
    if (state.is_object() && state.contains("progress"))
        stray.seconds = numbersIn(jsonText(state["progress"]))["trainSeconds"];
    return stray;
}

// The newest point of each series, as far as the file has its value, and those that it brings along.
wire::Metrics pointsOf(const Stray& stray) {
    wire::Metrics points = stray.unstored;
    for (const auto& [series, step] : stray.points) {
        const auto value = stray.row.metrics.find(series);
        const bool known =
            std::ranges::any_of(points.series, [&, name = series](const auto& each) { return each.series == name; });
        if (value != stray.row.metrics.end() && !known)
            points.series.push_back({series, 0, {{step, stray.row.epoch, stray.seconds, value->second}}});
    }
    return points;
}

// In whose folder of checkpoints it is; empty: its run file cannot be read.
std::string nameOfRunAt(const fs::path& checkpoints) {
    const auto runFile = readFile(RunFolder{checkpoints.parent_path()}.runFile());
    return runFile ? runNameIn(*runFile) : std::string();
}

bool isOfAnother(const Stray& stray, const std::string& own) {
    return !own.empty() && !stray.runName.empty() && stray.runName != own;
}

// Whether the store has every point from before the file. One that does not say which (a program of before wrote it)
// needs a point of its own step, or of a later one.
bool pointsAreIn(const std::map<std::string, std::int64_t>& stored, const Stray& stray) {
    const auto reaches = [&](const auto& each) { return each.second >= stray.row.step; };
    if (stray.points.empty()) return std::any_of(stored.begin(), stored.end(), reaches);
    return std::all_of(stray.points.begin(), stray.points.end(), [&](const auto& each) {
        const auto found = stored.find(each.first);
        return found != stored.end() && found->second >= each.second;
    });
}

// What is put aside under its name and one of these is never touched again.
constexpr const char *kDamaged = ".damaged", *kUnrecorded = ".unrecorded", *kForeign = ".foreign";
constexpr std::array kAside{kDamaged, kUnrecorded, kForeign};

// Out of the way of the run, which will save this step again; a new run can begin from it.
std::string setAside(const store::CheckpointRow& row) {
    std::error_code failure;
    const std::string aside = row.path + kUnrecorded;
    fs::rename(row.path, aside, failure);
    return "the checkpoint of step " + std::to_string(row.step) +
           " was saved, but the supervisor died before it could record the points that lead up to it: the run "
           "continues from before them" +
           (failure ? std::string() : "; the file is kept as " + aside);
}

} // namespace

std::vector<CheckpointFile> checkpointFilesIn(const fs::path& folder, const spec::CheckpointPolicy& policy) {
    std::error_code failure;
    std::map<std::string, wire::Metrics> points; // by path
    std::vector<store::CheckpointRow> rows;
    for (fs::directory_iterator at(folder, failure), end; !failure && at != end; at.increment(failure)) {
        const auto& path = at->path();
        const bool aside = path.filename().string().starts_with(kSupersededPrefix);
        if ((!aside && !path.filename().string().starts_with("step-")) || path.extension() != ".safetensors") continue;
        auto stray = readStray(path);
        if (!stray) continue;
        stray->row.pinned = stray->row.superseded = aside;
        points[path.string()] = pointsOf(*stray);
        rows.push_back(std::move(stray->row));
    }
    CheckpointBook book(policy);
    book.load(std::move(rows));
    std::vector<CheckpointFile> files;
    for (const auto& row : book.rows()) files.push_back({row, std::move(points[row.path])});
    return files;
}

std::optional<store::CheckpointRow> bestCheckpointIn(const fs::path& folder, const spec::CheckpointPolicy& policy) {
    for (auto& file : checkpointFilesIn(folder, policy))
        if (file.row.best && !file.row.superseded) return std::move(file.row);
    return std::nullopt;
}

void CheckpointBook::load(std::vector<store::CheckpointRow> rows) {
    m_rows = std::move(rows);
    sort();
}

std::int64_t CheckpointBook::newestStep() const {
    return m_rows.empty() || m_rows.back().superseded ? -1 : m_rows.back().step;
}

// Files of this program in the folder of checkpoints, but for those that were put aside.
std::vector<fs::path> CheckpointBook::unlisted(const fs::path& folder) const {
    std::error_code failure;
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(folder, failure)) {
        const auto name = entry.path().filename().string();
        const bool listed = std::any_of(m_rows.begin(), m_rows.end(),
                                        [&](const auto& row) { return fs::path(row.path) == entry.path(); });
        const bool ours = name.starts_with("step-") || name.starts_with(".") || name.ends_with(".tmp") ||
                          name.starts_with(kSupersededPrefix);
        const bool aside = std::ranges::any_of(kAside, [&](const char* end) { return name.ends_with(end); });
        if (!listed && ours && entry.is_regular_file(failure) && !aside) paths.push_back(entry.path());
    }
    return paths;
}

wire::Metrics CheckpointBook::unstoredPoints(const fs::path& folder, const SeriesBook& stored) const {
    std::int64_t newest = newestStep();
    const std::string own = nameOfRunAt(folder);
    wire::Metrics points;
    for (const auto& path : unlisted(folder)) {
        if (checkpointStep(path.filename().string()) <= newest) continue;
        auto stray = readStray(path);
        if (!stray || isOfAnother(*stray, own)) continue;
        newest = stray->row.step;
        points = std::move(stray->unstored);
    }
    std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = 0;
    for (const auto& series : points.series)
        for (const auto& point : series.points) first = std::min(first, point.step);
    for (const auto& [series, step] : stored.lastSteps()) last = std::max(last, step);
    return first <= last + 1 ? points : wire::Metrics{};
}

std::vector<std::string> CheckpointBook::adopt(const fs::path& folder, const SeriesBook& stored) {
    const auto paths = unlisted(folder);
    const std::int64_t newest = newestStep();
    std::error_code failure;
    const auto lastSteps = stored.lastSteps();
    const std::string own = nameOfRunAt(folder);
    std::vector<std::string> notices;
    std::optional<store::CheckpointRow> unrecorded;
    for (const auto& path : paths) {
        auto stray = checkpointStep(path.filename().string()) >= 0 ? readStray(path) : std::nullopt;
        if (stray && isOfAnother(*stray, own)) {
            fs::rename(path, path.string() + kForeign, failure);
            notices.push_back(path.string() + " is a checkpoint of the run " + printable(stray->runName, 60) +
                              ", not of this one; it is kept as " + path.filename().string() + kForeign);
            continue;
        }
        const bool newer = stray && stray->row.step > newest;
        if (newer && pointsAreIn(lastSteps, *stray)) {
            m_rows.push_back(std::move(stray->row));
        } else if (newer && (!unrecorded || unrecorded->step < stray->row.step)) {
            if (unrecorded) fs::remove(unrecorded->path, failure);
            unrecorded = std::move(stray->row);
        } else {
            fs::remove(path, failure);
        }
    }
    sort();
    if (unrecorded) notices.push_back(setAside(*unrecorded));
    return notices;
}

void CheckpointBook::notePins(const std::vector<store::CheckpointRow>& stored) {
    for (const auto& there : stored) {
        const auto known =
            std::find_if(m_rows.begin(), m_rows.end(), [&](const auto& row) { return row.path == there.path; });
        std::error_code ignored;
        if (known != m_rows.end()) known->pinned = there.pinned;
        else if (there.pinned && fs::exists(there.path, ignored)) m_rows.push_back(there);
    }
    sort();
}

void CheckpointBook::add(const wire::CheckpointSaved& saved, const fs::path& path, std::int64_t wallMs) {
    store::CheckpointRow row;
    for (auto& later : m_rows) {
        if (later.superseded || later.step < saved.step) continue;
        if (fs::path(later.path) == path) row.pinned = later.pinned; // the same step once more
        else later.superseded = later.pinned;
    }
    std::erase_if(m_rows, [&](const auto& later) { return !later.superseded && later.step >= saved.step; });
    row.path = path.string();
    row.step = saved.step;
    row.epoch = saved.epoch;
    row.bytes = saved.bytes;
    row.wallMs = wallMs;
    row.metrics = saved.metrics;
    m_rows.push_back(std::move(row));
    sort();
}

std::optional<store::CheckpointRow> CheckpointBook::newestGood(std::string& notice) {
    while (!m_rows.empty() && !m_rows.back().superseded) {
        const auto& row = m_rows.back();
        const auto file = store::SafetensorsFile::open(row.path);
        const std::string other = file ? otherThan(row, file->metadata()) : std::string();
        if (file && other.empty()) {
            mark();
            return row;
        }
        const std::string aside = row.path + (file ? kForeign : kDamaged);
        notice = "the checkpoint of step " + std::to_string(row.step) + " cannot be used: " +
                 (file ? row.path + ": " + other + "; the file is kept as " + aside : file.error().text());
        std::error_code ignored;
        if (fs::exists(row.path, ignored)) fs::rename(row.path, aside, ignored);
        m_rows.pop_back();
    }
    return std::nullopt;
}

std::vector<KeptFor> CheckpointBook::judge() const {
    const KeepRule rule{.best = 1,
                        .last = std::max(1, m_policy.keep),
                        .atLeast = 2, // a damaged one has another to fall back to
                        .budgetBytes = m_policy.budgetMb * 1'000'000};
    return judgeKept(m_rows, {m_policy.scoreBy, spec::betterOf(m_policy.scoreBy, m_policy.mode)}, rule);
}

std::vector<bool> CheckpointBook::keptWhenHere(const std::vector<wire::CheckpointSaved>& coming) const {
    CheckpointBook all = *this;
    for (const auto& saved : coming) all.add(saved, saved.path, 0);
    const auto judged = all.judge();
    std::vector<bool> kept;
    for (const auto& saved : coming) {
        const auto found = std::ranges::find(all.m_rows, saved.path, &store::CheckpointRow::path);
        const auto index = static_cast<std::size_t>(found - all.m_rows.begin());
        kept.push_back(found != all.m_rows.end() && judged[index] != KeptFor::No);
    }
    return kept;
}

std::vector<fs::path> CheckpointBook::prune() {
    const auto kept = judge();
    std::vector<fs::path> files;
    std::vector<store::CheckpointRow> rows;
    for (std::size_t index = 0; index < m_rows.size(); ++index) {
        if (kept[index] == KeptFor::No) files.emplace_back(m_rows[index].path);
        else rows.push_back(std::move(m_rows[index]));
    }
    m_rows = std::move(rows);
    return files;
}

void CheckpointBook::sort() {
    std::sort(m_rows.begin(), m_rows.end(), earlier);
    mark();
}

void CheckpointBook::mark() {
    const auto ranked = rankedByScore(m_rows, {m_policy.scoreBy, spec::betterOf(m_policy.scoreBy, m_policy.mode)});
    for (auto& row : m_rows) row.best = row.last = false;
    if (!ranked.empty()) m_rows[ranked.front()].best = true;
    if (!m_rows.empty() && !m_rows.back().superseded) m_rows.back().last = true;
}

} // namespace trainyard::run
