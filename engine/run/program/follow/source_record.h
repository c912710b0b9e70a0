// SPDX-License-Identifier: GPL-3.0-or-later
// What a keeper leaves of its program's metrics to the next one, and to those who show the run: program/sources.json.
#pragma once

#include "engine/base/result.h"
#include "engine/imports/imported_run.h"
#include "engine/program/metrics/program_sources.h"

#include <filesystem>
#include <map>
#include <string>

namespace trainyard::run {

struct SourceRecord {
    program::SourcesMemory memory{};
    std::vector<program::SourceSummary> sources{};     // of the last process
    std::map<std::string, std::int64_t> checkpoints{}; // steps of those that were told, by path
    std::map<std::string, imports::Setting> summary{}; // that the program itself has told of the whole run

    static constexpr std::size_t kMostCheckpoints = 10'000, kMostNames = 100; // names of a source
};

// Takes any bytes: what is not as it was written is left out.
SourceRecord readSourceRecord(const std::filesystem::path& file);
// Atomic, without a wait for the disk. Environment: it cannot be written.
Result<void> writeSourceRecord(const std::filesystem::path& file, const SourceRecord& record);

} // namespace trainyard::run
