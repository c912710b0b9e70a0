// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/server/version_lane.h"

#include "engine/base/clock.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <utility>

namespace trainyard::serve {
namespace {

constexpr std::uint32_t kMostReplicas = 64;
constexpr std::uint64_t kBatchesWaiting = 8; // for each replica
constexpr std::uint32_t kLeastSlots = 128, kMostSlots = 4096;
constexpr std::uint64_t kTextRoom = 1 << 20, kAnswerRoom = 256 << 10, kTokensRoom = 4 << 20;
constexpr int kStartTries = 3;
constexpr double kStartSeconds = 300; // to load and warm up
constexpr double kMomentSeconds = 1e-3;

ExchangeLayout layoutFor(const ModelSignature& signature, const ServiceSpec& spec) {
    const auto rows = static_cast<std::uint64_t>(spec.batchMax);
    std::uint64_t input = kTextRoom, output = kAnswerRoom;
    for (const auto& each : signature.inputs)
        input = std::max<std::uint64_t>(input, rows * each.elementsOfRow() * bytesOf(each.type));
    if (signature.kind == InputKind::Image) input = std::max(input, static_cast<std::uint64_t>(spec.bodyMb) << 20);
    for (const auto& each : signature.outputs)
        output = std::max<std::uint64_t>(
            output, each.elementsOfRow() == 0 ? kTokensRoom : rows * each.elementsOfRow() * bytesOf(each.type));
    const std::uint64_t slots = (kBatchesWaiting + 1) * rows * static_cast<std::uint64_t>(spec.maxReplicas);
    return {std::clamp(static_cast<std::uint32_t>(std::min<std::uint64_t>(slots, kMostSlots)), kLeastSlots, kMostSlots),
            kMostReplicas, input, output};
}

} // namespace

VersionLane::VersionLane(ServedModel model, LaneHouse& house, LaneListener& listener)
    : m_model(std::move(model)), m_version(m_model.version()), m_house(house), m_file(house.models, m_model.file),
      m_listener(listener) {}

VersionLane::~VersionLane() {
    for (Replica& each : m_replicas) letGo(each);
}

bool VersionLane::hasRoom(std::int64_t rows, std::size_t slots) const {
    if (!m_memory || m_freeSlots.size() < slots) return false;
    const std::int64_t most =
        static_cast<std::int64_t>(kBatchesWaiting) * m_house.spec.batchMax * std::max(1, replicas());
    return m_waitingRows == 0 || m_waitingRows + rows <= most;
}

std::optional<std::uint32_t> VersionLane::takeSlot() {
    if (m_freeSlots.empty()) return std::nullopt;
    const std::uint32_t slot = m_freeSlots.back();
    m_freeSlots.pop_back();
    return slot;
}

void VersionLane::release(std::uint32_t slot) {
    m_memory->shrink(slot);
    m_freeSlots.push_back(slot);
}

void VersionLane::enqueue(const SlotJob& job) {
    m_queue.push_back(job);
    m_waitingRows += job.rows;
}

void VersionLane::drop(std::uint64_t request) {
    std::erase_if(m_queue, [&](const SlotJob& job) {
        if (job.request != request) return false;
        m_waitingRows -= job.rows;
        release(job.slot);
        return true;
    });
}

void VersionLane::turn(double now, bool news) {
    for (std::size_t i = 0; i < m_replicas.size(); ++i) {
        Replica& replica = m_replicas[i];
        if (replica.ticket != 0) takeStarted(replica, now);
        if (!replica.process) continue;
        collect(replica, now);
        if (replica.state != ReplicaState::Idle && now > replica.givenAt + replica.patience) {
            std::fprintf(stderr, "trainyardctl: replica %d of %s has not answered for %.1f s and is ended\n",
                         replica.number, m_version.c_str(), replica.patience);
            replica.process->kill();
            replica.givenAt = now; // its end is heard in a moment
        }
        if (news) hear(i, now);
    }
    for (std::size_t i = 0; i < m_funerals.size();) {
        const auto how = m_house.starter.howEnded(m_funerals[i].ticket);
        if (!how) {
            ++i;
            continue;
        }
        const Funeral funeral = std::move(m_funerals[i]);
        m_funerals.erase(m_funerals.begin() + static_cast<std::ptrdiff_t>(i));
        finishFuneral(funeral, runError(*how));
    }
    // What waits is computed, also where there is to be none.
    const int wanted = std::max(m_wanted, m_queue.empty() ? 0 : 1);
    // Those that are too many end once they are free, the youngest first.
    for (std::size_t i = m_replicas.size(); i-- > 0 && replicas() > wanted;) {
        Replica& replica = m_replicas[i];
        if (!replica.isThere() || replica.state == ReplicaState::Busy) continue;
        letGo(replica);
    }
    for (std::size_t i = 0; i < kMostReplicas && replicas() < wanted && !m_hasFailed; ++i) {
        if (i == m_replicas.size()) m_replicas.emplace_back().number = m_house.nextNumber++;
        if (!m_replicas[i].isThere() && now >= m_replicas[i].retryAt) startReplica(i, now);
        else if (!m_replicas[i].isThere()) break; // its turn comes
    }
    dispatch(now);
}

void VersionLane::letGo(Replica& replica) {
    if (replica.ticket != 0) m_house.starter.forget(std::exchange(replica.ticket, 0));
    if (replica.process) m_house.starter.end(std::move(replica.process));
    replica.state = ReplicaState::Ended;
    m_house.hasChanged = true;
}

void VersionLane::startReplica(std::size_t index, double now) {
    Replica& replica = m_replicas[index];
    ServedModel model = m_model;
    model.file = m_file.path().string();
    replica.ticket = m_house.starter.start(model, {.number = static_cast<std::uint32_t>(index),
                                                   .threads = m_house.threads,
                                                   .batchMax = m_house.spec.batchMax,
                                                   .deterministic = m_house.spec.deterministic,
                                                   .behind = m_behind});
    replica.state = ReplicaState::Starting;
    replica.givenAt = now;
    replica.patience = kStartSeconds;
    replica.wasReady = false;
}

void VersionLane::takeStarted(Replica& replica, double now) {
    auto made = m_house.starter.made(replica.ticket);
    if (!made) return;
    replica.ticket = 0;
    m_house.hasChanged = true;
    if (*made) {
        replica.process = std::move(**made);
        return;
    }
    replica.state = ReplicaState::Ended;
    replica.trouble = made->error().text();
    replica.retryAt = now + backoffSeconds(++replica.failures);
    if (m_wasReady || replica.failures < kStartTries) return;
    m_hasFailed = true;
    m_listener.laneFailed(*this, made->error());
}

void VersionLane::hear(std::size_t index, double now) {
    Replica& replica = m_replicas[index];
    ReplicaNews news = replica.process->read();
    if (news.signature && replica.state == ReplicaState::Starting) {
        if (const auto made = makeMemory(*news.signature); !made) news.error = made.error();
        else {
            replica.rings = RingsOfServer(m_memory->rings(static_cast<std::uint32_t>(index)));
            if (replica.process->giveMemory(*m_memory, m_house.bell)) replica.state = ReplicaState::Warming;
        }
    }
    if (news.table && replica.state == ReplicaState::Warming) {
        replica.state = ReplicaState::Idle;
        replica.wasReady = true;
        replica.failures = 0;
        replica.trouble.clear();
        m_table = *news.table;
        if (!m_wasReady) {
            m_wasReady = true;
            m_listener.laneReady(*this);
        }
    }
    if (news.ended || news.error) bury(index, news.error, now);
}

Result<void> VersionLane::makeMemory(const ModelSignature& signature) {
    if (m_memory) {
        if (signature.inputs == m_signature->inputs && signature.outputs == m_signature->outputs) return {};
        return inputError("is another file than it was when the service began with it", m_model.file,
                          "put it back, or swap to it: trainyardctl serve swap");
    }
    const ExchangeLayout layout = layoutFor(signature, m_house.spec);
    TY_ASSIGN(m_memory, ExchangeMemory::make(layout));
    m_signature = signature;
    m_freeSlots.resize(layout.slots);
    // The lowest are used first, so that few pages are touched where there is little to do.
    std::iota(m_freeSlots.rbegin(), m_freeSlots.rend(), 0u);
    return {};
}

void VersionLane::collect(Replica& replica, double now) {
    if (replica.state != ReplicaState::Busy) return;
    while (const auto slot = replica.rings.next()) {
        const auto job = std::find_if(replica.batch.begin(), replica.batch.end(),
                                      [&](const SlotJob& each) { return each.slot == *slot; });
        if (job == replica.batch.end()) continue; // it was not given that: what it claims is not believed
        const SlotJob done = *job;
        replica.batch.erase(job);
        replica.answered += done.rows;
        m_listener.jobDone(*this, done);
        release(done.slot);
    }
    if (!replica.batch.empty()) return;
    replica.state = ReplicaState::Idle;
    replica.busySeconds += now - replica.givenAt;
}

// What it computed goes on at once; how it ended is known a moment later.
void VersionLane::bury(std::size_t index, const std::optional<Error>& told, double now) {
    Replica& replica = m_replicas[index];
    collect(replica, now);
    const bool wasBusy = replica.state == ReplicaState::Busy;
    Funeral funeral{.number = replica.number, .pid = replica.process->pid(), .wasReady = replica.wasReady};
    if (!told) funeral.ticket = m_house.starter.bury(std::move(replica.process));
    letGo(replica);
    auto batch = std::exchange(replica.batch, {});
    if (wasBusy) funeral.lost = requeue(std::move(batch));
    if (replica.wasReady) {
        ++replica.restarts;
        replica.retryAt = now;
    } else {
        replica.retryAt = now + backoffSeconds(++replica.failures);
        const bool hopeless = told && told->kind == ErrorKind::Input;
        funeral.failsLane = !m_wasReady && (hopeless || replica.failures >= kStartTries);
        m_hasFailed = m_hasFailed || funeral.failsLane;
    }
    if (told) finishFuneral(funeral, *told);
    else m_funerals.push_back(std::move(funeral));
}

void VersionLane::finishFuneral(const Funeral& funeral, const Error& how) {
    std::fprintf(stderr, "trainyardctl: replica %d of %s (process %lld) %s\n", funeral.number, m_version.c_str(),
                 static_cast<long long>(funeral.pid), how.text().c_str());
    for (const SlotJob& job : funeral.lost) {
        m_listener.jobLost(
            *this, job,
            runError("ended the process that computed it three times, the last time alone: it " + how.text(), "request",
                     "send another input, and keep this one for whoever mends the model"));
        release(job.slot);
    }
    for (Replica& each : m_replicas)
        if (each.number == funeral.number && !funeral.wasReady) each.trouble = how.text();
    if (funeral.failsLane)
        m_listener.laneFailed(
            *this, funeral.ticket == 0 ? how : runError("a replica " + how.text() + " before it was ready", m_version));
}

// In their order, before all that waits; those that were there too often are returned.
std::vector<SlotJob> VersionLane::requeue(std::vector<SlotJob> batch) {
    std::vector<SlotJob> lost;
    for (auto job = batch.rbegin(); job != batch.rend(); ++job) {
        ++job->deaths;
        if (afterDeath(job->deaths) == AfterDeath::Fail) {
            lost.push_back(*job);
            continue;
        }
        m_queue.push_front(*job);
        m_waitingRows += job->rows;
    }
    return lost;
}

void VersionLane::dispatch(double now) {
    int idle = 0;
    for (const Replica& each : m_replicas) idle += each.state == ReplicaState::Idle ? 1 : 0;
    for (std::size_t i = 0; i < m_replicas.size() && !m_queue.empty() && idle > 0; ++i) {
        if (m_replicas[i].state != ReplicaState::Idle) continue;
        auto batch = nextBatch(now, idle--);
        if (batch.empty()) return; // they wait for more
        giveBatch(i, std::move(batch), now);
    }
}

// What one of `idle` replicas computes next. Nothing: all has expired, or waits for company.
std::vector<SlotJob> VersionLane::nextBatch(double now, int idle) {
    std::vector<SlotJob> batch;
    const int share = static_cast<int>((m_waitingRows + idle - 1) / idle);
    const int wanted = m_table.cut(std::min(share, m_house.spec.batchMax));
    int rows = 0;
    while (!m_queue.empty()) {
        const SlotJob job = m_queue.front();
        if (job.deadline <= now) {
            m_queue.pop_front();
            m_waitingRows -= job.rows;
            m_listener.jobExpired(*this, job);
            release(job.slot);
            continue;
        }
        const bool alone = afterDeath(job.deaths) == AfterDeath::Alone && job.deaths > 0;
        if (!batch.empty() && (alone || rows + static_cast<int>(job.rows) > wanted)) break;
        const double delay = m_house.spec.batchDelayUs / 1e6;
        if (batch.empty() && !alone && m_waitingRows < m_house.spec.batchMax && now < job.since + delay) break;
        m_queue.pop_front();
        m_waitingRows -= job.rows;
        rows += static_cast<int>(job.rows);
        batch.push_back(job);
        if (alone) break;
    }
    return batch;
}

void VersionLane::giveBatch(std::size_t index, std::vector<SlotJob> batch, double now) {
    Replica& replica = m_replicas[index];
    std::vector<std::uint32_t> slots;
    int rows = 0, pictures = 0, tokens = 0;
    for (const SlotJob& job : batch) {
        slots.push_back(job.slot);
        rows += static_cast<int>(job.rows);
        pictures += job.pictures;
        tokens += job.tokens;
    }
    replica.state = ReplicaState::Busy;
    replica.givenAt = now;
    replica.patience = patienceSeconds(m_table, rows, pictures, tokens);
    replica.batch = std::move(batch);
    replica.rings.give(slots);
}

double VersionLane::nextDue() const {
    double due = std::numeric_limits<double>::infinity();
    int alive = 0;
    for (const Replica& each : m_replicas) {
        alive += each.isThere() ? 1 : 0;
        if (each.process && each.state != ReplicaState::Idle) due = std::min(due, each.givenAt + each.patience);
    }
    for (const Replica& each : m_replicas)
        if (!each.isThere() && alive < std::max(m_wanted, m_queue.empty() ? 0 : 1)) due = std::min(due, each.retryAt);
    // Where all are busy, one that becomes free rings.
    const bool anyFree = std::any_of(m_replicas.begin(), m_replicas.end(),
                                     [](const Replica& each) { return each.state == ReplicaState::Idle; });
    if (!m_queue.empty() && anyFree) due = std::min(due, m_queue.front().since + m_house.spec.batchDelayUs / 1e6);
    if (!m_queue.empty()) due = std::min(due, m_queue.front().deadline);
    return due;
}

bool VersionLane::fallAsleep() {
    if (!m_memory) return false;
    m_memory->serverSleeps().store(1);
    return std::any_of(m_replicas.begin(), m_replicas.end(),
                       [](const Replica& each) { return each.state == ReplicaState::Busy && each.rings.hasNext(); });
}

void VersionLane::wakeUp() {
    if (m_memory) m_memory->serverSleeps().store(0);
}

std::int64_t VersionLane::jobs() const { return static_cast<std::int64_t>(m_queue.size()) + jobsInFlight(); }

std::int64_t VersionLane::jobsInFlight() const {
    std::int64_t count = 0;
    for (const Replica& each : m_replicas) count += static_cast<std::int64_t>(each.batch.size());
    for (const Funeral& each : m_funerals) count += static_cast<std::int64_t>(each.lost.size());
    return count;
}

int VersionLane::replicas() const {
    return static_cast<int>(
        std::count_if(m_replicas.begin(), m_replicas.end(), [](const Replica& each) { return each.isThere(); }));
}

int VersionLane::readyReplicas() const {
    return static_cast<int>(std::count_if(m_replicas.begin(), m_replicas.end(), [](const Replica& each) {
        return each.state == ReplicaState::Idle || each.state == ReplicaState::Busy;
    }));
}

bool VersionLane::isFull(double now) const {
    bool isAny = false;
    for (const Replica& each : m_replicas) {
        if (each.state == ReplicaState::Idle) return false;
        if (each.state != ReplicaState::Busy) continue;
        if (now > each.givenAt + kMomentSeconds) return false;
        isAny = true;
    }
    return isAny;
}

double VersionLane::takeBusyShare(double now) {
    double busy = 0;
    for (const Replica& each : m_replicas)
        busy += each.busySeconds + (each.state == ReplicaState::Busy ? now - each.givenAt : 0);
    const double seconds = (now - m_lookedAt) * std::max(1, readyReplicas());
    const double share = m_lookedAt > 0 && seconds > 0 ? std::clamp((busy - m_busyThen) / seconds, 0.0, 1.0) : 0;
    m_lookedAt = now;
    m_busyThen = busy;
    return share;
}

std::vector<ReplicaStatus> VersionLane::status() const {
    std::vector<ReplicaStatus> all;
    for (std::size_t i = 0; i < m_replicas.size(); ++i) {
        const Replica& each = m_replicas[i];
        if (!each.isThere() && static_cast<int>(i) >= m_wanted) continue; // it was one too many
        all.push_back({.number = each.number,
                       .pid = each.process ? each.process->pid() : 0,
                       .model = m_model.name,
                       .version = m_version,
                       .state = each.state,
                       .answered = each.answered,
                       .restarts = each.restarts});
    }
    return all;
}

std::string VersionLane::trouble() const {
    if (readyReplicas() >= m_wanted) return {};
    for (const Replica& each : m_replicas)
        if (!each.trouble.empty()) return each.trouble;
    return {};
}

std::int64_t VersionLane::restarts() const {
    std::int64_t sum = 0;
    for (const Replica& each : m_replicas) sum += each.restarts;
    return sum;
}

std::vector<int> VersionLane::descriptors() const {
    std::vector<int> all;
    for (const Replica& each : m_replicas)
        if (each.process) {
            all.push_back(each.process->fd());
            all.push_back(each.process->logFd());
        }
    return all;
}

std::vector<std::int64_t> VersionLane::pids() const {
    std::vector<std::int64_t> all;
    for (const Replica& each : m_replicas)
        if (each.process) all.push_back(each.process->pid());
    return all;
}

bool VersionLane::kill(int number) {
    for (Replica& each : m_replicas)
        if (each.number == number && each.process) {
            each.process->kill();
            return true;
        }
    return false;
}

} // namespace trainyard::serve
