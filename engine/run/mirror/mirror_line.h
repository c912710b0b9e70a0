// SPDX-License-Identifier: GPL-3.0-or-later
// Messages between a computer with a copy of runs and the host on which they live: one JSON object a line. Both ends
// are the same program, so nothing is negotiated; even so, an unreadable line is an error.
#pragma once

#include "engine/store/run_events.h"
#include "engine/store/run_query.h"
#include "engine/store/trial_log.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::run {

// The copy's part of a series: the number of points, and the last one, which shows whether they are still the host's.
struct KnownSeries {
    std::int64_t count = 0;
    wire::Point last{};
};

// From the copy: the run it wants and what it has of it; or the sweep, whose trials follow unasked.
struct MirrorRequest {
    std::string run{}; // or the sweep
    std::map<std::string, KnownSeries> series{};
    std::int64_t logLines = 0;
    std::optional<std::int64_t> trialEvents{}; // of a sweep: the number of the last event that is known, or -1
};
// The request for a run, from what a record has of it; empty if it has nothing. Environment: the record cannot be
// read.
Result<MirrorRequest> requestOf(store::RunQuery& record, const std::string& run);
std::string toLine(const MirrorRequest& request); // without the line's end
Result<MirrorRequest> mirrorRequestFrom(std::string_view line);

// News of a sweep besides its trials.
struct SweepNews {
    std::optional<store::SweepRow> row{};
    std::vector<store::TrialEventRow> events{};
    std::vector<store::TrialDecisionRow> decisions{}; // each takes the place of the trial's one before
    bool empty() const { return !row && events.empty() && decisions.empty(); }
};

// From the host: news of a run, applied in the order of the members.
struct MirrorNews {
    std::string run{};                // or the sweep
    std::optional<SweepNews> sweep{}; // and nothing else
    std::optional<store::RunRow> row{};
    std::optional<std::vector<wire::WorkerState>> workers{};
    std::optional<std::int64_t> rewoundTo{}; // points and events of later steps are void; -1: all of them
    std::vector<wire::SeriesPoints> points{};
    std::vector<wire::LogLine> log{};
    std::optional<std::vector<store::RunEventRow>> events{};        // all of them
    std::optional<std::vector<store::CheckpointRow>> checkpoints{}; // all of them, with the paths there
    bool empty() const {
        return !row && !workers && !rewoundTo && points.empty() && log.empty() && !events && !checkpoints && !sweep;
    }
};
std::string toLine(const MirrorNews& news);
Result<MirrorNews> mirrorNewsFrom(std::string_view line);

// News in pieces that make short lines. The row comes last, so that a finished run is complete, and also first if the
// copy has none yet.
std::vector<MirrorNews> inPieces(MirrorNews news, bool isKnown);
// Joins the pieces of one run again.
MirrorNews joined(std::vector<MirrorNews> pieces);

} // namespace trainyard::run
