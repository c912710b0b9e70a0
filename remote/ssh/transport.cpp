// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/transport.h"

#include "engine/base/machine/mutex.h"

namespace trainyard::remote {

Error connectionLost(const std::string& reason, const std::string& label) {
    return environmentError("the connection is lost: " + reason, label).withCode(ErrorCode::ConnectionLost);
}

bool ChannelState::isAbandoned() {
    const MutexLock lock(mutex);
    return abandoned;
}

void ChannelState::recordStart(std::int64_t process) {
    const MutexLock lock(mutex);
    pid = process;
    changed.notifyAll();
}

void ChannelState::recordEnd(const run::ExitStatus& how, std::string said) {
    const MutexLock lock(mutex);
    ended = true;
    status = how;
    chatter = std::move(said);
    changed.notifyAll();
}

void ChannelState::recordLoss(const std::string& reason) {
    const MutexLock lock(mutex);
    ended = true;
    status = {false, 255, true};
    lossReason = reason;
    changed.notifyAll();
}

} // namespace trainyard::remote
