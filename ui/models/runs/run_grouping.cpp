// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/run_grouping.h"

#include "engine/spec/values/flat_settings.h"
#include "ui/models/text/format.h"

#include <QCoreApplication>

namespace trainyard::ui {

namespace {

constexpr int kMostTitleParts = 4;
const QString kSettingKey = QStringLiteral("setting:"), kConfigurationKey = QStringLiteral("configuration");

} // namespace

QString groupingToText(const RunGrouping& grouping) {
    switch (grouping.by) {
    case RunGrouping::By::Setting: return kSettingKey + grouping.path;
    case RunGrouping::By::Configuration: return kConfigurationKey;
    case RunGrouping::By::Status: break;
    }
    return QStringLiteral("status");
}

RunGrouping groupingFromText(const QString& text) {
    if (text == kConfigurationKey) return {RunGrouping::By::Configuration, {}};
    if (text.size() > kSettingKey.size() && text.startsWith(kSettingKey))
        return {RunGrouping::By::Setting, text.mid(kSettingKey.size())};
    return {};
}

RunHeading headingOfValue(const RunItem& run, const QString& path) {
    const QString value = run.settings.value(path);
    return {RunHeading::Kind::Group, value,
            QStringLiteral("%1 %2").arg(shortPath(path), value.isEmpty() ? kNoValue : value)};
}

RunHeading headingOfConfiguration(const RunItem& run, const QStringList& differing) {
    RunHeading heading;
    QStringList parts;
    for (const QString& path : differing) {
        if (!spec::isOfConfiguration(path.toStdString())) continue;
        const QString value = run.settings.value(path);
        heading.key += path + QLatin1Char('=') + value + QLatin1Char('\n');
        if (!value.isEmpty()) parts << QStringLiteral("%1 %2").arg(shortPath(path), value);
    }
    if (parts.size() > kMostTitleParts) parts = parts.mid(0, kMostTitleParts) << QStringLiteral("…");
    heading.title = parts.isEmpty() ? QCoreApplication::translate("RunGrouping", "One configuration")
                                    : parts.join(QStringLiteral(", "));
    return heading;
}

} // namespace trainyard::ui
