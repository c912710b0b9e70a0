// SPDX-License-Identifier: GPL-3.0-or-later
// How fast other programs' runs are read, and reports written: import_bench [megabytes] [--bars]. Files of that size
// are made of each kind, in the temporary folder; then each is read (the bar: 100 MB/s) and imported into a workspace.
// Before them ten runs a megabyte are imported from event files of 10,000 scalars each (the bars, for 1,000 of them:
// 15 s, and 200 MB of memory). The report is that of a run with a million points (the bar: 1 s).
#include "engine/base/clock.h"
#include "engine/imports/event_files.h"
#include "engine/imports/json_lines.h"
#include "engine/imports/mlflow_folder.h"
#include "engine/imports/table_files.h"
#include "engine/imports/wandb_files.h"
#include "engine/program/metrics/grown_file.h"
#include "engine/program/metrics/line_splitter.h"
#include "engine/program/metrics/metric_line.h"
#include "engine/program/metrics/metric_steps.h"
#include "engine/program/metrics/printed_reader.h"
#include "engine/program/metrics/program_sources.h"
#include "engine/report/report_html.h"
#include "engine/report/run_report.h"
#include "engine/run/share/import_runs.h"
#include "engine/store/files/event_file.h"
#include "tests/bench/bars.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <zlib.h>

#include <array>
#include <cmath>
#include <ctime>
#include <fstream>

using namespace trainyard;
namespace fs = std::filesystem;

namespace {

constexpr double kBegan = 1'760'000'000;
constexpr double kMostReadSeconds = 1, kMostReportSeconds = 1; // of 100 MB, of a million points
constexpr double kMostPrintedMicroseconds = 2.5, kMostMetricMicroseconds = 4;
constexpr double kMostManySeconds = 15, kMostMegabytes = 200; // of 1,000 event files

double lossAt(std::int64_t step) {
    return 1 / std::sqrt(1.0 + static_cast<double>(step)) + 1e-4 * std::sin(0.37 * static_cast<double>(step));
}

// Calls `row` with growing steps until the file has so many bytes.
template <class Row>
void fill(const fs::path& file, std::int64_t bytes, const std::string& head, const Row& row) {
    fs::create_directories(file.parent_path());
    std::ofstream out(file, std::ios::binary);
    out << head;
    std::string text;
    for (std::int64_t step = 0, written = std::ssize(head); written < bytes; ++step) {
        text.clear();
        row(step, text);
        out << text;
        written += std::ssize(text);
    }
}

std::string number(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.9g", value);
    return text.data();
}

void makeEvents(const fs::path& file, std::int64_t bytes) {
    fill(file, bytes, store::eventFileHeader(kBegan), [](std::int64_t step, std::string& text) {
        for (const char* tag : {"train/loss", "train/accuracy", "val/loss", "lr"})
            text += store::scalarEvent(tag, step, kBegan + static_cast<double>(step), lossAt(step));
    });
}

void makeTable(const fs::path& file, std::int64_t bytes) {
    fill(file, bytes, "step,epoch,time_s,train/loss,train/accuracy,val/loss,lr\n",
         [](std::int64_t step, std::string& text) {
             text = std::to_string(step) + "," + std::to_string(step / 100) + "," +
                    number(0.1 * static_cast<double>(step));
             for (int series = 0; series < 4; ++series) text += "," + number(lossAt(step + series));
             text += "\n";
         });
}

void makeJson(const fs::path& file, std::int64_t bytes) {
    fill(file, bytes, {}, [](std::int64_t step, std::string& text) {
        text = "{\"training_iteration\": " + std::to_string(step) +
               ", \"time_total_s\": " + number(0.1 * static_cast<double>(step)) +
               ", \"done\": false, \"info\": {\"learner\": {\"loss\": " + number(lossAt(step)) +
               ", \"kl\": " + number(lossAt(step + 1)) + "}}, \"accuracy\": " + number(lossAt(step + 2)) + "}\n";
    });
}

std::string varint(std::uint64_t value) {
    std::string bytes;
    for (; value > 127; value >>= 7) bytes += static_cast<char>((value & 127) | 128);
    return bytes + static_cast<char>(value);
}
std::string field(std::uint64_t which, const std::string& content) {
    return varint(which << 3 | 2) + varint(content.size()) + content;
}
void put(std::string& out, std::uint64_t value, int bytes) {
    for (int at = 0; at < bytes; ++at) out += static_cast<char>(value >> (8 * at));
}

// Records are as long as what is left of their block at most: this writer has no records in parts.
void makeWandb(const fs::path& file, std::int64_t bytes) {
    std::int64_t place = 7;
    fill(file, bytes, std::string(":W&B\xE1\xBE\0", 7), [&place](std::int64_t step, std::string& text) {
        std::string row;
        const auto add = [&](const char* key, const std::string& value) {
            row += field(1, field(1, key) + field(16, value));
        };
        for (const char* key : {"train/loss", "train/accuracy", "val/loss", "lr"}) add(key, number(lossAt(step)));
        add("_step", std::to_string(step));
        add("_timestamp", number(kBegan + static_cast<double>(step)));
        const std::string record = field(2, row);
        const std::int64_t left = 32768 - place % 32768;
        if (left < std::ssize(record) + 7) text.append(static_cast<std::size_t>(left), '\0');
        const std::string typed = "\1" + record;
        put(text, ::crc32(0, reinterpret_cast<const Bytef*>(typed.data()), static_cast<uInt>(typed.size())), 4);
        put(text, record.size(), 2);
        text += typed;
        place += std::ssize(text);
    });
}

void makeMlflow(const fs::path& folder, std::int64_t bytes) {
    fill(folder / "meta.yaml", 1, "run_id: a\nrun_name: a\nstatus: 3\n", [](auto, auto&) {});
    for (const char* series : {"loss", "accuracy", "val_loss", "lr"})
        fill(folder / "metrics" / series, bytes / 4, {}, [](std::int64_t step, std::string& text) {
            text = std::to_string(1'760'000'000'000 + step) + " " + number(lossAt(step)) + " " + std::to_string(step) +
                   "\n";
        });
}

// The most memory that the program has held since resetPeak().
double peakMegabytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) / 1000;
    return 0;
}
void resetPeak() { std::ofstream("/proc/self/clear_refs") << 5; }

