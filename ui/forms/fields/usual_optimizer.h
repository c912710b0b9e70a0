// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/catalog.h"
#include "ui/widgets/label.h"

#include <optional>

namespace trainyard::ui {

class ChoiceRows;
class LrField;

// Says how the form's model is usually trained, if its catalog entry does, and sets optimizer and learning rate
// accordingly when the user chooses another model. The user's own changes stay.
class UsualOptimizer : public Label {
    Q_OBJECT
public:
    // Parts of the form, which outlives it.
    UsualOptimizer(const spec::Catalog& catalog, const ChoiceRows& model, ChoiceRows& optimizer, LrField& lr);

    // The fields' values are not the user's choice: they follow the model.
    void offer();
    // They are the user's choice: they stay.
    void take();
    // Called when another model has been chosen.
    void follow();

private:
    std::optional<spec::Choice> now();
    void refresh();

    const spec::Catalog& m_catalog;
    const ChoiceRows& m_model;
    ChoiceRows& m_optimizer;
    LrField& m_lr;
    std::optional<spec::Choice> m_offered;
    bool m_isUsual = false; // the offered optimizer is the model's usual one
};

} // namespace trainyard::ui
