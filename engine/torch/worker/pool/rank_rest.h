// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace trainyard::train {

// What a rank does between two runs: see "Ranks that stay" in engine/wire/FORMAT.md. Nothing else of the process may
// use the descriptors of its frames meanwhile.
class RankRest {
public:
    // `frameFd`: what frames are written to; they are read from descriptor 0. Made before the first run begins.
    explicit RankRest(int frameFd);
    // Says that this process is free, and waits for its next run, whose frames and stderr then take the place of those
    // before. False: there is none, or this process has grown too large for another.
    bool untilNextRun();

private:
    bool hasGrown() const;
    bool sayFree() const;
    bool takeChannels(int frames, int log) const;

    int m_frameFd;
    std::int64_t m_bytesAtStart;
};

} // namespace trainyard::train
