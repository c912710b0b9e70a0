// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace trainyard::ui {

// First, smallest, largest and last finite value of some points; empty when there was none.
struct Extent {
    double first = std::numeric_limits<double>::quiet_NaN();
    double min = std::numeric_limits<double>::infinity();
    double max = -std::numeric_limits<double>::infinity();
    double last = std::numeric_limits<double>::quiet_NaN();

    bool isEmpty() const { return min > max; }
    static Extent of(double value);
    void add(double value);
    void add(const Extent& later);
    // What comes next, in order: all of [from, to), values or extents.
    template <typename Number>
    void addValues(const Number* from, const Number* to);
    void addExtents(const Extent* from, const Extent* to);
};

inline void Extent::add(double value) {
    if (!(std::abs(value) <= std::numeric_limits<double>::max())) return; // NaN or infinite
    if (isEmpty()) first = value;
    min = value < min ? value : min;
    max = value > max ? value : max;
    last = value;
}

inline void Extent::add(const Extent& later) {
    if (later.isEmpty()) return;
    if (isEmpty()) first = later.first;
    min = later.min < min ? later.min : min;
    max = later.max > max ? later.max : max;
    last = later.last;
}

inline Extent Extent::of(double value) {
    Extent extent;
    extent.add(value);
    return extent;
}

// The extremes first, in a loop without branches: only the ends of what is added can be its first and last value.
template <typename Number>
void Extent::addValues(const Number* from, const Number* to) {
    const auto finite = [](Number value) { return std::abs(value) <= std::numeric_limits<Number>::max(); };
    double low = min, high = max;
    for (const Number* each = from; each != to; ++each) {
        const bool counts = finite(*each);
        const auto value = static_cast<double>(*each);
        low = counts && value < low ? value : low;
        high = counts && value > high ? value : high;
    }
    while (from != to && !finite(*(to - 1))) --to;
    while (from != to && !finite(*from)) ++from;
    if (from == to) return;
    if (isEmpty()) first = static_cast<double>(*from);
    last = static_cast<double>(*(to - 1));
    min = low;
    max = high;
}

inline void Extent::addExtents(const Extent* from, const Extent* to) {
    double low = min, high = max;
    for (const Extent* each = from; each != to; ++each) { // an empty one is infinite at both ends
        low = each->min < low ? each->min : low;
        high = each->max > high ? each->max : high;
    }
    while (from != to && (to - 1)->isEmpty()) --to;
    while (from != to && from->isEmpty()) ++from;
    if (from == to) return;
    if (isEmpty()) first = from->first;
    last = (to - 1)->last;
    min = low;
    max = high;
}

// Values by index, and their reduction over an index range.
class ValueSource {
public:
    virtual ~ValueSource() = default;
    virtual std::size_t size() const = 0;
    virtual double value(std::size_t index) const = 0;
    virtual Extent reduce(std::size_t begin, std::size_t end) const = 0;
};

// Extents of blocks of 16, 256, 4096 … values, kept up to date while values are added at the end.
// The values themselves live elsewhere and are reached through a callable `value(index)`.
class Pyramid {
public:
    static constexpr std::size_t kFan = 16;

    // The value with index size() was added.
    void push(double value);
    // Only the first `size` values are left; `value` gives them.
    template <typename ValueAt>
    void truncate(std::size_t size, ValueAt&& value);
    void clear();

    std::size_t size() const { return m_size; }

    // `addValues(extent, from, to)` adds single values; those lie in one block of 16.
    template <typename AddValues>
    Extent reduce(std::size_t begin, std::size_t end, AddValues&& addValues) const;

    // Calls visit(index) for each value of [begin, end) except those in blocks for which
    // skip(extent) holds; ends early once visit returns false.
    template <typename Skip, typename Visit>
    void search(std::size_t begin, std::size_t end, Skip&& skip, Visit&& visit) const;

private:
    struct Block {
        std::size_t level; // 0 = a single value
        std::size_t span;  // values in it
    };
    Block largestBlock(std::size_t index, std::size_t end) const;

    std::vector<std::vector<Extent>> m_levels; // m_levels[k]: blocks of 16^(k+1) values
    std::size_t m_size = 0;
};

inline Pyramid::Block Pyramid::largestBlock(std::size_t index, std::size_t end) const {
    Block block{0, 1};
    while (block.level < m_levels.size()) {
        const std::size_t span = block.span * kFan;
        if (index % span != 0 || index + span > end) break;
        block = {block.level + 1, span};
    }
    return block;
}

// Blocks of one size lie side by side up to the next larger one, or to the end.
template <typename AddValues>
Extent Pyramid::reduce(std::size_t begin, std::size_t end, AddValues&& addValues) const {
    Extent result;
    for (std::size_t i = begin; i < end;) {
        const auto [level, span] = largestBlock(i, end);
        const std::size_t larger = span * kFan;
        const std::size_t upTo = std::min(end / span * span, (i / larger + 1) * larger);
        if (level == 0) addValues(result, i, upTo);
        else result.addExtents(&m_levels[level - 1][i / span], m_levels[level - 1].data() + upTo / span);
        i = upTo;
    }
    return result;
}

template <typename Skip, typename Visit>
void Pyramid::search(std::size_t begin, std::size_t end, Skip&& skip, Visit&& visit) const {
    for (std::size_t i = begin; i < end;) {
        Block block = largestBlock(i, end);
        while (block.level > 0 && !skip(m_levels[block.level - 1][i / block.span]))
            block = {block.level - 1, block.span / kFan};
        if (block.level == 0 && !visit(i)) return;
        i += block.span;
    }
}

template <typename ValueAt>
void Pyramid::truncate(std::size_t size, ValueAt&& value) {
    m_size = size;
    std::size_t span = 1;
    for (std::size_t k = 0; k < m_levels.size(); ++k) {
        const std::size_t child = span;
        span *= kFan;
        std::vector<Extent>& level = m_levels[k];
        level.resize((size + span - 1) / span);
        if (level.empty() || size % span == 0) continue;
        Extent tail; // the cut block, from the level below
        for (std::size_t i = (level.size() - 1) * span; i < size; i += child)
            tail.add(k == 0 ? Extent::of(value(i)) : m_levels[k - 1][i / child]);
        level.back() = tail;
    }
}

} // namespace trainyard::ui
