// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/plot_point.h"
#include "ui/plots/pyramid.h"

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace trainyard::ui {

/// All points of one series of one run, in steps that only grow. Append is O(1) per point, and any
/// index range reduces in O(log n). Copies share full chunks, so that a copy is a cheap snapshot
/// which another thread may read while the original is appended to.
class SeriesData {
public:
    /// Adds points. A point whose step is not above the last one replaces everything from its step
    /// on: that is what a run does that went back to a checkpoint.
    void append(std::span<const PlotPoint> points);
    /// Drops every point whose step is above `step`.
    void truncateAfter(qint64 step);
    void clear();

    std::size_t size() const { return m_size; }
    bool isEmpty() const { return m_size == 0; }
    PlotPoint at(std::size_t index) const;
    double value(std::size_t index) const;
    double x(XMode mode, std::size_t index) const;
    /// Index of the first point whose x is not below `x`; size() if there is none.
    std::size_t lowerBound(XMode mode, double x) const;
    /// Index of the point whose x is nearest; the series must not be empty.
    std::size_t nearest(XMode mode, double x) const;
    /// First, smallest, largest and last finite value of [begin, end).
    Extent reduce(std::size_t begin, std::size_t end) const;
    /// How many values of [begin, end) lie above `high`, and below `low`.
    std::size_t countAbove(std::size_t begin, std::size_t end, double high) const;
    std::size_t countBelow(std::size_t begin, std::size_t end, double low) const;
    /// Counts every truncation and clear: what was derived from an older one is stale.
    quint64 generation() const { return m_generation; }

private:
    static constexpr std::size_t kChunk = 4096;

    // Epoch and time are kept as 32-bit offsets from the chunk's first point: 24 bytes a point.
    struct Chunk {
        double epochBase = 0;
        double timeBase = 0;
        std::array<qint64, kChunk> step;
        std::array<double, kChunk> value;
        std::array<float, kChunk> epoch;
        std::array<float, kChunk> time;
    };

    void push(const PlotPoint& point);
    void resize(std::size_t size);

    std::vector<std::shared_ptr<Chunk>> m_chunks;
    std::size_t m_size = 0;
    Pyramid m_pyramid;
    quint64 m_generation = 0;
};

/// One pixel column of a reduced curve. Its values are all NaN where the column has no finite point.
struct Column {
    double x = 0;  ///< of the column's first point
    double xLast = 0;
    Extent extent;
    std::size_t count = 0;  ///< points in the column
};

/// M4: splits the x range into `columns` equal columns and reduces each one from the full data;
/// columns without points are left out. One point on each side of the range comes along, so that
/// a line drawn through the result leaves the picture where the data does.
/// `values` are those of `series` or others of the same indices (a smoothed copy).
std::vector<Column> reduceToColumns(const SeriesData& series, const ValueSource& values, XMode mode,
                                    double from, double to, int columns);

}  // namespace trainyard::ui
