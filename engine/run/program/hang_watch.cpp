// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/hang_watch.h"

#include <algorithm>

namespace trainyard::run {
namespace {

constexpr double kPatience = 20;       // times the usual interval between two reports
constexpr double kWeight = 0.1;        // of the newest interval in the mean
constexpr double kFirstSeconds = 1800; // before the first report
constexpr double kShortest = 0.01;     // seconds: reports of one step come together

} // namespace

void HangWatch::reported(double now) {
    const double interval = now - m_reported;
    if (m_hasReported && interval > kShortest)
        m_usual = m_usual > 0 ? (1 - kWeight) * m_usual + kWeight * interval : interval;
    // A long pause, for a validation, must not be forgotten at once.
    if (m_hasReported) m_usual = std::max(m_usual, interval / kPatience);
    m_hasReported = true;
    m_warned = false;
    m_reported = now;
}

void HangWatch::passOver(double seconds) {
    for (double* at : {&m_begun, &m_reported, &m_printed, &m_computed}) *at += seconds;
}

HangWatch::Verdict HangWatch::look(double now) {
    if (m_limit <= 0) return Verdict::Fine;
    const bool isStill = now - std::max({m_reported, m_printed, m_computed}) >= m_limit;
    const bool isSilent =
        m_usual > 0 && now - m_reported >= std::max(m_limit, kPatience * m_usual) && now - m_printed >= m_limit;
    if (!isStill && !isSilent) return Verdict::Fine;
    if (m_hasReported || now - m_begun >= std::max(kFirstSeconds, m_limit)) return Verdict::Hung;
    if (m_warned) return Verdict::Fine;
    m_warned = true;
    return Verdict::Warn;
}

double HangWatch::stillSeconds(double now) const { return now - std::max(m_reported, m_printed); }

double HangWatch::quietSeconds(double now) const { return now - std::max({m_reported, m_printed, m_computed}); }

} // namespace trainyard::run
