// SPDX-License-Identifier: GPL-3.0-or-later
// Dates and times in tables, in the calendar that civil life uses (proleptic Gregorian), without leap seconds.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::formats {

// A point in time as it is written.
struct Moment {
    double seconds = 0; // since 1970-01-01 00:00, in UTC where a zone is written; without a date: since midnight
    bool hasDate = false, hasTime = false;
};

// "2026-11-29", "2026/11/29", "29.11.2026", each also with "T14:05", " 14:05:30.25" and "Z" or "+01:00" behind it, or a
// time alone. Nothing: another text, or no such day. "11/29/2026" is none, since it may be read in two ways.
std::optional<Moment> momentOf(std::string_view text);

// "2026-11-29", "2026-11-29T14:05:30" or "2026-11-29T14:05:30.250000"; text that momentOf() reads as the same time, to
// a microsecond.
std::string isoTime(double seconds);

// What a column of dates or times becomes: "year", "month", "day", "weekday" (Monday is 1), "hour" where there are
// times, and "seconds". Of a column of times alone: "hour" and "seconds".
std::vector<std::string> partsOf(bool hasDate, bool hasTime);
// One of these parts of a moment.
double partOf(double seconds, std::string_view part);

} // namespace trainyard::formats
