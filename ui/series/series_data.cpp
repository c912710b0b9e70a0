// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/series/series_data.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard::ui {

SeriesData::SeriesData(const SeriesData& other) { *this = other; }

SeriesData& SeriesData::operator=(const SeriesData& other) {
    if (this == &other) return *this;
    m_chunks = other.m_chunks;
    if (m_size = other.m_size; m_size % kChunk != 0)
        m_chunks.back() = std::make_shared<Chunk>(*m_chunks.back()); // the other keeps filling its own
    m_pyramid = other.m_pyramid;
    m_clock = other.m_clock;
    m_generation = other.m_generation;
    m_firstStep = other.m_firstStep;
    m_stride = other.m_stride;
    return *this;
}

bool SeriesData::comesAfter(const PlotPoint& point) const {
    const Chunk& chunk = *m_chunks.back();
    const std::size_t last = (m_size - 1) % kChunk;
    if (point.step != chunk.stepAt(last)) return point.step > chunk.stepAt(last);
    return static_cast<float>(point.timeSeconds - chunk.timeBase) > chunk.time[last]; // as stored
}

std::size_t SeriesData::append(std::span<const PlotPoint> points) {
    std::size_t first = m_size;
    for (const PlotPoint& point : points) {
        if (m_size > 0 && !comesAfter(point)) truncateAfter(point.step - 1);
        first = std::min(first, m_size);
        push(point);
    }
    return first;
}

void SeriesData::Chunk::setStep(std::size_t at, qint64 to) {
    const qint64 offset = to - stepBase;
    if (offset <= std::numeric_limits<quint32>::max() && farSteps.empty()) {
        step[at] = static_cast<quint32>(offset);
        return;
    }
    if (farSteps.empty()) {
        std::vector<qint64> near;
        for (std::size_t i = 0; i < at; ++i) near.push_back(stepAt(i));
        farSteps = std::move(near);
    }
    farSteps.resize(at);
    farSteps.push_back(to);
}

void SeriesData::push(const PlotPoint& point) {
    const std::size_t at = m_size % kChunk;
    if (at == 0) {
        m_chunks.push_back(std::make_shared<Chunk>());
        m_chunks.back()->stepBase = point.step;
        m_chunks.back()->epochBase = point.epoch;
        m_chunks.back()->timeBase = point.timeSeconds;
    }
    Chunk& chunk = *m_chunks.back();
    chunk.setStep(at, point.step);
    chunk.value[at] = point.value;
    chunk.epoch[at] = static_cast<float>(point.epoch - chunk.epochBase);
    chunk.time[at] = static_cast<float>(point.timeSeconds - chunk.timeBase);
    if (m_size == 0) m_firstStep = point.step;
    else if (m_size == 1) m_stride = point.step - m_firstStep;
    else if (point.step != m_firstStep + m_stride * static_cast<qint64>(m_size)) m_stride = 0;
    ++m_size;
    m_pyramid.push(point.value);
}

void SeriesData::truncateAfter(qint64 step) {
    const std::size_t keep = lowerBound(XMode::Step, static_cast<double>(step) + 0.5, m_size);
    if (keep < m_size) shrink(keep);
}

void SeriesData::clear() { shrink(0); }

void SeriesData::shrink(std::size_t size) {
    m_size = size;
    m_chunks.resize((size + kChunk - 1) / kChunk);
    if (size % kChunk != 0 && m_chunks.back().use_count() > 1)
        m_chunks.back() = std::make_shared<Chunk>(*m_chunks.back()); // a snapshot reads the old one
    m_pyramid.truncate(size, [this](std::size_t i) { return value(i); });
    ++m_generation;
}

PlotPoint SeriesData::at(std::size_t index) const {
    return {m_chunks[index / kChunk]->stepAt(index % kChunk), x(XMode::Epoch, index), x(XMode::RelativeTime, index),
            value(index)};
}

double SeriesData::value(std::size_t index) const { return m_chunks[index / kChunk]->value[index % kChunk]; }

