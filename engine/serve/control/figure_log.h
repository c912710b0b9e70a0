// SPDX-License-Identifier: GPL-3.0-or-later
// How a service has fared: a file of one size, however long it serves, that outlives its server.
#pragma once

#include "engine/base/unique_fd.h"
#include "engine/serve/values/service_status.h"

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

namespace trainyard::serve {

// What happened in a span of time.
struct FigurePoint {
    std::int64_t atMs = 0;   // wall clock at its beginning
    std::int32_t spanMs = 0; // how long it is
    float qps = 0;           // requests a second, on average
    float p50Ms = 0;         // on average
    float p99Ms = 0;         // the largest
    float errors = 0;        // answers from 400 on, a second
    float replicas = 0;      // that lived, on average
    bool operator==(const FigurePoint&) const = default;
};

// Writes the figures of a service as it runs. Best effort: a full disk loses points. Points of 10 s are kept for an
// hour, of a minute for a day, of ten minutes for 30 days: 191 kB, at places that the time gives.
class FigureLog {
public:
    static constexpr int kSpanMs = 10'000;

    explicit FigureLog(const std::filesystem::path& file);
    // To be called more often than every 10 s, after which it makes a point. The counts of the status only grow while a
    // server lives; the first call tells where they begin.
    void add(const ServiceStatus& status, std::int64_t nowMs);

private:
    void write(std::size_t tier, std::int64_t nowMs, const FigurePoint& point) const;

    UniqueFd m_file;
    std::int64_t m_lastMs = -1, m_answered = 0, m_errors = 0;
};

// The points in such a file, oldest first, each span once: the finest that is known of it. Total: places that hold no
// point are passed over, as are points that are older than their kind is kept, by the newest of all.
std::vector<FigurePoint> figuresIn(std::string_view bytes);
// The same of a file; none where there is none. Environment: it cannot be read.
Result<std::vector<FigurePoint>> readFigures(const std::filesystem::path& file);

} // namespace trainyard::serve
