// SPDX-License-Identifier: GPL-3.0-or-later
// Which of the places in which a program leaves its metrics feed the curves of its run.
#pragma once

#include "engine/imports/imported_run.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::program {

// Where metrics come from, the best first.
enum class SourceKind { MetricsFile, EventFiles, Wandb, Mlflow, JsonLog, Table, Printed };
const char* toString(SourceKind kind); // "metrics file", "event files"
// One word, as in names of series and files: "metrics-file", "event-files".
const char* wordOf(SourceKind kind);
std::optional<SourceKind> sourceKindOf(std::string_view word); // nothing for another word

// A point of a series of the run.
struct SeriesPoint {
    std::string series;
    imports::Point point{};
};

// What one source has said, for the list of sources.
struct SourceSummary {
    SourceKind kind = SourceKind::Printed;
    std::int64_t points = 0;             // that count
    std::int64_t repeated = 0, late = 0; // at the step of another; at a step that lies before
    std::int64_t lastStep = -1;          // -1: none yet
    bool feeds = false;                  // the curves
    std::vector<std::string> series{};   // their names, in order
};

// What follows from points. Points after `rewoundTo` are void (-1: all) before the new ones are added; of these, one at
// the step of a checkpoint may stand there already.
struct SeriesNews {
    std::optional<std::int64_t> rewoundTo{};
    std::vector<SeriesPoint> points{};

    bool isEmpty() const { return !rewoundTo && points.empty(); }
};
// The same of all sources.
struct SourceNews {
    SeriesNews curves{};                       // of the source that feeds them
    std::map<SourceKind, SeriesNews> beside{}; // of the others, which are kept apart
    // Another source feeds the curves from here on: what they had is void (curves.rewoundTo is -1), and belongs to the
    // one before, which is kept apart.
    std::optional<SourceKind> feeds{};
    std::vector<std::string> notices{}; // for the log of the run

    bool isEmpty() const { return curves.isEmpty() && beside.empty() && !feeds && notices.empty(); }
};

// What the sources of one process leave to those of the next.
struct SourcesMemory {
    struct Each {
        SourceKind kind = SourceKind::Printed;
        std::int64_t firstStep = 0; // of the first point that the run ever had of it
        std::int64_t lastStep = -1; // how far it has come
        std::int64_t points = 0;    // that it has told, those included that a restart has made void
        bool operator==(const Each&) const = default;
    };
    std::optional<SourceKind> feeds{};
    std::vector<Each> sources{};
    bool operator==(const SourcesMemory&) const = default;
};

// Rule: which of a program's points become points of its curves.
// The best source that has spoken feeds them; what others say is kept beside it. A series that goes back to an earlier
// step, and is as far as any of its source, takes the source back: its later points are void. A step of a series counts
// once. A value: no clock, no files. Holds a mark for each series, no points.
class ProgramSources {
public:
    static constexpr std::size_t kMostSeries = 10'000; // of a source; points of others are counted as late

    // A point of `series`, in the order in which its source has it. Several files may be of one source; of one name in
    // two of them, the steps that come first count.
    void add(SourceKind kind, std::string_view series, const imports::Point& point, SourceNews& news, int file = 0);
    // The source itself says that it begins again at `step`: its points from there on are void.
    void beginAgain(SourceKind kind, std::int64_t step, SourceNews& news);
    // The program was started again from a checkpoint of this step (0: from the beginning): points after it are void.
    // A source that had come as far and then begins as it began at first, before that step, counts from 0: it is
    // shifted, with a notice.
    void restarted(std::int64_t step, SourceNews& news);
    // The same for a new value that goes on for one of an earlier process: before its first point.
    void goesOn(std::int64_t step, const SourcesMemory& before);
    SourcesMemory memory() const;

    std::optional<SourceKind> feeding() const { return m_feeding; }
    std::vector<SourceSummary> list() const; // of those that have spoken, the best first
    const SourceSummary* of(SourceKind kind) const;

private:
    struct Last { // point of a series
        std::int64_t step = 0;
        bool isVoid = false; // what is left lies at this step at most
        int file = 0;
    };
    struct Source {
        SourceSummary summary{};
        std::map<std::string, Last, std::less<>> lasts{};
        std::int64_t lead = -1;                  // the greatest of these
        std::optional<std::int64_t> firstStep{}; // of its first start
        std::int64_t shift = 0;                  // added to what it says
        std::optional<std::int64_t> resumedAt{}; // of a restart, until its next point
        bool saidFull = false;
    };

    void speaks(SourceKind kind, SourceNews& news);
    void shiftAfterRestart(Source& source, std::int64_t step, SourceNews& news);
    void rewind(SourceKind kind, Source& source, std::int64_t to, SourceNews& news);
    SeriesNews& newsOf(SourceKind kind, SourceNews& news);

    std::map<SourceKind, Source> m_sources{};
    std::optional<SourceKind> m_feeding{};
};

} // namespace trainyard::program
