// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>

class QScrollArea;
class QWidget;

namespace trainyard::ui {

// Keeps what was last clicked or typed into at its place on the screen while rows above it come and go: an error that
// appears must not move the next click to another field. Scrolls `area` by as much, if need be into empty room below
// its content.
class PlaceKeeper : public QObject {
    Q_OBJECT
public:
    explicit PlaceKeeper(QScrollArea& area);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    int placeNow() const;
    void restore();

    QScrollArea& m_area;
    QPointer<QWidget> m_used; // the last one that got a click or a key
    int m_place = 0;          // its top in the viewport
    bool m_isRestoring = false;
};

} // namespace trainyard::ui
