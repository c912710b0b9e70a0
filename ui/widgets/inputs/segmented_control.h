// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMap>
#include <QRectF>
#include <QStringList>
#include <QWidget>

namespace trainyard::ui {

// One choice out of a few, side by side. Left and Right move the choice.
class SegmentedControl : public QWidget {
    Q_OBJECT
public:
    explicit SegmentedControl(const QStringList& items, QWidget* parent = nullptr);

    int currentIndex() const { return m_current; }
    void setCurrentIndex(int index);
    QStringList items() const { return m_items; }
    void setItem(int index, const QString& text);
    void setCompact(); // less room beside the words
    // As wide as its place, with the same room beside each word.
    void setFilling();
    // Greys out an unavailable choice, with `why` as its tooltip. Empty: it is available.
    void setUnavailable(int index, const QString& why);
    bool isAvailable(int index) const { return m_unavailable.value(index).isEmpty(); }
    QRectF itemArea(int index) const { return itemRect(index); }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    // Only when the index changed.
    void currentIndexChanged(int index);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    int itemWidth(int index) const;
    QRectF itemRect(int index) const;
    int itemAt(const QPointF& position) const;
    void chooseFrom(int index, int step);

    QStringList m_items;
    QMap<int, QString> m_unavailable; // why, by index
    int m_current = 0;
    int m_padding = 10; // beside each word, in design pixels
    bool m_fills = false;
    int m_hovered = -1;
};

} // namespace trainyard::ui
