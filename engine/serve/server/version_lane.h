// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serve/server/held_models.h"
#include "engine/serve/server/replica_starter.h"
#include "engine/serve/values/service_status.h"
#include "engine/serve/values/serving_policy.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::serve {

class VersionLane;

// What all lanes of a service share.
struct LaneHouse {
    ReplicaStarter& starter;
    HeldModels& models;
    const ServiceSpec& spec;
    int bell = -1;           // an eventfd that replicas ring
    int threads = 1;         // of a replica
    int nextNumber = 1;      // of the next replica
    bool hasChanged = false; // descriptors() of some lane
};

// A part of a request that waits for a replica, or is computed by one.
struct SlotJob {
    std::uint64_t request = 0;
    std::uint32_t part = 0; // of the request
    std::uint32_t slot = 0, rows = 0;
    int pictures = 0, tokens = 0; // that it decodes and adds: what makes it take long
    int deaths = 0;
    double since = 0, deadline = 0; // monotonic seconds
};

// Who hears of jobs and lanes.
class LaneListener {
public:
    virtual ~LaneListener() = default;
    virtual void jobDone(VersionLane& lane, const SlotJob& job) = 0; // its slot has the outcome, and is released after
    virtual void jobExpired(VersionLane& lane, const SlotJob& job) = 0; // not computed
    virtual void jobLost(VersionLane& lane, const SlotJob& job, const Error& error) = 0;
    virtual void laneReady(VersionLane& lane) = 0; // its first replica computes
    virtual void laneFailed(VersionLane& lane, const Error& error) = 0;
};

// One version of a model: its queue, its memory and the replicas that compute it.
class VersionLane {
public:
    VersionLane(ServedModel model, LaneHouse& house, LaneListener& listener);
    ~VersionLane();

    const ServedModel& model() const { return m_model; }
    const std::string& version() const { return m_version; }
    // Of a lane that has loaded its model once.
    const std::optional<ModelSignature>& signature() const { return m_signature; }
    bool isReady() const { return m_wasReady; }
    const BatchTable& table() const { return m_table; }
    ExchangeMemory& memory() { return *m_memory; }

    // How many replicas there should be; starts and ends them in turn().
    void want(int replicas) { m_wanted = replicas; }
    // Its replicas give way to those of other versions until they are ready.
    void startBehind(bool behind) { m_behind = behind; }
    int wanted() const { return m_wanted; }
    // Whether so many more rows in so many slots find room in the queue.
    bool hasRoom(std::int64_t rows, std::size_t slots) const;
    std::size_t allSlots() const { return m_memory ? m_memory->layout().slots : 0; }
    std::optional<std::uint32_t> takeSlot();
    void release(std::uint32_t slot);
    void enqueue(const SlotJob& job);
    // Its parts that still wait are not computed, and their slots released.
    void drop(std::uint64_t request);

    // Hears what replicas say, hands on what came back, replaces who died or hangs, gives batches to who is free.
    // `news`: one of descriptors() is readable.
    void turn(double now, bool news);
    // When turn() has something to do without being woken; infinity: never.
    double nextDue() const;
    // Before the server sleeps: from now on replicas ring. True: something has come back already.
    bool fallAsleep();
    void wakeUp();

    std::int64_t waitingRows() const { return m_waitingRows; }
    std::int64_t jobs() const; // that wait or are computed
    std::int64_t jobsInFlight() const;
    int replicas() const;             // that live or are being started
    bool isFull(double now) const;    // every replica has been given a batch, a moment ago
    int readyReplicas() const;        // that compute or could
    double takeBusyShare(double now); // of the replicas' time since the last call
    std::vector<ReplicaStatus> status() const;
    std::int64_t restarts() const;
    std::string trouble() const;          // why a replica cannot be replaced; empty: none is missing
    std::vector<int> descriptors() const; // that say that turn() has something to do
    std::vector<std::int64_t> pids() const;
    bool kill(int number); // false: it has no such replica

private:
    struct Replica {
        int number = 0;
        std::unique_ptr<ReplicaProcess> process;
        ReplicaStarter::Ticket ticket = 0; // of its start; 0: none is under way
        ReplicaState state = ReplicaState::Ended;
        RingsOfServer rings;
        std::vector<SlotJob> batch;
        double givenAt = 0, patience = 0, busySeconds = 0, retryAt = 0;
        std::int64_t answered = 0;
        int restarts = 0, failures = 0;
        std::string trouble{}; // why no process takes the place of the one before
        bool wasReady = false;

        bool isThere() const { return process != nullptr || ticket != 0; }
    };

    // A replica of which is not known yet how it ended.
    struct Funeral {
        ReplicaStarter::Ticket ticket = 0;
        int number = 0;
        std::int64_t pid = 0;
        std::vector<SlotJob> lost{}; // that nobody is to compute any more
        bool wasReady = false, failsLane = false;
    };

    void startReplica(std::size_t index, double now);
    void takeStarted(Replica& replica, double now);
    void letGo(Replica& replica);
    void hear(std::size_t index, double now);
    Result<void> makeMemory(const ModelSignature& signature);
    void collect(Replica& replica, double now);
    void bury(std::size_t index, const std::optional<Error>& told, double now);
    void finishFuneral(const Funeral& funeral, const Error& how);
    std::vector<SlotJob> requeue(std::vector<SlotJob> batch);
    void dispatch(double now);
    std::vector<SlotJob> nextBatch(double now, int idle);
    void giveBatch(std::size_t index, std::vector<SlotJob> batch, double now);

    const ServedModel m_model;
    const std::string m_version;
    LaneHouse& m_house;
    const HeldModel m_file; // that replicas load
    LaneListener& m_listener;
    std::optional<ModelSignature> m_signature;
    std::optional<ExchangeMemory> m_memory;
    BatchTable m_table;
    std::vector<std::uint32_t> m_freeSlots;
    std::deque<SlotJob> m_queue;
    std::int64_t m_waitingRows = 0;
    std::vector<Replica> m_replicas; // by their place in the memory
    std::vector<Funeral> m_funerals;
    int m_wanted = 0;
    bool m_wasReady = false, m_hasFailed = false, m_behind = false;
    double m_lookedAt = 0, m_busyThen = 0;
};

} // namespace trainyard::serve
