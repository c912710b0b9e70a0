// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/feed/workspace_feed.h"

#include <QAbstractListModel>

namespace trainyard::ui {

// Whether the line is a warning or worse, from a rank, a library in it, or the supervisor.
bool isWarning(const wire::LogLine& line);
bool isError(const wire::LogLine& line);

// The log of one or several runs, filtered by level, rank and text. Merges all ranks and the supervisor in order, and
// runs by time; later lines are appended as they come.
class LogModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Level { All, Warnings, Errors };
    enum Role { TextRole = Qt::UserRole + 1 };
    static constexpr int kEveryRank = -2;

    explicit LogModel(WorkspaceFeed& feed, QObject* parent = nullptr);

    void setRuns(const QStringList& runs);
    const QStringList& runs() const { return m_runs; }
    void setLevel(Level level);
    void setRank(int rank);
    void setSearch(const QString& text);
    int rank() const { return m_rank; }
    QString search() const { return m_search; }

    struct Line {
        QString run{};
        int number = 0; // from 1, in the whole log of the run
        const wire::LogLine* line = nullptr;
    };
    Line line(int row) const;
    int total() const;
    int count(Level level) const { return level == Errors ? m_errors : level == Warnings ? m_warnings : total(); }
    // The ranks that wrote lines, ascending.
    const QList<int>& ranks() const { return m_ranks; }
    // Rows that contain the search text.
    const QList<int>& hits() const { return m_hits; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

Q_SIGNALS:
    // Lines came or went, shown or not: total, counts, ranks and hits may differ.
    void talliesChanged();

private:
    bool passes(const wire::LogLine& line) const;
    bool hit(const wire::LogLine& line) const;
    void tally(const wire::LogLine& line);
    struct Place { // of a line
        int run = 0, index = 0;
    };
    const wire::LogLine& lineAt(const Place& place) const;
    void append(const Place& place);
    void rebuild();
    void extend(const QString& run, int count);

    WorkspaceFeed& m_feed;
    QStringList m_runs;
    QString m_search;
    Level m_level = All;
    int m_rank = kEveryRank;
    std::vector<Place> m_rows; // the lines that pass the filter
    // Counted as lines arrive, so that a log of a million lines is not read again for each batch.
    int m_warnings = 0, m_errors = 0;
    QList<int> m_ranks, m_hits;
};

} // namespace trainyard::ui
