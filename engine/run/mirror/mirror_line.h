// SPDX-License-Identifier: GPL-3.0-or-later
// What is said between a computer that keeps a copy of runs and the host on which they live: one JSON object a line.
// The programs at both ends are the same, so nothing is negotiated; a line that cannot be read is an error even so.
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

// What the copy has of a series: how many points, and the last of them, by which it is seen whether they are still the
// host's.
struct KnownSeries {
    std::int64_t count = 0;
    wire::Point last{};
};

// From the copy: which run it wants, and what it has of it; or which sweep, whose trials are told without being asked
// for.
struct MirrorRequest {
    std::string run{}; // or the sweep
    std::map<std::string, KnownSeries> series{};
    std::int64_t logLines = 0;
    std::optional<std::int64_t> trialEvents{}; // of a sweep: the number of the last event that is known, or -1
};
// Of what a record has of a run; without anything where it has none of it. Environment: it cannot be read.
Result<MirrorRequest> requestOf(store::RunQuery& record, const std::string& run);
std::string toLine(const MirrorRequest& request); // without the line's end
Result<MirrorRequest> mirrorRequestFrom(std::string_view line);

// What is new of a sweep beside its trials.
struct SweepNews {
    std::optional<store::SweepRow> row{};
    std::vector<store::TrialEventRow> events{};
    std::vector<store::TrialDecisionRow> decisions{}; // each takes the place of the trial's one before
    bool empty() const { return !row && events.empty() && decisions.empty(); }
};

// From the host: what is new of a run, to be applied in the order of the members.
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

// The same in pieces that make short lines. The row comes last, so that what has ended is whole; first as well where
// the copy has none yet.
std::vector<MirrorNews> inPieces(MirrorNews news, bool isKnown);
// What the pieces of one run were made of.
MirrorNews joined(std::vector<MirrorNews> pieces);

} // namespace trainyard::run
