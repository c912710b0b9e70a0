// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/fields/field_fold.h"

#include "ui/forms/fields/form_grid.h"

#include <QComboBox>

#include <algorithm>

namespace trainyard::ui {

bool needsRow(const QWidget& row) {
    const auto* choice = qobject_cast<const ChoiceRows*>(&row);
    if (choice && (!choice->isUsual() || choice->hasNameError())) return true;
    const auto toggles = row.findChildren<const VaryToggle*>();
    if (std::any_of(toggles.begin(), toggles.end(), [](const auto* toggle) { return toggle->isChecked(); }))
        return true;
    const auto isNeeded = [](const ParamField* field) { return field->hasError() || !field->isUsual(); };
    const auto fields = row.findChildren<const ParamField*>();
    const auto* itself = qobject_cast<const ParamField*>(&row);
    return (itself && isNeeded(itself)) || std::any_of(fields.begin(), fields.end(), isNeeded);
}

void FieldFold::add(const QList<QWidget*>& widgets, std::function<bool()> isNeeded) {
    if (!isNeeded) isNeeded = [row = widgets.front()] { return needsRow(*row); };
    m_parts.push_back({widgets, std::move(isNeeded)});
}

void FieldFold::setAll(bool all) {
    m_all = all;
    fitAll(true);
}

void FieldFold::begin() { fitAll(true); }

void FieldFold::update() { fitAll(false); }

void FieldFold::fit(const Part& part, bool mayHide) const {
    const bool shown = m_all || part.isNeeded();
    for (QWidget* widget : part.widgets)
        if (shown || mayHide) widget->setVisible(shown);
}

void FieldFold::fitAll(bool mayHide) {
    for (const Part& part : std::as_const(m_parts)) fit(part, mayHide);
    for (const auto* choice : std::as_const(m_choices))
        for (QWidget* row : choice->rest()) fit({{row}, [row] { return needsRow(*row); }}, mayHide);
}

} // namespace trainyard::ui
