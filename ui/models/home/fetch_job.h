// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"
#include "ui/models/desktop/background.h"

#include <QProcess>

namespace trainyard::ui {

// Runs `trainyardctl fetch` for a run or one checkpoint. Cancelling keeps what has arrived, and the next fetch
// continues there; the run appears here only when it is complete.
class FetchJob : public BackgroundJob {
    Q_OBJECT
public:
    // `what`: a run's id, or RUN@STEP. `name`: as people call it.
    FetchJob(store::Workspace workspace, const QString& what, const QString& name, QObject* parent);
    ~FetchJob() override;

    void start();
    const QString& what() const { return m_what; }
    QString title() const override;
    QString icon() const override { return QStringLiteral("import"); }
    QString cancelTip() const override;
    void cancel() override;

private:
    void readOn();
    void finish();

    store::Workspace m_workspace;
    QString m_what, m_name;
    QProcess m_process;
    QByteArray m_rest, m_words; // of the error output: an unfinished line, and lines other than progress
    bool m_cancelled = false;
};

} // namespace trainyard::ui
