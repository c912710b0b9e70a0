// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/control/figure_log.h"

#include "engine/base/files/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace trainyard::serve {
namespace {

static_assert(std::endian::native == std::endian::little, "the file is little-endian");

struct Tier {
    std::int32_t spanMs;
    std::int64_t places;
};
constexpr std::array kTiers{Tier{FigureLog::kSpanMs, 360}, Tier{60'000, 1440}, Tier{600'000, 4320}};

// As it lies in the file; `count` is of the points of 10 s that it is made of.
struct Record {
    std::int64_t atMs = 0;
    std::int32_t count = 0;
    float qps = 0, p50Ms = 0, p99Ms = 0, errors = 0, replicas = 0;
};
static_assert(sizeof(Record) == 32);

std::int64_t firstPlace(std::size_t tier) {
    std::int64_t place = 0;
    for (std::size_t i = 0; i < tier; ++i) place += kTiers[i].places;
    return place;
}

std::int64_t beginOf(std::size_t tier, std::int64_t ms) { return ms - ms % kTiers[tier].spanMs; }

std::int64_t offsetOf(std::size_t tier, std::int64_t beginMs) {
    const std::int64_t place = firstPlace(tier) + beginMs / kTiers[tier].spanMs % kTiers[tier].places;
    return place * static_cast<std::int64_t>(sizeof(Record));
}

bool isRecord(std::size_t tier, const Record& record, std::int64_t offset) {
    const bool placed = record.atMs > 0 && record.atMs == beginOf(tier, record.atMs) &&
                        offsetOf(tier, record.atMs) == offset && record.count > 0 && record.count < 1'000;
    return placed &&
           std::ranges::all_of(std::array{record.qps, record.p50Ms, record.p99Ms, record.errors, record.replicas},
                               [](float value) { return std::isfinite(value) && value >= 0; });
}

} // namespace

FigureLog::FigureLog(const std::filesystem::path& file)
    : m_file(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) {}

void FigureLog::add(const ServiceStatus& status, std::int64_t nowMs) {
    if (m_lastMs >= 0 && nowMs >= m_lastMs && nowMs < m_lastMs + kSpanMs) return;
    std::int64_t errors = 0;
    for (const auto& [code, count] : status.codes) errors += code >= 400 ? count : 0;
    const std::int64_t before = std::exchange(m_lastMs, nowMs);
    const auto answered = static_cast<double>(status.answered - std::exchange(m_answered, status.answered));
    const auto wrong = static_cast<double>(errors - std::exchange(m_errors, errors));
    const double seconds = static_cast<double>(nowMs - before) / 1e3;
    if (before < 0 || seconds <= 0 || answered < 0 || wrong < 0 || nowMs <= 0) return; // the first; a clock set back
    FigurePoint point;
    point.qps = static_cast<float>(answered / seconds);
    point.errors = static_cast<float>(wrong / seconds);
    point.p50Ms = static_cast<float>(status.p50Ms);
    point.p99Ms = static_cast<float>(status.p99Ms);
    point.replicas =
        static_cast<float>(std::count_if(status.replicas.begin(), status.replicas.end(), [](const ReplicaStatus& each) {
            return each.pid > 0 && each.state != ReplicaState::Ended;
        }));
    for (std::size_t tier = 0; tier < kTiers.size(); ++tier) write(tier, nowMs, point);
}

void FigureLog::write(std::size_t tier, std::int64_t nowMs, const FigurePoint& point) const {
    Record record;
    const std::int64_t begin = beginOf(tier, nowMs), offset = offsetOf(tier, begin);
    const bool known = ::pread(m_file.get(), &record, sizeof record, offset) == sizeof record &&
                       isRecord(tier, record, offset) && record.atMs == begin;
    if (!known) record = Record{.atMs = begin};
    const auto mean = [&](float& value, float next) { value += (next - value) / static_cast<float>(record.count + 1); };
    mean(record.qps, point.qps);
    mean(record.errors, point.errors);
    mean(record.p50Ms, point.p50Ms);
    mean(record.replicas, point.replicas);
    record.p99Ms = std::max(record.p99Ms, point.p99Ms);
    ++record.count;
    (void)!::pwrite(m_file.get(), &record, sizeof record, offset);
}

std::vector<FigurePoint> figuresIn(std::string_view bytes) {
    std::vector<FigurePoint> points;
    std::int64_t newest = 0;
    for (std::size_t tier = 0; tier < kTiers.size(); ++tier)
        for (std::int64_t place = 0; place < kTiers[tier].places; ++place) {
            Record record;
            const std::int64_t offset = (firstPlace(tier) + place) * static_cast<std::int64_t>(sizeof record);
            if (static_cast<std::size_t>(offset) + sizeof record > bytes.size()) break;
            std::memcpy(&record, bytes.data() + offset, sizeof record);
            if (!isRecord(tier, record, offset)) continue;
            newest = std::max(newest, record.atMs);
            points.push_back({record.atMs, kTiers[tier].spanMs, record.qps, record.p50Ms, record.p99Ms, record.errors,
                              record.replicas});
        }
    // The oldest of the finer kind says how far the coarser one is needed.
    std::int64_t until = newest + kTiers.back().spanMs;
    std::vector<FigurePoint> kept;
    for (const Tier& tier : kTiers) {
        std::int64_t oldest = until;
        for (const FigurePoint& each : points) {
            const bool fresh = each.spanMs == tier.spanMs && each.atMs > newest - tier.spanMs * tier.places;
            if (!fresh || each.atMs + each.spanMs > until) continue;
            kept.push_back(each);
            oldest = std::min(oldest, each.atMs);
        }
        until = oldest;
    }
    std::ranges::sort(kept, {}, &FigurePoint::atMs);
    return kept;
}

Result<std::vector<FigurePoint>> readFigures(const std::filesystem::path& file) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return std::vector<FigurePoint>();
    constexpr std::size_t kMost = 1u << 20;
    TY_ASSIGN(const std::string bytes, readFile(file, kMost));
    return figuresIn(bytes);
}

} // namespace trainyard::serve
