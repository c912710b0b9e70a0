// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/series/plot_point.h"
#include "ui/series/pyramid.h"
#include "ui/series/wall_clock.h"

#include <QList>
#include <QPointF>

#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace trainyard::ui {

// All points of one series of one run, ordered by step, then by time. Append is O(1) per point, and any index range
// reduces in O(log n). Copies share full chunks, so that a copy is a cheap snapshot which another thread may read while
// the original is appended to.
class SeriesData final : public ValueSource {
public:
    SeriesData() = default;
    SeriesData(const SeriesData& other);
    SeriesData& operator=(const SeriesData& other);
    SeriesData(SeriesData&&) = default;
    SeriesData& operator=(SeriesData&&) = default;

    // Adds points. A point whose step is below the last one, or equal to it at no later time, replaces
    // everything from its step on, as in a run that went back to a checkpoint. Returns the index of the first new
    // point.
    std::size_t append(std::span<const PlotPoint> points);
    // Drops every point whose step is above `step`.
    void truncateAfter(qint64 step);
    void clear();
    // The clock for XMode::WallTime; without one, that mode shows the seconds of training.
    void setClock(std::shared_ptr<const WallClock> clock) { m_clock = std::move(clock); }

    std::size_t size() const override { return m_size; }
    bool isEmpty() const { return m_size == 0; }
    PlotPoint at(std::size_t index) const;
    double value(std::size_t index) const override;
    double x(XMode mode, std::size_t index) const;
    // Index of the first point whose x is not below `x`; size() if there is none. The search
    // widens from `hint`, so that the edges of neighbouring pixels are found in a few probes.
    std::size_t lowerBound(XMode mode, double x, std::size_t hint = 0) const;
    // Index of the point whose x is nearest; the series must not be empty.
    std::size_t nearest(XMode mode, double x) const;
    // Smallest and largest finite value of [begin, end), and with the first and the last of them.
    Bounds bounds(std::size_t begin, std::size_t end) const;
    Extent reduce(std::size_t begin, std::size_t end) const;
    // Prefetches the memory that a reduction beginning or ending there will read.
    void prefetch(std::size_t index) const override;
    // The number of values in [begin, end) above `high` and, second, below `low`; each count stops at `cap`.
    std::pair<std::size_t, std::size_t> countOutside(std::size_t begin, std::size_t end, double low, double high,
                                                     std::size_t cap = 1000) const;
    // Counts every truncation and clear: data derived from an older generation is stale.
    quint64 generation() const { return m_generation; }

private:
    static constexpr std::size_t kChunk = 1024;

    // Step, epoch and time are kept as 32-bit offsets from the chunk's first point: 20 bytes a point.
    struct Chunk {
        qint64 stepBase = 0;
        double epochBase = 0;
        double timeBase = 0;
        alignas(64) std::array<double, kChunk> value; // a block of the pyramid is a cache line
        std::array<quint32, kChunk> step;
        std::array<float, kChunk> epoch;
        std::array<float, kChunk> time;
        std::vector<qint64> farSteps{}; // steps of all its points, once one lies too far from the first

        qint64 stepAt(std::size_t at) const {
            return farSteps.empty() ? stepBase + static_cast<qint64>(step[at]) : farSteps[at];
        }
        void setStep(std::size_t at, qint64 to); // earlier points already have theirs
    };

    bool comesAfter(const PlotPoint& point) const; // than the last point
    void push(const PlotPoint& point);
    void shrink(std::size_t size);
    std::size_t stepBound(double step) const; // lowerBound() of equal strides

    std::vector<std::shared_ptr<Chunk>> m_chunks;
    std::shared_ptr<const WallClock> m_clock; // may be null
    std::size_t m_size = 0;
    Pyramid m_pyramid;
    quint64 m_generation = 0;
    qint64 m_firstStep = 0, m_stride = 0; // m_stride > 0 while all steps are equally spaced
};

// One pixel column of a reduced curve; `extent` is empty where no value of it is finite.
struct Column {
    double xFirst = 0;
    double xLast = 0;
    Extent extent;
    std::size_t count = 0; // points in the column
};

