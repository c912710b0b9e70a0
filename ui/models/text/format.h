// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and times as the window writes them, so that a value looks the same everywhere.
#pragma once

#include <QString>

#include <cstdint>

namespace trainyard::ui {

// "2:14", "1:02:05"; "–" when negative or not finite.
QString durationText(double seconds);
// "12 s", "5 min", "2 h", "Thu", "3 Oct": the time from `wallMs` to `nowMs`, short form.
QString ageText(std::int64_t wallMs, std::int64_t nowMs);
// Rule: how often ages are drawn again.
// The milliseconds until they want it, if the newest is this old: a second, later less often, so that an idle window
// sleeps.
int ageTickMs(std::int64_t newestMs, std::int64_t nowMs);
// "12 s left", "5 min left", "2 h left"; empty when negative or not finite.
QString leftText(double seconds);
// "42.7 MB"
QString bytesText(double bytes);
// "9.2 / 24 GB": how much of a memory is in use.
QString usedText(std::int64_t usedBytes, std::int64_t totalBytes);
// "41,200" by the locale.
QString countText(double count);
// "42%" for a share of 0.42.
QString percentText(double share, int decimals = 0);
// For a number already in text: "+12.5%" for "+12.5".
QString percentText(const QString& number);
// A metric with four significant places: "0.9438", "12.70", "3.1e-05", "20.6k"; "–" when not finite.
QString metricText(double value);
// The shortest text that reads back as the same double.
QString exactText(double value);
// "11:42:07" today, "3 Oct 11:42" otherwise.
QString clockText(std::int64_t wallMs);

// "1st", "2nd", "11th"
QString ordinalText(int number);

// The text with a capital at its beginning.
QString sentence(QString text);

inline const QString kNoValue = QStringLiteral("–");

} // namespace trainyard::ui
