// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/sweeps/trial_filter.h"

#include <QAbstractTableModel>

namespace trainyard::ui {

// The trials that pass a filter, as a table: number, score, parameters, status, epochs, time. Sorts and filters ten
// thousand rows as a whole, so that the view is notified once.
class TrialsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    TrialsModel(WorkspaceFeed& feed, const TrialList& trials, const TrialFilter& filter, QObject* parent = nullptr);

    // The columns before the parameters. The second score exists if two series rank the trials.
    enum Column { Number, Score, SecondScore };
    int firstAxis() const { return m_second.isEmpty() ? SecondScore : SecondScore + 1; }
    int statusColumn() const { return firstAxis() + axisCount(); }
    int rowOf(const QString& run) const; // -1: not shown
    const Trial& trialAt(int row) const;
    // The best trial; with two series, each trial on their front.
    bool isBest(int row) const { return m_second.isEmpty() ? &trialAt(row) == m_trials.best() : trialAt(row).onFront; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    // -1: by rank, which for two series is not the order of a column.
    void sort(int column, Qt::SortOrder order) override;
    // While on, rows keep their places and new ones come last: nothing moves under the pointer.
    void setOrderKept(bool on);
    // Whether a row would have another place if the order were not kept.
    bool isOrderPaused() const { return m_paused; }
    int sortColumn() const { return m_column; }
    Qt::SortOrder sortOrder() const { return m_order; }

Q_SIGNALS:
    void orderPausedChanged(bool paused);

private:
    bool isAxis(int column) const { return column >= firstAxis() && column < statusColumn(); }
    const std::string& axisAt(int column) const { return m_axes[static_cast<std::size_t>(column - firstAxis())]; }
    bool isSecond(int column) const { return column == SecondScore && !m_second.isEmpty(); }
    int axisCount() const { return static_cast<int>(m_axes.size()); }
    QString text(const Trial& trial, int column) const;
    QString tip(const Trial& trial, int column) const;
    Qt::SortOrder bestFirst() const; // of the score
    double sortValue(const Trial& trial, int column) const;
    std::vector<int> arranged() const;
    std::vector<QString> idsOf(const std::vector<int>& rows) const;
    void keepPlaces(std::vector<int>& rows) const;
    void refresh();

    WorkspaceFeed& m_feed;
    const TrialList& m_trials;
    const TrialFilter& m_filter;
    std::vector<std::string> m_axes; // paths, as the view knows them
    QString m_second;                // the second series; empty: there is one
    spec::Better m_better{};         // of the first one
    std::vector<int> m_rows;         // indices into the list's trials
    std::vector<QString> m_ids;      // the runs of the rows
    int m_column = Score;
    Qt::SortOrder m_order = Qt::AscendingOrder;
    bool m_kept = false, m_paused = false;
};

} // namespace trainyard::ui
