// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <cstdio>

namespace trainyard::bench {

// The bars of a benchmark: with --bars the program fails when one is missed, and without it only measures.
class Bars {
public:
    // Takes --bars out of the program's arguments.
    explicit Bars(QStringList& arguments) : m_asked(arguments.removeAll(QStringLiteral("--bars")) > 0) {}
    void keep(const char* what, double value, double bar, const char* unit) {
        if (!m_asked || value <= bar) return;
        std::printf("missed: %s %.4g %s, and the bar is %g %s\n", what, value, unit, bar, unit);
        m_missed = true;
    }
    int exitCode() const { return m_missed ? 1 : 0; }

private:
    bool m_asked, m_missed = false;
};

} // namespace trainyard::bench
