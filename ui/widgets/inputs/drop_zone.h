// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>

namespace trainyard::ui {

// A dashed square that says what may be dropped, and shows it once it is there. It takes no drops itself: what it lies
// in does, so that they need not hit it.
class DropZone : public QWidget {
    Q_OBJECT
public:
    explicit DropZone(const QString& prompt, QWidget* parent = nullptr);

    void setPrompt(const QString& prompt);
    // Above the prompt, where there is room.
    void setIcon(const QString& name);
    // A picture, enlarged in whole steps where it is small; null: the text, and without one the prompt.
    void setContent(const QImage& image, const QString& text = {});
    // Something that can be dropped is over the window.
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

// Paints a picture into the middle of `area`: as large as it fits, in whole steps and without smoothing if it is
// smaller.
void paintSample(QPainter& painter, const QRectF& area, const QImage& image);

} // namespace trainyard::ui
