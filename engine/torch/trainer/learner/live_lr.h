// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>

namespace trainyard::train {

// The learning rate as a user has changed it while the run trains. The schedule goes on: from the change on it is
// stretched so that the learning rate of that step is the one asked for. It is kept in the checkpoint, and holds as
// long as the run file's own learning rate stays what it was (a fork with another one begins with that one).
class LiveLr {
public:
    explicit LiveLr(double baseLr = 0) : m_baseLr(baseLr) {}
    // The learning rate to use where the schedule says `scheduled`.
    double of(double scheduled) const;
    // From now on: `value` where the schedule says `scheduled`.
    void set(double value, double scheduled);
    void save(std::map<std::string, double>& progress) const;
    void restore(const std::map<std::string, double>& progress);

private:
    double m_baseLr = 0; // of the run file
    double m_scheduled = 0, m_value = 0;
    bool m_set = false;
};

} // namespace trainyard::train
