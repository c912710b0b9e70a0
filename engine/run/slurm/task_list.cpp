// SPDX-License-Identifier: GPL-3.0-or-later
// Slurm's lists of the tasks of an array: "0,2,5-9:2%3".
#include "engine/base/text/printable.h"
#include "engine/run/slurm/allocation.h"

#include <charconv>

namespace trainyard::run {
namespace {

constexpr std::size_t kMostTasks = 65536;

bool readNumber(std::string_view text, int& number) {
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failure == std::errc() && end == text.data() + text.size() && number >= 0;
}

// "2", "5-9" or "5-9:2".
bool addTasks(std::string_view range, std::vector<int>& numbers) {
    const auto colon = range.find(':'), dash = range.find('-');
    int first = 0, last = 0, step = 1;
    if (colon != range.npos && (dash == range.npos || !readNumber(range.substr(colon + 1), step))) return false;
    range = range.substr(0, colon);
    if (!readNumber(range.substr(0, dash), first)) return false;
    last = first;
    if (dash != range.npos && !readNumber(range.substr(dash + 1), last)) return false;
    if (last < first || step < 1 || static_cast<std::size_t>(last - first) >= kMostTasks) return false;
    for (int number = first; number <= last; number += step) numbers.push_back(number);
    return numbers.size() <= kMostTasks;
}

} // namespace

Result<std::vector<int>> expandTaskList(std::string_view list) {
    std::vector<int> numbers;
    for (auto rest = list.substr(0, list.find('%'));;) {
        const auto comma = rest.find(',');
        if (!addTasks(rest.substr(0, comma), numbers))
            return inputError("\"" + printable(list, 80) + "\" is no list of an array's tasks", "slurm",
                              "check what this prints: scontrol show job");
        if (comma == rest.npos) return numbers;
        rest.remove_prefix(comma + 1);
    }
}

} // namespace trainyard::run
