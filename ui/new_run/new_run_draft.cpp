// SPDX-License-Identifier: GPL-3.0-or-later
// The New run sheet: what was not started is kept, and what differs from where it began is shown.
#include "ui/new_run/change_list.h"
#include "ui/new_run/new_run_sheet.h"
#include "ui/new_run/run_draft.h"
#include "ui/widgets/banner.h"

#include <QDateTime>
#include <QLineEdit>
#include <QLocale>

namespace trainyard::ui {

QString NewRunSheet::workspace() const { return QString::fromStdString(m_bench.feed.workspace().root.string()); }

void NewRunSheet::buildDraft(QVBoxLayout* layout) {
    m_draft = new Banner(Status::Info, QString());
    m_draftArea = new QWidget;
    setMargins(column(m_draftArea), 12, 8, 12, 0);
    m_draftArea->layout()->addWidget(m_draft);
    connect(m_draft->addButton(tr("Discard")), &QPushButton::clicked, this, [this] {
        RunDraft::forget(workspace());
        m_draftArea->hide();
        setFirst(m_form->first()); // the button that was pressed is gone
    });
    connect(m_draft->addButton(tr("Restore")), &QPushButton::clicked, this, &NewRunSheet::restoreDraft);
    m_draftArea->hide();
    layout->addWidget(m_draftArea);
    m_changes = new ChangeList;
    connect(m_changes, &ChangeList::resetRequested, this, &NewRunSheet::resetField);
    layout->addWidget(m_changes);
}

// Where nothing else was asked for than a new run, or a fork of the same run.
void NewRunSheet::offerDraft() {
    const auto draft = RunDraft::kept(workspace());
    if (!draft || draft->origin != m_origin || (m_origin.isEmpty() && !m_json.isEmpty())) return;
    const auto when = QDateTime::fromMSecsSinceEpoch(draft->savedMs);
    const bool today = when.date() == QDate::currentDate();
    const QString time = QLocale().toString(when, today ? QStringLiteral("HH:mm") : tr("d MMM HH:mm"));
    m_draft->setMessage(Status::Info, tr("Settings of %1 were not started").arg(time), {});
    m_draftArea->show();
}

void NewRunSheet::restoreDraft() {
    const auto draft = RunDraft::kept(workspace());
    m_draftArea->hide();
    if (!draft) return;
    const auto before = m_before; // of a fork, it stays
    m_json = draft->file;
    m_sweep = false;
    fill();
    m_before = before;
    refresh();
    setFirst(m_form->first());
}

// Kept as it is made, so that neither Esc nor the end of the program loses it.
void NewRunSheet::keepDraft() {
    if (m_launched || (m_state.sweeping && !m_state.sweep)) return; // of a sweep, what could be read last
    const QString now = json();
    if (m_opened.isEmpty()) m_opened = now;
    if (now == m_opened) return;
    RunDraft{now, m_origin, QDateTime::currentMSecsSinceEpoch()}.keep(workspace());
    m_draftArea->hide(); // the older one is replaced
}

void NewRunSheet::showChanges() {
    if (!m_before) return;
    const auto catalog = m_bench.catalog.catalog();
    const RunItemPtr origin = m_origin.isEmpty() ? nullptr : m_bench.feed.run(m_origin);
    const auto changes = settingChanges(*m_before, m_state.spec, *catalog);
    m_changes->setChanges(changes, origin ? origin->name : QString());
    QStringList paths;
    for (const auto& change : changes) paths << change.path;
    m_form->markChanged(paths);
}

void NewRunSheet::resetField(const QString& path) {
    m_form->change(withFieldReset(m_state.spec, *m_before, path));
    refresh();
    setFirst(m_form->first()); // the button that was pressed is gone
}

} // namespace trainyard::ui
