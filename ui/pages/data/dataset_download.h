// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/label.h"

#include <QPointer>
#include <QProcess>
#include <QPushButton>

namespace trainyard::ui {

// A button that downloads a published dataset with trainyardctl, and its line of progress. A partial download stays
// when it is cancelled or the window closes, and the next one resumes from it.
class DatasetDownload : public QWidget {
    Q_OBJECT
public:
    // `status` shows the progress and errors. `mirrors` replace the published addresses.
    DatasetDownload(const QString& dataset, Label* status, const QStringList& mirrors = {}, QWidget* parent = nullptr);
    ~DatasetDownload() override;

Q_SIGNALS:
    void finished(); // the dataset is there

private:
    void toggle();
    void start();
    // `tip`: what does not fit into the line.
    void say(const QString& words, const QString& tip = {});
    void showButton(bool runs);
    void readOn();
    void ended();

    const QString m_dataset;
    const QStringList m_mirrors;
    QPointer<Label> m_status;
    QPushButton* m_button;
    QProcess m_process;
    QByteArray m_line, m_rest; // of the error output: the last line that is no progress, and the beginning of the next
    bool m_cancelled = false;
};

} // namespace trainyard::ui
