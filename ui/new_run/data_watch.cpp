// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/new_run/data_watch.h"

#include <QDir>
#include <QFileInfo>

namespace trainyard::ui {

namespace {

constexpr int kSettleMs = 400;          // an editor saves in several steps
constexpr qsizetype kMostFolders = 512; // each uses a system watch

} // namespace

QString fileOfPlace(const QString& where) {
    if (!where.startsWith(QLatin1Char('/'))) return {};
    for (qsizetype end = where.size(); end > 0; end = where.lastIndexOf(QLatin1Char(','), end - 1))
        if (const QString path = where.left(end); QFileInfo::exists(path)) return path;
    const QString folder = QFileInfo(where.section(QLatin1Char(','), 0, 0)).absolutePath();
    return QFileInfo::exists(folder) ? folder : QString();
}

DataWatch::DataWatch(QObject* parent) : QObject(parent) {
    m_pause.setSingleShot(true);
    m_pause.setInterval(kSettleMs);
    const auto soon = [this] { m_pause.start(); };
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, soon);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, soon);
    connect(&m_pause, &QTimer::timeout, this, [this] {
        m_where.clear(); // a replaced file needs a new watch
        Q_EMIT changed();
    });
}

void DataWatch::watch(const QString& where) {
    if (where == m_where) return;
    m_where = where;
    if (const QStringList old = m_watcher.files() + m_watcher.directories(); !old.isEmpty()) m_watcher.removePaths(old);
    const QFileInfo data(fileOfPlace(where));
    if (data.filePath().isEmpty()) return;
    QStringList paths{data.filePath()};
    if (!data.isDir()) paths << data.absolutePath();
    else
        for (const QFileInfo& inside : QDir(data.filePath()).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot))
            if (paths.size() < kMostFolders) paths << inside.filePath();
    m_watcher.addPaths(paths);
}

} // namespace trainyard::ui
