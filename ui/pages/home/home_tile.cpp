// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/home/home_tile.h"

#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/marks/status_chip.h"

#include <QEvent>
#include <QPainter>
#include <QPainterPath>

namespace trainyard::ui {

HomeTile::HomeTile(const QString& title, const QString& buttonText, const QString& buttonIcon, const QString& keys,
                   bool primary, QWidget* parent)
    : Card(parent), m_illustration(new QWidget), m_titleLabel(new Label(title, TextRole::Heading)),
      m_text(new Label(QString(), TextRole::SmallSecondary)),
      m_button(trainyard::ui::button(buttonText, buttonIcon, primary ? "primary" : "")) {
    const Theme& theme = Theme::current();
    setAccented(primary);
    setMinimumSize(theme.px(240), theme.px(244));
    setMaximumWidth(theme.px(420));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* layout = body();
    trainyard::ui::setMargins(layout, 20, 20, 20, 20);
    m_illustration->setFixedHeight(theme.px(64));
    m_illustration->installEventFilter(this);
    m_text->setWordWrap(true);
    m_text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_text->setMinimumHeight(theme.px(48));
    layout->addWidget(m_illustration);
    layout->addSpacing(theme.px(16));
    layout->addWidget(m_titleLabel);
    layout->addSpacing(theme.px(4));
    layout->addWidget(m_text);
    layout->addStretch();
    layout->addSpacing(theme.px(12));
    auto* bottom = row(nullptr, 8);
    bottom->addWidget(m_button);
    bottom->addStretch();
    m_keys = new KeyCap(keys);
    m_keys->setVisible(!keys.isEmpty());
    // The button's words matter more than its keys, which vanish without room. To hide them while the tiles are being
    // placed would place them all again in between.
    m_keys->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_keys->setMinimumWidth(1);
    bottom->addWidget(m_keys);
    layout->addLayout(bottom);
    m_button->setAccessibleDescription(title);
}

void HomeTile::setTitle(const QString& title) { m_titleLabel->setText(title); }
void HomeTile::setKeys(const QString& keys) { m_keys->setKeys(keys); }
void HomeTile::setText(const QString& text) { m_text->setText(text); }

void HomeTile::setIllustration(std::function<void(QPainter&, const QRectF&)> paint) {
    m_paint = std::move(paint);
    m_illustration->update();
}

bool HomeTile::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_illustration && event->type() == QEvent::Paint && m_paint) {
        QPainter painter(m_illustration);
        painter.setRenderHint(QPainter::Antialiasing);
        m_paint(painter, m_illustration->rect());
        return true;
    }
    return Card::eventFilter(watched, event);
}

std::function<void(QPainter&, const QRectF&)> thumbnailIllustration(const QList<QImage>& thumbnails) {
    return [thumbnails](QPainter& painter, const QRectF& rect) {
        const Theme& theme = Theme::current();
        const qreal side = theme.px(30);
        const qreal gap = theme.px(4);
        const int columns = static_cast<int>((rect.width() + gap) / (side + gap));
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        for (int i = 0; i < columns * 2; ++i) {
            const QRectF box(rect.left() + (i % columns) * (side + gap), rect.top() + (i / columns) * (side + gap),
                             side, side);
            QPainterPath clip;
            clip.addRoundedRect(box, 2, 2);
            painter.save();
            painter.setClipPath(clip);
            if (i < thumbnails.size()) painter.drawImage(box, thumbnails[i]);
            else painter.fillRect(box, theme.track);
            painter.restore();
        }
    };
}

