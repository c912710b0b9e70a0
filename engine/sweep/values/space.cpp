// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/values/space.h"

#include "engine/spec/sweep/space_point.h"

#include <algorithm>

namespace trainyard::sweep {

Space::Space(const spec::SweepSpec& spec) : m_spec(spec) {
    for (const spec::Axis& axis : m_spec.space) {
        m_cells.push_back(spec::cellsOf(axis));
        m_combines = m_combines || axis.everyValue;
        m_conditional = m_conditional || !axis.when.empty();
    }
}

Space Space::with(std::vector<spec::Axis> axes) const {
    spec::SweepSpec spec = m_spec;
    spec.space = std::move(axes);
    return Space(spec);
}

bool Space::contains(const spec::Params& params) const {
    return std::all_of(m_spec.space.begin(), m_spec.space.end(), [&](const spec::Axis& axis) {
        const auto value = params.find(axis.path);
        return value == params.end() || spec::contains(axis, value->second);
    });
}

spec::Params Space::paramsOf(const Point& point) const {
    spec::Params params;
    for (std::size_t j = 0; j < size(); ++j)
        if (point[j] >= 0) params[m_spec.space[j].path] = spec::valueAt(m_spec.space[j], point[j]);
    return params;
}

Point Space::pointOf(const spec::Params& params) const {
    Point point;
    for (const spec::Axis& axis : m_spec.space) {
        const auto found = params.find(axis.path);
        point.push_back(found == params.end() ? kInactive : spec::placeOf(axis, found->second));
    }
    return point;
}

Point Space::settled(Point point, int trial) const {
    for (std::size_t j = 0; j < size(); ++j)
        if (const spec::Axis& axis = m_spec.space[j]; m_cells[j] > 0 || axis.whole || axis.step > 0)
            point[j] = spec::placeOf(axis, spec::valueAt(axis, point[j]));
    if (!m_combines && !m_conditional) return point;
    auto params = paramsOf(point);
    for (auto& [path, value] : spec::combinationOf(m_spec, trial)) params[path] = value;
    return pointOf(spec::activeParams(m_spec.space, std::move(params)));
}

Point Space::randomPoint(int trial, int redraw) const { return pointOf(spec::randomParams(m_spec, trial, redraw)); }

Point Space::firstFree(int trial, const std::set<Point>& taken, Point otherwise) const {
    double points = 1;
    for (const int cells : m_cells) points *= cells;
    if (points > spec::kMaxTrials) return otherwise;
    for (int number = 0; number < static_cast<int>(points); ++number) {
        Point point(size());
        int rest = number;
        for (std::size_t j = size(); j-- > 0; rest /= m_cells[j]) point[j] = (rest % m_cells[j] + 0.5) / m_cells[j];
        point = settled(std::move(point), trial);
        if (!taken.contains(point)) return point;
    }
    return otherwise;
}

} // namespace trainyard::sweep
