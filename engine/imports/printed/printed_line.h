// SPDX-License-Identifier: GPL-3.0-or-later
// The values of a line that a training program has printed for people to read (SOURCES.md).
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::imports {

// One value of a line, under the words before it.
struct PrintedValue {
    std::string name; // as it is printed: "train loss", "Acc@1"
    double value = 0;
    bool isMetric = true; // false: a count, a time or a size, of which somebody may think otherwise
};

// What a line tells.
struct PrintedLine {
    std::optional<double> step{}, epoch{};
    std::optional<double> batch{}; // of `batches`: "30/100", which may be of samples
    double batches = 0;
    std::vector<PrintedValue> values{};
    std::string_view heldOut{}; // "val" or "test": the line begins with such a word, which its names then begin with
    bool hasNumbers = false;
    std::uint64_t shape = 0; // of the line without its numbers: lines of one print statement have the same
};

// Names, as they stand in PrintedLine, of which somebody has decided otherwise than the rule below.
struct PrintedNames {
    std::set<std::string, std::less<>> taken{}, dropped{};
};

// Which numbers of a line are told: metrics, or all that have a name.
enum class PrintedWhich { Metrics, Named };

// Rule: which numbers of a printed line are metrics, and of which step.
// Looks at the first 4 KiB, in linear time. Takes any bytes.
PrintedLine readPrintedLine(std::string_view line, PrintedWhich which = PrintedWhich::Metrics);

// "val/loss" for "loss"; a name that tells the part of the data itself stays.
std::string nameWithin(std::string_view heldOut, const std::string& name);

// Whether a name may be a metric's: not a count, a time or a size of the computer or the data.
bool isMetricName(std::string_view name);

// Whether a name has a word of a usual metric in it: loss, acc, f1, reward, lr.
bool namesMetric(std::string_view name);

} // namespace trainyard::imports
