// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/base/unique_fd.h"
#include "engine/run/program/store/store_values.h"

#include <poll.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::run {

// The store at which the ranks of a program meet, in the place of the one that PyTorch's rank 0 would open: it listens
// before any rank is there, so none has to try again, and it knows who has come. On 127.0.0.1 only, for one
// generation. One port for each rank, or one for all where there are very many.
class StoreServer {
public:
    static Result<std::unique_ptr<StoreServer>> open(int ranks); // Environment: no port, or too many open files
    StoreServer(const StoreServer&) = delete;
    StoreServer& operator=(const StoreServer&) = delete;

    int port(int rank) const;
    std::string ports() const; // of all ranks: "4711,4712", or of all together: "4711,"
    // Adds what it waits for; serve() with the entries after poll(). Neither blocks.
    void addTo(std::vector<pollfd>& entries) const;
    void serve(const pollfd* entries, std::size_t count);

    // The ranks that have not come although others wait for them, once that has lasted so long; each time is said once.
    // "rank 1 has not come to init_process_group for 40 s; 0 and 2 wait". Empty: nothing to say.
    std::string missing(double now);

private:
    struct Connection {
        UniqueFd fd;
        int rank = 0;
        StoreRequestReader reader{};
        std::string in{}, out{};
    };
    StoreServer() = default;
    void accept(std::size_t port);
    bool read(int number, Connection& connection); // false: it has to be closed
    static bool write(Connection& connection);
    std::size_t held() const;
    void close(int number);

    struct Port {
        UniqueFd fd;
        int number = 0;
        bool hasCome = false; // its rank
    };
    std::vector<Port> m_ports;
    std::map<int, Connection> m_connections; // by their descriptors
    StoreValues m_values;
    std::optional<double> m_begun; // when the first rank came
    int m_ranks = 0;
    bool m_said = false;
};

} // namespace trainyard::run
