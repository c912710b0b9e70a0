// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/run_item.h"

#include "engine/run/share/import_runs.h"
#include "engine/spec/run/host_ranks.h"
#include "engine/spec/values/flat_settings.h"
#include "engine/spec/values/group_names.h"
#include "engine/store/run_color.h"
#include "ui/models/text/format.h"

#include <QCoreApplication>

#include <cmath>
#include <unordered_map>

namespace trainyard::ui {

namespace {

// All runs share one copy of each path: thousands of them have the same few dozen settings.
QString shared(const std::string& path) {
    thread_local std::unordered_map<std::string, QString> paths;
    const auto [at, isNew] = paths.try_emplace(path);
    if (isNew) at->second = QString::fromStdString(path);
    return at->second;
}

void readSettings(RunItem& item, const std::string& specJson) {
    std::vector<RunSettings::Setting> settings;
    std::string configuration;
    for (const auto& [path, value] : spec::flatSettings(specJson)) {
        settings.emplace_back(shared(path), QString::fromStdString(value));
        if (spec::isOfConfiguration(path)) configuration += path + '=' + value + '\n';
    }
    item.settings = RunSettings(std::move(settings));
    item.configuration = std::hash<std::string>{}(configuration);
}

// What a person calls the program of a run, as spec::Program::title() has it; empty: it is none.
QString programIn(const RunSettings& settings) {
    const QString script = settings.value(QStringLiteral("program.script"));
    if (!script.isEmpty()) return script.section(QLatin1Char('/'), -1);
    const QString module = settings.value(QStringLiteral("program.module"));
    if (!module.isEmpty()) return module;
    QString command = settings.value(QStringLiteral("program.command")); // "[/home/me/descent,0.1]"
    if (command.startsWith(QLatin1Char('['))) command = command.mid(1).chopped(1).section(QLatin1Char(','), 0, 0);
    return command.section(QLatin1Char('/'), -1);
}

} // namespace

const store::SeriesSummary* RunItem::find(std::string_view wanted) const {
    for (const auto& summary : series)
        if (summary.series == wanted) return &summary;
    return nullptr;
}

double RunItem::bestOf(const std::string& wanted) const {
    const auto* summary = find(wanted);
    if (!summary || summary->count == 0) return std::numeric_limits<double>::quiet_NaN();
    return run::bestOf(*summary, score()).value;
}

bool isNewer(const RunItemPtr& a, const RunItemPtr& b) {
    return a->row.createdMs != b->row.createdMs ? a->row.createdMs > b->row.createdMs : a->id > b->id;
}

std::int64_t newestEndMs(const std::vector<RunItemPtr>& runs) {
    std::int64_t newest = 0;
    for (const RunItemPtr& run : runs) newest = std::max(newest, run->endMs());
    return newest;
}

std::shared_ptr<RunItem> makeRunItem(store::RunRow row, const RunItemPtr& before) {
    auto item = std::make_shared<RunItem>();
    item->id = QString::fromStdString(row.id);
    item->name = QString::fromStdString(row.name);
    item->status = row.status;
    item->tags = QString::fromStdString(row.tags).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    item->color = colorOf(row);
    if (before && before->row.specJson == row.specJson) {
        item->settings = before->settings;
        item->configuration = before->configuration;
    } else {
        readSettings(*item, row.specJson);
    }
    const QString program = programIn(item->settings);
    item->isProgram = !program.isEmpty();
    item->model = item->isProgram ? program : item->settings.value(QStringLiteral("model"));
    item->dataset = item->settings.value(QStringLiteral("dataset"));
    item->workers = std::max(1, row.worldSize > 0 ? row.worldSize
                                                  : item->settings.value(QStringLiteral("scaling.workers")).toInt());
    item->scoreSeries = item->settings.value(QStringLiteral("checkpoint.scoreBy"), QStringLiteral("val/accuracy"));
    item->better = spec::betterOf(item->scoreSeries.toStdString(),
                                  item->settings.value(QStringLiteral("checkpoint.mode")).toStdString());
    if (item->isProgram && before && !saysScore(*item)) { // until its summaries are read again
        item->scoreSeries = before->scoreSeries;
        item->better = before->better;
    }
    item->checkpointSeries = item->scoreSeries;
    // A quick check for most runs: without this word, a run was not imported.
    if (row.environmentJson.find("\"import\"") != std::string::npos)
        if (const auto source = run::importSource(row)) item->importedFrom = QString::fromStdString(source->path);
    if (const auto from = run::fetchedFrom(row); from && from->isUnchanged)
        item->fetchFrom = QString::fromStdString(from->host);
    item->row = std::move(row);
    if (before) { // known until the summaries are read again
        item->series = before->series;
        item->best = before->best;
        item->bestStep = before->bestStep;
        item->spark = before->spark;
    }
    return item;
}

bool saysScore(const RunItem& item) { return !item.settings.value(QStringLiteral("checkpoint.scoreBy")).isEmpty(); }

void findScore(RunItem& item) {
    if (!item.isProgram || saysScore(item) || !item.row.sweep.empty()) return;
    const auto score = run::scoreOf(item.row, item.series);
    item.scoreSeries = QString::fromStdString(score.series);
    item.checkpointSeries = item.scoreSeries;
    item.better = score.better;
}

static_assert(store::kPaletteColors == kCurveColors);

RunColor colorOf(const store::RunRow& row) {
    const auto chosen = store::readColorChoice(row.color);
    if (!chosen || *chosen == store::ColorChoice{}) return {row.colorIndex};
    return chosen->rgb ? RunColor{row.colorIndex, QColor(QRgb(*chosen->rgb)).rgb()} : RunColor{chosen->place - 1};
}

QList<int> ranksWhere(const RunItem& run, const std::function<bool(const std::string& host)>& isOne) {
    std::vector<std::string> hosts; // the setting reads "[local, lab1]"
    const QString listed =
        run.settings.value(QStringLiteral("hosts")).remove(QLatin1Char('[')).remove(QLatin1Char(']'));
    for (const QString& host : listed.split(QLatin1Char(','), Qt::SkipEmptyParts))
        hosts.push_back(host.trimmed().toStdString());
    QList<int> ranks;
    for (int rank = 0; rank < run.workers; ++rank)
        if (isOne(spec::hostOfRank(hosts, {rank, run.workers}))) ranks << rank;
    return ranks;
}

QList<int> ranksHere(const RunItem& run) {
    return ranksWhere(run, [&run](const std::string& host) { return run.home.nameHere(host).empty(); });
}

bool reachesOtherHosts(const RunItem& run) {
    return run.active() && run.status != wire::RunStatus::Queued && run.home.isHere() &&
           ranksHere(run).size() < run.workers;
}

QString shortPath(const QString& path) { return QString::fromStdString(spec::shortPath(path.toStdString())); }

QList<Difference> differences(const RunItem& baseline, const RunItem& item) {
    QList<Difference> out;
    QStringList paths;
    for (const auto& [path, value] : item.settings) paths << path;
    for (const auto& [path, value] : baseline.settings)
        if (!item.settings.contains(path)) paths << path;
    for (const auto& path : paths) {
        const QString before = baseline.settings.value(path);
        const QString after = item.settings.value(path);
        if (before != after) out << Difference{path, before, after};
    }
    return out;
}

std::vector<PlotPoint> plotPoints(const std::vector<wire::Point>& points) {
    std::vector<PlotPoint> out;
    out.reserve(points.size());
    for (const auto& point : points) out.push_back({point.step, point.epoch, point.seconds, point.value});
    return out;
}

QList<double> sparkOf(const SeriesData& series) {
    QList<double> values;
    for (const QPointF& point : outline(series, XMode::Step, RunItem::kSparkPoints)) values << point.y();
    return values;
}

QString bestText(const std::vector<RunItemPtr>& runs) {
    double best = std::numeric_limits<double>::quiet_NaN();
    for (const auto& run : runs) {
        if (run->scoreSeries != runs.front()->scoreSeries || run->better != runs.front()->better)
            return {}; // values of different series are not comparable
        if (spec::isBetter(run->better, run->best, best)) best = run->best;
    }
    return std::isnan(best) ? QString()
                            : QCoreApplication::translate("status", "best %1 %2")
                                  .arg(seriesText(runs.front()->scoreSeries), metricText(best));
}

Status statusTint(wire::RunStatus status) {
    switch (status) {
    case wire::RunStatus::Finished: return Status::Success;
    case wire::RunStatus::Failed: return Status::Error;
    case wire::RunStatus::Interrupted:
    case wire::RunStatus::Unknown:
    case wire::RunStatus::Restarting: return Status::Warn;
    case wire::RunStatus::Queued:
    case wire::RunStatus::Paused:
    case wire::RunStatus::Stopped: return Status::Neutral;
    default: return Status::Info;
    }
}

namespace {

struct StatusWords {
    Q_DECLARE_TR_FUNCTIONS(status)
};

} // namespace

QString statusWord(wire::RunStatus status) {
    switch (status) {
    case wire::RunStatus::Queued: return StatusWords::tr("Queued");
    case wire::RunStatus::Starting: return StatusWords::tr("Starting");
    case wire::RunStatus::Running: return StatusWords::tr("Running");
    case wire::RunStatus::Paused: return StatusWords::tr("Paused");
    case wire::RunStatus::Restarting: return StatusWords::tr("Restarting");
    case wire::RunStatus::Stopping: return StatusWords::tr("Stopping");
    case wire::RunStatus::Finished: return StatusWords::tr("Finished");
    case wire::RunStatus::Stopped: return StatusWords::tr("Stopped");
    case wire::RunStatus::Failed: return StatusWords::tr("Failed");
    case wire::RunStatus::Interrupted: return StatusWords::tr("Interrupted");
    case wire::RunStatus::Unknown: return StatusWords::tr("Unknown");
    }
    return {};
}

namespace {

// An ended run keeps its status, whether its host is reachable or not.
bool isUncertain(const RunItem& run, wire::RunStatus status) {
    return run.home.isOutOfReach() && (wire::isActive(status) || status == wire::RunStatus::Unknown);
}

} // namespace

QString statusWord(const RunItem& run, wire::RunStatus status) {
    return run.isRecorded && !isUncertain(run, status) ? statusWord(status) : run.home.linkWord();
}

Status statusTint(const RunItem& run, wire::RunStatus status) {
    if (isUncertain(run, status)) return Status::Warn;
    return run.isRecorded ? statusTint(status) : Status::Info;
}

QString aboutRun(const RunItem& run) {
    if (!run.isRecorded) return run.home.text();
    QStringList parts{run.model, run.dataset, StatusWords::tr("%n workers", nullptr, run.workers), run.home.text()};
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

} // namespace trainyard::ui
