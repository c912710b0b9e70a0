// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/new_run/draft_offer.h"

#include "ui/models/desktop/settings.h"
#include "ui/theme/theme.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/layout.h"

#include <QDateTime>
#include <QLocale>
#include <QPushButton>

namespace trainyard::ui {

DraftOffer::DraftOffer(QString workspace) : m_workspace(std::move(workspace)) {
    m_banner = new Banner(Status::Info, QString());
    setMargins(column(this), 12, 8, 12, 0);
    layout()->addWidget(m_banner);
    connect(m_banner->addButton(tr("Discard")), &QPushButton::clicked, this, [this] {
        forget();
        hide();
        Q_EMIT discarded();
    });
    connect(m_banner->addButton(tr("Restore")), &QPushButton::clicked, this, [this] {
        hide();
        if (const auto draft = RunDraft::kept(m_workspace)) Q_EMIT restoreRequested(*draft);
    });
    hide();
}

void DraftOffer::offer(const QString& origin) {
    const auto draft = RunDraft::kept(m_workspace);
    if (!draft || draft->origin != origin) return;
    const auto when = QDateTime::fromMSecsSinceEpoch(draft->savedMs);
    const bool today = when.date() == QDate::currentDate();
    const QString time = QLocale().toString(when, today ? QStringLiteral("HH:mm") : tr("d MMM HH:mm"));
    m_banner->setMessage(Status::Info, tr("Settings from %1 that you have not started").arg(time), {});
    show();
}

void DraftOffer::keep(const QString& file, const QString& origin) {
    if (m_opened.isEmpty()) m_opened = file;
    if (file == m_opened) return;
    RunDraft{file, origin, QDateTime::currentMSecsSinceEpoch()}.keep(m_workspace);
    hide(); // the older one is replaced
}

void DraftOffer::forget() { RunDraft::forget(m_workspace); }

std::optional<RunDraft> RunDraft::kept(const QString& workspace) {
    const QStringList parts = Settings::runDraft.of(workspace).get();
    if (parts.size() != 3 || parts[0].isEmpty()) return {};
    return RunDraft{parts[0], parts[1], parts[2].toLongLong()};
}

void RunDraft::keep(const QString& workspace) const {
    Settings::runDraft.of(workspace).set({file, origin, QString::number(savedMs)});
}

void RunDraft::forget(const QString& workspace) { Settings::runDraft.of(workspace).forget(); }

} // namespace trainyard::ui