double secondsOf(const std::function<bool()>& work) {
    const double began = monotonicSeconds();
    if (!work()) qFatal("it failed");
    return monotonicSeconds() - began;
}

// Runs with an event file of 10,000 scalars each, in a folder each.
void importManyRuns(const fs::path& root, const store::Workspace& workspace, int runs, bench::Bars& bars) {
    constexpr int kScalars = 10'000, kSeries = 4;
    for (int run = 0; run < runs; ++run) {
        const fs::path folder = root / ("run" + std::to_string(run));
        fs::create_directories(folder);
        std::ofstream out(folder / "events.out.tfevents.1", std::ios::binary);
        out << store::eventFileHeader(kBegan);
        for (int step = 0; step < kScalars / kSeries; ++step)
            for (const char* tag : {"train/loss", "train/accuracy", "val/loss", "lr"})
                out << store::scalarEvent(tag, step, kBegan + step, lossAt(step + run));
    }
    resetPeak();
    std::int64_t points = 0;
    const std::clock_t began = std::clock();
    const double seconds = secondsOf([&] {
        const auto imported = run::importRuns(workspace, root);
        for (const auto& each : *imported) points += each.points;
        return imported.ok();
    });
    const double processor = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC, memory = peakMegabytes();
    std::printf("%d event files imported in %.1f s (%.1f s of processor time) with %.0f MB of memory: %lld points\n",
                runs, seconds, processor, memory, static_cast<long long>(points));
    bars.keep("many event files", seconds * 1000 / runs, kMostManySeconds, "s for 1,000");
    bars.keep("memory of many event files", memory, kMostMegabytes, "MB");
}

