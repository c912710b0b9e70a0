// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileSystemWatcher>
#include <QTimer>

namespace trainyard::ui {

// Reports when refused data has changed on the disk. GUI thread.
class DataWatch : public QObject {
    Q_OBJECT
public:
    explicit DataWatch(QObject* parent = nullptr);

    // `where`: the place named by the error, "/data/houses.csv, line 2" or a folder. Watches the file and its folder,
    // or a folder and the folders in it. A place that names no file ends the watch.
    void watch(const QString& where);

Q_SIGNALS:
    void changed(); // once for several changes in a row

private:
    QFileSystemWatcher m_watcher;
    QTimer m_pause;
    QString m_where;
};

// The file or folder that a place begins with, or the folder where it should be; empty: neither exists.
QString fileOfPlace(const QString& where);

} // namespace trainyard::ui
