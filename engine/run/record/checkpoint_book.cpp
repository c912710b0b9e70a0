// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/checkpoint_book.h"

#include "engine/base/clock.h"
#include "engine/run/record/run_folder.h"
#include "engine/spec/better.h"
#include "engine/store/safetensors.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
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
};

// Numbers that cannot be read are not numbers.
wire::Metrics unstoredIn(const nlohmann::json& json) {
    wire::Metrics metrics;
    if (!json.is_object()) return metrics;
    for (const auto& [series, points] : json.items()) {
        wire::SeriesPoints each{series, {}};
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

// Nothing when it is damaged.
std::optional<Stray> readStray(const fs::path& path) {
    const auto file = store::SafetensorsFile::open(path);
    if (!file) return std::nullopt;
    const auto text = [&](const char* key) {
        const auto found = file->metadata().find(key);
        return found == file->metadata().end() ? std::string() : found->second;
    };
    if (!isCheckpointFormat(text("format"))) return std::nullopt;
    Stray stray;
    auto& row = stray.row;
    row.path = path.string();
    row.step = std::strtoll(text("step").c_str(), nullptr, 10);
    row.epoch = std::strtod(text("epoch").c_str(), nullptr);
    std::error_code ignored;
    row.bytes = static_cast<std::int64_t>(fs::file_size(path, ignored));
    row.wallMs = wallClockMs();
    const auto metrics = nlohmann::json::parse(text("metrics"), nullptr, false);
    if (metrics.is_object())
        for (const auto& [series, value] : metrics.items())
            if (value.is_number()) row.metrics[series] = value.get<double>();
    const auto points = nlohmann::json::parse(text("points"), nullptr, false);
    if (points.is_object())
        for (const auto& [series, step] : points.items())
            if (step.is_number_integer()) stray.points[series] = step.get<std::int64_t>();
    stray.unstored = unstoredIn(nlohmann::json::parse(text("unstored"), nullptr, false));
    return stray;
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

// Out of the way of the run, which will save this step again; a new run can begin from it.
std::string setAside(const store::CheckpointRow& row) {
    std::error_code failure;
    const std::string aside = row.path + ".unrecorded";
    fs::rename(row.path, aside, failure);
    return "the checkpoint of step " + std::to_string(row.step) +
           " was saved, but the supervisor died before it could record the points that lead up to it: the run "
           "continues from before them" +
           (failure ? std::string() : "; the file is kept as " + aside);
}

} // namespace

std::optional<store::CheckpointRow> bestCheckpointIn(const fs::path& folder, const spec::CheckpointPolicy& policy) {
    std::error_code failure;
    std::vector<store::CheckpointRow> rows;
    for (const auto& entry : fs::directory_iterator(folder, failure)) {
        const auto& path = entry.path();
        if (!path.filename().string().starts_with("step-") || path.extension() != ".safetensors") continue;
        if (auto stray = readStray(path)) rows.push_back(std::move(stray->row));
    }
    CheckpointBook book(policy);
    book.load(std::move(rows));
    const auto best = std::find_if(book.rows().begin(), book.rows().end(), [](const auto& row) { return row.best; });
    if (best == book.rows().end()) return std::nullopt;
    return *best;
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
        const bool aside = name.ends_with(".damaged") || name.ends_with(".unrecorded");
        if (!listed && ours && entry.is_regular_file(failure) && !aside) paths.push_back(entry.path());
    }
    return paths;
}

wire::Metrics CheckpointBook::unstoredPoints(const fs::path& folder, const SeriesBook& stored) const {
    std::int64_t newest = newestStep();
    wire::Metrics points;
    for (const auto& path : unlisted(folder)) {
        if (checkpointStep(path.filename().string()) <= newest) continue;
        auto stray = readStray(path);
        if (!stray) continue;
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
    std::optional<store::CheckpointRow> unrecorded;
    for (const auto& path : paths) {
        auto stray = checkpointStep(path.filename().string()) >= 0 ? readStray(path) : std::nullopt;
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
    if (!unrecorded) return {};
    return {setAside(*unrecorded)};
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
        if (file) {
            mark();
            return row;
        }
        notice = "the checkpoint of step " + std::to_string(row.step) + " cannot be used: " + file.error().text();
        std::error_code ignored;
        if (fs::exists(row.path, ignored)) fs::rename(row.path, row.path + ".damaged", ignored);
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
