// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/loader/batch_loader.h"

#include "engine/base/clock.h"
#include "engine/base/machine/cores.h"
#include "engine/base/machine/mutex.h"
#include "engine/base/text/printable.h"
#include "engine/torch/data/kept/kept_table.h"
#include "engine/torch/data/kept/row_form.h"
#include "engine/torch/data/loader/rows_ahead.h"
#include "engine/torch/data/substitute.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <limits>
#include <set>
#include <thread>
#include <utility>

namespace trainyard::data {

namespace {

constexpr double kWaitShare = 0.02; // of the time of its steps that a rank may wait for data
constexpr int kLookEvery = 8;       // batches
constexpr int kNiceOfLoader = 5, kMostNice = 19;
constexpr std::int64_t kRowsOfThread = 64, kRowsNear = 8;
constexpr std::chrono::milliseconds kTellEvery{100};
constexpr std::chrono::milliseconds kTryAgain{250};
constexpr std::chrono::milliseconds kJoinFor{2000};

constexpr std::uint64_t kOfCuts = 0x63757473; // a stream of its own: "cuts"

bool sameRequest(const BatchRequest& a, const BatchRequest& b) {
    return a.epoch == b.epoch &&
           (a.indices.is_same(b.indices) || (a.indices.size(0) == b.indices.size(0) && a.indices.equal(b.indices)));
}

} // namespace

LoaderOptions withFeatures(LoaderOptions options, const Dataset& set, const Split& split) {
    const RowForm* const form = split.source ? split.source->rows() : nullptr;
    if (!form) return options;
    std::vector<double> fills;
    for (const auto& feature : set.table.features)
        fills.push_back(feature.fill.value_or(std::numeric_limits<double>::quiet_NaN()));
    options.features = form->width();
    options.toFeatures = [source = split.source, form, fills = std::move(fills), mean = set.mean,
                          stddev = set.stddev](const std::byte* rows, std::int64_t count, float* to) {
        form->standardised(rows, count, fills, mean, stddev, to);
    };
    return options;
}

CutDraw cutOf(std::int64_t sample, EpochSeed of, double leastArea) {
    Random ofEpoch(static_cast<std::uint64_t>(of.seed) ^ (kOfCuts << 32), static_cast<std::uint64_t>(of.epoch));
    Random random(ofEpoch.next(), static_cast<std::uint64_t>(sample));
    CutDraw cut{.leastArea = leastArea};
    for (double* number : {&cut.area, &cut.ratio, &cut.left, &cut.top}) *number = random.uniform();
    return cut;
}

// What the taking thread and those that decode share; the last of them that lives holds it.
class BatchLoader::Ring {
public:
    Ring(const Split& split, std::vector<std::int64_t> shape, const LoaderOptions& options)
        : m_split(split), m_shape(std::move(shape)), m_options(options), m_ahead(m_split),
          m_group(split.source->rows() ? kRowsOfThread : 1) {}

    struct Slot {
        BatchRequest request;
        torch::Tensor bytes, indices;
        std::int64_t next = 0, done = 0; // samples that are begun, and that are there
        bool isAnnounced = false;        // to the source
        std::optional<Error> error;
        bool isReady() const { return error || done == request.indices.size(0); }
    };

    bool ofRows() const { return m_split.source->rows() != nullptr; }

    // Makes the ring hold these batches, and nothing else, in their order.
    void want(const std::vector<BatchRequest>& requests) {
        const MutexLock lock(m_mutex);
        std::deque<std::shared_ptr<Slot>> slots;
        for (const BatchRequest& request : requests) {
            while (!m_slots.empty() && !sameRequest(m_slots.front()->request, request)) m_slots.pop_front();
            if (m_slots.empty()) {
                slots.push_back(newSlot(request));
                m_ahead.add(request.soon);
            } else {
                slots.push_back(m_slots.front());
                m_slots.pop_front();
            }
        }
        m_slots = std::move(slots);
        if (isWorthWaking()) m_work.notifyAll();
    }

    // The first batch, once it is there.
    Result<DecodedBatch> first(const std::function<void(double)>& waiting) {
        const double from = monotonicSeconds();
        for (;;) {
            {
                MutexLock lock(m_mutex);
                if (!m_slots.front()->isReady()) m_ready.waitFor(lock, kTellEvery);
                if (const auto& slot = m_slots.front(); slot->isReady()) {
                    if (slot->error) return *slot->error;
                    return DecodedBatch{slot->bytes, slot->indices};
                }
            }
            if (waiting) waiting(monotonicSeconds() - from);
        }
    }

    std::vector<UnreadableFile> takeUnreadable() {
        const MutexLock lock(m_mutex);
        return std::exchange(m_unreadable, {});
    }

