// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/wandb_files.h"

#include "engine/base/files/file_reader.h"
#include "engine/base/text/printable.h"
#include "engine/imports/log_blocks.h"
#include "engine/imports/proto_fields.h"

#include <array>
#include <cmath>
#include <limits>
#include <set>

namespace trainyard::imports {
namespace {

using Field = ProtoField;

// An entry of history, configuration or summary (HistoryItem, ConfigItem and SummaryItem of wandb_internal.proto).
struct Item {
    std::string path; // its key, or its nested keys joined by points
    std::string_view json;
};

bool readItem(std::string_view message, Item& item) {
    item.path.clear();
    item.json = {};
    ProtoReader reader(message);
    for (Field field; reader.next(field);) {
        if (field.is(1, Field::Length) && !field.bytes.empty()) item.path = field.bytes;
        if (field.is(2, Field::Length)) {
            if (!item.path.empty()) item.path += '.';
            item.path += field.bytes;
        }
        if (field.is(16, Field::Length)) item.json = field.bytes;
    }
    return !reader.broken();
}

// W&B writes numbers that are not finite as texts.
JsonValue withNumber(const JsonValue& value) {
    JsonValue number = value;
    if (value.kind != JsonValue::Kind::Text) return number;
    const double infinite = std::numeric_limits<double>::infinity();
    number.kind = JsonValue::Kind::Number;
    if (value.text == "NaN") number.number = std::numeric_limits<double>::quiet_NaN();
    else if (value.text == "Infinity") number.number = infinite;
    else if (value.text == "-Infinity") number.number = -infinite;
    else number.kind = JsonValue::Kind::Text;
    return number;
}

// Pictures, histograms and tables are objects with their type.
bool isMedia(std::string_view json) {
    return json.starts_with('{') && json.find("\"_type\"") != std::string_view::npos;
}

class WandbReader {
public:
    explicit WandbReader(ImportedRun& run) : m_run(run) {}

    // The records that come next are of this file.
    void begin(std::string file) {
        m_file = std::move(file);
        m_run.ending = ImportedRun::Ending::Stopped;
    }

    // Record of wandb_internal.proto, which begins at a byte of the file.
    void record(std::string_view message, std::int64_t at) {
        m_at = at;
        if (!read(message)) skip("a record is not W&B's");
    }

    // What the summary says beyond the history.
    void finish() {
        for (const auto& [name, value] : m_summary)
            if (!m_names.contains(name))
                m_run.add(name, {.step = m_last.step, .wallSeconds = m_last.wallSeconds, .value = value});
    }

private:
    void skip(const char* what) {
        m_run.skip({m_file + ", byte " + std::to_string(m_at), what, "was the file written by W&B?"});
    }

    bool read(std::string_view message) {
        bool sound = true;
        ProtoReader reader(message);
        for (Field field; reader.next(field);) {
            if (field.is(2, Field::Length)) sound = history(field.bytes) && sound;
            if (field.is(3, Field::Length)) sound = summary(field.bytes) && sound;
            if (field.is(5, Field::Length)) sound = config(field.bytes) && sound;
            if (field.is(7, Field::Length)) sound = stats(field.bytes) && sound;
            if (field.is(17, Field::Length)) sound = run(field.bytes) && sound;
            if (field.is(18, Field::Length)) sound = exit(field.bytes) && sound;
        }
        return sound && !reader.broken();
    }

    bool history(std::string_view message) {
        Point point{.step = -1};
        double since = 0;
        m_values.clear();
        bool sound = true;
        ProtoReader reader(message);
        for (Field field; reader.next(field);) {
            if (field.is(1, Field::Length)) sound = values(field.bytes) && sound;
            if (field.is(2, Field::Length)) { // HistoryStep
                ProtoReader step(field.bytes);
                for (Field part; step.next(part);)
                    if (part.is(1, Field::Varint)) point.step = static_cast<std::int64_t>(part.bits);
            }
        }
        if (!sound || reader.broken()) return false;
        for (const auto& [name, value] : m_values) {
            if (name == "_step" && std::abs(value) < 9e15) point.step = static_cast<std::int64_t>(value);
            if (name == "_timestamp") point.wallSeconds = value;
            if (name == "_runtime") since = value;
        }
        if (point.wallSeconds == 0) point.wallSeconds = since;
        if (point.step < 0) {
            skip("a row of the history has no step");
            return true;
        }
        m_last = point;
        for (const auto& [name, value] : m_values)
            if (!name.starts_with('_')) {
                point.value = value;
                m_names.insert(name);
                m_run.add(name, point);
            }
        return true;
    }

    // An entry of the history or of the statistics (StatsItem) into m_values.
    bool values(std::string_view message) {
        if (!readItem(message, m_item)) return false;
        if (isMedia(m_item.json)) {
            ++m_run.otherValues;
            return true;
        }
        return readJsonValue(m_item.json, m_item.path, '.', [&](std::string_view path, const JsonValue& value) {
            const JsonValue number = withNumber(value);
            if (number.isNumber()) m_values.emplace_back(path, number.number);
            else if (value.kind != JsonValue::Kind::Null && !path.starts_with('_')) ++m_run.otherValues;
        });
    }

