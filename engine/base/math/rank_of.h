// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard {

// A rank, counted from 0, and the number of ranks that it is one of: those of its group, or of its host.
struct RankOf {
    int rank = 0, ranks = 1;
};

} // namespace trainyard
