// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/text/name_of.h"
#include "engine/run/record/checkpoint_book.h"

#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace trainyard::run {

// Checkpoints that were saved on hosts and wait to be copied here: one at a time, in the order of their steps, as a
// CheckpointBook expects them. A value.
class CopyQueue {
public:
    struct Copy {
        HostName host;
        wire::CheckpointSaved saved;
    };
    // Adds one, and gives up waiting ones that would be pruned at once if all were here; returns those. So no more wait
    // than the run file keeps, however slow the link is. Never given up: the copy in progress, since none would ever
    // arrive over a link slower than the saves; the newest; and those that a user waits for (`isAsked`).
    std::vector<Copy> add(Copy copy, const CheckpointBook& here,
                          const std::function<bool(std::int64_t step)>& isAsked = {});
    // The next one, which is under way from now on; nothing while one is, or when none waits.
    std::optional<Copy> begin();
    void end();                                     // the one under way has arrived, or cannot
    void postpone();                                // it waits again, as the first
    std::vector<Copy> takeOf(const HostName& host); // those that wait, which leave the queue
    // Another host's copy waits behind the first.
    bool isInTheWay() const;
    std::size_t count() const { return m_copies.size(); }

private:
    std::deque<Copy> m_copies; // the first may be under way
    bool m_underWay = false;
};

} // namespace trainyard::run