    void addThread(const std::shared_ptr<Ring>& self) {
        const MutexLock lock(m_mutex);
        ++m_threads;
        std::thread([self] { self->run(); }).detach();
    }
    int threads() {
        const MutexLock lock(m_mutex);
        return m_threads;
    }
    // Those that hang in a read go on hanging, and end when it ends.
    void stop() {
        const auto until = std::chrono::steady_clock::now() + kJoinFor;
        MutexLock lock(m_mutex);
        m_stopped = true;
        m_slots.clear();
        m_work.notifyAll();
        while (m_threads > 0 && m_ready.waitUntil(lock, until)) {}
    }

private:
    // Rows are read faster than threads wake up: some batches at a time.
    bool isWorthWaking() const TY_REQUIRES(m_mutex) {
        const auto isUnbegun = [](const auto& slot) { return slot->next == 0 && !slot->error; };
        return !ofRows() || !m_slots.front()->isReady() ||
               std::count_if(m_slots.begin(), m_slots.end(), isUnbegun) >= kRowsAhead / 4;
    }

    std::shared_ptr<Slot> newSlot(const BatchRequest& request) const {
        auto slot = std::make_shared<Slot>();
        slot->request = request;
        std::vector<std::int64_t> shape{request.indices.size(0)};
        if (m_options.toFeatures) shape.push_back(m_options.features);
        else shape.insert(shape.end(), m_shape.begin(), m_shape.end());
        const auto type = m_options.toFeatures ? torch::kFloat32 : torch::kUInt8;
        slot->bytes = torch::empty(shape, torch::TensorOptions(type).pinned_memory(m_options.pinned));
        slot->indices = request.indices.clone();
        return slot;
    }

    void run() {
        if (m_options.background) makeNicer();
        useAllCores();
        MutexLock lock(m_mutex);
        while (!m_stopped) {
            if (announces(lock)) continue;
            const auto slot = unbegun();
            if (!slot) {
                m_work.wait(lock);
                continue;
            }
            const std::int64_t from = slot->next, count = std::min(m_group, slot->request.indices.size(0) - from);
            slot->next += count;
            lock.unlock();
            Result<void> done;
            if (m_options.toFeatures) done = makeFeatures(*slot, from, count);
            else
                for (std::int64_t place = from; place < from + count && done; ++place) done = decode(*slot, place);
            lock.lock();
            slot->done += count;
            if (!done && !slot->error) slot->error = std::move(done).error();
            if (slot->isReady()) m_ready.notifyAll();
        }
        --m_threads;
        m_ready.notifyAll();
    }

    // Than the thread that trains, whatever the whole process was started with.
    static void makeNicer() {
        const auto self = static_cast<id_t>(::syscall(SYS_gettid));
        ::setpriority(PRIO_PROCESS, self, std::min(kMostNice, ::getpriority(PRIO_PROCESS, self) + kNiceOfLoader));
    }

    // Tells the source of rows that are wanted later; false: there is nothing to tell.
    bool announces(MutexLock& lock) TY_REQUIRES(m_mutex) {
        if (!ofRows()) return false;
        if (auto some = m_ahead.next(); some) {
            lock.unlock();
            m_ahead.announce(*some);
            lock.lock();
            return true;
        }
        for (const auto& slot : m_slots) {
            if (std::exchange(slot->isAnnounced, true) || slot->request.inBlocks) continue;
            lock.unlock();
            m_ahead.announce(slot->request.indices);
            lock.lock();
            return true;
        }
        return false;
    }

    std::shared_ptr<Slot> unbegun() TY_REQUIRES(m_mutex) {
        for (const auto& slot : m_slots)
            if (!slot->error && slot->next < slot->request.indices.size(0)) return slot;
        return nullptr;
    }

    // Of so many rows of a batch.
    Result<void> makeFeatures(Slot& slot, std::int64_t from, std::int64_t count) {
        thread_local std::vector<std::uint8_t> rows;
        const std::int64_t each = m_split.source->sampleBytes();
        rows.resize(static_cast<std::size_t>(count * each));
        const auto* const samples = slot.request.indices.data_ptr<std::int64_t>() + from;
        // Rows of a window lie anywhere in memory, so each is asked for while those before it are copied.
        const auto* const table = dynamic_cast<const KeptTable*>(m_split.source.get());
        const auto* const rowOf = m_split.rows.data_ptr<std::int64_t>();
        for (std::int64_t i = -kRowsNear; i < count; ++i) {
            if (table && i + kRowsNear < count) table->prefetch(rowOf[samples[i + kRowsNear]]);
            if (i >= 0) TY_TRY(readPatiently(samples[i], slot.request.epoch, rows.data() + i * each));
        }
        m_ahead.touchTargets({samples, static_cast<std::size_t>(count)});
        m_options.toFeatures(reinterpret_cast<const std::byte*>(rows.data()), count,
                             slot.bytes.data_ptr<float>() + from * m_options.features);
        return {};
    }

