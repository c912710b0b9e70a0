// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes as an answer of a fork server, and as the note of a script.
#include "engine/run/program/fork/fork_messages.h"
#include "engine/run/program/fork/script_note.h"
#include "engine/spec/run/preload.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/target.h"

using namespace trainyard;
using namespace trainyard::run;

TRAINYARD_FUZZ_TARGET(data, size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto reply = parseForkReply(bytes);
    using Kind = ForkReply::Kind;
    require(reply.kind != Kind::Rank || (reply.rank > 1 && reply.holder > 1), "neither a group nor init is killed");
    require(reply.kind != Kind::Exited || (reply.value >= 0 && reply.value < 256), "an exit code");
    require(reply.kind != Kind::Killed || (reply.value > 0 && reply.value < 128), "a signal");
    require(reply.reason.size() < 4'000, "a reason is bounded");
    const auto note = noteFrom(bytes);
    require(note.modules.size() <= spec::kMostPreloaded, "the modules of a note are bounded");
    for (const auto& module : note.modules) require(spec::isModuleName(module), "a module can be imported");
    require(noteFrom(noteText(note)) == note, "a note is read as it was written");
    if (const auto preload = spec::parsePreload(bytes))
        require(preload->modules.size() <= spec::kMostPreloaded, "the modules of a run file are bounded");
    else require(!preload.error().message.empty() && !preload.error().remedy.empty(), "a fault is explained");
    return 0;
}
