// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/mlflow_folder.h"

#include "engine/base/text/printable.h"
#include "engine/imports/mlflow_values.h"
#include "engine/imports/text_lines.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <utility>

namespace trainyard::imports {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostMlflowLine = 64u << 10; // MLflow itself keeps at most 8,000 characters of a parameter
constexpr const char *kMeta = "meta.yaml", *kMetrics = "metrics", *kParams = "params", *kTags = "tags";
constexpr const char *kRunName = "mlflow.runName", *kNote = "mlflow.note.content";

// The entries of the first level, without quotation marks: all that MLflow writes into this file.
Result<std::map<std::string, std::string>> readMeta(const fs::path& file) {
    TY_ASSIGN(auto reader, FileReader::open(file));
    TextLines lines(std::move(reader), kMostMlflowLine);
    std::map<std::string, std::string> meta;
    for (std::string_view line;;) {
        TY_ASSIGN(const bool more, lines.next(line));
        if (!more) return meta;
        const auto colon = line.find(": ");
        if (colon == std::string_view::npos || line.starts_with(' ')) continue;
        auto value = withoutSpaces(line.substr(colon + 2));
        if (value.size() >= 2 && value.front() == value.back() && (value.front() == '\'' || value.front() == '"'))
            value = value.substr(1, value.size() - 2);
        meta.emplace(line.substr(0, colon), value);
    }
}

std::string entry(const std::map<std::string, std::string>& meta, const char* key) {
    const auto found = meta.find(key);
    return found == meta.end() || found->second == "null" ? std::string() : found->second;
}

// Regular files below a folder, by their names; their names may have slashes, which are folders then.
std::vector<fs::path> filesBelow(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code failure, gone;
    if (fs::is_symlink(folder, gone)) return files;
    fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, failure), end;
    for (; !failure && at != end; at.increment(failure))
        if (!at->is_symlink(gone) && at->is_regular_file(gone)) files.push_back(at->path());
    std::sort(files.begin(), files.end());
    return files;
}

// All lines of a small file, without the end of the last one.
Result<std::string> readText(const fs::path& file) {
    TY_ASSIGN(auto reader, FileReader::open(file));
    TextLines lines(std::move(reader), kMostMlflowLine);
    std::string text;
    for (std::string_view line;;) {
        TY_ASSIGN(const bool more, lines.next(line));
        if (!more) return text;
        if (text.size() > kMostMlflowLine)
            return inputError("a value has more than 64 KiB", lines.where(), "is it a folder of MLflow?");
        text += (text.empty() ? "" : "\n") + std::string(line);
    }
}

// The next word of a line.
std::string_view nextWord(std::string_view& line) {
    line = withoutSpaces(line);
    const auto word = line.substr(0, line.find(' '));
    line.remove_prefix(word.size());
    return word;
}

template <class Number>
bool readNumber(std::string_view word, Number& number) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc() && end == word.data() + word.size() && !word.empty();
}

// Lines of `milliseconds value step`; old ones have no step, newer ones more words behind it. Faults go to the run.
class MlflowSeriesStream : public SourceStream {
public:
    using PointTold = std::function<void(const Point&)>;

    MlflowSeriesStream(const fs::path& file, ImportedRun& run, PointTold told)
        : m_lines(file.string(), kMostMlflowLine), m_run(run), m_told(std::move(told)) {}

    Result<void> add(std::string_view bytes) override {
        return m_lines.add(bytes, [this](std::string_view line) { return read(line); });
    }
    Result<void> end() override {
        return m_lines.end([this](std::string_view line) { return read(line); });
    }

private:
    Result<void> read(std::string_view line) {
        if (withoutSpaces(line).empty()) return {};
        const auto time = nextWord(line), value = nextWord(line), step = nextWord(line);
        std::int64_t milliseconds = 0;
        Point point;
        if (!readNumber(time, milliseconds) || !readNumber(value, point.value) ||
            (!step.empty() && !readNumber(step, point.step))) {
            m_run.skip({m_lines.where(), "a line is not `time value step`", "correct the line"});
            return {};
        }
        point.wallSeconds = static_cast<double>(milliseconds) / 1000;
        m_told(point);
        return {};
    }

