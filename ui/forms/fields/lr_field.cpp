// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/fields/lr_field.h"

#include "ui/forms/fields/param_field.h"
#include "ui/widgets/inputs/switch.h"
#include "ui/widgets/inputs/unit_field.h"
#include "ui/widgets/layout.h"

namespace trainyard::ui {

LrField::LrField(QWidget* parent) : QWidget(parent) {
    auto* line = row(this, 8);
    m_lr = new UnitField;
    m_lr->edit()->setAccessibleName(tr("Learning rate"));
    m_lr->edit()->setToolTip(tr("Size of each step"));
    m_switch = new Switch(tr("Sweep"));
    m_switch->setAccessibleName(tr("Sweep: vary Learning rate"));
    m_switch->setToolTip(tr("Try several learning rates"));
    m_switch->setMinimumHeight(Theme::current().px(28));
    line->addWidget(m_lr, 1);
    line->addWidget(m_switch, 0, Qt::AlignTop);
    connect(m_lr, &UnitField::textEdited, this, &LrField::changed);
}

void LrField::setVaried(bool on) {
    if (on == m_varied) return;
    m_single = lr().valueOr(m_single);
    m_varied = on;
    m_lr->edit()->setReadOnly(on);
    m_lr->edit()->setFocusPolicy(on ? Qt::NoFocus : Qt::StrongFocus);
    m_lr->setError({});
    m_lr->setText(on ? QString() : numberText(m_single));
}

void LrField::setLr(double lr) {
    m_single = lr;
    if (!m_varied) m_lr->setText(numberText(lr));
}

Result<double> LrField::lr() const { return m_varied ? Result<double>(m_single) : readNumber(m_lr->text()); }

bool LrField::sweeping() const { return m_switch->isChecked(); }

void LrField::setSweeping(bool on) { m_switch->setChecked(on); }

void LrField::setError(const QString& message) {
    if (!m_varied) m_lr->setError(message);
    else if (!message.isEmpty()) m_lr->setText(tr("No values"));
}

void LrField::setCount(qsizetype values, bool alone) {
    if (!m_varied) return;
    const int count = static_cast<int>(values);
    m_lr->setText(count == 0 ? tr("Drawn for each trial")
                  : alone    ? tr("%n values, one trial each", nullptr, count)
                             : tr("%n values", nullptr, count));
}

} // namespace trainyard::ui
