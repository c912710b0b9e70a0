// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/run_grouping.h"

#include "engine/spec/values/flat_settings.h"
#include "engine/spec/values/group_names.h"
#include "ui/models/runs/run_column.h"
#include "ui/models/text/format.h"

#include <QCoreApplication>

namespace trainyard::ui {

namespace {

const QString kSettingKey = QStringLiteral("setting:"), kConfigurationKey = QStringLiteral("configuration");

// The settings in which the groups differ, which their runs do not share by definition.
std::vector<std::string> pathsBetween(const std::vector<RunItemPtr>& groups) {
    std::vector<std::string> paths;
    for (const QString& path : differingSettings(groups))
        if (std::string text = path.toStdString(); spec::isOfConfiguration(text)) paths.push_back(std::move(text));
    return paths;
}

// Names of configurations, each by one of its runs.
std::vector<spec::GroupName> namesOf(const std::vector<RunItemPtr>& configurations) {
    const std::vector<std::string> paths = pathsBetween(configurations);
    std::vector<QString> wanted;
    for (const std::string& path : paths) wanted.push_back(QString::fromStdString(path));
    std::vector<std::vector<std::string>> values;
    for (const RunItemPtr& run : configurations) {
        values.emplace_back();
        for (const QString& path : wanted) values.back().push_back(run->settings.value(path).toStdString());
    }
    return spec::groupNames(paths, values);
}

void nameBySetting(RunGroup& group, const QString& path) {
    const QString value = group.key.isEmpty() ? kNoValue : localText(group.key);
    group.name = QStringLiteral("%1 %2").arg(shortPath(path), value);
    group.fullName = QStringLiteral("%1 %2").arg(path, value);
}

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

QString groupKeyOf(const RunItem& run, const RunGrouping& grouping) {
    if (grouping.by == RunGrouping::By::Setting) return run.settings.value(grouping.path);
    return QLatin1Char('#') + QString::number(run.configuration, 16); // not a number, by which groups would be sorted
}

std::vector<RunGroup> groupsOf(const std::vector<RunItemPtr>& runs, const RunGrouping& grouping) {
    std::vector<RunGroup> groups;
    std::vector<RunItemPtr> firsts;
    QHash<QString, std::size_t> places;
    for (const RunItemPtr& run : runs) {
        const QString key = groupKeyOf(*run, grouping);
        const auto known = places.constFind(key);
        const std::size_t place = known == places.constEnd() ? groups.size() : *known;
        if (place == groups.size()) {
            places.insert(key, place);
            groups.push_back({key, {}, {}, run->color, {}});
            firsts.push_back(run);
        }
        groups[place].runs << run->id;
    }
    if (grouping.by == RunGrouping::By::Setting) {
        for (RunGroup& group : groups) nameBySetting(group, grouping.path);
        return groups;
    }
    const auto names = namesOf(firsts);
    for (std::size_t i = 0; i < groups.size(); ++i) {
        groups[i].name = localText(QString::fromStdString(names[i].brief));
        groups[i].fullName = localText(QString::fromStdString(names[i].full));
        if (groups[i].name.isEmpty()) groups[i].name = QCoreApplication::translate("RunGrouping", "One configuration");
    }
    return groups;
}

void GroupColors::learn(const std::vector<RunItemPtr>& runs, const RunGrouping& grouping) {
    QHash<QString, RunItemPtr> oldest;
    for (const RunItemPtr& run : runs) {
        RunItemPtr& known = oldest[groupKeyOf(*run, grouping)];
        if (!known || isNewer(known, run)) known = run;
    }
    std::vector<std::pair<RunItemPtr, QString>> byAge;
    for (auto each = oldest.constBegin(); each != oldest.constEnd(); ++each) byAge.emplace_back(*each, each.key());
    std::sort(byAge.begin(), byAge.end(), [](const auto& a, const auto& b) { return isNewer(b.first, a.first); });
    m_chosen.clear();
    for (const auto& [run, key] : byAge) {
        of(key);
        if (!run->row.color.empty()) m_chosen.insert(key, run->color);
    }
}

RunColor GroupColors::of(const QString& key) {
    if (const auto chosen = m_chosen.constFind(key); chosen != m_chosen.constEnd()) return *chosen;
    const auto known = m_places.constFind(key);
    if (known != m_places.constEnd()) return {*known};
    const int place = static_cast<int>(m_places.size());
    m_places.insert(key, place);
    return {place};
}

void ShownGroups::set(std::vector<RunGroup> groups) {
    if (groups == m_groups) return;
    m_groups = std::move(groups);
    m_places.clear();
    for (std::size_t i = 0; i < m_groups.size(); ++i)
        for (const QString& run : std::as_const(m_groups[i].runs)) m_places.insert(run, i);
    Q_EMIT changed();
}

const RunGroup* ShownGroups::of(const QString& run) const {
    const auto place = m_places.constFind(run);
    return place == m_places.constEnd() ? nullptr : &m_groups[*place];
}

} // namespace trainyard::ui
