// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/run_file.h"

namespace trainyard::ctl {

Result<store::RunRow> runOf(const Session& session, const std::string& given) {
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    return open.query->run(given.substr(0, given.rfind('@')));
}

Result<store::CheckpointRow> findCheckpoint(const Session& session, const std::string& given) {
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    return open.query->checkpoint(given);
}

} // namespace trainyard::ctl
