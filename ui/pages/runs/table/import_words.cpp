// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/table/import_words.h"

#include "ui/models/text/format.h"

#include <QCoreApplication>
#include <QStringList>

namespace trainyard::ui {

namespace {

constexpr int kMostSeriesNamed = 6, kMostRecordsNamed = 3;

struct ImportWords {
    Q_DECLARE_TR_FUNCTIONS(ImportSheet)
};

} // namespace

QString importKindText(run::ImportKind kind) {
    switch (kind) {
    case run::ImportKind::EventFiles: return QStringLiteral("TensorBoard");
    case run::ImportKind::Table: return QStringLiteral("CSV");
    case run::ImportKind::JsonLines: return ImportWords::tr("JSON lines");
    case run::ImportKind::Wandb: return QStringLiteral("W&B");
    case run::ImportKind::MlflowFolder: return QStringLiteral("MLflow");
    case run::ImportKind::MlflowDatabase: return ImportWords::tr("MLflow database");
    case run::ImportKind::Bundle: return QStringLiteral("Trainyard");
    case run::ImportKind::PrintedLog: return ImportWords::tr("Printed log");
    }
    return {};
}

QString mappingText(const run::FoundImport& found) {
    if (!found.mapping) return {};
    const auto& mapping = *found.mapping;
    QStringList parts;
    const auto add = [&](const char* meaning, const std::string& column) {
        if (!column.empty())
            parts << QStringLiteral("%1 ← %2").arg(ImportWords::tr(meaning), QString::fromStdString(column));
    };
    add(QT_TRANSLATE_NOOP("ImportSheet", "step"), mapping.step);
    add(QT_TRANSLATE_NOOP("ImportSheet", "epoch"), mapping.epoch);
    add(QT_TRANSLATE_NOOP("ImportSheet", "time"), mapping.time);
    add(QT_TRANSLATE_NOOP("ImportSheet", "series"), mapping.name);
    add(QT_TRANSLATE_NOOP("ImportSheet", "value"), mapping.value);
    if (mapping.series.empty()) return parts.join(QStringLiteral(", "));
    QStringList names;
    for (const std::string& name : mapping.series) names << QString::fromStdString(name);
    const auto more = static_cast<int>(names.size()) - kMostSeriesNamed;
    QString series = names.mid(0, kMostSeriesNamed).join(QStringLiteral(", "));
    if (more > 0) series = ImportWords::tr("%1 and %n more", nullptr, more).arg(series);
    if (parts.isEmpty()) return series; // the rows are the steps
    return ImportWords::tr("%1; series: %2").arg(parts.join(QStringLiteral(", ")), series);
}

QString resultText(const run::ImportedSource& source) {
    using Outcome = run::ImportedSource::Outcome;
    const auto counted = [&](const char* text) {
        return ImportWords::tr(text).arg(countText(static_cast<double>(source.series)),
                                         countText(static_cast<double>(source.points)));
    };
    switch (source.outcome) {
    case Outcome::Added: return counted(QT_TRANSLATE_NOOP("ImportSheet", "added: %1 series, %2 points"));
    case Outcome::Changed: return counted(QT_TRANSLATE_NOOP("ImportSheet", "changed: %1 series, %2 points"));
    case Outcome::Unchanged: return ImportWords::tr("unchanged");
    case Outcome::Failed: return ImportWords::tr("not imported");
    }
    return {};
}

QString leftOutText(const run::ImportedSource& source) {
    if (source.outcome == run::ImportedSource::Outcome::Failed) return QString::fromStdString(source.failure.text());
    QStringList lines;
    if (source.otherValues > 0)
        lines << ImportWords::tr("Skipped %1 values that are not scalars.")
                     .arg(countText(static_cast<double>(source.otherValues)));
    if (source.repeated > 0)
        lines << ImportWords::tr("%1 points were written again later: the later ones count.")
                     .arg(countText(static_cast<double>(source.repeated)));
    if (!source.numbered.empty()) {
        QStringList names;
        for (const auto& each : source.numbered) names << QString::fromStdString(each.series);
        lines << ImportWords::tr("Points that share a step are numbered in order: %1")
                     .arg(names.mid(0, kMostSeriesNamed).join(QStringLiteral(", ")));
    }
    const auto told = lines.size();
    for (const auto& each : source.skipped) {
        if (lines.size() - told >= kMostRecordsNamed) break;
        lines << ImportWords::tr("Skipped: %1")
                     .arg(QString::fromStdString(inputError(each.message, each.where, each.remedy).text()));
    }
    const auto named = std::min<std::int64_t>(std::ssize(source.skipped), kMostRecordsNamed);
    if (const auto more = source.skippedCount - named; more > 0)
        lines << ImportWords::tr("Skipped %n more records.", nullptr, static_cast<int>(more));
    return lines.join(QLatin1Char('\n'));
}

} // namespace trainyard::ui
