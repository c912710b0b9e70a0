// SPDX-License-Identifier: GPL-3.0-or-later
// Patterns of a user's own for lines that a program prints: the run file's metrics.patterns.
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::program {

// What a pattern found in a line.
struct PatternMatch {
    std::optional<double> step{}, epoch{};
    std::string name{};
    double value = 0;
    std::size_t at = 0, size = 0; // bytes of the value in the line
};

// Regular expressions of PCRE2 with the named groups value, and as needed name, step and epoch: `loss: (?<value>\S+)`.
// A pattern without a group `name` names its series by the words before the value. Compiled to machine code where that
// is possible. A line costs each pattern a bounded number of tries: one that needs more is switched off.
class ValuePatterns {
public:
    static constexpr std::size_t kMostPatterns = 64, kMostLength = 4096, kMostMatches = 100; // of a line and pattern

    // Input, with the place in the pattern: it is none, has no group `value`, or an unknown group.
    static Result<ValuePatterns> compile(const std::vector<std::string>& patterns);
    ValuePatterns();
    ~ValuePatterns();
    ValuePatterns(ValuePatterns&&) noexcept;
    ValuePatterns& operator=(ValuePatterns&&) noexcept;

    // All that the patterns find in a line, in their order. Takes any bytes.
    std::vector<PatternMatch> match(std::string_view line);
    // Why a pattern was switched off, with its line; each once.
    std::vector<Error> takeFaults();
    bool isEmpty() const;

private:
    struct Pattern;
    struct State;
    void matchOne(Pattern& pattern, std::string_view line, std::vector<PatternMatch>& found);
    static void take(const Pattern& pattern, std::string_view line, std::vector<PatternMatch>& found);

    std::unique_ptr<State> m_state;
};

} // namespace trainyard::program