    // Of a batch; another sample where this one cannot be read.
    Result<void> decode(Slot& slot, std::int64_t place) {
        auto* to = slot.bytes.data_ptr<std::uint8_t>() + place * m_split.source->sampleBytes();
        const std::int64_t asked = slot.request.indices.data_ptr<std::int64_t>()[place];
        std::int64_t sample = asked;
        for (int attempt = 0;; ++attempt) {
            auto done = readPatiently(sample, slot.request.epoch, to);
            if (done || done.error().kind != ErrorKind::Input) {
                slot.indices.data_ptr<std::int64_t>()[place] = sample;
                return done;
            }
            if (!m_options.skips || attempt == kMostSubstitutes || m_split.source->rows())
                return unreadable(sample, done.error());
            noteUnreadable(sample, done.error());
            sample = substituteOf(asked, attempt, m_options.seed, m_split.size());
        }
    }

    // A disk that does not answer is no fault of the sample: tried again.
    Result<void> readPatiently(std::int64_t sample, std::int64_t epoch, std::uint8_t* to) {
        const std::int64_t row = m_split.rows.data_ptr<std::int64_t>()[sample];
        const bool cuts = m_options.leastCut > 0;
        const CutDraw cut =
            cuts ? cutOf(sample, {.seed = m_options.seed, .epoch = epoch}, m_options.leastCut) : CutDraw();
        double until = 0;
        for (;;) {
            auto done = m_split.source->read(row, cuts ? &cut : nullptr, to);
            if (done || done.error().kind == ErrorKind::Input) return done;
            if (until == 0) until = monotonicSeconds() + m_options.patience;
            if (monotonicSeconds() > until || isStopped()) return done;
            std::this_thread::sleep_for(kTryAgain);
        }
    }

    bool isStopped() {
        const MutexLock lock(m_mutex);
        return m_stopped;
    }

    Error unreadable(std::int64_t sample, const Error& error) const {
        if (m_split.source->rows()) return error; // a table has no file for each row
        const std::int64_t row = m_split.rows.data_ptr<std::int64_t>()[sample];
        return inputError(error.message, printable(m_split.source->nameOf(row), 4096),
                          "put the image back or replace it, and resume; or leave such images out: "
                          "--set data.onError=skip")
            .withCode(ErrorCode::DataUnreadable);
    }

    void noteUnreadable(std::int64_t sample, const Error& error) {
        const std::int64_t row = m_split.rows.data_ptr<std::int64_t>()[sample];
        const MutexLock lock(m_mutex);
        if (m_known.insert(row).second) m_unreadable.push_back({m_split.source->nameOf(row), error.message});
    }

    const Split m_split;
    const std::vector<std::int64_t> m_shape;
    const LoaderOptions m_options;
    RowsAhead m_ahead;
    const std::int64_t m_group; // samples that a thread decodes before it looks what is next
    Mutex m_mutex;
    Condition m_work, m_ready;
    std::deque<std::shared_ptr<Slot>> m_slots TY_GUARDED_BY(m_mutex);
    std::set<std::int64_t> m_known TY_GUARDED_BY(m_mutex); // rows that could not be read
    std::vector<UnreadableFile> m_unreadable TY_GUARDED_BY(m_mutex);
    int m_threads TY_GUARDED_BY(m_mutex) = 0;
    bool m_stopped TY_GUARDED_BY(m_mutex) = false;
};

BatchLoader::BatchLoader(const Split& split, std::vector<std::int64_t> sampleShape, const LoaderOptions& options)
    : m_ring(std::make_shared<Ring>(split, std::move(sampleShape), options)), m_options(options) {
    if (m_options.mostThreads == 0) m_options.mostThreads = availableCores();
    const int first = options.threads > 0 ? options.threads : std::min(2, m_options.mostThreads);
    for (int i = 0; i < first; ++i) m_ring->addThread(m_ring);
}

BatchLoader::~BatchLoader() { m_ring->stop(); }

int BatchLoader::threads() const { return m_ring->threads(); }

Result<DecodedBatch> BatchLoader::take(const BatchRequest& request,
                                       const std::function<std::optional<BatchRequest>(int)>& ahead,
                                       const std::function<void(double)>& waiting) {
    std::vector<BatchRequest> wanted{request};
    const int most = m_ring->ofRows() ? kRowsAhead : kAhead;
    for (int k = 1; k <= most; ++k) {
        auto next = ahead(k);
        if (!next) break;
        wanted.push_back(std::move(*next));
    }
    m_ring->want(wanted);
    const double begin = monotonicSeconds();
    auto batch = m_ring->first(waiting);
    lookAtThreads(monotonicSeconds() - begin);
    return batch;
}

std::vector<UnreadableFile> BatchLoader::takeUnreadable() { return m_ring->takeUnreadable(); }

// One more while batches are waited for. The first of all is always waited for, and says nothing.
void BatchLoader::lookAtThreads(double waited) {
    const double now = monotonicSeconds();
    if (m_lastTake > 0) {
        m_passed += now - m_lastTake;
        m_waited += waited;
        ++m_taken;
    }
    m_lastTake = now;
    if (m_options.threads > 0 || m_taken < kLookEvery) return;
    if (m_waited > kWaitShare * m_passed && threads() < m_options.mostThreads) m_ring->addThread(m_ring);
    m_waited = m_passed = 0;
    m_taken = 0;
}

} // namespace trainyard::data
