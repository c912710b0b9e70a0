// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/metrics/followed_file.h"

#include "engine/imports/event_files.h"
#include "engine/imports/json_document.h"
#include "engine/imports/json_lines.h"
#include "engine/imports/mlflow_folder.h"
#include "engine/imports/table_files.h"
#include "engine/imports/wandb_files.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace trainyard::program {
namespace {

constexpr int kLooksToWait = 3; // for the rest of a file that is being written anew

// The name of a series of MLflow is its file's below metrics.
std::string mlflowNameOf(const std::filesystem::path& file) {
    std::string name = file.filename().string();
    for (auto folder = file.parent_path(); folder.has_relative_path() && folder.filename() != "metrics";
         folder = folder.parent_path())
        name = folder.filename().string() + "/" + name;
    return name;
}

std::unique_ptr<imports::SourceStream> streamOf(FrameworkForm form, const std::filesystem::path& file,
                                                imports::ImportedRun& run) {
    switch (form) {
    case FrameworkForm::EventFile: return imports::eventFileStream(file, run);
    case FrameworkForm::WandbLog: return imports::wandbStream(file, run);
    case FrameworkForm::Table: return imports::tableStream(file, run);
    case FrameworkForm::JsonLines: return imports::jsonLinesStream(file, run);
    case FrameworkForm::MlflowSeries: return imports::mlflowSeriesStream(file, mlflowNameOf(file), run);
    case FrameworkForm::JsonDocument:
    case FrameworkForm::MlflowDatabase: break;
    }
    return nullptr;
}

} // namespace

void ToldPoints::mix(Series& series, const imports::Point& point) {
    ++series.count;
    for (const std::uint64_t part : {static_cast<std::uint64_t>(point.step), std::bit_cast<std::uint64_t>(point.value)})
        series.hash = (series.hash ^ part) * 1099511628211u;
}

bool ToldPoints::add(const std::string& series, const imports::Point& point) {
    if (m_again) {
        Series& read = m_read[series];
        const auto told = m_told.find(series);
        const std::int64_t known = told == m_told.end() ? 0 : told->second.count;
        if (read.count < known) {
            mix(read, point);
            m_differs = m_differs || (read.count == known && read.hash != told->second.hash);
            return false;
        }
        mix(read, point);
    }
    mix(m_told[series], point);
    return true;
}

void ToldPoints::readAgain() {
    m_again = !m_told.empty();
    m_differs = false;
    m_read.clear();
}

ToldPoints::Again ToldPoints::again() const {
    if (m_differs) return Again::Other;
    const bool isWhole = std::all_of(m_told.begin(), m_told.end(), [this](const auto& each) {
        const auto read = m_read.find(each.first);
        return read != m_read.end() && read->second.count >= each.second.count;
    });
    return isWhole ? Again::Same : Again::Unfinished;
}

FollowedFile::FollowedFile(std::filesystem::path path, FrameworkForm form, std::string prefix, std::int64_t oldBytes)
    : m_form(form), m_prefix(std::move(prefix)), m_file(std::move(path)), m_oldBytes(oldBytes) {
    begin();
}

void FollowedFile::begin() {
    if (m_reading) m_skipped += m_reading->run.skippedCount;
    m_reading = std::make_unique<Reading>();
    m_reading->run.passOn({[this](const std::string& series, const imports::Point& point) { tell(series, point); },
                           [this](std::int64_t step) {
                               if (!m_isMuted && !m_points.isReading()) m_told->beginsAgain(step);
                           }});
    m_reading->stream = streamOf(m_form, m_file.path(), m_reading->run);
    m_read = 0;
}

void FollowedFile::tell(const std::string& series, const imports::Point& point) {
    const std::string name = m_prefix + series;
    if (!m_points.add(name, point) || m_isMuted) return;
    if (m_points.isReading()) m_held.push_back({name, point});
    else m_told->point(name, point);
}

// What stood in the file before the program began is read, for its header, and not told.
Result<void> FollowedFile::feed(std::string_view bytes) {
    const auto old = static_cast<std::size_t>(std::clamp<std::int64_t>(m_oldBytes - m_read, 0, std::ssize(bytes)));
    m_read += std::ssize(bytes);
    if (old > 0) {
        m_isMuted = true;
        const auto read = m_reading->stream->add(bytes.substr(0, old));
        m_isMuted = false;
        TY_TRY(read);
    }
    return old < bytes.size() ? m_reading->stream->add(bytes.substr(old)) : Result<void>();
}

Result<void> FollowedFile::look(const FrameworkTold& told) {
    if (m_hasFailed) return {};
    m_told = &told;
    auto looked = m_form == FrameworkForm::JsonDocument ? readDocument() : readOn();
    if (looked) looked = settle();
    m_told = nullptr;
    m_hasFailed = !looked.ok();
    return looked;
}

Result<void> FollowedFile::readOn() {
    for (bool more = true; more;) {
        Result<void> fed;
        TY_ASSIGN(const auto look, m_file.look([&](std::string_view bytes) {
            if (fed) fed = feed(bytes);
        }));
        TY_TRY(fed);
        const bool isAnew = look.change == FileChange::Truncated || look.change == FileChange::Replaced;
        if (isAnew) {
            m_oldBytes = 0;
            m_points.readAgain();
            m_held.clear();
            m_patience = kLooksToWait;
            begin();
        }
        more = look.more || isAnew;
    }
    return {};
}

// It is written as a whole; while it is, it is no JSON.
Result<void> FollowedFile::readDocument() {
    struct stat found{};
    if (::lstat(m_file.path().c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return {};
    const std::int64_t time = std::int64_t{found.st_mtim.tv_sec} * 1'000'000'000 + found.st_mtim.tv_nsec;
    const bool isSeen = time == m_seenTime && found.st_size == m_seen.size && found.st_ino == m_seen.number;
    if (isSeen && !m_points.isReading()) return {};
    m_seen = {true, true, found.st_dev, found.st_ino, found.st_size};
    m_seenTime = time;
    if (m_patience == 0) m_patience = kLooksToWait;
    m_points.readAgain();
    m_held.clear();
    begin();
    m_isMuted = std::exchange(m_oldBytes, 0) > 0;                   // it stood there when the program began
    (void)imports::readJsonDocument(m_file.path(), m_reading->run); // half a document: at the next look
    m_isMuted = false;
    return {};
}

// What is read again and turns out to be another content is told from its beginning; unless its rest may be missing.
Result<void> FollowedFile::settle() {
    if (!m_points.isReading()) return {};
    const auto again = m_points.again();
    if (again == ToldPoints::Again::Same) {
        m_points.settle();
        m_patience = 0;
        for (const auto& [series, point] : std::exchange(m_held, {})) m_told->point(series, point);
        return {};
    }
    if (again == ToldPoints::Again::Unfinished && --m_patience > 0) return {};
    m_patience = 0;
    m_points.forget();
    m_held.clear();
    begin();
    if (m_form == FrameworkForm::JsonDocument) {
        (void)imports::readJsonDocument(m_file.path(), m_reading->run);
        return {};
    }
    m_file.beginAgain();
    return readOn();
}

Result<void> FollowedFile::end(const FrameworkTold& told) {
    if (m_hasFailed) return {};
    m_patience = 1;
    TY_TRY(look(told));
    m_told = &told;
    auto ended = m_reading->stream ? m_reading->stream->end() : Result<void>();
    m_told = nullptr;
    m_hasFailed = true; // nothing more comes
    return ended;
}

} // namespace trainyard::program
