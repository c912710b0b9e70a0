// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/new_run/run_draft.h"

#include <QWidget>

namespace trainyard::ui {

class Banner;

// Keeps what is set up in the New run sheet until it is started, and offers what was not started before; hidden while
// there is nothing to offer.
class DraftOffer : public QWidget {
    Q_OBJECT
public:
    // `workspace`: the folder whose draft it is.
    explicit DraftOffer(QString workspace);

    // Offers what was kept of a new run, or of a fork of that run; empty: of none.
    void offer(const QString& origin);
    // Keeps `file`, the text of a run or sweep file, in place of the older draft, once it differs from what the first
    // call had: so that neither Esc nor the end of the program loses it.
    void keep(const QString& file, const QString& origin);
    // What was kept is started.
    void forget();

Q_SIGNALS:
    void restoreRequested(const trainyard::ui::RunDraft& draft);
    // The button that had the focus is gone.
    void discarded();

private:
    QString m_workspace;
    QString m_opened; // what the sheet began with; empty: nothing was told yet
    Banner* m_banner;
};

} // namespace trainyard::ui
