// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/text/printable.h"
#include "engine/store/database.h"
#include "engine/store/series_codec.h"
#include "engine/store/store.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard::store {
namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

// One row of the table series.
struct SeriesRow {
    std::int64_t id = 0, count = 0;
    double last = kNoValue, min = kNoValue, max = kNoValue;
    std::int64_t lastStep = 0, minStep = 0, maxStep = 0;

    void add(const wire::Point& p) {
        ++count;
        last = p.value;
        lastStep = p.step;
        if (std::isnan(p.value)) return;
        if (!(p.value >= min)) { // also while min is NaN
            min = p.value;
            minStep = p.step;
        }
        if (!(p.value <= max)) {
            max = p.value;
            maxStep = p.step;
        }
    }
};

// The statements of one transaction, prepared once for all its series.
class Points {
public:
    explicit Points(sqlite3* db)
        : m_db(db), m_find(db, "SELECT id, count, last, last_step, min, min_step, max, max_step FROM series "
                               "WHERE run = ? AND name = ?"),
          m_create(db,
                   "INSERT INTO series (run, name, count, last_step, min_step, max_step) VALUES (?, ?, 0, 0, 0, 0)"),
          m_update(db, "UPDATE series SET count = ?, last = ?, last_step = ?, min = ?, min_step = ?, max = ?, "
                       "max_step = ? WHERE id = ?"),
          m_tail(db, "SELECT first, data FROM chunks WHERE series = ? ORDER BY first DESC LIMIT 1"),
          m_put(db, "INSERT INTO chunks (series, first, count, last_step, data) VALUES (?1, ?2, ?3, ?4, ?5) "
                    "ON CONFLICT (series, first) DO UPDATE SET count = ?3, last_step = ?4, data = ?5") {}

    Result<void> append(const std::string& run, const wire::SeriesPoints& delta);
    Result<void> truncate(std::int64_t seriesId, std::int64_t step);

private:
    Result<SeriesRow> findOrCreate(const std::string& run, const std::string& name);
    Result<void> put(std::int64_t series, std::int64_t first, std::span<const wire::Point> points);
    Result<void> update(const SeriesRow& row);

    sqlite3* m_db;
    Statement m_find, m_create, m_update, m_tail, m_put;
};

Result<SeriesRow> Points::findOrCreate(const std::string& run, const std::string& name) {
    SeriesRow row;
    m_find.reset();
    TY_ASSIGN(const bool known, m_find.with(run, name).step());
    if (known) {
        row = {.id = m_find.integer(0),
               .count = m_find.integer(1),
               .last = m_find.number(2),
               .min = m_find.number(4),
               .max = m_find.number(6),
               .lastStep = m_find.integer(3),
               .minStep = m_find.integer(5),
               .maxStep = m_find.integer(7)};
        m_find.reset();
        return row;
    }
    TY_TRY(m_create.with(run, name).run());
    row.id = sqlite3_last_insert_rowid(m_db);
    return row;
}

Result<void> Points::put(std::int64_t series, std::int64_t first, std::span<const wire::Point> points) {
    std::int64_t lastStep = points.front().step;
    for (const wire::Point& p : points) lastStep = std::max(lastStep, p.step);
    const std::vector<std::byte> data = encodeChunk(points);
    return m_put.with(series, first, static_cast<std::int64_t>(points.size()), lastStep, std::span(data)).run();
}

Result<void> Points::update(const SeriesRow& row) {
    return m_update.with(row.count, row.last, row.lastStep, row.min, row.minStep, row.max, row.maxStep, row.id).run();
}

Result<void> Points::append(const std::string& run, const wire::SeriesPoints& delta) {
    TY_ASSIGN(SeriesRow row, findOrCreate(run, delta.series));
    if (delta.firstIndex < 0 || delta.firstIndex > row.count)
        return runError("points " + std::to_string(row.count) + " to " + std::to_string(delta.firstIndex - 1) + " of " +
                            printable(delta.series, 60) + " were never recorded",
                        "run " + run);
    const auto stored = static_cast<std::size_t>(row.count - delta.firstIndex);
    if (stored >= delta.points.size()) return {};
    const auto fresh = std::span(delta.points).subspan(stored);

    // The last chunk takes points until it is full.
    std::vector<wire::Point> chunk;
    std::int64_t first = row.count;
    m_tail.reset();
    TY_ASSIGN(const bool hasTail, m_tail.with(row.id).step());
    if (hasTail) {
        TY_ASSIGN(std::vector<wire::Point> tail, decodeChunk(m_tail.blob(1)));
        if (tail.size() < kChunkPoints) {
            first = m_tail.integer(0);
            chunk = std::move(tail);
        }
    }
    m_tail.reset();
    for (const wire::Point& p : fresh) {
        if (chunk.size() == kChunkPoints) {
            TY_TRY(put(row.id, first, chunk));
            first += static_cast<std::int64_t>(kChunkPoints);
            chunk.clear();
        }
        chunk.push_back(p);
        row.add(p);
    }
    TY_TRY(put(row.id, first, chunk));
    return update(row);
}

// Keeps the points before the first one with a later step. Chunks before the one that holds it only count again for
// the summary.
Result<void> Points::truncate(std::int64_t seriesId, std::int64_t step) {
    SeriesRow row{.id = seriesId};
    std::int64_t cutFrom = -1;
    std::vector<wire::Point> kept;
    Result<void> read;
    TY_TRY(query(
        m_db, "SELECT first, data FROM chunks WHERE series = ? ORDER BY first",
        [&](Statement& chunk) {
            if (cutFrom >= 0 || !read.ok()) return;
            auto points = decodeChunk(chunk.blob(1));
            if (!points.ok()) {
                read = points.error();
                return;
            }
            const auto later =
                std::find_if(points->begin(), points->end(), [&](const auto& p) { return p.step > step; });
            std::for_each(points->begin(), later, [&](const wire::Point& p) { row.add(p); });
            if (later == points->end()) return;
            cutFrom = chunk.integer(0);
            kept.assign(points->begin(), later);
        },
        seriesId));
    TY_TRY(std::move(read));
    if (cutFrom < 0) return {};
    TY_TRY(execute(m_db, "DELETE FROM chunks WHERE series = ? AND first >= ?", seriesId, cutFrom));
    if (!kept.empty()) TY_TRY(put(seriesId, cutFrom, kept));
    return update(row);
}

} // namespace

Result<void> Store::appendPoints(const std::string& run, const std::vector<wire::SeriesPoints>& series) {
    return inTransaction([&]() -> Result<void> {
        Points points(m_db);
        for (const wire::SeriesPoints& delta : series) TY_TRY(points.append(run, delta));
        return {};
    });
}

Result<void> Store::truncateAfter(const std::string& run, std::int64_t step) {
    return inTransaction([&]() -> Result<void> {
        std::vector<std::int64_t> ids;
        TY_TRY(query(
            m_db,
            "SELECT DISTINCT s.id FROM series s JOIN chunks c ON c.series = s.id "
            "WHERE s.run = ? AND c.last_step > ?",
            [&](Statement& row) { ids.push_back(row.integer(0)); }, run, step));
        Points points(m_db);
        for (const std::int64_t id : ids) TY_TRY(points.truncate(id, step));
        return execute(m_db, "DELETE FROM run_events WHERE run = ? AND step > ?", run, std::max<std::int64_t>(step, 0));
    });
}

} // namespace trainyard::store
