// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/api/rank_service.h"

#include "engine/torch/api/rank_session.h"

namespace trainyard::train {

void serveRank(const std::function<void(const Config&)>& function) {
    RankSession::serve([&](RankSession& session) { function(Config(session.spec().model.params)); });
}

} // namespace trainyard::train
