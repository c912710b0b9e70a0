// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workspace_feed.h"

#include <QAbstractTableModel>

namespace trainyard::ui {

// One trial of a sweep.
struct Trial {
    RunItemPtr run;
    QMap<QString, double> params; // numeric parameters, by path
    double score = std::numeric_limits<double>::quiet_NaN();
};

// The trials of one sweep, the best first.
class TrialsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit TrialsModel(WorkspaceFeed& feed, QObject* parent = nullptr);

    void setSweep(const QString& sweep);
    QString sweep() const { return m_sweep; }
    const std::vector<Trial>& trials() const { return m_trials; }
    const QStringList& paths() const { return m_paths; } // the parameters that vary
    const Trial* best() const;
    QString scoreSeries() const { return m_score; }
    int rowOf(const QString& run) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void refresh();

    WorkspaceFeed& m_feed;
    QString m_sweep, m_score;
    bool m_max = true;
    std::vector<Trial> m_trials;
    QStringList m_paths;
};

} // namespace trainyard::ui
