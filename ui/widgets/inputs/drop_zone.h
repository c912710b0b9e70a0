// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>

namespace trainyard::ui {

// A dashed square that says what may be dropped, and shows the dropped sample. It accepts no drops itself: the widget
// around it does, so that users need not hit the square.
class DropZone : public QWidget {
    Q_OBJECT
public:
    explicit DropZone(const QString& prompt, QWidget* parent = nullptr);

    void setPrompt(const QString& prompt);
    // Shown above the prompt if there is room.
    void setIcon(const QString& name);
    // An image, enlarged by a whole factor if small; null: the text or, without one, the prompt.
    void setContent(const QImage& image, const QString& text = {});
    // Shows that droppable data is over the window.
    void setInviting(bool inviting);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_prompt, m_text, m_icon;
    QImage m_image;
    bool m_inviting = false;
};

// Paints an image into the middle of `area`, as large as fits; enlarges by a whole factor, without smoothing.
void paintSample(QPainter& painter, const QRectF& area, const QImage& image);

} // namespace trainyard::ui
