// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/wire/messages.h"

#include <map>
#include <vector>

namespace trainyard::run {

// The key-value store in which the ranks of one generation find each other. c10d's own store is a server that anyone
// on the network may write to; this one is reached over the ranks' own channels only.
class RendezvousStore {
public:
    struct Reply {
        int rank = 0;
        wire::StoreReply message;
    };
    // Each gives the answers that became due, in the order of asking. A Get of a missing key waits for it.
    std::vector<Reply> set(const wire::StoreSet& request);
    std::vector<Reply> add(int rank, const wire::StoreAdd& request); // like c10d: the value is a decimal number
    std::vector<Reply> get(int rank, const wire::StoreGet& request);
    std::vector<Reply> check(int rank, const wire::StoreCheck& request) const; // number 1: all keys exist
    void clear();                                                              // a new generation

private:
    struct Waiting {
        int rank = 0;
        std::int64_t request = 0;
    };
    void answerWaiting(const std::string& key, std::vector<Reply>& replies);

    std::map<std::string, std::string> m_values;
    std::multimap<std::string, Waiting> m_waiting;
};

} // namespace trainyard::run