// What a program prints, in the manner of five well-known ones.
void makePrinted(const fs::path& file, std::int64_t bytes) {
    fill(file, bytes, {}, [](std::int64_t step, std::string& text) {
        const std::string loss = number(lossAt(step)), at = std::to_string(step);
        switch (step % 5) {
        case 0: text = "iter " + at + ": loss " + loss + ", time 31.50ms, mfu 12.10%\n"; break;
        case 1: text = "{'loss': " + loss + ", 'grad_norm': 1.5, 'learning_rate': 4.9e-05, 'epoch': 1.0}\n"; break;
        case 2:
            text = "Epoch: [1][" + at + "/900000000]\tTime  0.3 ( 0.4)\tLoss " + loss + " (7.0e+00)\tAcc@1 1.2 (1.1)\n";
            break;
        case 3: text = "2026-11-29 10:00:00,123 INFO train: step " + at + " loss " + loss + " lr 1e-4\n"; break;
        default: text = "Loaded a batch of images from /data/shard-000/part.tar without any trouble at all\n";
        }
    });
}

void makeMetrics(const fs::path& file, std::int64_t bytes) {
    fill(file, bytes, {}, [](std::int64_t step, std::string& text) {
        text = "{\"step\": " + std::to_string(step) + ", \"epoch\": 0.5, \"train/loss\": " + number(lossAt(step)) +
               ", \"train/acc\": 0.5, \"lr\": 0.001, \"val\": {\"loss\": 0.25}}\n";
    });
}

// A file that a program run follows, from its bytes to the points of its curves.
void followLines(const char* name, const fs::path& file, double mostMicroseconds, program::SourceKind kind,
                 const std::function<void(std::string_view, program::ProgramSources&, program::SourceNews&)>& line,
                 bench::Bars& bars) {
    program::ProgramSources sources;
    program::SourceNews news;
    std::int64_t lines = 0;
    const std::clock_t began = std::clock(); // of the processor: beside other programs, too
    (void)secondsOf([&] {
        program::GrownFile grown(file);
        program::LineSplitter splitter(program::kMostMetricLine);
        for (bool more = true; more;) {
            const auto look = grown.look([&](std::string_view bytes) {
                splitter.add(bytes, [&](const program::GrownLine& each) {
                    ++lines;
                    line(each.text, sources, news);
                });
            });
            if (!look.ok()) return false;
            more = look->more;
            news = {}; // it was sent
        }
        return true;
    });
    const double seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
    const auto* source = sources.of(kind);
    std::printf("%-14s followed at %.2f million lines/s, %.2f us a line: %lld points of %zu series\n", name,
                static_cast<double>(lines) / seconds / 1e6, seconds * 1e6 / static_cast<double>(lines),
                static_cast<long long>(source == nullptr ? 0 : source->points),
                source == nullptr ? 0 : source->series.size());
    bars.keep(name, seconds * 1e6 / static_cast<double>(lines), mostMicroseconds, "us a line");
}

void followProgram(const fs::path& root, std::int64_t bytes, bench::Bars& bars) {
    using program::SourceKind;
    makePrinted(root / "printed.log", bytes);
    makeMetrics(root / "metrics.jsonl", bytes);
    program::ProgramSources* to = nullptr;
    program::SourceNews* out = nullptr;
    program::PrintedReader printed({}, [&](const std::string& series, const imports::Point& point) {
        to->add(SourceKind::Printed, series, point, *out);
    });
    followLines(
        "printed lines", root / "printed.log", kMostPrintedMicroseconds, SourceKind::Printed,
        [&](std::string_view text, auto& sources, auto& news) {
            to = &sources;
            out = &news;
            printed.add(text);
        },
        bars);
    program::MetricLines lines("metrics.jsonl");
    program::MetricSteps steps;
    followLines(
        "metrics file", root / "metrics.jsonl", kMostMetricMicroseconds, SourceKind::MetricsFile,
        [&](std::string_view text, auto& sources, auto& news) {
            const auto line = lines.read(text);
            if (!line) return;
            imports::Point point = steps.next(line->step, line->epoch);
            for (const auto& [name, value] : line->values) {
                point.value = value;
                sources.add(SourceKind::MetricsFile, name, point, news);
            }
        },
        bars);
}

