// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/card.h"

#include <QImage>

#include <functional>

class QPushButton;

namespace trainyard::ui {

class KeyCap;
class Label;

// A tile of Home: a small illustration, what it does, and its button with the key.
class HomeTile : public Card {
    Q_OBJECT
public:
    HomeTile(const QString& title, const QString& buttonText, const QString& buttonIcon, const QString& keys,
             bool primary, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    void setText(const QString& text);
    void setKeys(const QString& keys);
    // Paints the 64-px band over the title.
    void setIllustration(std::function<void(QPainter&, const QRectF&)> paint);
    QPushButton* button() const { return m_button; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* m_illustration;
    Label *m_titleLabel, *m_text;
    QPushButton* m_button;
    KeyCap* m_keys;
    std::function<void(QPainter&, const QRectF&)> m_paint;
};

// Illustrations for tiles: sample thumbnails in two rows, a script that prints, folders of classes, curves of a sweep.
std::function<void(QPainter&, const QRectF&)> thumbnailIllustration(const QList<QImage>& thumbnails);
std::function<void(QPainter&, const QRectF&)> scriptIllustration();
std::function<void(QPainter&, const QRectF&)> folderIllustration();
std::function<void(QPainter&, const QRectF&)> sweepIllustration();

} // namespace trainyard::ui
