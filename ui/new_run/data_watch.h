// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileSystemWatcher>
#include <QTimer>

namespace trainyard::ui {

// Tells when the data that a worker has refused is another one on the disk. GUI thread.
class DataWatch : public QObject {
    Q_OBJECT
public:
    explicit DataWatch(QObject* parent = nullptr);

    // `where`: the place of the refusal as an error has it, "/data/houses.csv, line 2" or a folder. Watched are the
    // file, the folder that it is in, and the folders in a folder. One that names no file ends the watch.
    void watch(const QString& where);

Q_SIGNALS:
    void changed(); // once for what comes in a row

private:
    QFileSystemWatcher m_watcher;
    QTimer m_pause;
    QString m_where;
};

// The file or folder that a place begins with, or the folder where it should be; empty: there is none of these.
QString fileOfPlace(const QString& where);

} // namespace trainyard::ui
