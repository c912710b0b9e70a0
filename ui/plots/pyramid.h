// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace trainyard::ui {

/// First, smallest, largest and last finite value of some points; empty when there was none.
struct Extent {
    double first = std::numeric_limits<double>::quiet_NaN();
    double min = std::numeric_limits<double>::infinity();
    double max = -std::numeric_limits<double>::infinity();
    double last = std::numeric_limits<double>::quiet_NaN();

    bool isEmpty() const { return min > max; }
    void add(double value);
    void add(const Extent& later);
};

/// Values by index, and their reduction over an index range.
class ValueSource {
public:
    virtual ~ValueSource() = default;
    virtual std::size_t size() const = 0;
    virtual double value(std::size_t index) const = 0;
    virtual Extent reduce(std::size_t begin, std::size_t end) const = 0;
};

/// Extents of blocks of 16, 256, 4096 … values, kept up to date while values are added at the end.
/// The values themselves live elsewhere and are reached through a callable `value(index)`.
class Pyramid {
public:
    static constexpr std::size_t kFan = 16;

    /// The value with index `count` was added.
    void push(double value);
    /// Only the first `size` values are left; `value` gives them.
    template <typename ValueAt>
    void truncate(std::size_t size, ValueAt&& value);
    void clear();

    std::size_t size() const { return m_size; }
    template <typename ValueAt>
    Extent reduce(std::size_t begin, std::size_t end, ValueAt&& value) const;
    /// Counts the values of [begin, end) that are above `limit` (sign = 1) or below it (sign = -1),
    /// skipping blocks that lie wholly inside.
    template <typename ValueAt>
    std::size_t countBelow(std::size_t begin, std::size_t end, double limit,
                           ValueAt&& value) const;
    template <typename ValueAt>
    std::size_t countAbove(std::size_t begin, std::size_t end, double limit,
                           ValueAt&& value) const;

private:
    template <typename ValueAt, typename Prune>
    void walk(std::size_t begin, std::size_t end, ValueAt&& value, Prune&& prune) const;

    std::vector<std::vector<Extent>> m_levels;  ///< m_levels[k]: blocks of 16^(k+1) values
    std::size_t m_size = 0;
};

}  // namespace trainyard::ui
