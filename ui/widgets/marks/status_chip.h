// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QWidget>

namespace trainyard::ui {

// A tinted word, optionally with an icon; 20 px high.
class StatusChip : public QWidget {
    Q_OBJECT
public:
    explicit StatusChip(const QString& text, Status status = Status::Neutral, const QString& iconName = QString(),
                        QWidget* parent = nullptr);

    void setChip(const QString& text, Status status, const QString& iconName = QString());
    QString text() const { return m_text; }
    Status status() const { return m_status; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_text;
    Status m_status = Status::Neutral;
    QString m_icon;
};

// Width and painting of a chip, for item delegates. Returns the width taken.
int chipWidth(const QString& text, const QString& iconName);
void paintChip(QPainter& painter, const QRectF& rect, const QString& text, Status status, const QString& iconName);

// A key or key combination in a small frame, such as Ctrl K.
class KeyCap : public QWidget {
    Q_OBJECT
public:
    explicit KeyCap(const QString& keys, QWidget* parent = nullptr);
    void setKeys(const QString& keys); // hidden while there are none
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_keys;
};

} // namespace trainyard::ui
