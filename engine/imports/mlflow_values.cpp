// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/mlflow_values.h"

#include <algorithm>
#include <tuple>

namespace trainyard::imports {

void addSorted(ImportedRun& run, const std::string& series, std::vector<Point>& points) {
    std::stable_sort(points.begin(), points.end(), [](const Point& one, const Point& other) {
        return std::tie(one.step, one.wallSeconds) < std::tie(other.step, other.wallSeconds);
    });
    for (const Point& point : points) run.add(series, point);
}

ImportedRun::Ending mlflowEnding(std::string_view status) {
    using Ending = ImportedRun::Ending;
    if (status == "FINISHED" || status == "3") return Ending::Finished;
    if (status == "FAILED" || status == "4") return Ending::Failed;
    return Ending::Stopped; // killed, scheduled or running
}

} // namespace trainyard::imports
