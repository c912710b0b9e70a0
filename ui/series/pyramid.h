// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace trainyard::ui {

// Smallest and largest finite value of some points; empty if there is none.
struct Bounds {
    double min = std::numeric_limits<double>::infinity();
    double max = -std::numeric_limits<double>::infinity();

    bool isEmpty() const { return min > max; }
    void add(double value);
    // All of [from, to).
    template <typename Number>
    void add(const Number* from, const Number* to);
    void add(const Bounds* from, const Bounds* to);
};

// The same with the first and the last of them.
struct Extent : Bounds {
    double first = std::numeric_limits<double>::quiet_NaN();
    double last = std::numeric_limits<double>::quiet_NaN();

    static Extent of(double value);
    void add(double value);
};

inline void Bounds::add(double value) { add(&value, &value + 1); }

// Loops without branches.
template <typename Number>
void Bounds::add(const Number* from, const Number* to) {
    double low = min, high = max;
    for (const Number* each = from; each != to; ++each) {
        const bool counts = std::abs(*each) <= std::numeric_limits<Number>::max(); // neither NaN nor infinite
        const auto value = static_cast<double>(*each);
        low = counts && value < low ? value : low;
        high = counts && value > high ? value : high;
    }
    min = low;
    max = high;
}

inline void Bounds::add(const Bounds* from, const Bounds* to) {
    double low = min, high = max;
    for (const Bounds* each = from; each != to; ++each) { // an empty one is infinite at both ends
        low = each->min < low ? each->min : low;
        high = each->max > high ? each->max : high;
    }
    min = low;
    max = high;
}

inline void Extent::add(double value) {
    if (!std::isfinite(value)) return;
    if (isEmpty()) first = value;
    last = value;
    Bounds::add(value);
}

inline Extent Extent::of(double value) {
    Extent extent;
    extent.add(value);
    return extent;
}

// Values by index.
class ValueSource {
public:
    virtual ~ValueSource() = default;
    virtual std::size_t size() const = 0;
    virtual double value(std::size_t index) const = 0;
    // Prefetches the memory that a query at this index will read.
    virtual void prefetch(std::size_t index) const = 0;
};

// Bounds of blocks of 8, 64, 512 … values, kept up to date while values are added at the end: each block once it is
// full. The values themselves live elsewhere and are reached through a callable `value(index)`.
class Pyramid {
public:
    static constexpr std::size_t kFanBits = 3;
    static constexpr std::size_t kFan = 1 << kFanBits;

    // Adds the value with index size().
    void push(double value);
    // Keeps only the first `size` values; `value` reads them.
    template <typename ValueAt>
    void truncate(std::size_t size, ValueAt&& value);

    std::size_t size() const { return m_size; }
    // Prefetches the memory that a reduction beginning or ending there will read.
    void prefetch(std::size_t index) const;

    // `addValues(bounds, from, to)` adds single values; those lie in one block of 8.
    template <typename AddValues>
    Bounds reduce(std::size_t begin, std::size_t end, AddValues&& addValues) const;

    // Calls visit(index) for each value of [begin, end) except those in blocks for which
    // skip(bounds) holds; ends early once visit returns false.
    template <typename Skip, typename Visit>
    void search(std::size_t begin, std::size_t end, Skip&& skip, Visit&& visit) const;

private:
    struct Block {
        std::size_t level; // 0 = a single value
        std::size_t bits() const { return level * kFanBits; }
        std::size_t span() const { return std::size_t{1} << bits(); } // values in it
    };
    Block largestBlock(std::size_t index, std::size_t end) const;

    std::vector<std::vector<Bounds>> m_levels; // m_levels[k]: full blocks of 8^(k+1) values
    Bounds m_tail;                             // of the values after the last full block
    std::size_t m_size = 0;
};

inline Pyramid::Block Pyramid::largestBlock(std::size_t index, std::size_t end) const {
    const auto aligned = static_cast<std::size_t>(std::countr_zero(index)) / kFanBits;
    const auto fits = static_cast<std::size_t>(std::bit_width(end - index) - 1) / kFanBits;
    return {std::min({aligned, fits, m_levels.size()})};
}

inline void Pyramid::prefetch(std::size_t index) const {
    std::size_t at = index / kFan;
    for (std::size_t k = 0; k < std::min(m_levels.size(), std::size_t{3}); ++k, at /= kFan) {
        const Bounds* blocks = m_levels[k].data() + at / kFan * kFan; // one block of the next level: two cache lines
        __builtin_prefetch(blocks);
        __builtin_prefetch(blocks + kFan / 2);
    }
}

// Blocks of one size lie side by side up to the next larger one, or to the end.
template <typename AddValues>
Bounds Pyramid::reduce(std::size_t begin, std::size_t end, AddValues&& addValues) const {
    Bounds result;
    for (std::size_t i = begin; i < end;) {
        const Block block = largestBlock(i, end);
        const std::size_t bits = block.bits(), larger = bits + kFanBits;
        const std::size_t upTo = std::min(end >> bits << bits, ((i >> larger) + 1) << larger);
        if (block.level == 0) addValues(result, i, upTo);
        else
            result.add(m_levels[block.level - 1].data() + (i >> bits),
                       m_levels[block.level - 1].data() + (upTo >> bits));
        i = upTo;
    }
    return result;
}

template <typename Skip, typename Visit>
void Pyramid::search(std::size_t begin, std::size_t end, Skip&& skip, Visit&& visit) const {
    for (std::size_t i = begin; i < end;) {
        Block block = largestBlock(i, end);
        while (block.level > 0 && !skip(m_levels[block.level - 1][i >> block.bits()])) --block.level;
        if (block.level == 0 && !visit(i)) return;
        i += block.span();
    }
}

template <typename ValueAt>
void Pyramid::truncate(std::size_t size, ValueAt&& value) {
    m_size = size;
    std::size_t span = kFan;
    for (std::vector<Bounds>& level : m_levels) {
        level.resize(size / span);
        span *= kFan;
    }
    m_tail = {};
    for (std::size_t i = size / kFan * kFan; i < size; ++i) m_tail.add(value(i));
}

} // namespace trainyard::ui
