// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QWidget>

namespace trainyard::ui {

// One figure of a strip.
struct Figure {
    QString name, value, tip{};
    bool isBad = false; // in the colour of errors
    bool operator==(const Figure&) const = default;
};

// Figures side by side, each a large value over its name; in several lines where they do not fit.
class FigureStrip : public QWidget {
    Q_OBJECT
public:
    explicit FigureStrip(QWidget* parent = nullptr);
    void setFigures(const QList<Figure>& figures);
    const QList<Figure>& figures() const { return m_figures; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    int columns() const;
    QRect placeOf(int figure) const;
    void fit();

    QList<Figure> m_figures;
};

} // namespace trainyard::ui
