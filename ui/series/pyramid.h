// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

    template <typename ValueAt>
    Extent reduce(std::size_t begin, std::size_t end, ValueAt&& value) const;

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

template <typename ValueAt>
Extent Pyramid::reduce(std::size_t begin, std::size_t end, ValueAt&& value) const {
    Extent result;
    for (std::size_t i = begin; i < end;) {
        const Block block = largestBlock(i, end);
        if (block.level == 0) result.add(value(i));
        else result.add(m_levels[block.level - 1][i / block.span]);
        i += block.span;
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
