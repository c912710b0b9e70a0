// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/mirror/mirror_copy.h"

namespace trainyard::ctl {

// Reads what a `trainyardctl feed` elsewhere prints, news of runs a line each, into the copy here.
class NewsReader {
public:
    enum class Heard { Nothing, Something, End };
    // Takes what is there, without waiting. Environment: it is no news, or the copy cannot take it; `where` names it.
    Result<Heard> read(int from, run::MirrorCopy& copy, const std::string& where);
    void clear() { m_text.clear(); } // another feed begins

private:
    std::string m_text; // received, and not a whole line yet
};

// Asks a feed, whose input this is. ConnectionLost: it does not read.
Result<void> askFeed(int to, std::string_view lines);

} // namespace trainyard::ctl
