// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/run_query.h"
#include "ui/models/home/residence.h"

#include <QHash>
#include <QSet>
#include <QStringList>

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace trainyard::ui {

// A run that lives on a host: its last known state, and the link to the host.
struct MirroredRun {
    store::RunRow row{}; // only id, name and start time until the host has reported the run
    Residence home{};
    bool isTold = false; // the host has reported news since the last read
};

// A sweep that lives on a host.
struct MirroredSweep {
    store::SweepRow row{}; // only id, name and start time until the host has reported the sweep
    Residence home{};
};

// The workspace's runs and sweeps that live on hosts, from their notes and the mirror. On the feed's thread.
class MirrorReader {
public:
    explicit MirrorReader(const store::Workspace& workspace)
        : m_workspace(workspace), m_mirror(run::mirrorWorkspace(workspace)) {}

    struct Changes {
        std::vector<MirroredRun> rows;
        QStringList gone;                                 // no longer noted
        std::optional<std::vector<MirroredSweep>> sweeps; // all of them, when one has changed
        bool checkpoints = false;                         // a run's checkpoints have changed
    };
    // Changes since the last call; reads at most every kPeriod seconds. `now`: monotonic seconds.
    Changes look(double now);
    // The mirror of their records; null while there is none.
    store::RunQuery* query() const { return m_query.get(); }
    void close() { m_query.reset(); }

private:
    static constexpr double kPeriod = 0.2, kCertainPeriod = 2;

    struct Note {
        run::HomeNote run;
        run::HomeLink link;
    };
    void readNotes(double now, QSet<QString>& touched, Changes& changes);
    void readRows(QSet<QString>& touched, Changes& changes);
    static Residence homeOf(const Note& note);
    const Note* noteOf(const QString& run) const;
    void addSweeps(Changes& changes) const;

    store::Workspace m_workspace, m_mirror;
    std::unique_ptr<store::RunQuery> m_query;
    QHash<QString, Note> m_notes; // of runs and sweeps
    QHash<QString, store::RunRow> m_rows;
    std::vector<store::SweepRow> m_sweeps;
    bool m_sweepsChanged = false;
    std::filesystem::file_time_type m_folderTime;
    double m_lastLook = -1e9, m_lastNotes = -1e9;
    std::int64_t m_lastChange = -1, m_dataVersion = -1;
};

} // namespace trainyard::ui
