// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/program/store/store_request.h"

#include <map>
#include <optional>

namespace trainyard::run {

// The keys and values at which the ranks of one generation meet, and who waits for which. A value: no sockets, no
// clock. Bounded by kMostStoreBytes over all keys and values.
class StoreValues {
public:
    static constexpr std::size_t kMostStoreBytes = 128u << 20;

    // What is to be sent to a connection, by its number.
    struct Answer {
        int to = 0;
        std::string bytes{};
    };
    // Nothing: the request of this connection cannot be answered, and it has to be closed, as PyTorch does: a key that
    // is not there, text where a number is added, no room.
    std::optional<std::vector<Answer>> apply(int from, const StoreRequest& request);
    void forget(int connection); // it is closed
    bool waits(int connection) const;

private:
    struct Waiting {
        int connection = 0;
        std::vector<std::string> keys{};
    };
    bool hasAll(const std::vector<std::string>& keys) const;
    bool set(const std::string& key, std::string value);
    void wake(std::vector<Answer>& answers);

    std::map<std::string, std::string, std::less<>> m_values{};
    std::vector<Waiting> m_waiting{};
    std::size_t m_bytes = 0;
};

} // namespace trainyard::run
