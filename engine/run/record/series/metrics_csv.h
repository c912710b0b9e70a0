// SPDX-License-Identifier: GPL-3.0-or-later
// Rule: the points of runs as CSV.
// Terminal, window and charts write the same bytes.
#pragma once

#include "engine/store/run_query.h"

#include <string_view>

namespace trainyard::run {

// RFC 4180: in quotes where needed, quotes doubled. A text that a spreadsheet would run as a formula, which names and
// words of other people's data may be, has an apostrophe before it: it is shown as it is.
std::string csvField(std::string_view text);
inline constexpr std::string_view kPointColumns = "step,epoch,time_s,value\n";
// One line under kPointColumns. Numbers have the shortest form that reads back as the same number; the form with floats
// is for what is kept as floats.
void appendCsvPoint(std::string& out, const wire::Point& point);
void appendCsvPoint(std::string& out, std::int64_t step, float epoch, float seconds, double value);

// All points of a run with the columns series,step,epoch,time_s,value; of one series when it is named.
Result<std::string> metricsCsv(store::RunQuery& query, const std::string& run, const std::string& series = {});

} // namespace trainyard::run