double SeriesData::x(XMode mode, std::size_t index) const {
    if (mode == XMode::Step && m_stride > 0) // the usual case: reads no memory
        return static_cast<double>(m_firstStep + m_stride * static_cast<qint64>(index));
    const Chunk& chunk = *m_chunks[index / kChunk];
    const std::size_t at = index % kChunk;
    switch (mode) {
    case XMode::Epoch: return chunk.epochBase + static_cast<double>(chunk.epoch[at]);
    case XMode::RelativeTime: return chunk.timeBase + static_cast<double>(chunk.time[at]);
    case XMode::WallTime: {
        const double trained = chunk.timeBase + static_cast<double>(chunk.time[at]);
        return m_clock ? m_clock->at(trained) : trained;
    }
    case XMode::Step: break;
    }
    return static_cast<double>(chunk.stepAt(at));
}

// If all steps are equally spaced, a division finds the place, except for rounding.
std::size_t SeriesData::stepBound(double target) const {
    const double share = (target - static_cast<double>(m_firstStep)) / static_cast<double>(m_stride);
    if (!(share > 0)) return 0;
    auto at = share < static_cast<double>(m_size) ? static_cast<std::size_t>(share) : m_size;
    while (at < m_size && x(XMode::Step, at) < target) ++at;
    while (at > 0 && !(x(XMode::Step, at - 1) < target)) --at;
    return at;
}

// Galloping search (Bentley and Yao: An almost optimal algorithm for unbounded searching, Inf. Proc. Letters 5(3),
// 1976): steps that double away from the hint, then bisection of the last one.
std::size_t SeriesData::lowerBound(XMode mode, double target, std::size_t hint) const {
    if (mode == XMode::Step && m_stride > 0) return stepBound(target);
    std::size_t low = 0; // every index below `low` has x < target
    std::size_t high = m_size;
    std::size_t reach = 1;
    if (hint < m_size && x(mode, hint) < target) {
        low = hint + 1;
        while (low + reach < m_size && x(mode, low + reach) < target) {
            low += reach + 1;
            reach *= 2;
        }
        high = std::min(m_size, low + reach);
    } else {
        high = std::min(hint, m_size);
        while (high > reach && !(x(mode, high - reach) < target)) {
            high -= reach;
            reach *= 2;
        }
        low = high > reach ? high - reach : 0;
    }
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (x(mode, middle) < target) low = middle + 1;
        else high = middle;
    }
    return low;
}

std::size_t SeriesData::nearest(XMode mode, double target) const {
    const std::size_t after = lowerBound(mode, target, m_size / 2);
    if (after == 0) return 0;
    if (after == m_size) return m_size - 1;
    return target - x(mode, after - 1) <= x(mode, after) - target ? after - 1 : after;
}

Bounds SeriesData::bounds(std::size_t begin, std::size_t end) const {
    return m_pyramid.reduce(begin, end, [this](Bounds& bounds, std::size_t from, std::size_t to) {
        const double* values = m_chunks[from / kChunk]->value.data(); // a block does not reach into the next chunk
        const std::size_t at = from % kChunk;
        bounds.add(values + at, values + at + (to - from));
    });
}

Extent SeriesData::reduce(std::size_t begin, std::size_t end) const {
    Extent extent{bounds(begin, end)};
    if (extent.isEmpty()) return extent;
    while (!std::isfinite(value(begin))) ++begin;
    while (!std::isfinite(value(end - 1))) --end;
    extent.first = value(begin);
    extent.last = value(end - 1);
    return extent;
}

void SeriesData::prefetch(std::size_t index) const {
    if (index >= m_size) return;
    __builtin_prefetch(m_chunks[index / kChunk]->value.data() + index % kChunk);
    m_pyramid.prefetch(index);
}

std::pair<std::size_t, std::size_t> SeriesData::countOutside(std::size_t begin, std::size_t end, double low,
                                                             double high, std::size_t cap) const {
    std::size_t above = 0;
    std::size_t below = 0;
    m_pyramid.search(
        begin, end, [&](const Bounds& block) { return block.max <= high && block.min >= low; },
        [&](std::size_t i) {
            const double y = value(i);
            above += std::isfinite(y) && y > high && above < cap ? 1 : 0;
            below += std::isfinite(y) && y < low && below < cap ? 1 : 0;
            return above < cap && below < cap;
        });
    return {above, below};
}

