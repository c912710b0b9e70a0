// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

class QGridLayout;

namespace trainyard::ui {

// Widgets side by side, in as many columns as there is room for; the last one takes what is left of its line. Hidden
// ones take no room.
class CardColumns : public QWidget {
    Q_OBJECT
public:
    // `least`: the width of a column in design pixels.
    CardColumns(const QList<QWidget*>& cards, int least, QWidget* parent = nullptr);

    bool eventFilter(QObject* watched, QEvent* event) override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();

    QList<QWidget*> m_cards, m_shown;
    int m_least, m_columns = 0;
    QGridLayout* m_grid;
};

} // namespace trainyard::ui
