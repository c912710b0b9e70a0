// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/torch/base/compat.h"
#include "engine/torch/group/rank_channel.h"

#include <chrono>
#include <string>
#include <vector>

namespace trainyard::train {

// The rendezvous store of c10d, kept by the supervisor and reached over the rank's own frames: nothing listens, and
// no rank can come before the server. What Gloo and NCCL need; deleteKey, getNumKeys and compareSet throw. Functions
// throw c10::Error when the timeout passes. The channel must outlive the store.
class SupervisorStore : public c10d::Store {
public:
    SupervisorStore(RankChannel& channel, std::chrono::milliseconds timeout)
        : c10d::Store(timeout), m_channel(channel) {}

    void set(const std::string& key, const std::vector<std::uint8_t>& value) override;
    std::vector<std::uint8_t> get(const std::string& key) override; // waits until the key is there
    std::int64_t add(const std::string& key, std::int64_t value) override;
    bool check(const std::vector<std::string>& keys) override;
    void wait(const std::vector<std::string>& keys) override { wait(keys, timeout_); }
    void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout) override;
    bool deleteKey(const std::string& key) override;
    std::int64_t getNumKeys() override;
    // Pure in late 2.x, absent before: no `override`, so that both accept it.
    c10::intrusive_ptr<c10d::Store> clone() { return c10::make_intrusive<SupervisorStore>(m_channel, timeout_); }

private:
    RankChannel& m_channel;
};

} // namespace trainyard::train
