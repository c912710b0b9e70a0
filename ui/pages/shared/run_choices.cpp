// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/shared/run_choices.h"

#include "engine/run/record/series/source_series.h"
#include "engine/run/record/series/system_series.h"
#include "ui/forms/fields/field_title.h"
#include "ui/models/desktop/settings.h"
#include "ui/models/text/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace trainyard::ui {

namespace {

struct ChoiceWords {
    Q_DECLARE_TR_FUNCTIONS(RunChoices)
};

constexpr qsizetype kMostRemembered = 8;

Choice columnChoice(const RunsModel& runs, const RunColumn& column, const QString& section) {
    const QList<RunColumn>& shown = runs.columns();
    const bool isShown =
        std::any_of(shown.begin(), shown.end(), [&](const RunColumn& each) { return each.isSame(column); });
    const QString note = column.kind == RunColumn::Kind::Series ? columnTip(column) : QString();
    return {columnsToText({column}).first(), columnTitle(column), note, section, isShown};
}

QString titleOf(const QString& path, const spec::Catalog* catalog) {
    return catalog != nullptr ? settingTitle(path, *catalog) : path;
}

Choice settingChoice(const RunsModel& runs, const QString& path, const spec::Catalog* catalog, const QString& section) {
    Choice choice = columnChoice(runs, settingColumn(path), section);
    choice.text = titleOf(path, catalog);
    if (choice.text != path) choice.note = path;
    return choice;
}

void addSeriesColumns(QList<Choice>& choices, const RunsModel& runs, bool system) {
    const QString section = system ? ChoiceWords::tr("System") : ChoiceWords::tr("Metrics");
    for (const std::string& name : runs.names().series) {
        if (system ? !run::isSystemSeries(name) : !run::tellsOfTraining(name)) continue;
        for (const run::Aspect aspect : {run::Aspect::Best, run::Aspect::Last, run::Aspect::Min, run::Aspect::Max})
            choices << columnChoice(runs, seriesColumn(name, aspect), section);
    }
}

} // namespace

QList<Choice> columnChoices(const RunsModel& runs, const spec::Catalog* catalog) {
    QList<Choice> choices;
    for (const RunColumn& column : plainColumns()) choices << columnChoice(runs, column, ChoiceWords::tr("Every run"));
    const QStringList differing = runs.differingSettings();
    for (const QString& path : differing)
        choices << settingChoice(runs, path, catalog, ChoiceWords::tr("Settings that differ"));
    addSeriesColumns(choices, runs, false);
    QList<Choice> settings;
    for (const std::string& name : runs.names().settings) {
        const QString path = QString::fromStdString(name);
        if (!differing.contains(path)) settings << settingChoice(runs, path, catalog, settingArea(path));
    }
    std::stable_sort(settings.begin(), settings.end(),
                     [](const Choice& a, const Choice& b) { return a.section.localeAwareCompare(b.section) < 0; });
    choices += settings;
    addSeriesColumns(choices, runs, true);
    return choices;
}

QList<Choice> groupChoices(const RunsModel& runs, const spec::Catalog* catalog) {
    const auto choice = [&](const RunGrouping& grouping, const QString& text, const QString& note,
                            const QString& section) {
        return Choice{groupingToText(grouping), text, note, section, runs.grouping() == grouping};
    };
    QList<Choice> choices{
        choice({}, ChoiceWords::tr("By status"), {}, {}),
        choice({RunGrouping::By::Configuration}, ChoiceWords::tr("By configuration, over seeds"), {}, {})};
    QStringList paths = runs.differingSettings();
    if (runs.grouping().by == RunGrouping::By::Setting && !paths.contains(runs.grouping().path))
        paths << runs.grouping().path;
    for (const QString& path : std::as_const(paths)) {
        const QString title = titleOf(path, catalog);
        choices << choice({RunGrouping::By::Setting, path}, ChoiceWords::tr("By %1").arg(title),
                          title == path ? QString() : path, ChoiceWords::tr("Settings that differ"));
    }
    return choices;
}

QList<Choice> seriesChoices(const QStringList& series) {
    QList<Choice> choices, system;
    for (const QString& name : series) {
        const bool isSystem = run::isSystemSeries(name.toStdString());
        const QString title = seriesTitle(name);
        (isSystem ? system : choices) << Choice{name, title, title == name ? QString() : name,
                                                isSystem ? ChoiceWords::tr("System") : ChoiceWords::tr("Metrics")};
    }
    return choices + system;
}

void rememberChoices(ChoicePicker& picker, const QString& name) {
    const auto setting = Settings::recentChoices.of(name, {});
    picker.setRecent(setting.get());
    QObject::connect(&picker, &ChoicePicker::chosen, &picker, [setting](const QString& key, bool on) {
        if (!on) return;
        QStringList keys = setting.get();
        keys.removeAll(key);
        keys.prepend(key);
        setting.set(keys.mid(0, kMostRemembered));
    });
}

} // namespace trainyard::ui
