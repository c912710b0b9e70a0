// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/group/supervisor_store.h"

#include "engine/torch/base/peer_lost.h"

namespace trainyard::train {
namespace {

constexpr const char* kNotCome = "the other ranks did not reach the rendezvous: ";

// What a Result holds, or c10d's way to hear of an error.
wire::StoreReply replyOrThrow(Result<wire::StoreReply> reply, const std::string& key, const char* before = "") {
    if (reply) return std::move(*reply);
    const std::string text = before + reply.error().text() + " (key " + key + ")";
    if (reply.error().code == ErrorCode::PeerLost) throw PeerLost(text);
    TORCH_CHECK(false, text);
}

} // namespace

void SupervisorStore::set(const std::string& key, const std::vector<std::uint8_t>& value) {
    m_channel.send(wire::StoreSet{key, std::string(value.begin(), value.end())});
}

std::vector<std::uint8_t> SupervisorStore::get(const std::string& key) {
    const auto reply =
        replyOrThrow(m_channel.ask([&](std::int64_t id) { return wire::StoreGet{id, key}; }, timeout_), key, kNotCome);
    return {reply.value.begin(), reply.value.end()};
}

std::int64_t SupervisorStore::add(const std::string& key, std::int64_t value) {
    return replyOrThrow(m_channel.ask([&](std::int64_t id) { return wire::StoreAdd{id, key, value}; }, timeout_), key)
        .number;
}

bool SupervisorStore::check(const std::vector<std::string>& keys) {
    const std::string first = keys.empty() ? "" : keys.front();
    const auto ask = [&](std::int64_t id) { return wire::StoreCheck{id, keys}; };
    return replyOrThrow(m_channel.ask(ask, timeout_), first).number != 0;
}

void SupervisorStore::wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout) {
    const auto until = std::chrono::steady_clock::now() + timeout;
    for (const auto& key : keys) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
        const auto ask = [&](std::int64_t id) { return wire::StoreGet{id, key}; };
        replyOrThrow(m_channel.ask(ask, std::max(left, std::chrono::milliseconds(1))), key, kNotCome);
    }
}

bool SupervisorStore::deleteKey(const std::string& key) {
    TORCH_CHECK(false, "the supervisor's store keeps its keys until the group ends (deleteKey of ", key, ")");
}

std::int64_t SupervisorStore::getNumKeys() { TORCH_CHECK(false, "the supervisor's store does not count its keys"); }

} // namespace trainyard::train
