// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/unique_fd.h"
#include "engine/run/launch/launcher.h"
#include "engine/serve/exchange/replica_rings.h"
#include "engine/serve/values/batch_table.h"
#include "engine/serve/values/model_signature.h"
#include "engine/serve/values/service_spec.h"

#include <memory>
#include <optional>
#include <string>

namespace trainyard::serve {

// What a replica is started with.
struct ReplicaOrders {
    std::uint32_t number = 0; // its place in the memory
    int threads = 1, batchMax = 1;
    bool deterministic = false;
    bool behind = false; // it gives way to those that answer requests until it is ready
};

// What a replica has said since the last look.
struct ReplicaNews {
    std::optional<ModelSignature> signature; // it has loaded its model and waits for its memory
    std::optional<BatchTable> table;         // it computes from now on
    std::optional<Error> error;              // why it will end
    bool ended = false;
};

// The process of a replica and the line to it.
class ReplicaProcess {
public:
    // Forks it from the pool, or starts the program; some milliseconds. Environment: it cannot be started.
    static Result<std::unique_ptr<ReplicaProcess>> start(run::Launcher& launcher, const ServedModel& model,
                                                         const ReplicaOrders& orders);
    ~ReplicaProcess(); // kills it, and waits until it is gone

    // Readable when there is news.
    int fd() const { return m_worker->frameFd(); }
    int logFd() const { return m_worker->logFd(); }
    std::int64_t pid() const { return m_worker->pid(); }
    // Does not wait. What it wrote to stderr goes to this process's.
    ReplicaNews read();
    // Environment: it is gone.
    Result<void> giveMemory(const ExchangeMemory& memory, int bell);
    void kill();
    // "was killed by SIGKILL", once it has ended: waits 20 ms for that. Asks the launcher, which may start nothing
    // meanwhile.
    std::string howEnded();

private:
    explicit ReplicaProcess(std::unique_ptr<run::WorkerProcess> worker, const ReplicaOrders& orders)
        : m_worker(std::move(worker)), m_orders(orders) {}
    void takeLine(std::string_view line, ReplicaNews& news) const;
    void passLog();

    std::unique_ptr<run::WorkerProcess> m_worker;
    const ReplicaOrders m_orders;
    UniqueFd m_lifeline; // when it is closed, the kernel kills the replica
    std::string m_line;
};

} // namespace trainyard::serve
