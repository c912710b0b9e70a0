// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of a run file that are the same for every model and dataset, with their ranges: what validation judges
// them by, what `trainyard-worker describe` prints of them, and what the window makes its form of.
#pragma once

#include "engine/spec/run/run_spec.h"

#include <cstdint>

namespace trainyard::spec {

// Rule: upper limits that more than one place names.
// For fields of a run file; those of a learning rate are in learning_rate.h.
inline constexpr std::int64_t kMaxEpochs = 1'000'000;
inline constexpr std::int64_t kMaxSteps = 1'000'000'000'000;
inline constexpr std::int64_t kMaxBatch = 10'000'000;
inline constexpr std::int64_t kMaxWorkers = 1024;
inline constexpr std::int64_t kMaxCompressionRank = 256;
inline constexpr std::int64_t kMaxLoraRank = 1024;

// Fields that belong together for a person. The names of the parameters are paths of the run file, "gradient.clipNorm";
// a field that has several kinds of limits (steps and epochs, batch) is not here.
struct Section {
    std::string title;
    std::string help; // one sentence
    std::vector<ParamInfo> params;
};
// Rule: the ranges of the fields that every run file has.
const std::vector<Section>& runSections();

// The field that says which values of a series are better, by the path of the field that names the series:
// "checkpoint.mode" for "checkpoint.scoreBy". Empty for every other path.
std::string modePathOf(std::string_view seriesPath);

// The values of those fields, by path.
Params sectionValues(const RunSpec& spec);
// The spec with these of them changed; a mode that is not among them follows a series that is. Input: a path that is
// none, a value of another type.
Result<RunSpec> withSectionValues(const RunSpec& spec, const Params& values);

} // namespace trainyard::spec