namespace {

// The number of columns that end at or left of x; never all, because the right edge belongs to the last one.
int columnsBefore(const ColumnGrid& grid, double x) {
    const double share =
        grid.logX ? std::log(x / grid.from) / std::log(grid.to / grid.from) : (x - grid.from) / (grid.to - grid.from);
    int before = std::min(static_cast<int>(std::clamp(share, 0.0, 1.0) * grid.columns), grid.columns - 1);
    while (before > 0 && columnEdge(grid, before) > x) --before; // the share was rounded up
    return before;
}

} // namespace

double columnEdge(const ColumnGrid& grid, int column) {
    if (column == grid.columns) return grid.to; // to the last bit
    const double share = static_cast<double>(column) / grid.columns;
    if (grid.logX) return grid.from * std::pow(grid.to / grid.from, share);
    return grid.from + (grid.to - grid.from) * share;
}

std::vector<std::size_t> columnBounds(const SeriesData& series, const ColumnGrid& grid) {
    std::vector<std::size_t> bounds;
    const std::size_t size = series.size();
    if (size == 0 || grid.columns < 1 || !(grid.to > grid.from)) return bounds;
    bounds.reserve(std::min(size, static_cast<std::size_t>(grid.columns) + 2) + 1);
    std::size_t begin = series.lowerBound(grid.mode, grid.from, size / 2);
    const bool neighbour = begin > 0 && (!grid.logX || series.x(grid.mode, begin - 1) > 0);
    if (neighbour) bounds.push_back(begin - 1);
    std::size_t width = 1;
    for (int column = 1; column <= grid.columns && begin < size; ++column) {
        // The right edge belongs to the last column.
        const double edge = column < grid.columns ? columnEdge(grid, column)
                                                  : std::nextafter(grid.to, std::numeric_limits<double>::infinity());
        const std::size_t end = series.lowerBound(grid.mode, edge, begin + width);
        if (end > begin) {
            bounds.push_back(begin);
            width = end - begin;
            begin = end;
        } else {
            column = std::max(column, columnsBefore(grid, series.x(grid.mode, begin))); // past all empty ones
        }
    }
    if (begin < size) bounds.push_back(begin++);
    if (!bounds.empty()) bounds.push_back(begin);
    return bounds;
}

namespace {

constexpr std::size_t kAhead = 8; // columns whose reduction takes as long as a memory access

} // namespace

Columns::Columns(std::vector<Column> columns) {
    All all{std::move(columns)};
    all.sumUp();
    m_all = std::make_shared<const All>(std::move(all));
}

const std::shared_ptr<const Columns::All>& Columns::none() {
    static const auto none = std::make_shared<const All>();
    return none;
}

void Columns::All::sumUp() {
    bounds = {};
    points = 0;
    for (const Column& column : list) {
        bounds.min = std::min(bounds.min, column.extent.min);
        bounds.max = std::max(bounds.max, column.extent.max);
        points += column.count;
    }
}

Columns reduceToColumns(const SeriesData& series, XMode mode, std::span<const std::size_t> bounds) {
    return ColumnCache().reduce(series, mode, {bounds.begin(), bounds.end()});
}

Columns ColumnCache::reduce(const SeriesData& series, XMode mode, std::vector<std::size_t> bounds) {
    if (mode != m_mode || mode == XMode::WallTime || m_generation != series.generation()) m_bounds.clear();
    if (m_before == nullptr || m_before.use_count() > 1) m_before = std::make_shared<Columns::All>();
    const std::vector<Column>& known = m_last->list;
    std::vector<Column>& columns = m_before->list;
    columns.resize(bounds.empty() ? 0 : bounds.size() - 1);
    std::vector<std::size_t> missing;
    for (std::size_t i = 0, old = 0; i < columns.size(); ++i) {
        while (old + 1 < m_bounds.size() && m_bounds[old] < bounds[i]) ++old;
        const bool same = old + 1 < m_bounds.size() && m_bounds[old] == bounds[i] && m_bounds[old + 1] == bounds[i + 1];
        if (same) columns[i] = known[old];
        else missing.push_back(i);
    }
    for (std::size_t i = 0; i < missing.size(); ++i) {
        if (i + kAhead < missing.size()) series.prefetch(bounds[missing[i + kAhead]]);
        const std::size_t at = missing[i];
        const std::size_t begin = bounds[at], end = bounds[at + 1];
        columns[at] = {series.x(mode, begin), series.x(mode, end - 1), series.reduce(begin, end), end - begin};
    }
    m_before->sumUp();
    std::swap(m_last, m_before);
    m_bounds = std::move(bounds);
    m_mode = mode;
    m_generation = series.generation();
    return Columns(m_last);
}

