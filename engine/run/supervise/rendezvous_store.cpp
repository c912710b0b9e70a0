// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/rendezvous_store.h"

#include <algorithm>
#include <cstdlib>

namespace trainyard::run {

void RendezvousStore::answerWaiting(const std::string& key, std::vector<Reply>& replies) {
    const auto [first, last] = m_waiting.equal_range(key);
    for (auto entry = first; entry != last; ++entry)
        replies.push_back({entry->second.rank, {entry->second.request, m_values[key], 0}});
    m_waiting.erase(first, last);
}

std::vector<RendezvousStore::Reply> RendezvousStore::set(const wire::StoreSet& request) {
    m_values[request.key] = request.value;
    std::vector<Reply> replies;
    answerWaiting(request.key, replies);
    return replies;
}

std::vector<RendezvousStore::Reply> RendezvousStore::add(int rank, const wire::StoreAdd& request) {
    auto& value = m_values[request.key];
    const std::int64_t sum = std::strtoll(value.c_str(), nullptr, 10) + request.amount;
    value = std::to_string(sum);
    std::vector<Reply> replies{{rank, {request.request, value, sum}}};
    answerWaiting(request.key, replies);
    return replies;
}

std::vector<RendezvousStore::Reply> RendezvousStore::get(int rank, const wire::StoreGet& request) {
    if (const auto found = m_values.find(request.key); found != m_values.end())
        return {{rank, {request.request, found->second, 0}}};
    m_waiting.emplace(request.key, Waiting{rank, request.request});
    return {};
}

std::vector<RendezvousStore::Reply> RendezvousStore::check(int rank, const wire::StoreCheck& request) const {
    const bool all = std::all_of(request.keys.begin(), request.keys.end(),
                                 [&](const std::string& key) { return m_values.contains(key); });
    return {{rank, {request.request, {}, all ? 1 : 0}}};
}

void RendezvousStore::clear() {
    m_values.clear();
    m_waiting.clear();
}

} // namespace trainyard::run