std::function<void(QPainter&, const QRectF&)> folderIllustration() {
    return [](QPainter& painter, const QRectF& rect) {
        const Theme& theme = Theme::current();
        const qreal line = rect.height() / 2, side = theme.px(20), picture = theme.px(22), gap = theme.px(4);
        painter.setFont(theme.small);
        for (int cls = 0; cls < 2; ++cls) {
            const qreal middle = rect.top() + (cls + 0.5) * line;
            paintIcon(painter, QStringLiteral("folder"), QRectF(rect.left(), middle - side / 2, side, side),
                      theme.text2);
            painter.setPen(theme.text2);
            painter.drawText(QRectF(rect.left() + side + gap, middle - line / 2, theme.px(48), line), Qt::AlignVCenter,
                             cls == 0 ? HomeTile::tr("cats") : HomeTile::tr("dogs"));
            for (qreal x = rect.left() + theme.px(76);
                 x + picture <= std::min(rect.right(), rect.left() + theme.px(272)); x += picture + gap) {
                const QRectF box(x, middle - picture / 2, picture, picture);
                painter.setPen(Qt::NoPen);
                painter.setBrush(theme.seq[static_cast<std::size_t>(cls == 0 ? 1 : 2)]);
                painter.drawRoundedRect(box, 2, 2);
                paintIcon(painter, QStringLiteral("image"), box.adjusted(gap, gap, -gap, -gap), theme.panel);
            }
        }
    };
}

std::function<void(QPainter&, const QRectF&)> sweepIllustration() {
    return [](QPainter& painter, const QRectF& rect) {
        const Theme& theme = Theme::current();
        const qreal w = std::min<qreal>(rect.width(), theme.px(272));
        for (int line = 0; line < 3; ++line)
            paintHLine(painter, rect.left(), rect.top() + line * rect.height() / 3, w, theme.grid);
        paintHLine(painter, rect.left(), rect.bottom() - 1, w, theme.axis);
        // Five loss curves, the middle learning rate the best: the point of a sweep.
        const std::array<double, 5> decay{1.2, 2.2, 5.5, 4.0, 2.0};
        const std::array<double, 5> floor{0.30, 0.22, 0.06, 0.16, 0.66};
        for (std::size_t i = 0; i < decay.size(); ++i) {
            QPainterPath path;
            for (int step = 0; step <= 60; ++step) {
                const double t = step / 60.0;
                const double y = floor[i] + (1 - floor[i]) * std::exp(-decay[i] * t);
                const QPointF at(rect.left() + t * (w - 2), rect.bottom() - 3 - y * (rect.height() - 8));
                step == 0 ? path.moveTo(at) : path.lineTo(at);
            }
            painter.setPen(QPen(theme.curve(static_cast<int>(i)), i == 2 ? 2.0 : 1.25));
            painter.drawPath(path);
        }
    };
}

std::function<void(QPainter&, const QRectF&)> scriptIllustration() {
    return [](QPainter& painter, const QRectF& rect) {
        const Theme& theme = Theme::current();
        const qreal w = std::min<qreal>(rect.width(), theme.px(272)), half = std::min<qreal>(w * 0.6, theme.px(132));
        // What it prints, and the curve that becomes of it.
        const std::array<QString, 3> lines{QStringLiteral("$ python train.py"), QStringLiteral("step 20 loss 1.84"),
                                           QStringLiteral("step 40 loss 0.92")};
        painter.setFont(theme.mono);
        const qreal high = rect.height() / 3;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const QRectF line(rect.left(), rect.top() + static_cast<qreal>(i) * high, half, high);
            painter.setPen(i == 0 ? theme.text : theme.text3);
            painter.drawText(line, Qt::AlignVCenter,
                             painter.fontMetrics().elidedText(lines[i], Qt::ElideRight, static_cast<int>(half)));
        }
        const QRectF plot(rect.left() + half + theme.px(12), rect.top(), w - half - theme.px(12), rect.height());
        paintHLine(painter, plot.left(), plot.bottom() - 1, plot.width(), theme.axis);
        QPainterPath path;
        for (int step = 0; step <= 60; ++step) {
            const double t = step / 60.0, y = 0.08 + 0.92 * std::exp(-4 * t) + 0.04 * std::sin(23 * t) * (1 - t);
            const QPointF at(plot.left() + t * (plot.width() - 2), plot.bottom() - 3 - y * (plot.height() - 8));
            step == 0 ? path.moveTo(at) : path.lineTo(at);
        }
        painter.setPen(QPen(theme.curve(0), 2));
        painter.drawPath(path);
    };
}

} // namespace trainyard::ui
