// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/icon.h"

#include "ui/theme/theme.h"

#include <QAbstractButton>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QPixmapCache>
#include <QSvgRenderer>

#include <cmath>

namespace trainyard::ui {

namespace {

QString resourcePath(const QString& name) { return QStringLiteral(":/trainyard/icons/%1.svg").arg(name); }

QPixmap render(const QString& name, int side, const QColor& color) {
    const QString key = QStringLiteral("yard-icon/%1/%2/%3").arg(name).arg(side).arg(color.name(QColor::HexArgb));
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap)) return pixmap;
    pixmap = QPixmap(side, side);
    pixmap.fill(Qt::transparent);
    QFile file(resourcePath(name));
    if (file.open(QIODevice::ReadOnly)) {
        QSvgRenderer renderer(file.readAll().replace("currentColor", color.name().toLatin1()));
        QPainter painter(&pixmap);
        renderer.render(&painter, QRectF(0, 0, side, side));
    }
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

class YardIconEngine final : public QIconEngine {
public:
    YardIconEngine(QString name, QColor color) : m_name(std::move(name)), m_color(color) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        paintIcon(*painter, m_name, rect, colorFor(mode));
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) override {
        return render(m_name, qMin(size.width(), size.height()), colorFor(mode));
    }
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal) override {
        return pixmap(size, mode, state);
    }
    QIconEngine* clone() const override { return new YardIconEngine(m_name, m_color); }
    bool isNull() override { return !hasIcon(m_name); }

private:
    QColor colorFor(QIcon::Mode mode) const {
        const Theme& theme = Theme::current();
        if (mode == QIcon::Disabled) return theme.text3;
        return m_color.isValid() ? m_color : theme.text2;
    }

    QString m_name;
    QColor m_color;
};

} // namespace

QIcon icon(const QString& name) { return icon(name, QColor()); }

QIcon icon(const QString& name, const QColor& color) { return QIcon(new YardIconEngine(name, color)); }

void paintIcon(QPainter& painter, const QString& name, const QRectF& square, const QColor& color) {
    const qreal dpr = painter.device()->devicePixelRatioF();
    const qreal side = std::min(square.width(), square.height());
    const int pixels = static_cast<int>(std::lround(side * dpr));
    if (pixels <= 0) return;
    QPixmap pixmap = render(name, pixels, color);
    pixmap.setDevicePixelRatio(dpr);
    const QPointF corner = square.center() - QPointF(side / 2, side / 2);
    painter.drawPixmap(QPointF(std::round(corner.x() * dpr) / dpr, std::round(corner.y() * dpr) / dpr), pixmap);
}

void paintSortArrow(QPainter& painter, const QRectF& square, Qt::SortOrder order, const QColor& color) {
    paintIcon(painter, order == Qt::AscendingOrder ? QStringLiteral("chevron-up") : QStringLiteral("chevron-down"),
              square, color);
}

void setButtonIcon(QAbstractButton* button, const QString& name) {
    button->setProperty("iconName", name);
    button->setIcon(icon(name));
}

bool hasIcon(const QString& name) { return QFile::exists(resourcePath(name)); }

} // namespace trainyard::ui
