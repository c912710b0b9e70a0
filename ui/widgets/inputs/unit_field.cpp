// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/inputs/unit_field.h"

#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/layout.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace trainyard::ui {

namespace {

constexpr int kErrorMargin = 8; // right of an error, in design pixels: a form ends at the edge of its panel

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
    connect(this, &QLineEdit::textChanged, this, &UnitEdit::setMargins);
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
    const int icon = m_icon.isEmpty() ? 0 : Theme::current().px(22);
    isLeftToRight() ? setTextMargins(icon, 0, unitWidth(), 0) : setTextMargins(unitWidth(), 0, icon, 0);
}

// A partly covered number would look like another one.
int UnitEdit::unitWidth() const {
    const Theme& theme = Theme::current();
    if (m_unit.isEmpty()) return 0;
    const int unit = QFontMetrics(theme.small).horizontalAdvance(m_unit) + theme.px(5);
    const int text = fontMetrics().horizontalAdvance(displayText());
    const int room = width() - theme.px(14) - (m_icon.isEmpty() ? 0 : theme.px(22)); // minus the padding
    return text + unit <= room ? unit : 0;
}

void UnitEdit::resizeEvent(QResizeEvent* event) {
    QLineEdit::resizeEvent(event);
    setMargins();
}

void UnitEdit::paintEvent(QPaintEvent* event) {
    QLineEdit::paintEvent(event);
    const Theme& theme = Theme::current();
    QPainter painter(this);
    const QRectF inner = QRectF(rect()).adjusted(theme.px(8) + 1, 0, -theme.px(8) - 1, 0);
    if (unitWidth() > 0) {
        painter.setFont(theme.small);
        painter.setPen(theme.text3);
        painter.drawText(inner, Qt::AlignVCenter | Qt::AlignRight, m_unit);
    }
    if (!m_icon.isEmpty()) {
        const qreal side = theme.px(16);
        const QRectF mark(inner.left(), (height() - side) / 2, side, side);
        paintIcon(painter, m_icon, mirrored(layoutDirection(), inner, mark), theme.text3);
    }
}

UnitField::UnitField(const QString& unit, QWidget* parent) : QWidget(parent) {
    const Theme& theme = Theme::current();
    auto* stack = column(this, 4);
    m_edit = new UnitEdit(unit);
    m_line = new QHBoxLayout;
    m_line->setSpacing(theme.px(4));
    m_line->addWidget(m_edit, 1);
    stack->addLayout(m_line);
    m_errorRow = new QWidget;
    auto* below = column(m_errorRow, 4);
    auto* line = row(nullptr, 6);
    line->addWidget(new IconSpot(QStringLiteral("error")), 0, Qt::AlignTop);
    m_error = new Label(QString(), TextRole::SmallError);
    m_error->setWordWrap(true);
    line->addWidget(m_error, 1);
    below->addLayout(line);
    m_fixes = new QWidget;
    setMargins(column(m_fixes, 4), 22, 0, 0, 0); // below the message
    m_fixes->hide();
    below->addWidget(m_fixes);
    stack->addWidget(m_errorRow);
    m_errorRow->hide();
    setFocusProxy(m_edit);
    connect(m_edit, &QLineEdit::textEdited, this, &UnitField::textEdited);
}

void UnitField::setError(const QString& message) {
    if (message == m_message) return;
    m_message = message;
    m_fixes->hide(); // they were for another error
    m_error->setText(m_named && !message.isEmpty() ? tr("%1: %2").arg(m_edit->accessibleName(), message) : message);
    m_errorRow->setVisible(!message.isEmpty());
    m_edit->setAccessibleDescription(message);
    setKind(m_edit, message.isEmpty() ? "" : "error");
}

void UnitField::setFixes(const QList<FieldFix>& fixes) {
    auto buttons = m_fixes->findChildren<QPushButton*>();
    const bool same = std::equal(fixes.begin(), fixes.end(), buttons.begin(), buttons.end(),
                                 [](const FieldFix& fix, const QPushButton* made) { return fix.text == made->text(); });
    if (!same) {
        for (QPushButton* old : std::as_const(buttons)) {
            old->setParent(nullptr); // so that searches for children skip it
            old->deleteLater();      // it may be the button being pressed
        }
        buttons.clear();
        for (const FieldFix& fix : fixes) {
            buttons << button(fix.text);
            m_fixes->layout()->addWidget(buttons.last());
            m_fixes->layout()->setAlignment(buttons.last(), Qt::AlignLeft);
        }
    }
    for (qsizetype i = 0; i < fixes.size(); ++i) {
        buttons[i]->disconnect(this);
        connect(buttons[i], &QPushButton::clicked, this, fixes[i].act);
    }
    m_fixes->setVisible(!fixes.isEmpty());
}

void UnitField::addTail(QWidget* tail) { m_line->addWidget(tail); }

void UnitField::showErrorsIn(QVBoxLayout* row, int indent, bool named) {
    m_named = named;
    m_errorRow->layout()->setContentsMargins(indent, 0, Theme::current().px(kErrorMargin), 0);
    row->insertWidget(1, m_errorRow); // below the fields
}

} // namespace trainyard::ui