    // Calls `told` for each value of the entries with this number.
    bool entries(std::string_view message, const JsonTold& told) {
        bool sound = true;
        ProtoReader reader(message);
        for (Field field; reader.next(field);)
            if (field.is(1, Field::Length))
                sound = readItem(field.bytes, m_item) && readJsonValue(m_item.json, m_item.path, '.', told) && sound;
        return sound && !reader.broken();
    }

    bool config(std::string_view message) {
        return entries(message, [&](std::string_view path, const JsonValue& value) {
            if (path.starts_with("_wandb")) return; // versions of W&B and of Python
            if (auto setting = settingOf(withNumber(value))) m_run.set(printable(path), std::move(*setting));
        });
    }

    bool summary(std::string_view message) {
        return entries(message, [&](std::string_view path, const JsonValue& value) {
            const JsonValue number = withNumber(value);
            if (number.isNumber() && !path.starts_with('_')) m_summary[std::string(path)] = number.number;
        });
    }

    // StatsRecord: what the computer was busy with while the step that was told of last was made.
    bool stats(std::string_view message) {
        Point point{.step = m_last.step};
        bool sound = true;
        ProtoReader reader(message);
        for (Field field; reader.next(field);)
            if (field.is(2, Field::Length)) sound = time(field.bytes, point.wallSeconds) && sound;
        m_values.clear();
        ProtoReader items(message); // again: the time may come after them
        for (Field field; items.next(field);)
            if (field.is(3, Field::Length)) sound = values(field.bytes) && sound;
        if (!sound || reader.broken()) return false;
        for (const auto& [name, value] : m_values) {
            point.value = value;
            m_run.addSystem(name, point);
        }
        return true;
    }

    // google.protobuf.Timestamp.
    static bool time(std::string_view message, double& seconds) {
        ProtoReader reader(message);
        for (Field field; reader.next(field);) {
            if (field.is(1, Field::Varint)) seconds += static_cast<double>(field.bits);
            if (field.is(2, Field::Varint)) seconds += 1e-9 * static_cast<double>(field.bits);
        }
        return !reader.broken();
    }

    // RunRecord.
    bool run(std::string_view message) {
        bool sound = true;
        ProtoReader reader(message);
        for (Field field; reader.next(field);) {
            if (field.is(4, Field::Length)) sound = config(field.bytes) && sound;
            if (field.is(5, Field::Length)) sound = summary(field.bytes) && sound;
            if (field.is(8, Field::Length)) m_run.name = field.bytes;
            if (field.is(9, Field::Length)) m_run.notes = field.bytes;
        }
        return sound && !reader.broken();
    }

    // RunExitRecord.
    bool exit(std::string_view message) {
        std::uint64_t code = 0;
        ProtoReader reader(message);
        for (Field field; reader.next(field);)
            if (field.is(1, Field::Varint)) code = field.bits;
        m_run.ending = code == 0 ? ImportedRun::Ending::Finished : ImportedRun::Ending::Failed;
        return !reader.broken();
    }

    ImportedRun& m_run;
    std::string m_file{};
    std::int64_t m_at = 0; // of the record
    std::map<std::string, double> m_summary{};
    std::set<std::string> m_names{};                        // of the history
    std::vector<std::pair<std::string, double>> m_values{}; // of one row of the history
    Item m_item{};
    Point m_last{};
};

class WandbStream : public SourceStream {
public:
    WandbStream(const std::filesystem::path& path, WandbReader& reader, ImportedRun& run)
        : m_reader(reader), m_blocks(path.string(), [&run](Skipped record) { run.skip(std::move(record)); }) {
        m_reader.begin(path.string());
    }

    Result<void> add(std::string_view bytes) override {
        return m_blocks.add(bytes, [this](std::string_view record, std::int64_t at) { m_reader.record(record, at); });
    }
    Result<void> end() override { return m_blocks.end(); }

private:
    WandbReader& m_reader;
    LogBlocks m_blocks;
};

// One log alone.
class WandbRunStream : public SourceStream {
public:
    WandbRunStream(const std::filesystem::path& path, ImportedRun& run)
        : m_reader(run), m_stream(path, m_reader, run) {}

    Result<void> add(std::string_view bytes) override { return m_stream.add(bytes); }
    Result<void> end() override {
        m_reader.finish();
        return m_stream.end();
    }

private:
    WandbReader m_reader;
    WandbStream m_stream;
};

} // namespace

bool isWandbFile(const std::filesystem::path& path) {
    auto file = FileReader::open(path);
    std::array<char, kLogHead> head{};
    return file && file->read(head.data(), std::ssize(head)) && isLogHead({head.data(), head.size()});
}

std::unique_ptr<SourceStream> wandbStream(const std::filesystem::path& path, ImportedRun& run) {
    return std::make_unique<WandbRunStream>(path, run);
}

Result<ImportedRun> readWandbFile(const std::filesystem::path& path) { return readWandbFiles({&path, 1}); }

Result<ImportedRun> readWandbFiles(std::span<const std::filesystem::path> paths) {
    ImportedRun run;
    WandbReader reader(run);
    for (const auto& path : paths) {
        WandbStream stream(path, reader, run);
        TY_TRY(readWhole(path, stream));
    }
    reader.finish();
    run.settle();
    return run;
}

} // namespace trainyard::imports
