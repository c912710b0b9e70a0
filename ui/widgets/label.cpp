// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/label.h"

#include "ui/theme/paint.h"
#include "ui/theme/theme.h"
#include "ui/theme/theme_controller.h"

#include <QPainter>

#include <cmath>

namespace trainyard::ui {

QFont fontOf(TextRole role) {
    const Theme& theme = Theme::current();
    switch (role) {
    case TextRole::Heading: return theme.heading;
    case TextRole::Title: return theme.title;
    case TextRole::Mono: return theme.mono;
    case TextRole::Changed:
    case TextRole::Value: return theme.medium;
    case TextRole::SectionHeading: {
        QFont font = theme.small;
        font.setWeight(QFont::DemiBold);
        return font;
    }
    case TextRole::Small:
    case TextRole::SmallSecondary:
    case TextRole::SmallTertiary:
    case TextRole::SmallError: return theme.small;
    default: return theme.body;
    }
}

QColor colorOf(TextRole role) {
    const Theme& theme = Theme::current();
    switch (role) {
    case TextRole::Secondary:
    case TextRole::SectionHeading:
    case TextRole::SmallSecondary: return theme.text2;
    case TextRole::Tertiary:
    case TextRole::SmallTertiary: return theme.text3;
    case TextRole::SmallError: return theme.error;
    case TextRole::Changed: return theme.accentText;
    default: return theme.text;
    }
}

Label::Label(const QString& text, TextRole role, QWidget* parent) : QLabel(text, parent), m_role(role) {
    setTextFormat(Qt::PlainText);
    applyTheme();
    connect(&ThemeController::instance(), &ThemeController::changed, this, &Label::applyTheme);
}

void Label::setRole(TextRole role) {
    m_role = role;
    applyTheme();
}

void Label::applyTheme() {
    setFont(fontOf(m_role));
    QPalette own = palette();
    own.setColor(QPalette::WindowText, colorOf(m_role));
    setPalette(own);
}

NumberLabel::NumberLabel(TextRole role, QWidget* parent) : QWidget(parent), m_role(role) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&ThemeController::instance(), &ThemeController::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void NumberLabel::setText(const QString& text) {
    if (text != m_text) {
        m_text = text;
        setAccessibleName(text);
        updateGeometry();
        update();
    }
}

void NumberLabel::setAlignment(Qt::Alignment alignment) {
    m_alignment = alignment;
    update();
}

QSize NumberLabel::sizeHint() const {
    const QFont font = fontOf(m_role);
    return {static_cast<int>(std::ceil(tabularWidth(font, m_text))), QFontMetrics(font).height()};
}

void NumberLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(isEnabled() ? colorOf(m_role) : Theme::current().text3);
    const QFont font = fontOf(m_role);
    const QFontMetricsF metrics(font);
    const double digits = tabularWidth(font, m_text) - metrics.horizontalAdvance(m_text); // extra width
    const QString shown = metrics.elidedText(m_text, Qt::ElideRight, width() + 1 - digits);
    if (shown.size() > 1 || shown == m_text) // a lone ellipsis says nothing
        paintTabular(painter, rect(), m_alignment | Qt::AlignVCenter, font, shown);
}

} // namespace trainyard::ui
