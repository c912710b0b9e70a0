// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/record/run_score.h"
#include "engine/store/run_query.h"
#include "ui/models/home/residence.h"
#include "ui/series/series_data.h"
#include "ui/theme/theme.h"

#include <QHash>
#include <QList>
#include <QString>
#include <QStringList>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace trainyard::ui {

// The fields of a run file, sorted by path, in one piece of memory: filters scan those of thousands of runs, and the
// nodes of a map would make that three times slower.
class RunSettings {
public:
    using Setting = std::pair<QString, QString>; // "model.params.dropout", "0.1"

    RunSettings() = default;
    // Of settings in any order, each path once.
    explicit RunSettings(std::vector<Setting> settings) : m_settings(std::move(settings)) {
        std::sort(m_settings.begin(), m_settings.end());
    }

    bool contains(const QString& path) const { return find(path) != end(); }
    QString value(const QString& path, const QString& otherwise = {}) const {
        const auto at = find(path);
        return at != end() ? at->second : otherwise;
    }
    std::vector<Setting>::const_iterator begin() const { return m_settings.begin(); }
    std::vector<Setting>::const_iterator end() const { return m_settings.end(); }

private:
    std::vector<Setting>::const_iterator find(const QString& path) const {
        const auto at = std::lower_bound(
            begin(), end(), path, [](const Setting& setting, const QString& wanted) { return setting.first < wanted; });
        return at != end() && at->first == path ? at : end();
    }

    std::vector<Setting> m_settings;
};

// A run as the window shows it: the store's row, its settings flattened, its summaries. Built on the feed's thread and
// immutable, so it is shared without copies or locks.
struct RunItem {
    store::RunRow row;
    wire::RunStatus status = wire::RunStatus::Queued;
    QString id, name;
    RunSettings settings;            // the run file by override path: "model.params.dropout" -> "0.1"
    std::uint64_t configuration = 0; // a hash of the settings except the seed (spec::isOfConfiguration)
    QString model, dataset;          // as in the run file; of a program its name, and none
    bool isProgram = false;          // its ranks are processes of a program
    int workers = 1;
    QStringList tags;
    RunColor color;
    QString importedFrom; // the path it was imported from; empty: trained by Trainyard
    Residence home;
    QString fetchFrom; // the host that may have more of it; empty: none, or it has trained here since

    QString checkpointSeries;                   // picks the run's best checkpoint
    QString scoreSeries;                        // of the run's score: the same, or a trial's sweep's
    spec::Better better = spec::Better::Larger; // of the score's values
    spec::ScoreAt scoreAt = spec::ScoreAt::Best;
    std::vector<store::SeriesSummary> series;
    bool isRecorded = true; // false: it lives elsewhere and has not been reported yet
    bool detailed = false;  // series, best and spark have been read
    double best = std::numeric_limits<double>::quiet_NaN();
    std::int64_t bestStep = 0;
    QList<double> spark; // the score over time, in at most kSparkPoints values

    static constexpr int kSparkPoints = 56;

    bool active() const { return wire::isActive(status); }
    std::int64_t endMs() const { return row.finishedMs > 0 ? row.finishedMs : row.createdMs; } // from which its age is
    const store::SeriesSummary* find(std::string_view name) const;
    run::Score score() const { return {scoreSeries.toStdString(), better, scoreAt}; }
    // The best value of a series by run::bestOf; NaN if there is none.
    double bestOf(const std::string& name) const;
};
using RunItemPtr = std::shared_ptr<const RunItem>;

// The order of lists of runs: the newest first.
bool isNewer(const RunItemPtr& a, const RunItemPtr& b);
// When the last of them ended; 0: there is none.
std::int64_t newestEndMs(const std::vector<RunItemPtr>& runs);
// Changes of the list of runs.
struct RunsDelta {
    std::vector<RunItemPtr> runs; // new ones, and others that changed
    QStringList removed;          // archived
};

// The row with its parsed run file; an unreadable run file gives no settings. `before`: the run's earlier item, if
// any; its parsed run file is reused unless the file changed.
std::shared_ptr<RunItem> makeRunItem(store::RunRow row, const RunItemPtr& before = {});
// Whether its run file names the series that its score is of.
bool saysScore(const RunItem& item);
// The score of a program whose run file names none: run::scoreOf() those that it has reported.
void findScore(RunItem& item);
// Its chosen colour, or its automatic one.
RunColor colorOf(const store::RunRow& row);
// The ranks of a run that are on this computer, from its hosts and workers.
QList<int> ranksHere(const RunItem& run);
// Whether it trains with ranks on this computer and on others.
bool reachesOtherHosts(const RunItem& run);
// Settings that differ, by path: the values of `item` and `baseline` ("" if absent).
struct Difference {
    QString path, before, after;
};
QList<Difference> differences(const RunItem& baseline, const RunItem& item);
// The label of a settings path: its last word ("optimizer.lr" -> "lr"), or "batch" for "batch.perRank".
QString shortPath(const QString& path);

// The points of the store as the window keeps them.
std::vector<PlotPoint> plotPoints(const std::vector<wire::Point>& points);
// The values of a series in at most RunItem::kSparkPoints, for a sparkline.
QList<double> sparkOf(const SeriesData& series);

// "best val/accuracy 0.94": the best score of runs with a common score; empty if they have none.
QString bestText(const std::vector<std::shared_ptr<const RunItem>>& runs);

// "Running", "Finished", ...
QString statusWord(wire::RunStatus status);
// The colour of the status chip.
Status statusTint(wire::RunStatus status);
// The status of a run whose host may be unreachable: then it is unknown whether it still trains.
QString statusWord(const RunItem& run, wire::RunStatus status);
Status statusTint(const RunItem& run, wire::RunStatus status);

// "mlp, fashion-mnist, 2 workers, lives on h1". While nothing is known of a run but its host: "lives on h1".
QString aboutRun(const RunItem& run);

// The ranks on hosts for which `isOne` is true, from the run's hosts and workers. Names are those in the run file;
// empty: the computer on which the run lives.
QList<int> ranksWhere(const RunItem& run, const std::function<bool(const std::string& host)>& isOne);

} // namespace trainyard::ui
