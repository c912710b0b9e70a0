// SPDX-License-Identifier: GPL-3.0-or-later
// Notes that keepers leave for another supervisor.
#include "engine/run/program/bond/rank_note.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/target.h"

using namespace trainyard;

TRAINYARD_FUZZ_TARGET(data, size) {
    const auto note = run::RankNote::parse({reinterpret_cast<const char*>(data), size}, "rank0.json");
    if (!note) {
        require(!note.error().message.empty() && !note.error().remedy.empty(), "an error says what and what to do");
        return 0;
    }
    require(note->rank < note->worldSize && note->keeper > 0, "a note names a rank there is, and a process");
    const auto again = run::RankNote::parse(note->toJson(), "rank0.json");
    require(again.ok() && again->toJson() == note->toJson(), "a note that was read comes back");
    return 0;
}
