// SPDX-License-Identifier: GPL-3.0-or-later
// Decodes batches ahead of whoever takes them: threads of this process, and a ring of a few batches.
#pragma once

#include "engine/torch/data/dataset.h"
#include "engine/torch/data/epoch_order.h"

#include <functional>
#include <memory>
#include <optional>

namespace trainyard::data {

// Which samples make a batch: int64 [B] on the CPU, and the epoch that their random cuts are drawn for.
struct BatchRequest {
    torch::Tensor indices;
    std::int64_t epoch = 0;
    bool inBlocks = false;            // the epoch is read in blocks of neighbours,
    std::vector<std::int64_t> soon{}; // and of these, which begin here, samples are wanted soon (soonRead())
    bool isAnnounced = false;         // its samples are brought near already
};

// A batch whose samples are decoded: what batchOf() takes.
struct DecodedBatch {
    torch::Tensor bytes;   // uint8 [B, C, H, W]; of rows float32 [B, F] where their features were asked for
    torch::Tensor indices; // as asked, but for samples that could not be read: others are in their places
};

// How batches are decoded.
struct LoaderOptions {
    int threads = 0;         // 0: begins with two, and takes one more while a batch is waited for too long
    int mostThreads = 1;     // of its own choice; 0: as many as there are cores
    bool background = false; // at a lower priority than the rest of the process
    double leastCut = 0;     // random resized crops of at least this share of a picture; 0: none
    std::int64_t seed = 0;
    bool skips = false;    // a sample that cannot be read is replaced by another one
    double patience = 300; // seconds to try again for, while the disk does not answer
    // What rows become, on the threads of the loader: withFeatures(). Without it they stay the bytes that they are.
    std::function<void(const std::byte* rows, std::int64_t count, float* to)> toFeatures{};
    std::int64_t features = 0; // of a row
    bool pinned = false;       // batches lie in memory that a CUDA device copies from without waiting
};

// The options for a loader of the split: rows of a table become features, filled in and standardised as gather() does
// it. `set` need not outlive the loader, the split's source does.
LoaderOptions withFeatures(LoaderOptions options, const Dataset& set, const Split& split);

// How a sample's picture is cut in an epoch, whoever decodes it and in which order.
CutDraw cutOf(std::int64_t sample, EpochSeed of, double leastArea);

// One thread takes. Threads that hang on a disk are left to themselves when the loader goes; they hold what they need.
class BatchLoader {
public:
    BatchLoader(const Split& split, std::vector<std::int64_t> sampleShape, const LoaderOptions& options);
    ~BatchLoader();
    BatchLoader(const BatchLoader&) = delete;
    BatchLoader& operator=(const BatchLoader&) = delete;

    static constexpr int kAhead = 3;      // batches that are decoded while one is used
    static constexpr int kRowsAhead = 16; // the same of rows, which are small

    // The batch asked for; `ahead(k)` is the k-th after it, none past the end. Batches that were decoded for other
    // requests are dropped. Calls `waiting` several times a second with the seconds waited so far, which may throw.
    // Input (DataUnreadable, names the file): a sample cannot be read, and is not skipped. Environment: the disk did
    // not answer for the time of `patience`.
    Result<DecodedBatch> take(const BatchRequest& request, const std::function<std::optional<BatchRequest>(int)>& ahead,
                              const std::function<void(double)>& waiting);
    // The files that were replaced since the last call, each once.
    std::vector<UnreadableFile> takeUnreadable();
    int threads() const;

private:
    class Ring;
    std::shared_ptr<Ring> m_ring;
    LoaderOptions m_options;
    double m_waited = 0, m_passed = 0, m_lastTake = 0; // seconds since the number of threads was looked at
    int m_taken = 0;                                   // batches since then
    void lookAtThreads(double waited);
};

} // namespace trainyard::data
