// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/group/rank_inbox.h"

#include <utility>

namespace trainyard::train {

void RankInbox::put(wire::Message message) {
    const std::lock_guard lock(m_mutex);
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
    m_arrived.notify_all();
}

void RankInbox::wake() {
    const std::lock_guard lock(m_mutex);
    m_arrived.notify_all();
}

void RankInbox::end() {
    const std::lock_guard lock(m_mutex);
    m_ended = true;
    m_arrived.notify_all();
}

wire::Start RankInbox::waitForStart() {
    std::unique_lock lock(m_mutex);
    m_arrived.wait(lock, [this] { return m_start || m_ended; });
    return m_start.value_or(wire::Start{});
}

int RankInbox::localRank() const {
    const std::lock_guard lock(m_mutex);
    return m_regroup ? m_regroup->localRank : m_start ? m_start->localRank : -1;
}

Result<wire::Regroup> RankInbox::waitForRegroup(int generation, std::chrono::milliseconds timeout,
                                                const std::function<bool()>& givesUp) {
    std::unique_lock lock(m_mutex);
    m_arrived.wait_for(lock, timeout, [&] { return m_generation > generation || m_ended || givesUp(); });
    if (m_ended || m_generation <= generation)
        return runError("the supervisor announced no replacement within " + std::to_string(timeout.count() / 1000) +
                        " s");
    return *m_regroup;
}

std::vector<wire::Command> RankInbox::takeCommands() {
    const std::lock_guard lock(m_mutex);
    m_commandWaits = false;
    return std::exchange(m_commands, {});
}

Result<wire::StoreReply> RankInbox::ask(const std::function<void(std::int64_t)>& send,
                                        std::chrono::milliseconds timeout, const std::function<bool()>& givesUp) {
    std::unique_lock lock(m_mutex);
    const std::int64_t request = m_nextRequest++;
    const int generation = m_generation;
    m_replies[request] = std::nullopt;
    send(request);
    m_arrived.wait_for(lock, timeout, [&] {
        return m_replies[request].has_value() || m_ended || givesUp() || m_generation != generation;
    });
    auto reply = std::move(m_replies[request]);
    m_replies.erase(request);
    if (!reply && m_generation != generation)
        return runError("another rank was lost meanwhile").withCode(ErrorCode::PeerLost);
    if (!reply) return runError("the supervisor did not answer in " + std::to_string(timeout.count()) + " ms");
    return std::move(*reply);
}

} // namespace trainyard::train
