// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QEvent>
#include <QPixmap>
#include <QPushButton>
#include <QStyleOptionButton>
#include <QStylePainter>

#include <tuple>

namespace trainyard::ui {

// A button above a widget that repaints often, which repaints the button too: its picture is cached while its look
// stays the same.
class KeptButton final : public QPushButton {
public:
    using QPushButton::QPushButton;

protected:
    void paintEvent(QPaintEvent*) override {
        QStyleOptionButton option;
        initStyleOption(&option);
        const double ratio = devicePixelRatioF();
        const QSize pixels = (QSizeF(size()) * ratio).toSize();
        const Look look(option.state.toInt(), option.text, option.icon.cacheKey(), pixels);
        if (m_picture.isNull() || look != m_look) {
            m_look = look;
            m_picture = QPixmap(pixels);
            m_picture.setDevicePixelRatio(ratio);
            m_picture.fill(Qt::transparent);
            QStylePainter(&m_picture, this).drawControl(QStyle::CE_PushButton, option);
        }
        QPainter(this).drawPixmap(0, 0, m_picture);
    }
    // Another theme, style, font or language.
    void changeEvent(QEvent* event) override {
        m_picture = {};
        QPushButton::changeEvent(event);
    }

private:
    using Look = std::tuple<int, QString, qint64, QSize>; // state, text, icon and pixels

    Look m_look;
    QPixmap m_picture;
};

} // namespace trainyard::ui
