// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers, times and names as the window writes them, so that a value looks the same everywhere.
#pragma once

#include <QString>
#include <QStringList>

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
// Rule: how numbers look in the window's language, and how a person may write them.
// Text with numbers as run files have them ("0.05", "[0.9, 0.999]"), with the language's decimal sign.
QString localText(const QString& text);
// A number that a person wrote, with a decimal sign of either kind and groups of thousands, as run files have it. What
// can be read in two ways ("1,234" where the sign is a point), or is no number, stays as it is.
QString plainNumber(const QString& typed);
// The same for a whole number, in which any sign between three digits is one of thousands: "60.000" is 60000.
QString plainWhole(const QString& typed);
// So many decimals, and at most so many digits, with an exponent where that is shorter.
QString fixedText(double value, int decimals);
QString digitsText(double value, int digits);
// A metric with four significant places: "0.9438", "12.70", "3.1e-05", "20.6k"; "–" when not finite.
QString metricText(double value);
// The shortest text that reads back as the same double: for people, and for files.
QString exactText(double value);
QString csvNumber(double value);
// "11:42:07" today, "3 Oct 11:42" otherwise.
QString clockText(std::int64_t wallMs);

// "1st", "2nd", "11th"
QString ordinalText(int number);

// The text with a capital at its beginning.
QString sentence(QString text);

// Rule: how series are called in the window.
// In words, as within a sentence: "val accuracy" for "val/accuracy" and "val_acc", "samples/s" for "samples_per_s". A
// series that a program named by itself keeps its name. Tooltips have the name of the file, which filters ask for.
QString seriesText(const QString& series);
// The same as a title: "Val accuracy".
QString seriesTitle(const QString& series);
// Of a chart with several: "Train loss + Val loss".
QString seriesTitle(const QStringList& series);
// Rule: in which order values of several series are read.
// Lower comes first: losses and accuracies, then other metrics, then what tells of the training, its times last.
int seriesPlace(const QString& series);
inline const QString kNoValue = QStringLiteral("–");

} // namespace trainyard::ui
