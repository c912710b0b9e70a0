// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/metrics/printed_choice.h"

namespace trainyard::program {

bool isNameOfPrinted(std::string_view entry) {
    return (entry.starts_with('+') || entry.starts_with('-')) && entry.find("(?") == entry.npos;
}

imports::PrintedNames namesOfPrinted(const std::vector<std::string>& entries) {
    imports::PrintedNames names;
    for (const auto& entry : entries)
        if (isNameOfPrinted(entry)) (entry.front() == '+' ? names.taken : names.dropped).insert(entry.substr(1));
    return names;
}

std::vector<std::string> withChoice(std::vector<std::string> entries, const std::string& name, PrintedChoice choice) {
    std::erase_if(entries, [&](const std::string& entry) { return isNameOfPrinted(entry) && entry.substr(1) == name; });
    if (choice != PrintedChoice::Automatic) entries.push_back((choice == PrintedChoice::Taken ? "+" : "-") + name);
    return entries;
}

} // namespace trainyard::program
