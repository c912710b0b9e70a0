// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/api/engine_calls.h"

#include "engine/torch/api/raise.h"
#include "engine/torch/api/rank_session.h"
#include "engine/torch/worker/export.h"

namespace trainyard::train {

void serveRank(const std::function<void(const Config&)>& function) {
    RankSession::serve([&](RankSession& session) { function(Config(session.spec().model.params)); });
}

void exportCheckpoint(const std::filesystem::path& checkpoint, const std::filesystem::path& out,
                      const std::string& format, bool overwrite) {
    valueOrRaise(exportModel(checkpoint, out, {format, overwrite}));
}

} // namespace trainyard::train
