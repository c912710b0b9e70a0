// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/home/mirror_reader.h"

#include <algorithm>
#include <utility>

namespace trainyard::ui {

namespace {

// Used until the host has reported the run.
store::RunRow rowOf(const run::HomeNote& note) {
    store::RunRow row;
    row.id = note.id;
    row.name = note.name;
    row.status = wire::RunStatus::Unknown;
    row.createdMs = note.startedMs;
    return row;
}

bool isSame(const run::HomeNote& a, const run::HomeNote& b) { return a.host == b.host && a.name == b.name; }

} // namespace

MirrorReader::Changes MirrorReader::look(double now) {
    Changes changes;
    if (now - m_lastLook < kPeriod) return changes;
    m_lastLook = now;
    QSet<QString> noted, told;
    readNotes(now, noted, changes);
    if (!m_notes.isEmpty()) readRows(told, changes);
    for (const QString& run : noted | told) {
        const Note* note = noteOf(run);
        if (!note || (note->run.isSweep && !m_rows.contains(run))) continue;
        const auto row = m_rows.constFind(run);
        changes.rows.push_back({row == m_rows.constEnd() ? rowOf(note->run) : *row, homeOf(*note), told.contains(run)});
        // From the other end of the palette than the runs of this computer, which are counted from its beginning.
        auto& shown = changes.rows.back().row;
        shown.colorIndex = -1 - shown.colorIndex;
        if (!note->run.isSweep && note->run.startedMs > 0)
            shown.createdMs = note->run.startedMs; // by this computer's clock
    }
    if (std::exchange(m_sweepsChanged, false)) addSweeps(changes);
    return changes;
}

// Its own, or that of its sweep.
const MirrorReader::Note* MirrorReader::noteOf(const QString& run) const {
    auto note = m_notes.constFind(run);
    if (note == m_notes.constEnd())
        if (const auto row = m_rows.constFind(run); row != m_rows.constEnd() && !row->sweep.empty())
            note = m_notes.constFind(QString::fromStdString(row->sweep));
    return note == m_notes.constEnd() ? nullptr : &*note;
}

Residence MirrorReader::homeOf(const Note& note) { return {QString::fromStdString(note.run.host), note.link}; }

void MirrorReader::addSweeps(Changes& changes) const {
    changes.sweeps.emplace();
    for (const Note& note : m_notes) {
        if (!note.run.isSweep) continue;
        MirroredSweep sweep;
        sweep.home = homeOf(note);
        const auto told = std::find_if(m_sweeps.begin(), m_sweeps.end(),
                                       [&note](const auto& each) { return each.id == note.run.id; });
        if (told != m_sweeps.end()) sweep.row = *told;
        else sweep.row.status = wire::RunStatus::Unknown;
        sweep.row.id = note.run.id;
        if (sweep.row.name.empty()) sweep.row.name = note.run.name;
        if (note.run.startedMs > 0) sweep.row.createdMs = note.run.startedMs;
        changes.sweeps->push_back(std::move(sweep));
    }
}

// Notes and links are files that are replaced, which changes the time of their folder; now and then they are read
// anyway. News of a sweep is also news of its trials.
void MirrorReader::readNotes(double now, QSet<QString>& touched, Changes& changes) {
    std::error_code none;
    const auto time = std::filesystem::last_write_time(m_mirror.root, none);
    if (none && m_notes.isEmpty()) return; // nothing lives elsewhere
    if (time == m_folderTime && now - m_lastNotes < kCertainPeriod) return;
    m_folderTime = time;
    m_lastNotes = now;
    const auto links = run::readHomeLinks(m_workspace);
    QHash<QString, Note> notes;
    for (const auto& run : run::homeNotes(m_workspace)) {
        const QString id = QString::fromStdString(run.id);
        const auto link = links.find(run.host);
        const Note note{run, link == links.end() ? run::HomeLink{} : link->second};
        const auto known = m_notes.constFind(id);
        if (known == m_notes.constEnd() || !isSame(known->run, run) || known->link != note.link) touched.insert(id);
        notes.insert(id, note);
    }
    for (auto at = m_notes.constBegin(); at != m_notes.constEnd(); ++at)
        if (!notes.contains(at.key())) {
            changes.gone << at.key();
            m_sweepsChanged = m_sweepsChanged || at->run.isSweep;
        }
    for (auto row = m_rows.constBegin(); row != m_rows.constEnd(); ++row) {
        const QString sweep = QString::fromStdString(row->sweep);
        if (sweep.isEmpty()) continue;
        if (touched.contains(sweep)) touched.insert(row.key());
        else if (changes.gone.contains(sweep)) changes.gone << row.key();
    }
    for (const QString& id : touched)
        m_sweepsChanged = m_sweepsChanged || (notes.contains(id) && notes[id].run.isSweep);
    m_notes = std::move(notes);
}

void MirrorReader::readRows(QSet<QString>& touched, Changes& changes) {
    std::error_code none;
    if (!m_query && std::filesystem::exists(m_mirror.database(), none))
        if (auto query = store::RunQuery::open(m_mirror)) m_query = std::move(*query);
    if (!m_query) return;
    const auto version = m_query->dataVersion();
    if (!version || *version == m_dataVersion) return;
    auto news = m_query->changesAfter(m_lastChange);
    if (!news) return; // the next read tries again
    m_dataVersion = *version;
    m_lastChange = news->last;
    changes.checkpoints = news->checkpoints;
    if (news->sweeps) {
        m_sweeps = std::move(*news->sweeps);
        m_sweepsChanged = true;
    }
    for (auto& row : news->runs) {
        const QString id = QString::fromStdString(row.id);
        touched.insert(id);
        if (row.archived && m_rows.remove(id) && !m_notes.contains(id)) changes.gone << id; // a trial
        else if (!row.archived) m_rows.insert(id, std::move(row));
    }
}

} // namespace trainyard::ui
