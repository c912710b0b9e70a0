// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/unit_field.h"

#include "ui/theme/icon.h"
#include "ui/theme/theme.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/label.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

namespace trainyard::ui {

namespace {

class IconSpot : public QWidget {
public:
    explicit IconSpot(QString name) : m_name(std::move(name)) {
        setFixedSize(Theme::current().px(16), Theme::current().px(16));
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        paintIcon(painter, m_name, rect(), Theme::current().error);
    }

private:
    QString m_name;
};

} // namespace

UnitEdit::UnitEdit(const QString& unit, QWidget* parent) : QLineEdit(parent) {
    setUnit(unit);
    connect(&ThemeController::instance(), &ThemeController::changed, this, &UnitEdit::setMargins);
}

void UnitEdit::setUnit(const QString& unit) {
    m_unit = unit;
    setMargins();
    update();
}

void UnitEdit::setLeadingIcon(const QString& iconName) {
    m_icon = iconName;
    setMargins();
    update();
}

void UnitEdit::setMargins() {
    const Theme& theme = Theme::current();
    const int unit = m_unit.isEmpty() ? 0 : QFontMetrics(theme.small).horizontalAdvance(m_unit) + theme.px(6);
    setTextMargins(m_icon.isEmpty() ? 0 : theme.px(22), 0, unit, 0);
}

void UnitEdit::paintEvent(QPaintEvent* event) {
    QLineEdit::paintEvent(event);
    const Theme& theme = Theme::current();
    QPainter painter(this);
    const QRectF inner = QRectF(rect()).adjusted(theme.px(8) + 1, 0, -theme.px(8) - 1, 0);
    if (!m_unit.isEmpty()) {
        painter.setFont(theme.small);
        painter.setPen(theme.text3);
        painter.drawText(inner, Qt::AlignVCenter | Qt::AlignRight, m_unit);
    }
    if (!m_icon.isEmpty()) {
        const qreal side = theme.px(16);
        paintIcon(painter, m_icon, QRectF(inner.left(), (height() - side) / 2, side, side), theme.text3);
    }
}

UnitField::UnitField(const QString& unit, QWidget* parent) : QWidget(parent) {
    const Theme& theme = Theme::current();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme.px(4));
    m_edit = new UnitEdit(unit);
    m_line = new QHBoxLayout;
    m_line->setSpacing(theme.px(4));
    m_line->addWidget(m_edit, 1);
    column->addLayout(m_line);
    m_errorRow = new QWidget;
    auto* row = new QHBoxLayout(m_errorRow);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(theme.px(6));
    row->addWidget(new IconSpot(QStringLiteral("error")), 0, Qt::AlignTop);
    m_error = new Label(QString(), TextRole::SmallError);
    m_error->setWordWrap(true);
    row->addWidget(m_error, 1);
    column->addWidget(m_errorRow);
    m_errorRow->hide();
    setFocusProxy(m_edit);
    connect(m_edit, &QLineEdit::textEdited, this, &UnitField::textEdited);
}

void UnitField::setError(const QString& message) {
    if (message == m_message) return;
    m_message = message;
    m_error->setText(m_named && !message.isEmpty() ? tr("%1: %2").arg(m_edit->accessibleName(), message) : message);
    m_errorRow->setVisible(!message.isEmpty());
    m_edit->setAccessibleDescription(message);
    setKind(m_edit, message.isEmpty() ? "" : "error");
}

void UnitField::addTail(QWidget* tail) { m_line->addWidget(tail); }

void UnitField::showErrorsIn(QVBoxLayout* row, int indent, bool named) {
    m_named = named;
    m_errorRow->layout()->setContentsMargins(indent, 0, 0, 0);
    row->insertWidget(1, m_errorRow); // below the fields
}

} // namespace trainyard::ui
