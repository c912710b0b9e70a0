// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/run_column.h"

#include "ui/models/text/engine_text.h"
#include "ui/models/text/format.h"

#include <QCoreApplication>
#include <QDateTime>

#include <cmath>

namespace trainyard::ui {

namespace {

using Kind = RunColumn::Kind;

struct ColumnKind {
    Kind kind;
    const char *key, *title, *tip;
    int width;
    bool numeric;
};
// The text after the key of a Series or a Setting is its name.
constexpr ColumnKind kColumnKinds[] = {
    {Kind::Name, "name", QT_TRANSLATE_NOOP("RunColumn", "Run"), "", 140, false},
    {Kind::Trend, "trend", QT_TRANSLATE_NOOP("RunColumn", "Trend"),
     QT_TRANSLATE_NOOP("RunColumn", "The run's score over time"), 52, false},
    {Kind::Score, "score", QT_TRANSLATE_NOOP("RunColumn", "Best score"),
     QT_TRANSLATE_NOOP("RunColumn", "Best value of the series that picks the run's best checkpoint"), 90, true},
    {Kind::Series, "series", "", "", 84, true},
    {Kind::Setting, "setting", "", "", 76, false},
    {Kind::Status, "status", QT_TRANSLATE_NOOP("RunColumn", "Status"), "", 84, false},
    {Kind::Workers, "workers", QT_TRANSLATE_NOOP("RunColumn", "Workers"), "", 64, true},
    {Kind::Hosts, "hosts", QT_TRANSLATE_NOOP("RunColumn", "Hosts"), "", 100, false},
    {Kind::Time, "time", QT_TRANSLATE_NOOP("RunColumn", "Time"), QT_TRANSLATE_NOOP("RunColumn", "Training time so far"),
     64, true},
    {Kind::Speed, "speed", QT_TRANSLATE_NOOP("RunColumn", "Samples/s"), "", 76, true},
    {Kind::Epoch, "epoch", QT_TRANSLATE_NOOP("RunColumn", "Epoch"), "", 60, true},
    {Kind::Step, "step", QT_TRANSLATE_NOOP("RunColumn", "Step"), "", 68, true},
    {Kind::Tags, "tags", QT_TRANSLATE_NOOP("RunColumn", "Tags"), "", 100, false},
    {Kind::Notes, "notes", QT_TRANSLATE_NOOP("RunColumn", "Notes"), "", 160, false},
    {Kind::Age, "age", QT_TRANSLATE_NOOP("RunColumn", "Ended"),
     QT_TRANSLATE_NOOP("RunColumn", "Time since the run ended; while it trains, the time left"), 84, true}};

const ColumnKind& kindOf(const RunColumn& column) { return kColumnKinds[static_cast<std::size_t>(column.kind)]; }

struct ColumnWords {
    Q_DECLARE_TR_FUNCTIONS(RunColumn)
};

std::optional<RunColumn> columnFromText(const QString& text) {
    // A name may contain spaces; the width follows the last one.
    const qsizetype blank = text.lastIndexOf(QLatin1Char(' '));
    const QString key = text.left(blank), word = key.section(QLatin1Char(':'), 0, 0);
    const QString name = key.section(QLatin1Char(':'), 1);
    for (const ColumnKind& each : kColumnKinds) {
        if (word != QLatin1String(each.key)) continue;
        RunColumn column;
        column.kind = each.kind;
        column.width = std::clamp(text.mid(blank + 1).toInt(), 0, 2000);
        if (each.kind == Kind::Series) column.series = run::seriesAspect(name.toStdString());
        if (each.kind == Kind::Setting) column.path = name;
        const bool isNamed = each.kind == Kind::Series || each.kind == Kind::Setting;
        if (isNamed == name.isEmpty()) return std::nullopt;
        return column;
    }
    return std::nullopt;
}

// For a run that lives on a host, "local" is that host.
QString hostsText(const RunItem& run) {
    QString hosts = run.settings.value(QStringLiteral("hosts"));
    hosts.remove(QLatin1Char('[')).remove(QLatin1Char(']'));
    QStringList names = hosts.split(QStringLiteral(", "), Qt::SkipEmptyParts);
    if (names.isEmpty()) names << QString();
    for (QString& name : names) name = QString::fromStdString(run.home.nameHere(name.toStdString()));
    return names.first().isEmpty() ? ColumnWords::tr("local") : names.join(QStringLiteral(", "));
}

double numberOf(const QString& text) {
    bool ok = false;
    const double value = text.toDouble(&ok);
    return ok ? value : std::nan("");
}

} // namespace

bool RunColumn::isSame(const RunColumn& other) const {
    return kind == other.kind && series == other.series && path == other.path;
}

RunColumn seriesColumn(const std::string& series, run::Aspect aspect) {
    RunColumn column;
    column.kind = Kind::Series;
    column.series.series = series;
    column.series.aspect = aspect;
    return column;
}

RunColumn settingColumn(const QString& path) {
    RunColumn column;
    column.kind = Kind::Setting;
    column.path = path;
    return column;
}

QList<RunColumn> standardColumns() { return {{Kind::Name}, {Kind::Trend}, {Kind::Score}, {Kind::Age}}; }

QList<RunColumn> plainColumns() {
    QList<RunColumn> columns;
    for (const ColumnKind& each : kColumnKinds)
        if (each.kind != Kind::Name && each.kind != Kind::Series && each.kind != Kind::Setting)
            columns << RunColumn{each.kind};
    return columns;
}

QStringList columnsToText(const QList<RunColumn>& columns) {
    QStringList list;
    for (const RunColumn& column : columns) {
        QString key = QLatin1String(kindOf(column).key);
        if (column.kind == Kind::Series) key += QLatin1Char(':') + QString::fromStdString(run::toText(column.series));
        if (column.kind == Kind::Setting) key += QLatin1Char(':') + column.path;
        list << key + QLatin1Char(' ') + QString::number(column.width);
    }
    return list;
}

QList<RunColumn> columnsFromText(const QStringList& text) {
    QList<RunColumn> columns;
    for (const QString& each : text) {
        const auto column = columnFromText(each);
        const auto same = [&](const RunColumn& other) { return other.isSame(*column); };
        if (column && std::none_of(columns.begin(), columns.end(), same)) columns << *column;
    }
    if (columns.isEmpty()) return standardColumns();
    columns.removeIf([](const RunColumn& column) { return column.kind == Kind::Name; });
    columns.prepend({Kind::Name});
    return columns;
}

QString columnTitle(const RunColumn& column) {
    switch (column.kind) {
    case Kind::Setting: return shortPath(column.path);
    case Kind::Series:
        return QStringLiteral("%1 %2").arg(seriesTitle(QString::fromStdString(column.series.series)),
                                           aspectText(column.series.aspect));
    default: return ColumnWords::tr(kindOf(column).title);
    }
}

QString columnTip(const RunColumn& column) {
    if (column.kind == Kind::Setting) return column.path;
    if (column.kind == Kind::Series) return QString::fromStdString(run::toText(column.series));
    const char* tip = kindOf(column).tip;
    return *tip == '\0' ? columnTitle(column) : ColumnWords::tr(tip);
}

int columnWidth(const RunColumn& column) { return column.width > 0 ? column.width : kindOf(column).width; }

bool isNumeric(const RunColumn& column) { return kindOf(column).numeric; }

double numberIn(const RunItem& run, const RunColumn& column) {
    switch (column.kind) {
    case Kind::Score: return run.best;
    case Kind::Series: {
        const auto* summary = run.find(column.series.series);
        return summary ? run::valueOf(*summary, column.series.aspect, run.score()) : std::nan("");
    }
    case Kind::Setting: return numberOf(run.settings.value(column.path));
    case Kind::Workers: return run.workers;
    case Kind::Time: return run.row.trainSeconds > 0 ? run.row.trainSeconds : std::nan("");
    case Kind::Speed: return run.row.samplesPerSecond > 0 ? run.row.samplesPerSecond : std::nan("");
    case Kind::Epoch: return run.row.epoch;
    case Kind::Step: return static_cast<double>(run.row.step);
    case Kind::Age: return static_cast<double>(QDateTime::currentMSecsSinceEpoch() - run.endMs()) / 1000;
    default: return std::nan("");
    }
}

QString textIn(const RunItem& run, const RunColumn& column) {
    switch (column.kind) {
    case Kind::Name: return run.name;
    case Kind::Trend: return {};
    case Kind::Score:
    case Kind::Series: return metricText(numberIn(run, column));
    case Kind::Setting: {
        const QString value = run.settings.value(column.path);
        return value.isEmpty() ? kNoValue : localText(value);
    }
    case Kind::Status: return statusWord(run, run.status);
    case Kind::Hosts: return hostsText(run);
    case Kind::Time: return run.row.trainSeconds > 0 ? durationText(run.row.trainSeconds) : kNoValue;
    case Kind::Speed:
    case Kind::Workers:
    case Kind::Step: return countText(numberIn(run, column));
    case Kind::Epoch: return digitsText(run.row.epoch, 3);
    case Kind::Tags: return run.tags.join(QLatin1Char(' '));
    case Kind::Notes: return QString::fromStdString(run.row.notes).simplified();
    case Kind::Age: return ageText(run.endMs(), QDateTime::currentMSecsSinceEpoch());
    }
    return {};
}

QString spokenIn(const RunItem& run, const RunColumn& column) {
    if (column.kind == Kind::Trend && !run.scoreSeries.isEmpty())
        return ColumnWords::tr("course of %1").arg(seriesText(run.scoreSeries));
    if (column.kind != Kind::Age || !run.active()) return textIn(run, column);
    const auto total = static_cast<double>(run.row.totalSteps);
    const QString status = statusWord(run, run.status);
    if (!(total > 0) || run.status == wire::RunStatus::Queued) return status;
    const double share = std::min(1.0, static_cast<double>(run.row.step) / total);
    return QStringLiteral("%1, %2").arg(status, percentText(std::floor(share * 100) / 100));
}

QString tipIn(const RunItem& run, const RunColumn& column) {
    switch (column.kind) {
    case Kind::Name: {
        QStringList lines{run.name, sentence(run.home.text()), run.home.outOfReachText()};
        lines.removeAll(QString());
        return lines.join(QLatin1Char('\n'));
    }
    case Kind::Trend: return run.scoreSeries;
    case Kind::Score:
        return std::isfinite(run.best)
                   ? ColumnWords::tr("%1 %2, step %3").arg(run.scoreSeries, exactText(run.best)).arg(run.bestStep)
                   : run.scoreSeries;
    case Kind::Series: return columnTip(column) + QLatin1Char(' ') + exactText(numberIn(run, column));
    case Kind::Setting: return column.path + QLatin1Char(' ') + textIn(run, column);
    case Kind::Notes: return QString::fromStdString(run.row.notes);
    case Kind::Time: return ColumnWords::tr("%1 s").arg(exactText(run.row.trainSeconds));
    case Kind::Age: return clockText(run.endMs());
    default: return columnTitle(column) + QLatin1Char(' ') + textIn(run, column);
    }
}

SortValue sortValueIn(const RunItem& run, const RunColumn& column) {
    if (column.kind == Kind::Trend) return {run.best, {}};
    if (column.kind == Kind::Age) return {-static_cast<double>(run.endMs()), {}}; // the end is fixed, unlike ages
    const double number = numberIn(run, column);
    if (isNumeric(column) || std::isfinite(number)) return {number, {}};
    QString text = textIn(run, column);
    return {std::nan(""), text == kNoValue ? QString() : text.toLower()};
}

int compareValues(const SortValue& a, const SortValue& b, Qt::SortOrder order) {
    const auto kind = [](const SortValue& value) {
        return !std::isnan(value.number) ? 0 : value.text.isEmpty() ? 2 : 1;
    };
    if (const int of = kind(a), with = kind(b); of != with) return of - with;
    if (kind(a) == 2) return 0;
    const int up =
        kind(a) == 1 ? QString::compare(a.text, b.text) : (a.number > b.number ? 1 : 0) - (a.number < b.number ? 1 : 0);
    return order == Qt::AscendingOrder ? up : -up;
}

QStringList differingSettings(const std::vector<RunItemPtr>& runs) {
    QHash<QString, QString> first;
    QSet<QString> differing;
    if (runs.empty()) return {};
    for (const auto& [path, value] : runs.front()->settings) first.insert(path, value);
    for (const RunItemPtr& run : runs) {
        qsizetype known = 0;
        for (const auto& [path, value] : run->settings) {
            const auto at = first.constFind(path);
            if (at == first.constEnd() || *at != value) differing.insert(path);
            if (at != first.constEnd()) ++known;
        }
        if (known == first.size()) continue;
        for (auto at = first.constBegin(); at != first.constEnd(); ++at)
            if (!run->settings.contains(at.key())) differing.insert(at.key());
    }
    QStringList paths(differing.begin(), differing.end());
    paths.sort();
    return paths;
}

} // namespace trainyard::ui
