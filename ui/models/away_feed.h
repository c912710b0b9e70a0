// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/record/away_links.h"
#include "engine/store/run_query.h"

#include <QHash>
#include <QSet>
#include <QString>
#include <QStringList>

#include <filesystem>
#include <memory>
#include <vector>

namespace trainyard::ui {

// A run that lives on a host: what it told last, and how the host is reached.
struct AwayRow {
    store::RunRow row{}; // with nothing but id, name and time of its start until the host has told of it
    std::string host{};
    run::AwayLink link{};
    bool isTold = false; // the host has told something of it since the last look
};

// The runs of the workspace that live on hosts, from their notes and copies. Of the feed's thread.
class AwayFeed {
public:
    explicit AwayFeed(const store::Workspace& workspace)
        : m_workspace(workspace), m_copies(run::awayWorkspace(workspace)) {}

    struct Changes {
        std::vector<AwayRow> rows;
        QStringList gone; // no longer noted
    };
    // Since the last call; looks at most every kPeriod seconds. `now`: monotonic seconds.
    Changes look(double now);
    bool contains(const QString& run) const { return m_notes.contains(run); }
    // The copies of their records; null while there is none. The workspace is that of the copies.
    store::RunQuery* query() const { return m_query.get(); }
    const store::Workspace& copies() const { return m_copies; }
    void close() { m_query.reset(); }

private:
    static constexpr double kPeriod = 0.2, kCertainPeriod = 2;

    void readNotes(double now, QSet<QString>& touched, QStringList& gone);
    void readRows(QSet<QString>& touched);

    struct Note {
        run::AwayRun run;
        run::AwayLink link;
    };
    store::Workspace m_workspace, m_copies;
    std::unique_ptr<store::RunQuery> m_query;
    QHash<QString, Note> m_notes;
    QHash<QString, store::RunRow> m_rows;
    std::filesystem::file_time_type m_folderTime;
    double m_lastLook = -1e9, m_lastNotes = -1e9;
    std::int64_t m_lastChange = -1, m_dataVersion = -1;
};

} // namespace trainyard::ui
