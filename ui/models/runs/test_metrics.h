// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

#include <filesystem>

namespace trainyard::ui {

// One metric of one checkpoint on the test samples.
struct TestMetric {
    QString checkpoint; // "best" or "last"
    qint64 step = 0;    // of that checkpoint
    QString metric;
    double value = 0;
};

// What a run that has ended reached on its test samples: evaluation.json in its folder, the best checkpoint first.
// Nothing where there is no such file, or none that can be read.
QList<TestMetric> testMetrics(const std::filesystem::path& runFolder);

} // namespace trainyard::ui
