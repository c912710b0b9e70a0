// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>

namespace trainyard::ui {

// Widgets beside one another, in as many lines as the width asks for; no margins. One that is wider than a line has the
// whole of it.
class WrapLayout : public QLayout {
    Q_OBJECT
public:
    // `spacing`: between widgets and between lines, in design pixels.
    WrapLayout(QWidget* widget, int spacing);
    ~WrapLayout() override;

    void addItem(QLayoutItem* item) override;
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    int count() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;    // in one line
    QSize minimumSize() const override; // of any width
    void setGeometry(const QRect& rect) override;

private:
    // The height that the lines take in this rectangle; with `place` the widgets are put there.
    int arranged(const QRect& rect, bool place) const;

    QList<QLayoutItem*> m_items;
};

} // namespace trainyard::ui
