// SPDX-License-Identifier: GPL-3.0-or-later
// A service's figures in the text format of Prometheus.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard::serve {

// How many values were at most each bound; one more count for what is above the last one.
struct FigureBuckets {
    std::vector<double> bounds;       // ascending
    std::vector<std::int64_t> counts; // as many, and one
    double sum = 0;
};

// Answers of one version with one status code.
struct CodeFigures {
    std::string model, version;
    int code = 200;
    std::int64_t answers = 0;
};

// How long answers of one version took, in seconds, and how many rows its batches had.
struct VersionFigures {
    std::string model, version;
    FigureBuckets total, queue, compute, batchRows;
};

// All figures of a service at one moment.
struct ServiceFigures {
    std::vector<CodeFigures> codes;
    std::vector<VersionFigures> versions;
    std::int64_t waiting = 0, inFlight = 0, connections = 0;
    std::int64_t replicasIdle = 0, replicasBusy = 0, replicasStarting = 0, restarts = 0;
    double startedAt = 0; // seconds since 1970
    bool ready = false;
};

// With HELP and TYPE of each; `promtool check metrics` has nothing to say about it.
std::string prometheusText(const ServiceFigures& figures);
inline constexpr const char* kPrometheusType = "text/plain; version=0.0.4; charset=utf-8";

} // namespace trainyard::serve