    LinePieces m_lines;
    ImportedRun& m_run;
    PointTold m_told;
};

class MlflowReader {
public:
    MlflowReader(fs::path folder, ImportedRun& run) : m_folder(std::move(folder)), m_run(run) {}

    void metrics() {
        for (const fs::path& file : filesBelow(m_folder / kMetrics)) {
            const auto done = series(file);
            if (!done) skip(done.error());
        }
    }

    void params() {
        for (const fs::path& file : filesBelow(m_folder / kParams)) {
            const auto text = readText(file);
            if (text) m_run.set(printable(nameOf(file, kParams)), settingOf(*text));
            else skip(text.error());
        }
    }

    std::string tag(const char* name) const { return readText(m_folder / kTags / name).valueOr({}); }

private:
    std::string nameOf(const fs::path& file, const char* kind) const {
        return file.lexically_relative(m_folder / kind).generic_string();
    }
    void skip(const Error& error) { m_run.skip({error.where, error.message, error.remedy}); }

    Result<void> series(const fs::path& file) {
        std::vector<Point> points;
        MlflowSeriesStream stream(file, m_run, [&points](const Point& point) { points.push_back(point); });
        TY_TRY(readWhole(file, stream));
        addSorted(m_run, nameOf(file, kMetrics), points);
        return {};
    }

    fs::path m_folder;
    ImportedRun& m_run;
};

} // namespace

MlflowFolder mlflowFolderKind(const fs::path& folder) {
    std::error_code ignored;
    if (!fs::is_regular_file(folder / kMeta, ignored)) return MlflowFolder::None;
    if (!fs::is_directory(folder / kMetrics, ignored) && !fs::is_directory(folder / kParams, ignored))
        return MlflowFolder::None;
    const auto meta = readMeta(folder / kMeta);
    if (!meta || (entry(*meta, "run_id").empty() && entry(*meta, "run_uuid").empty())) return MlflowFolder::None;
    return entry(*meta, "lifecycle_stage") == "deleted" ? MlflowFolder::DeletedRun : MlflowFolder::Run;
}

std::vector<fs::path> mlflowFilesOf(const fs::path& folder) {
    std::vector<fs::path> files{folder / kMeta};
    for (const char* kind : {kMetrics, kParams})
        for (fs::path& file : filesBelow(folder / kind)) files.push_back(std::move(file));
    std::error_code gone;
    for (const char* tag : {kNote, kRunName})
        if (fs::is_regular_file(fs::symlink_status(folder / kTags / tag, gone))) files.push_back(folder / kTags / tag);
    return files;
}

std::unique_ptr<SourceStream> mlflowSeriesStream(const fs::path& file, std::string series, ImportedRun& run) {
    return std::make_unique<MlflowSeriesStream>(
        file, run, [&run, name = std::move(series)](const Point& point) { run.add(name, point); });
}

Result<ImportedRun> readMlflowFolder(const fs::path& folder) {
    TY_ASSIGN(const auto meta, readMeta(folder / kMeta));
    if (entry(meta, "run_id").empty() && entry(meta, "run_uuid").empty())
        return inputError("is not an MLflow run: it has no run_id", (folder / kMeta).string(),
                          "name a folder mlruns, or one of its runs");
    ImportedRun run;
    MlflowReader reader(folder, run);
    run.name = entry(meta, "run_name");
    if (run.name.empty()) run.name = reader.tag(kRunName);
    run.notes = reader.tag(kNote);
    run.ending = mlflowEnding(entry(meta, "status"));
    reader.metrics();
    reader.params();
    run.settle();
    return run;
}

} // namespace trainyard::imports
