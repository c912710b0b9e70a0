// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/series/source_series.h"

#include "engine/run/record/series/system_series.h"

namespace trainyard::run {
namespace {

constexpr std::string_view kSourcePrefix = "source/";

} // namespace

std::string sourceSeries(program::SourceKind kind, std::string_view name) {
    return std::string(kSourcePrefix) + program::wordOf(kind) + "/" + std::string(name);
}

std::optional<SourceSeries> sourceOf(std::string_view series) {
    if (!series.starts_with(kSourcePrefix)) return {};
    series.remove_prefix(kSourcePrefix.size());
    const auto slash = series.find('/');
    if (slash == series.npos) return {};
    const auto kind = program::sourceKindOf(series.substr(0, slash));
    if (!kind) return {};
    return SourceSeries{*kind, std::string(series.substr(slash + 1))};
}

bool isSourceSeries(std::string_view series) { return sourceOf(series).has_value(); }

bool tellsOfTraining(std::string_view series) { return !isSystemSeries(series) && !isSourceSeries(series); }

} // namespace trainyard::run
