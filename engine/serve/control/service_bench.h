// SPDX-License-Identifier: GPL-3.0-or-later
// How much a service bears: requests at a fixed rate, whatever comes back, and every answer looked at.
#pragma once

#include "engine/base/result.h"
#include "engine/serve/values/model_signature.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace trainyard::serve {

struct BenchOptions {
    std::string url, token;
    ModelSignature model;
    double targetMs = 50;   // the 99th percentile that still counts as borne
    double stepSeconds = 2; // of each rate
    int connections = 32;
    double firstRate = 50, lastRate = 200000; // requests a second
    std::function<bool()> isStopped;          // null: never
};

// What came of one rate. Latencies are counted from the moment at which a request was due, not from when it could be
// sent: what waits for a free connection has waited.
struct BenchStep {
    double rate = 0, achieved = 0; // requests a second: asked for, and answered rightly
    double p50Ms = 0, p99Ms = 0;
    double batchRows = 0;                                               // of the batches that they were in, on average
    std::int64_t sent = 0, right = 0, wrong = 0, refused = 0, late = 0; // late: not answered when the step was over
    std::string firstWrong;
    bool isBorne(double targetMs) const { return wrong == 0 && refused == 0 && late == 0 && p99Ms <= targetMs; }
};

// All rates that were tried.
struct BenchResult {
    std::vector<BenchStep> steps; // in their order
    BenchStep best;               // the highest rate that was borne; rate 0: none was
    BenchStep half;               // at half of that
};

// Raises the rate until it is not borne, and then looks for the highest that is. `told` hears of each step. Input: the
// model takes no inputs of a known size. Environment: the service cannot be reached.
Result<BenchResult> benchService(const BenchOptions& options, const std::function<void(const BenchStep&)>& told);
// One rate.
Result<BenchStep> benchAt(const BenchOptions& options, double rate);

} // namespace trainyard::serve
