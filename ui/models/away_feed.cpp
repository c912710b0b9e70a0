// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/away_feed.h"

namespace trainyard::ui {

namespace {

// Until the host has told of it.
store::RunRow rowOf(const run::AwayRun& note) {
    store::RunRow row;
    row.id = note.id;
    row.name = note.name;
    row.status = wire::RunStatus::Unknown;
    row.createdMs = note.startedMs;
    return row;
}

bool isSame(const run::AwayRun& a, const run::AwayRun& b) { return a.host == b.host && a.name == b.name; }

} // namespace

AwayFeed::Changes AwayFeed::look(double now) {
    Changes changes;
    if (now - m_lastLook < kPeriod) return changes;
    m_lastLook = now;
    QSet<QString> noted, told;
    readNotes(now, noted, changes.gone);
    if (m_notes.isEmpty()) return changes;
    readRows(told);
    for (const QString& run : noted | told) {
        const auto note = m_notes.constFind(run);
        if (note == m_notes.constEnd()) continue;
        const auto row = m_rows.constFind(run);
        changes.rows.push_back(
            {row == m_rows.constEnd() ? rowOf(note->run) : *row, note->run.host, note->link, told.contains(run)});
        // From the other end of the palette than the runs of this computer, which are counted from its beginning.
        auto& shown = changes.rows.back().row;
        shown.colorIndex = -1 - shown.colorIndex;
        if (note->run.startedMs > 0) shown.createdMs = note->run.startedMs; // by the clock here, and it stays
    }
    return changes;
}

// Notes and links are files that are written anew, which the time of their folder tells; now and then they are read in
// any case.
void AwayFeed::readNotes(double now, QSet<QString>& touched, QStringList& gone) {
    std::error_code none;
    const auto time = std::filesystem::last_write_time(m_copies.root, none);
    if (none && m_notes.isEmpty()) return; // nothing lives elsewhere
    if (time == m_folderTime && now - m_lastNotes < kCertainPeriod) return;
    m_folderTime = time;
    m_lastNotes = now;
    const auto links = run::readAwayLinks(m_workspace);
    QHash<QString, Note> notes;
    for (const auto& run : run::awayRuns(m_workspace)) {
        if (run.isSweep) continue;
        const QString id = QString::fromStdString(run.id);
        const auto link = links.find(run.host);
        const Note note{run, link == links.end() ? run::AwayLink{} : link->second};
        const auto known = m_notes.constFind(id);
        if (known == m_notes.constEnd() || !isSame(known->run, run) || known->link != note.link) touched.insert(id);
        notes.insert(id, note);
    }
    for (auto at = m_notes.constBegin(); at != m_notes.constEnd(); ++at)
        if (!notes.contains(at.key())) gone << at.key();
    m_notes = std::move(notes);
}

void AwayFeed::readRows(QSet<QString>& touched) {
    std::error_code none;
    if (!m_query && std::filesystem::exists(m_copies.database(), none))
        if (auto query = store::RunQuery::open(m_copies)) m_query = std::move(*query);
    if (!m_query) return;
    const auto version = m_query->dataVersion();
    if (!version || *version == m_dataVersion) return;
    auto changes = m_query->changesAfter(m_lastChange);
    if (!changes) return; // the next look tries again
    m_dataVersion = *version;
    m_lastChange = changes->last;
    for (auto& row : changes->runs) {
        const QString id = QString::fromStdString(row.id);
        touched.insert(id);
        if (row.archived) m_rows.remove(id);
        else m_rows.insert(id, std::move(row));
    }
}

} // namespace trainyard::ui
