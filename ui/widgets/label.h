// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace trainyard::ui {

// The font and colour of a Label in the theme.
enum class TextRole {
    Body,
    Secondary,
    Tertiary,
    Heading,
    SectionHeading,
    Title,
    Small,
    SmallSecondary,
    SmallTertiary,
    SmallError,
    Mono,
    Value,
    Changed // the title of a field that differs from its initial value
};

// A QLabel whose font and colour follow the theme.
class Label : public QLabel {
    Q_OBJECT
public:
    explicit Label(const QString& text, TextRole role = TextRole::Body, QWidget* parent = nullptr);

    TextRole role() const { return m_role; }
    void setRole(TextRole role);

private:
    void applyTheme();

    TextRole m_role;
};

// One line with tabular digits, elided at the end if it does not fit.
class NumberLabel : public QWidget {
    Q_OBJECT
public:
    explicit NumberLabel(TextRole role = TextRole::Value, QWidget* parent = nullptr);

    QString text() const { return m_text; }
    void setText(const QString& text);
    void setAlignment(Qt::Alignment alignment);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_text;
    TextRole m_role;
    Qt::Alignment m_alignment = Qt::AlignRight;
};

// Font and colour of a role in the current theme.
QFont fontOf(TextRole role);
QColor colorOf(TextRole role);

} // namespace trainyard::ui