// The columns of one curve in one frame, and their bounds. Immutable; copies share them.
class Columns {
public:
    Columns() = default;
    Columns(std::vector<Column> columns); // NOLINT(*-explicit-constructor)

    bool empty() const { return m_all->list.empty(); }
    std::size_t size() const { return m_all->list.size(); }
    const Column& operator[](std::size_t index) const { return m_all->list[index]; }
    const Column& front() const { return m_all->list.front(); }
    auto begin() const { return m_all->list.begin(); }
    auto end() const { return m_all->list.end(); }
    const Bounds& bounds() const { return m_all->bounds; } // of all values
    std::size_t points() const { return m_all->points; }

private:
    friend class ColumnCache;
    struct All {
        std::vector<Column> list{};
        Bounds bounds{};
        std::size_t points = 0;

        void sumUp();
    };
    explicit Columns(std::shared_ptr<const All> all) : m_all(std::move(all)) {}

    std::shared_ptr<const All> m_all = none();
    static const std::shared_ptr<const All>& none();
};

// An x range as pixels see it.
struct ColumnGrid {
    XMode mode = XMode::Step;
    double from = 0;
    double to = 1;
    int columns = 1;
    bool logX = false; // columns are equal in log x
};

// The left edge of a column; edge grid.columns is the right end of the range.
double columnEdge(const ColumnGrid& grid, int column);

// M4 (Jugel, Jerzak, Hackenbroich, Markl: M4: A Visualization-Oriented Time Series Data Aggregation, PVLDB 7(10),
// 2014): splits the grid's x range into its columns, one for each pixel, and reduces each one from the full data to its
// first, smallest, largest and last value. A line through these covers the pixels that one through all points does.
// Columns without points are left out. One point on each side of the range comes along, so that a line drawn through
// the result leaves the plot where the data does; not one at or below 0 where the columns are equal in log x, which
// has no place for it.
Columns reduceToColumns(const SeriesData& series, const ColumnGrid& grid);

// The same in two steps: first the beginning of each column, and the end of the last one.
std::vector<std::size_t> columnBounds(const SeriesData& series, const ColumnGrid& grid);
Columns reduceToColumns(const SeriesData& series, XMode mode, std::span<const std::size_t> bounds);

// The columns of a series from frame to frame. Columns of the previous frame are reused: all but a few when a plot
// moves by whole pixels.
class ColumnCache {
public:
    Columns reduce(const SeriesData& series, XMode mode, std::vector<std::size_t> bounds);

private:
    std::vector<std::size_t> m_bounds;
    // `m_before`: of the frame before the last; the next frame reuses its memory once nobody shows it.
    std::shared_ptr<Columns::All> m_last = std::make_shared<Columns::All>(), m_before;
    XMode m_mode = XMode::Step;
    quint64 m_generation = 0;
};

// The columns with only the last finite value of each, from `values` with the indices of `series` (an average of it),
// as far as they go. If columns have many points, only every `stride`-th column, and the last.
Columns endsOfColumns(const SeriesData& series, const ValueSource& values, XMode mode,
                      std::span<const std::size_t> bounds, std::size_t stride = 1);

// The course of a series in at most `most` points, each for an equal number of its points: the x of their first and the
// middle of their extremes. Skips those without a finite value.
QList<QPointF> outline(const SeriesData& series, XMode mode, std::size_t most);

// Columns of a plot during a zoom, when no column of the previous frame can be reused.
// Moves the edges between columns right, to the beginning of whole blocks of the series' pyramid, each by at most
// `slack` of its column's points. Returns the number of values in a block; 1 if the columns have too few points for
// blocks, and nothing was moved.
std::size_t alignToBlocks(std::vector<std::size_t>& bounds, double slack);
// Like reduceToColumns(), for bounds aligned to blocks: the extremes are those of all points; the first and last values
// are the middles of the outermost blocks. This reads no single value, and a third of the memory.
Columns roughColumns(const SeriesData& series, XMode mode, std::span<const std::size_t> bounds, std::size_t block);

} // namespace trainyard::ui
