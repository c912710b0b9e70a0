// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/sweep/sweep_spec.h"

#include <set>

namespace trainyard::sweep {

// A configuration as a point of the unit cube, a coordinate for each axis; kInactive if the axis does not apply.
using Point = std::vector<double>;
inline constexpr double kInactive = -1;

// A sweep's space as searchers see it.
class Space {
public:
    explicit Space(const spec::SweepSpec& spec);

    // The same sweep over other axes.
    Space with(std::vector<spec::Axis> axes) const;
    std::size_t size() const { return m_spec.space.size(); }
    // Whether the values lie on the axes (spec::contains).
    bool contains(const spec::Params& params) const;
    bool isChoice(std::size_t axis) const { return m_spec.space[axis].isList(); } // its values have no order
    int cells(std::size_t axis) const { return m_cells[axis]; }                   // spec::cellsOf

    spec::Params paramsOf(const Point& point) const;
    Point pointOf(const spec::Params& params) const;
    std::optional<spec::Params> fitted(const spec::Params& params) const { return spec::fitted(m_spec.space, params); }
    // Moves `point` to the nearest point that the trial of this number can have; on axes where every value is searched
    // on its own, to the trial's value.
    Point settled(Point point, int trial) const;
    // The trial's draw at random (spec::randomParams).
    Point randomPoint(int trial, int redraw) const;
    // The first point of a finite space not in `taken`, for that trial; `otherwise` if there is none.
    Point firstFree(int trial, const std::set<Point>& taken, Point otherwise) const;

private:
    spec::SweepSpec m_spec;
    std::vector<int> m_cells;
    bool m_combines = false, m_conditional = false; // an axis with everyValue, one with conditions
};

} // namespace trainyard::sweep
