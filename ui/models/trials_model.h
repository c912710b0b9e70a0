// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/sweep_result.h"
#include "ui/models/workspace_feed.h"

#include <QAbstractTableModel>

namespace trainyard::ui {

// One trial of a sweep.
struct Trial {
    RunItemPtr run;
    QMap<QString, double> params;                            // numeric parameters, by path
    double score = std::numeric_limits<double>::quiet_NaN(); // the best value of the sweep's score
    std::int64_t scoreStep = 0;
};

// The trials of one sweep, in the engine's order (sweep::rank): the best first, failed ones and those without a score
// last.
class TrialsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit TrialsModel(WorkspaceFeed& feed, QObject* parent = nullptr);

    void setSweep(const QString& sweep);
    QString sweep() const { return m_sweep; }
    const std::vector<Trial>& trials() const { return m_trials; }
    const QStringList& paths() const { return m_paths; } // the parameters that vary
    const Trial* best() const;                           // the engine's best trial; null when there is none
    QString scoreSeries() const { return QString::fromStdString(m_score.series); } // the sweep file's scoreBy
    int rowOf(const QString& run) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void refresh();
    void readScore();
    std::vector<Trial> rankedTrials();

    WorkspaceFeed& m_feed;
    QString m_sweep;
    std::string m_sweepJson; // what m_score was read from
    run::Score m_score;
    bool m_hasBest = false;
    std::vector<Trial> m_trials;
    QStringList m_paths;
};

} // namespace trainyard::ui
