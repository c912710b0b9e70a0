// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/test_metrics.h"

#include "engine/run/record/run_folder.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

namespace trainyard::ui {

QList<TestMetric> testMetrics(const std::filesystem::path& runFolder) {
    constexpr qint64 kLargest = 16 << 20; // a confusion matrix of a thousand classes is smaller
    QFile file(QString::fromStdString(run::RunFolder{runFolder}.evaluationFile().string()));
    if (!file.open(QIODevice::ReadOnly) || file.size() > kLargest) return {};
    const auto tests = QJsonDocument::fromJson(file.readAll()).object().value(QLatin1String("test")).toObject();
    QList<TestMetric> metrics;
    for (auto test = tests.begin(); test != tests.end(); ++test) { // in the order of the alphabet
        const auto values = test->toObject();
        const auto step = static_cast<qint64>(values.value(QLatin1String("step")).toDouble());
        for (auto value = values.begin(); value != values.end(); ++value) {
            const QString metric = value.key();
            if (value->isDouble() && metric != QLatin1String("step") && metric != QLatin1String("epoch"))
                metrics << TestMetric{test.key(), step, metric, value->toDouble()};
        }
    }
    return metrics;
}

} // namespace trainyard::ui
