// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/gallery/component_samples.h"

#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/theme/yard_style.h"

#include <QDir>
#include <QMenu>
#include <QPainter>
#include <QPolygonF>
#include <QStyleOption>
#include <QVBoxLayout>

#include <array>
#include <cmath>

namespace trainyard::ui {

StateButton::StateButton(const QString& text, const char* kind, QStyle::State extra)
    : QPushButton(text), m_extra(extra) {
    setKind(this, kind);
    setFocusPolicy(Qt::NoFocus);
}

void StateButton::initStyleOption(QStyleOptionButton* option) const {
    QPushButton::initStyleOption(option);
    option->state |= m_extra;
}

void FocusedEdit::initStyleOption(QStyleOptionFrame* option) const {
    QLineEdit::initStyleOption(option);
    option->state |= QStyle::State_HasFocus;
}

Painted::Painted(const QSize& size, std::function<void(QPainter&, const QRectF&)> paint) : m_paint(std::move(paint)) {
    setMinimumSize(size);
    setFixedHeight(size.height());
}

void Painted::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    m_paint(painter, rect());
}

namespace {

struct SampleRow {
    const char* name;
    const char* note;
    int color;
    bool shown;
};

constexpr std::array<SampleRow, 5> kRows{{{"quiet-marten", "normal, hidden in charts", 3, false},
                                          {"amber-vole", "hover", 5, false},
                                          {"calm-finch", "selected", 1, true},
                                          {"brave-otter", "selected and current", 0, true},
                                          {"eager-lynx", "selected, window unfocused", 2, true}}};

void paintRow(QPainter& painter, const QRectF& row, std::size_t index) {
    const Theme& theme = Theme::current();
    const SampleRow& sample = kRows[index];
    const std::array<QColor, 5> grounds{QColor(), theme.hover, theme.selection, theme.selection,
                                        theme.selectionInactive};
    const bool current = index == 3;
    if (grounds[index].isValid()) painter.fillRect(row, grounds[index]);
    const QColor color = theme.curve(sample.color);
    paintRunChip(painter, QPointF(row.left() + theme.px(17), row.center().y()), color, sample.shown);
    const QRectF text = row.adjusted(theme.px(30), 0, -theme.px(12), 0);
    painter.setFont(current ? theme.heading : theme.body);
    painter.setPen(theme.text);
    painter.drawText(text, Qt::AlignVCenter, QString::fromLatin1(sample.name));
    painter.setFont(theme.small);
    painter.setPen(index >= 2 ? theme.text2 : theme.text3);
    painter.drawText(text, Qt::AlignVCenter | Qt::AlignRight, QString::fromLatin1(sample.note));
    if (current) {
        painter.fillRect(QRectF(row.left(), row.top(), 2, row.height()), theme.accent);
        painter.fillRect(QRectF(text.left(), row.bottom() - 2, text.width(), 2), theme.border);
        painter.fillRect(QRectF(text.left(), row.bottom() - 2, text.width() * 0.62, 2), color);
    }
}

void paintMenuRow(QPainter& painter, const QRectF& row, const QString& text, bool selected, bool danger,
                  const QString& shortcut) {
    const Theme& theme = Theme::current();
    if (selected) paintFrame(painter, row, 4, theme.selection, QColor());
    const QRectF inner = row.adjusted(theme.px(8), 0, -theme.px(8), 0);
    painter.setFont(theme.body);
    painter.setPen(danger ? theme.error : theme.text);
    painter.drawText(inner, Qt::AlignVCenter, text);
    painter.setFont(theme.small);
    painter.setPen(theme.text2);
    painter.drawText(inner, Qt::AlignVCenter | Qt::AlignRight, shortcut);
}

} // namespace

QWidget* sampleRows() {
    const int height = Theme::current().px(28);
    return new Painted(QSize(200, 5 * height), [height](QPainter& painter, const QRectF& area) {
        for (std::size_t i = 0; i < kRows.size(); ++i)
            paintRow(painter, QRectF(area.left(), static_cast<qreal>(i) * height, area.width(), height), i);
    });
}

