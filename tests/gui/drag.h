// SPDX-License-Identifier: GPL-3.0-or-later
// Files dragged over a window and dropped on it, as the platform tells the window of them.
#pragma once

#include <QApplication>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QTest>
#include <QUrl>
#include <QWidget>
#include <QWindow>

namespace trainyard::testing {

class Drag {
public:
    explicit Drag(const QStringList& paths) {
        QList<QUrl> urls;
        for (const QString& path : paths) urls << QUrl::fromLocalFile(path);
        m_data.setUrls(urls);
    }
    // Over the middle of the widget, or of what lies there; false: nothing takes it.
    bool enter(QWidget& over) {
        const QPoint at = over.mapTo(over.window(), over.rect().center());
        QDragEnterEvent enter(at, Qt::CopyAction, &m_data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(over.window()->windowHandle(), &enter);
        QDragMoveEvent move(at, Qt::CopyAction, &m_data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(over.window()->windowHandle(), &move);
        return enter.isAccepted();
    }
    void moveTo(QWidget& over) {
        const QPoint at = over.mapTo(over.window(), over.rect().center());
        QDragMoveEvent move(at, Qt::CopyAction, &m_data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(over.window()->windowHandle(), &move);
    }
    void leave(QWidget& over) {
        QDragLeaveEvent leave;
        QApplication::sendEvent(over.window()->windowHandle(), &leave);
    }
    void dropOn(QWidget& over) {
        QVERIFY(enter(over));
        const QPointF at = over.mapTo(over.window(), over.rect().center());
        QDropEvent drop(at, Qt::CopyAction, &m_data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(over.window()->windowHandle(), &drop);
    }

private:
    QMimeData m_data;
};

} // namespace trainyard::testing
