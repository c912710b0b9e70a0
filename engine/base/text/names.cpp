// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/text/names.h"

#include "engine/base/text/printable.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace trainyard {
namespace {

constexpr std::size_t kMaxNameCharacters = 100;

bool startsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

} // namespace

std::string lineProblem(std::string_view text, std::size_t maxCharacters) {
    if (static_cast<std::size_t>(std::count_if(text.begin(), text.end(), startsCharacter)) > maxCharacters)
        return "must be at most " + std::to_string(maxCharacters) + " characters";
    if (printable(text, text.size()) != text)
        return "must not hold control characters or characters that change the direction of writing";
    return {};
}

std::string nameProblem(std::string_view name) {
    if (auto problem = lineProblem(name, kMaxNameCharacters); !problem.empty()) return problem;
    if (name.find_first_of("/\\") != name.npos) return "must not hold / or \\";
    if (name.find_first_not_of(' ') == name.npos) return "must not be blank";
    if (name.front() == '-' || name.front() == '.') return "must not begin with - or .";
    return {};
}

std::string forkName(std::string_view name) {
    constexpr std::string_view kEnding = "-fork";
    std::size_t characters = 0, end = 0;
    for (; end < name.size(); ++end)
        if (startsCharacter(name[end]) && ++characters > kMaxNameCharacters - kEnding.size()) break;
    return std::string(name.substr(0, end)) + std::string(kEnding);
}

bool isPlainId(const std::string& id) {
    return !id.empty() && id.size() <= 64 && std::all_of(id.begin(), id.end(), [](unsigned char c) {
        return std::isdigit(c) != 0 || (c >= 'a' && c <= 'z') || c == '-';
    });
}

bool isPlainPath(const std::string& path) {
    std::istringstream parts(path);
    int count = 0;
    for (std::string part; std::getline(parts, part, '/'); ++count)
        if (part.empty() || part == "." || part == ".." || part.find('\0') != std::string::npos) return false;
    return count > 0 && !path.ends_with('/');
}

} // namespace trainyard
