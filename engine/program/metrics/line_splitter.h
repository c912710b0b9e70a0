// SPDX-License-Identifier: GPL-3.0-or-later
// Divides the bytes of a file that grows into lines.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace trainyard::program {

// A line, without its end.
struct GrownLine {
    std::string_view text{}; // valid during the call
    std::int64_t number = 0; // of the line in the file, from 1 on
    bool isState = false;    // of a progress bar, which the next one overwrites: a carriage return ends it
    bool isCut = false;      // the rest of a longer line is left out
};

// Holds one line at most, whatever comes: half a line waits for its rest, and of a longer one only the beginning is
// kept. Of the states that a progress bar goes through between two calls of rest(), the last one counts.
class LineSplitter {
public:
    using Told = std::function<void(const GrownLine&)>;

    explicit LineSplitter(std::size_t longestLine) : m_longest(longestLine) {}

    void add(std::string_view bytes, const Told& told);
    // All that has come by now was added: the state of a bar that waits is told.
    void rest(const Told& told);
    // Nothing more comes: half a line is one.
    void end(const Told& told);
    bool hasHalfLine() const { return !m_line.empty(); }

private:
    void endState();
    void endLine(const Told& told);
    void tellState(const Told& told);
    void keep(std::string_view bytes);

    std::size_t m_longest;
    std::string m_line{}, m_state{}; // m_state: of a bar, complete
    std::int64_t m_number = 1;
    bool m_isCut = false, m_stateIsCut = false;
    bool m_isWiped = false; // the state was followed by spaces
};

} // namespace trainyard::program
