// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace trainyard {

// A new run or sweep id: time-ordered and safe as a file name, e.g. "20261120-104512-7f3a9c".
std::string newId();
// The id of the one run that a key of others names, such as the number of a cluster's job: always the same for a key.
std::string idOfKey(std::string_view key);
// A friendly two-word name, e.g. "brave-otter"; random, not unique.
std::string newRunName();
// The candidate nearest to `word` by edit distance, or empty when none is near enough to be meant.
std::string nearestWord(std::string_view word, const auto& candidates);

// Printable form of untrusted text: control and direction-changing characters escaped, cut at maxLength.
std::string printable(std::string_view text, std::size_t maxLength = 200);

// What keeps a text from being a name that people see ("must not hold / or \\"), or nothing: at most 100 characters,
// without path separators or characters that a terminal obeys instead of showing.
std::string nameProblem(std::string_view name);
// The same of a line of text, such as tags: up to so many characters, path separators among them, or nothing at all.
std::string lineProblem(std::string_view text, std::size_t maxCharacters);
// The name of a run that begins with a checkpoint of the run of that name; cut between characters where it is too long.
std::string forkName(std::string_view name);

std::size_t editDistance(std::string_view a, std::string_view b);

std::string nearestWord(std::string_view word, const auto& candidates) {
    std::string best;
    std::size_t bestDistance = word.size() / 2 + 1;
    for (const auto& candidate : candidates) {
        const std::size_t distance = editDistance(word, candidate);
        if (distance < bestDistance) {
            bestDistance = distance;
            best = std::string(candidate);
        }
    }
    return best;
}

} // namespace trainyard
