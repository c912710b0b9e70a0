// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/place_keeper.h"

#include <QApplication>
#include <QEvent>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QScrollBar>

namespace trainyard::ui {

PlaceKeeper::PlaceKeeper(QScrollArea& area) : QObject(&area), m_area(area) {
    qApp->installEventFilter(this); // of fields that are made later, too
    connect(area.verticalScrollBar(), &QScrollBar::valueChanged, this, [this] {
        if (m_used && !m_isRestoring) m_place = placeNow(); // scrolled by somebody
    });
    // When its range changes, the content has its new height and the rows have their new places.
    connect(area.verticalScrollBar(), &QScrollBar::rangeChanged, this, &PlaceKeeper::restore);
}

int PlaceKeeper::placeNow() const { return m_used->mapTo(m_area.widget(), QPoint()).y() + m_area.widget()->y(); }

void PlaceKeeper::restore() {
    if (!m_used || !m_used->isVisible() || !m_area.widget()->isAncestorOf(m_used)) return;
    const QScopedValueRollback restoring(m_isRestoring, true);
    auto* bar = m_area.verticalScrollBar();
    const int wanted = bar->value() + placeNow() - m_place;
    // Room below to scroll into, which goes when the row that came has gone. The new range leads here again.
    if (wanted > bar->maximum()) m_area.widget()->setMinimumHeight(m_area.viewport()->height() + wanted);
    else if (wanted <= 0) m_area.widget()->setMinimumHeight(0);
    bar->setValue(wanted);
}

bool PlaceKeeper::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::KeyPress) {
        auto* widget = qobject_cast<QWidget*>(watched);
        if (widget && m_area.widget() && m_area.widget()->isAncestorOf(widget)) {
            m_used = widget;
            m_place = placeNow();
        }
    }
    // Rows that come where all fit change no range.
    if (event->type() == QEvent::LayoutRequest && m_used && watched == m_area.widget())
        QMetaObject::invokeMethod(this, &PlaceKeeper::restore, Qt::QueuedConnection);
    return QObject::eventFilter(watched, event);
}

} // namespace trainyard::ui
