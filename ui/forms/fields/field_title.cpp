// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/fields/field_title.h"

#include "engine/spec/run/sections.h"
#include "ui/models/text/engine_text.h"

#include <QCoreApplication>

namespace trainyard::ui {

namespace {

struct TitleWords {
    Q_DECLARE_TR_FUNCTIONS(FieldTitle)
};

// Fields that are neither a parameter of the catalog nor in the table of sections.
struct TitleOfPath {
    const char *path, *title;
};
constexpr TitleOfPath kTitles[] = {{"task", QT_TRANSLATE_NOOP("FieldTitle", "Task")},
                                   {"batch.perRank", QT_TRANSLATE_NOOP("FieldTitle", "Batch per worker")},
                                   {"batch.global", QT_TRANSLATE_NOOP("FieldTitle", "Global batch")},
                                   {"batch.accumulate", QT_TRANSLATE_NOOP("FieldTitle", "Accumulation")},
                                   {"epochs", QT_TRANSLATE_NOOP("FieldTitle", "Epochs")},
                                   {"steps", QT_TRANSLATE_NOOP("FieldTitle", "Steps")},
                                   {"seed", QT_TRANSLATE_NOOP("FieldTitle", "Seed")},
                                   {"hosts", QT_TRANSLATE_NOOP("FieldTitle", "Hosts")},
                                   {"program", QT_TRANSLATE_NOOP("FieldTitle", "Script")},
                                   {"program.script", QT_TRANSLATE_NOOP("FieldTitle", "Script")},
                                   {"program.module", QT_TRANSLATE_NOOP("FieldTitle", "Module")},
                                   {"program.command", QT_TRANSLATE_NOOP("FieldTitle", "Command")},
                                   {"program.interpreter", QT_TRANSLATE_NOOP("FieldTitle", "Interpreter")},
                                   {"program.folder", QT_TRANSLATE_NOOP("FieldTitle", "Folder")},
                                   {"program.arguments", QT_TRANSLATE_NOOP("FieldTitle", "Arguments")}};

// An argument of a program is called as it is there.
constexpr const char* kOwnNames[] = {"program.arguments.", "program.environment."};

constexpr TitleOfPath kAreas[] = {{"model", QT_TRANSLATE_NOOP("FieldTitle", "Model")},
                                  {"dataset", QT_TRANSLATE_NOOP("FieldTitle", "Dataset")},
                                  {"optimizer", QT_TRANSLATE_NOOP("FieldTitle", "Optimizer")},
                                  {"schedule", QT_TRANSLATE_NOOP("FieldTitle", "Schedule")},
                                  {"loss", QT_TRANSLATE_NOOP("FieldTitle", "Loss")},
                                  {"program", QT_TRANSLATE_NOOP("FieldTitle", "Program")}};

struct ChoiceOfSpec {
    const char *path, *title;
    const spec::Choice& choice;
    const std::vector<spec::Entry>& entries;
};

} // namespace

QString fieldTitle(const QString& path, const spec::RunSpec& spec, const spec::Catalog& catalog) {
    const ChoiceOfSpec choices[] = {
        {"model", QT_TRANSLATE_NOOP("FieldTitle", "Architecture"), spec.model, catalog.models},
        {"dataset", QT_TRANSLATE_NOOP("FieldTitle", "Dataset"), spec.dataset, catalog.datasets},
        {"optimizer", QT_TRANSLATE_NOOP("FieldTitle", "Optimizer"), spec.optimizer, catalog.optimizers},
        {"schedule", QT_TRANSLATE_NOOP("FieldTitle", "Schedule"), spec.schedule, catalog.schedules},
        {"loss", QT_TRANSLATE_NOOP("FieldTitle", "Loss"), spec.loss, catalog.losses}};
    const QString first = path.section(QLatin1Char('.'), 0, 0);
    const QString last = path.section(QLatin1Char('.'), -1);
    for (const auto& [name, title, choice, entries] : choices) {
        if (first != QLatin1String(name)) continue;
        if (path == first || path == first + QStringLiteral(".name")) return TitleWords::tr(title);
        const auto* entry = spec::Catalog::find(entries, choice.name);
        const auto* info = entry ? entry->find(last.toStdString()) : nullptr;
        return info ? engineText(info->title) : path;
    }
    for (const char* prefix : kOwnNames)
        if (path.startsWith(QLatin1String(prefix))) return path.mid(static_cast<qsizetype>(qstrlen(prefix)));
    for (const auto& [name, title] : kTitles)
        if (path == QLatin1String(name)) return TitleWords::tr(title);
    for (const auto& section : spec::runSections())
        for (const auto& info : section.params)
            if (path == QString::fromStdString(info.name)) return engineText(info.title);
    return path;
}

QString settingTitle(const QString& path, const spec::Catalog& catalog) {
    spec::RunSpec spec;
    const std::pair<spec::Choice&, const std::vector<spec::Entry>&> choices[] = {{spec.model, catalog.models},
                                                                                 {spec.dataset, catalog.datasets},
                                                                                 {spec.optimizer, catalog.optimizers},
                                                                                 {spec.schedule, catalog.schedules},
                                                                                 {spec.loss, catalog.losses}};
    for (const auto& [choice, entries] : choices) {
        for (const spec::Entry& entry : entries) {
            choice.name = entry.name;
            if (QString title = fieldTitle(path, spec, catalog); title != path) return title;
        }
    }
    return fieldTitle(path, spec, catalog);
}

QString settingArea(const QString& path) {
    const QString first = path.section(QLatin1Char('.'), 0, 0);
    for (const auto& [name, title] : kAreas)
        if (first == QLatin1String(name)) return TitleWords::tr(title);
    for (const auto& section : spec::runSections())
        for (const auto& info : section.params)
            if (path == QString::fromStdString(info.name)) return engineText(section.title);
    return TitleWords::tr("Other settings");
}

} // namespace trainyard::ui
