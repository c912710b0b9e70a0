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

// Test results of a finished run, from evaluation.json in its folder, the best checkpoint first. Empty if the file is
// missing or unreadable.
QList<TestMetric> testMetrics(const std::filesystem::path& runFolder);

} // namespace trainyard::ui