QWidget* sampleTooltip() {
    const Theme& sizes = Theme::current();
    auto* tip = new Painted(QSize(sizes.px(194), sizes.px(72)), [](QPainter& painter, const QRectF& area) {
        const Theme& theme = Theme::current();
        paintFrame(painter, area, 6, theme.raised, theme.borderStrong);
        QFont strong = theme.small;
        strong.setWeight(QFont::DemiBold);
        QRectF line = area.adjusted(theme.px(11), theme.px(9), -theme.px(11), 0);
        line.setHeight(theme.px(18));
        const auto row = [&](const QString& name, const QString& value, int color, bool nearest) {
            line.translate(0, theme.px(18));
            paintRunChip(painter, QPointF(line.left() + theme.px(5), line.center().y()), theme.curve(color), true);
            painter.setPen(theme.text);
            const QFont& font = nearest ? strong : theme.small;
            paintTabular(painter, line.adjusted(theme.px(16), 0, 0, 0), Qt::AlignLeft, font, name);
            paintTabular(painter, line, Qt::AlignRight, font, value);
        };
        painter.setPen(theme.text);
        paintTabular(painter, line, Qt::AlignLeft, strong, QStringLiteral("Step 5,480"));
        painter.setPen(theme.text3);
        paintTabular(painter, line, Qt::AlignRight, theme.small, QStringLiteral("epoch 46.4"));
        row(QStringLiteral("brave-otter"), QStringLiteral("0.127"), 0, true);
        row(QStringLiteral("eager-lynx"), QStringLiteral("0.168"), 2, false);
    });
    tip->setFixedWidth(sizes.px(194));
    return tip;
}

QWidget* sampleMenu() {
    const Theme& sizes = Theme::current();
    auto* menu = new Painted(QSize(sizes.px(190), sizes.px(103)), [](QPainter& painter, const QRectF& area) {
        const Theme& theme = Theme::current();
        paintFrame(painter, area, 6, theme.raised, theme.borderStrong);
        const qreal inset = theme.px(5);
        QRectF row(inset, inset, area.width() - 2 * inset, theme.px(28));
        paintMenuRow(painter, row, QObject::tr("Stop and save"), true, false, QStringLiteral("Ctrl ."));
        row.translate(0, theme.px(28));
        paintMenuRow(painter, row, QObject::tr("Stop now"), false, false, QString());
        paintHLine(painter, row.left(), row.bottom() + theme.px(4), row.width(), theme.border);
        row.translate(0, theme.px(28) + theme.px(9));
        paintMenuRow(painter, row, QObject::tr("Kill"), false, true, QString());
    });
    menu->setFixedWidth(sizes.px(190));
    return menu;
}

QWidget* sampleCurve(int index, const QString& name) {
    const Theme& sizes = Theme::current();
    return new Painted(QSize(sizes.px(80), sizes.px(40)), [index, name](QPainter& painter, const QRectF&) {
        const Theme& theme = Theme::current();
        QPolygonF line;
        for (int i = 0; i < 20; ++i) {
            const double phase = i * 0.55 + index * 0.9;
            line << QPointF(i * 4.2, 12.0 + 6.2 * std::cos(phase) - 2 + i * 0.08);
        }
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.curve(index), 2));
        painter.drawPolyline(line);
        const QRectF text(0, theme.px(24), theme.px(90), theme.px(16));
        paintRunChip(painter, QPointF(theme.px(5), text.center().y()), theme.curve(index), true);
        painter.setPen(theme.text2);
        paintTabular(painter, text.adjusted(theme.px(16), 0, 0, 0), Qt::AlignLeft, theme.small,
                     QStringLiteral("%1 %2").arg(index).arg(name));
    });
}

QWidget* sampleSwatch(const QString& name, std::function<QColor(const Theme&)> color) {
    const Theme& sizes = Theme::current();
    return new Painted(QSize(sizes.px(86), sizes.px(42)), [name, color](QPainter& painter, const QRectF& area) {
        const Theme& theme = Theme::current();
        paintFrame(painter, QRectF(0, 0, area.width() - theme.px(12), theme.px(24)), 4, color(theme), theme.border);
        painter.setFont(theme.small);
        painter.setPen(theme.text2);
        painter.drawText(QRectF(0, theme.px(26), area.width(), theme.px(16)), Qt::AlignVCenter, name);
    });
}

QWidget* sampleIcons() {
    const QStringList files =
        QDir(QStringLiteral(":/trainyard/icons")).entryList({QStringLiteral("*.svg")}, QDir::Files);
    const int rows = static_cast<int>((files.size() + 17) / 18);
    const int pitch = Theme::current().px(25);
    return new Painted(QSize(200, rows * pitch - 9), [files, pitch](QPainter& painter, const QRectF& area) {
        const qreal side = Theme::current().px(16);
        for (qsizetype i = 0; i < files.size(); ++i) {
            const QRectF cell(static_cast<qreal>(i % 18) * area.width() / 18, static_cast<qreal>(i / 18) * pitch, side,
                              side);
            QString name = files[i];
            name.chop(4);
            paintIcon(painter, name, cell, Theme::current().text2);
        }
    });
}

} // namespace trainyard::ui
