// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

#include <optional>

namespace trainyard::ui {

// Settings from the New run sheet that were not started. Each workspace keeps one.
struct RunDraft {
    QString file;       // text of a run or sweep file
    QString origin;     // the run that it forks; empty: none
    qint64 savedMs = 0; // since 1970

    static std::optional<RunDraft> kept(const QString& workspace);
    void keep(const QString& workspace) const;
    static void forget(const QString& workspace);
};

class Banner;

// Saves the settings of the New run sheet until they are started, and offers earlier ones that were not; hidden while
// there is nothing to offer.
class DraftOffer : public QWidget {
    Q_OBJECT
public:
    // `workspace`: the folder that the draft belongs to.
    explicit DraftOffer(QString workspace);

    // Offers the draft of a new run, or of a fork of the run `origin`; empty: no fork.
    void offer(const QString& origin);
    // Saves `file`, the text of a run or sweep file, in place of the older draft, once it differs from that of the
    // first call, so that neither Esc nor the end of the program loses it.
    void keep(const QString& file, const QString& origin);
    // The draft was started.
    void forget();

Q_SIGNALS:
    void restoreRequested(const trainyard::ui::RunDraft& draft);
    // The button with the focus has disappeared.
    void discarded();

private:
    QString m_workspace;
    QString m_opened; // the initial settings of the sheet; empty: none yet
    Banner* m_banner;
};

} // namespace trainyard::ui