// A run of ten series with a hundred thousand points each.
store::RunRow millionPoints(const store::Workspace& workspace) {
    auto store = *store::Store::open(workspace);
    store::RunRow row;
    row.id = "20260101-000000-000001";
    row.name = "million";
    row.status = wire::RunStatus::Finished;
    row.specJson = "{}";
    row.folder = workspace.runFolder(row.id).string();
    if (!store->createRun(row)) qFatal("no run");
    for (int series = 0; series < 10; ++series) {
        wire::SeriesPoints delta;
        delta.series = "train/series" + std::to_string(series);
        for (std::int64_t step = 0; step < 100'000; ++step)
            delta.points.push_back({step, static_cast<double>(step) / 1000, static_cast<double>(step), lossAt(step)});
        if (!store->appendPoints(row.id, {delta})) qFatal("no points");
    }
    return row;
}

} // namespace

int main(int argc, char** argv) {
    QCoreApplication app(argc, argv);
    QStringList arguments = QCoreApplication::arguments();
    bench::Bars bars(arguments);
    const auto bytes = static_cast<std::int64_t>(1e6 * arguments.value(1, QStringLiteral("100")).toDouble());
    QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    const store::Workspace workspace = *store::Workspace::open((root / "workspace").string());
    importManyRuns(root / "many", workspace, std::max(1, static_cast<int>(bytes / 100'000)), bars);
    struct Source {
        const char* name;
        fs::path path;
        void (*make)(const fs::path&, std::int64_t);
        std::function<Result<imports::ImportedRun>(const fs::path&)> read;
    };
    const std::array sources{
        Source{"event file", root / "events" / "events.out.tfevents.1", makeEvents,
               [](const fs::path& path) { return imports::readEventFiles(std::array{path}); }},
        Source{"CSV", root / "metrics.csv", makeTable, imports::readTableFile},
        Source{"JSON lines", root / "result.json", makeJson, imports::readJsonLines},
        Source{"W&B", root / "run-a.wandb", makeWandb, imports::readWandbFile},
        Source{"MLflow folder", root / "mlruns" / "a", makeMlflow, imports::readMlflowFolder},
    };
    for (const Source& source : sources) {
        source.make(source.path, bytes);
        std::size_t points = 0;
        std::int64_t left = 0;
        const double read = secondsOf([&] {
            const auto run = source.read(source.path);
            for (const auto& [name, series] : run->series) points += series.size();
            left = run->skippedCount;
            return run.ok();
        });
        const double whole = secondsOf([&] { return run::importRuns(workspace, source.path).ok(); });
        const double megabytes = static_cast<double>(bytes) / 1e6;
        std::printf("%-14s read at %4.0f MB/s, imported at %4.0f MB/s: %zu points, %lld records left out\n",
                    source.name, megabytes / read, megabytes / whole, points, static_cast<long long>(left));
        bars.keep(source.name, read * 100 / megabytes, kMostReadSeconds, "s for 100 MB");
    }
    followProgram(root, bytes, bars);
    const auto row = millionPoints(workspace);
    const auto query = *store::RunQuery::open(workspace);
    std::size_t size = 0;
    const double report = secondsOf([&] {
        const auto made = report::reportOf(*query, row);
        size = made ? report::toHtml(*made).size() : 0;
        return made.ok();
    });
    std::printf("report of a million points: %.2f s, %zu kB\n", report, size / 1000);
    bars.keep("report of a million points", report, kMostReportSeconds, "s");
    return bars.exitCode();
}