Columns reduceToColumns(const SeriesData& series, const ColumnGrid& grid) {
    return reduceToColumns(series, grid.mode, columnBounds(series, grid));
}

Columns endsOfColumns(const SeriesData& series, const ValueSource& values, XMode mode,
                      std::span<const std::size_t> bounds, std::size_t stride) {
    constexpr std::size_t kMany = 3; // points
    const std::size_t size = std::min(series.size(), values.size());
    std::vector<Column> columns;
    columns.reserve(bounds.size() / stride + 2);
    for (std::size_t i = 1; i < bounds.size() && bounds[i - 1] < size; ++i) {
        const std::size_t begin = bounds[i - 1], end = std::min(bounds[i], size);
        if ((i - 1) % stride != 0 && end - begin >= kMany && i + 1 < bounds.size() && end < size) continue;
        if (const std::size_t ahead = i + kAhead; ahead < bounds.size()) values.prefetch(bounds[ahead] - 1);
        std::size_t last = end - 1;
        while (last > begin && !std::isfinite(values.value(last))) --last;
        columns.push_back(
            {series.x(mode, begin), series.x(mode, end - 1), Extent::of(values.value(last)), end - begin});
    }
    return {std::move(columns)};
}

QList<QPointF> outline(const SeriesData& series, XMode mode, std::size_t most) {
    QList<QPointF> points;
    const std::size_t count = series.size();
    const std::size_t bins = std::min(count, most);
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const std::size_t from = bin * count / bins;
        const Bounds extent = series.bounds(from, std::max(from + 1, (bin + 1) * count / bins));
        if (!extent.isEmpty()) points << QPointF(series.x(mode, from), (extent.min + extent.max) / 2);
    }
    return points;
}

std::size_t alignToBlocks(std::vector<std::size_t>& bounds, double slack) {
    if (bounds.size() < 3) return 1;
    const double most =
        slack * static_cast<double>(bounds.back() - bounds.front()) / static_cast<double>(bounds.size() - 1);
    std::size_t block = 1;
    while (static_cast<double>(block * Pyramid::kFan) <= most) block *= Pyramid::kFan;
    if (block == 1) return 1;
    for (std::size_t i = 1; i + 1 < bounds.size(); ++i) {
        const std::size_t moved = (bounds[i] + block - 1) / block * block;
        const auto room = static_cast<double>(bounds[i + 1] - bounds[i]); // points may lie less densely here
        if (static_cast<double>(moved - bounds[i]) <= slack * room) bounds[i] = moved;
    }
    return block;
}

Columns roughColumns(const SeriesData& series, XMode mode, std::span<const std::size_t> bounds, std::size_t block) {
    const auto middle = [](const Bounds& of) { return (of.min + of.max) / 2; };
    std::vector<Column> columns;
    columns.reserve(bounds.size());
    for (std::size_t i = 1; i < bounds.size(); ++i) {
        const std::size_t begin = bounds[i - 1], end = bounds[i];
        Column column{series.x(mode, begin), series.x(mode, end - 1), Extent{series.bounds(begin, end)}, end - begin};
        const Bounds first = series.bounds(begin, std::min(end, begin + block));
        const Bounds last = series.bounds(std::max(begin, end - std::min(end, block)), end);
        if (first.isEmpty() || last.isEmpty()) column.extent = series.reduce(begin, end);
        else column.extent.first = middle(first), column.extent.last = middle(last);
        columns.push_back(column);
    }
    return {std::move(columns)};
}

} // namespace trainyard::ui
