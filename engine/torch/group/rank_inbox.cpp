// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/group/rank_inbox.h"

#include <utility>

namespace trainyard::train {

void RankInbox::put(wire::Message message) {
    const MutexLock lock(m_mutex);
    if (auto* regroup = std::get_if<wire::Regroup>(&message)) {
        m_regroup = std::move(*regroup);
        m_generation = m_regroup->generation;
    } else if (auto* start = std::get_if<wire::Start>(&message)) {
        m_start = std::move(*start);
    } else if (auto* command = std::get_if<wire::Command>(&message)) {
        m_commands.push_back(std::move(*command));
        m_commandWaits = true;
    } else if (auto* reply = std::get_if<wire::StoreReply>(&message)) {
        if (const auto waiting = m_replies.find(reply->request); waiting != m_replies.end())
            waiting->second = std::move(*reply);
    }
    m_arrived.notifyAll();
}

void RankInbox::wake() {
    const MutexLock lock(m_mutex);
    m_arrived.notifyAll();
}

void RankInbox::end() {
    const MutexLock lock(m_mutex);
    m_ended = true;
    m_arrived.notifyAll();
}

wire::Start RankInbox::waitForStart() {
    MutexLock lock(m_mutex);
    while (!m_start && !m_ended) m_arrived.wait(lock);
    return m_start.value_or(wire::Start{});
}

int RankInbox::localRank() const {
    const MutexLock lock(m_mutex);
    return m_regroup ? m_regroup->localRank : m_start ? m_start->localRank : -1;
}

Result<wire::Regroup> RankInbox::waitForRegroup(int generation, std::chrono::milliseconds timeout,
                                                const std::function<bool()>& givesUp) {
    MutexLock lock(m_mutex);
    const auto until = std::chrono::steady_clock::now() + timeout;
    while (m_generation <= generation && !m_ended && !givesUp() && m_arrived.waitUntil(lock, until)) {}
    if (m_ended || m_generation <= generation)
        return runError("the supervisor announced no replacement within " + std::to_string(timeout.count() / 1000) +
                        " s");
    return *m_regroup;
}

std::vector<wire::Command> RankInbox::takeCommands() {
    const MutexLock lock(m_mutex);
    m_commandWaits = false;
    return std::exchange(m_commands, {});
}

Result<wire::StoreReply> RankInbox::ask(const std::function<void(std::int64_t)>& send,
                                        std::chrono::milliseconds timeout, const std::function<bool()>& givesUp) {
    MutexLock lock(m_mutex);
    const std::int64_t request = m_nextRequest++;
    const int generation = m_generation;
    m_replies[request] = std::nullopt;
    send(request);
    const auto until = std::chrono::steady_clock::now() + timeout;
    const auto& answer = m_replies[request];
    while (!answer && !m_ended && !givesUp() && m_generation == generation && m_arrived.waitUntil(lock, until)) {}
    auto reply = std::move(m_replies[request]);
    m_replies.erase(request);
    if (!reply && m_generation != generation)
        return runError("another rank was lost meanwhile").withCode(ErrorCode::PeerLost);
    if (!reply) return runError("the supervisor did not answer in " + std::to_string(timeout.count()) + " ms");
    return std::move(*reply);
}

} // namespace trainyard::train
