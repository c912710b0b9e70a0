// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/channel_server.h"

namespace trainyard::remote {

Error connectionLost(const std::string& reason, const std::string& label) {
    return environmentError("the connection is lost: " + reason, label).withCode(ErrorCode::ConnectionLost);
}

bool ChannelState::isAbandoned() {
    const std::scoped_lock lock(mutex);
    return abandoned;
}

void ChannelState::recordStart(std::int64_t process) {
    const std::scoped_lock lock(mutex);
    pid = process;
    changed.notify_all();
}

void ChannelState::recordEnd(const run::ExitStatus& how, std::string said) {
    const std::scoped_lock lock(mutex);
    ended = true;
    status = how;
    chatter = std::move(said);
    changed.notify_all();
}

void ChannelState::recordLoss(const std::string& reason) {
    const std::scoped_lock lock(mutex);
    ended = true;
    status = {false, 255, true};
    lossReason = reason;
    changed.notify_all();
}

} // namespace trainyard::remote
