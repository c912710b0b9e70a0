// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/program/argument_field.h"

#include "ui/widgets/inputs/switch.h"
#include "ui/widgets/inputs/unit_field.h"
#include "ui/widgets/layout.h"

#include <QComboBox>

namespace trainyard::ui {

namespace {

// The first entry of a choice whose default is none of its words.
QString notGivenText(const ArgumentShape& shape) {
    return shape.usual.isEmpty() ? ArgumentField::tr("not given") : shape.usual;
}

QString placeholderOf(const ArgumentShape& shape) {
    if (!shape.usual.isEmpty()) return shape.usual;
    return shape.argument.required ? ArgumentField::tr("required") : ArgumentField::tr("not given");
}

} // namespace

ArgumentField::ArgumentField(const ArgumentShape& shape, QWidget* parent) : QWidget(parent), m_shape(shape) {
    auto* line = row(this);
    const QString title = QString::fromStdString(shape.info.title);
    if (shape.look == ArgumentShape::Look::Switch) {
        m_switch = new Switch;
        connect(m_switch, &QAbstractButton::toggled, this, &ArgumentField::changed);
        line->addWidget(m_switch, 0, Qt::AlignVCenter);
        line->addStretch();
        setMinimumHeight(Theme::current().px(28));
    } else if (shape.look == ArgumentShape::Look::Choice) {
        makeChoice();
        line->addWidget(m_choice);
    } else {
        makeText();
        line->addWidget(m_text);
    }
    QString tip = QString::fromStdString(shape.info.help);
    if (!shape.doubt.isEmpty())
        tip += (tip.isEmpty() ? QString() : QStringLiteral("\n")) + tr("Not certain: %1").arg(shape.doubt);
    editor()->setAccessibleName(title);
    editor()->setAccessibleDescription(tip);
    editor()->setToolTip(tip);
    setFocusProxy(editor());
    setGiven({});
}

void ArgumentField::makeChoice() {
    m_choice = new QComboBox;
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_choice->setMinimumContentsLength(8);
    const auto& words = m_shape.info.options;
    if (std::find(words.begin(), words.end(), m_shape.usual.toStdString()) == words.end())
        m_choice->addItem(notGivenText(m_shape), QVariant());
    for (const auto& word : words) m_choice->addItem(QString::fromStdString(word), QString::fromStdString(word));
    connect(m_choice, &QComboBox::activated, this, &ArgumentField::changed);
}

void ArgumentField::makeText() {
    m_text = new UnitField;
    m_text->edit()->setPlaceholderText(placeholderOf(m_shape));
    connect(m_text, &UnitField::textEdited, this, &ArgumentField::changed);
    connect(m_text->edit(), &QLineEdit::returnPressed, this, &ArgumentField::finished);
}

QWidget* ArgumentField::editor() const {
    if (m_switch) return m_switch;
    if (m_choice) return m_choice;
    return m_text->edit();
}

void ArgumentField::setGiven(const std::optional<program::Given>& given) {
    const QSignalBlocker quiet(this);
    const auto shown = given ? *given : program::defaultOf(m_shape.argument);
    const QString text = textOfGiven(m_shape, shown);
    if (m_switch) {
        const auto value = valueOfGiven(m_shape, shown);
        const auto* on = value ? std::get_if<bool>(&*value) : nullptr;
        m_switch->setChecked(on && *on);
    } else if (m_choice) {
        int at = given || m_choice->findData(text) >= 0 ? m_choice->findData(text) : 0;
        if (at < 0) { // shown as it is, and reported
            m_choice->addItem(text, text);
            at = m_choice->count() - 1;
        }
        m_choice->setCurrentIndex(at);
    } else if (const QString now = given ? text : QString(); now != m_text->text()) {
        m_text->setText(now);
    }
}

std::optional<program::Given> ArgumentField::given() const {
    std::optional<program::Given> now;
    if (m_switch) now = givenOfText(m_shape, m_switch->isChecked() ? QStringLiteral("True") : QStringLiteral("False"));
    else if (m_text) now = givenOfText(m_shape, m_text->text());
    else if (m_choice->currentData().isValid()) now = givenOfText(m_shape, m_choice->currentData().toString());
    const bool isTyped = m_text != nullptr; // even the default: it was meant
    if (!isTyped && now == program::defaultOf(m_shape.argument)) return {};
    if (m_switch && !m_shape.argument.byDefault && !m_switch->isChecked()) return {};
    return now;
}

void ArgumentField::setError(const QString& message) {
    m_message = message;
    if (m_text) m_text->setError(message);
    if (!m_choice) return;
    setKind(m_choice, message.isEmpty() ? "" : "error");
    m_choice->setToolTip(message.isEmpty() ? m_choice->accessibleDescription() : message);
}

void ArgumentField::showErrorsIn(QVBoxLayout* row, int indent) {
    if (m_text) m_text->showErrorsIn(row, indent, false);
}

} // namespace trainyard::ui
