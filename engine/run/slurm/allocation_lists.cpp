// SPDX-License-Identifier: GPL-3.0-or-later
// Slurm's lists of nodes, "n[1-3,07],gpu1", "rack[1-2]n[01-16]", and of the tasks of an array, "0,2,5-9:2%3".
#include "engine/base/text/printable.h"
#include "engine/run/slurm/allocation.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace trainyard::run {
namespace {

constexpr std::size_t kMostNodes = 65536;

Error notAList(std::string_view list) {
    return inputError("\"" + printable(list) + "\" is not a list of Slurm nodes", "SLURM_JOB_NODELIST",
                      "check what this prints: scontrol show hostnames \"$SLURM_JOB_NODELIST\"");
}

bool isDigits(std::string_view text) {
    return !text.empty() && text.size() <= 9 && text.find_first_not_of("0123456789") == text.npos;
}

// "1-3" or "07", appended as "1", "2", "3" or "07": as wide as the first one is written.
bool addRange(std::string_view range, std::vector<std::string>& numbers) {
    const auto dash = range.find('-');
    const auto first = range.substr(0, dash), last = dash == range.npos ? first : range.substr(dash + 1);
    if (!isDigits(first) || !isDigits(last)) return false;
    unsigned from = 0, to = 0;
    std::from_chars(first.data(), first.data() + first.size(), from);
    std::from_chars(last.data(), last.data() + last.size(), to);
    if (to < from || to - from >= kMostNodes || numbers.size() + (to - from) >= kMostNodes) return false;
    for (unsigned number = from; number <= to; ++number) {
        auto text = std::to_string(number);
        numbers.push_back(std::string(first.size() - std::min(first.size(), text.size()), '0') + text);
    }
    return true;
}

bool addNumbers(std::string_view inside, std::vector<std::string>& numbers) {
    for (;;) {
        const auto comma = inside.find(',');
        if (!addRange(inside.substr(0, comma), numbers)) return false;
        if (comma == inside.npos) return true;
        inside.remove_prefix(comma + 1);
    }
}

bool isNamePart(std::string_view text) {
    return std::ranges::all_of(text,
                               [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_' || c == '.'; });
}

// One element of the list: text and brackets in turn.
bool addNames(std::string_view element, std::vector<std::string>& names) {
    std::vector<std::string> made{""};
    while (!element.empty()) {
        const auto open = element.find('[');
        const auto text = element.substr(0, open);
        if (!isNamePart(text)) return false;
        for (auto& name : made) name += text;
        if (open == element.npos) break;
        const auto close = element.find(']', open);
        if (close == element.npos) return false;
        std::vector<std::string> numbers, longer;
        if (!addNumbers(element.substr(open + 1, close - open - 1), numbers)) return false;
        if (made.size() * numbers.size() > kMostNodes) return false;
        for (const auto& name : made)
            for (const auto& number : numbers) longer.push_back(name + number);
        made = std::move(longer);
        element.remove_prefix(close + 1);
    }
    if (made.front().empty() || made.front().front() == '-' || names.size() + made.size() > kMostNodes) return false;
    names.insert(names.end(), made.begin(), made.end());
    return true;
}

// Where the element ends: at a comma outside of brackets.
std::size_t endOfElement(std::string_view list) {
    bool inside = false;
    for (std::size_t at = 0; at < list.size(); ++at) {
        if (list[at] == '[') inside = true;
        if (list[at] == ']') inside = false;
        if (list[at] == ',' && !inside) return at;
    }
    return list.size();
}

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

Result<std::vector<std::string>> expandNodeList(std::string_view list) {
    std::vector<std::string> names;
    if (list.empty() || list == "(null)" || list == "None assigned") return names;
    for (auto rest = list;;) {
        const auto end = endOfElement(rest);
        if (!addNames(rest.substr(0, end), names)) return notAList(list);
        if (end == rest.size()) return names;
        rest.remove_prefix(end + 1);
    }
}

Result<std::vector<int>> expandTaskList(std::string_view list) {
    std::vector<int> numbers;
    for (auto rest = list.substr(0, list.find('%'));;) {
        const auto comma = rest.find(',');
        if (!addTasks(rest.substr(0, comma), numbers))
            return inputError("\"" + printable(list, 80) + "\" is not a list of an array's tasks", "slurm",
                              "check what this prints: scontrol show job");
        if (comma == rest.npos) return numbers;
        rest.remove_prefix(comma + 1);
    }
}

} // namespace trainyard::run
