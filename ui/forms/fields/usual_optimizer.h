// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/catalog.h"
#include "ui/widgets/label.h"

#include <optional>

namespace trainyard::ui {

class ChoiceRows;
class LrField;

// Says how the model of a form is usually trained, where its entry in the catalog tells, and brings the fields of
// optimizer and learning rate there when another model is chosen. What the user has changed stays.
class UsualOptimizer : public Label {
    Q_OBJECT
public:
    // All of the form, which outlives it.
    UsualOptimizer(const spec::Catalog& catalog, const ChoiceRows& model, ChoiceRows& optimizer, LrField& lr);

    // What the fields hold now is nobody's choice: it follows the model.
    void offer();
    // It is somebody's choice: it stays.
    void take();
    // After another model was chosen.
    void follow();

private:
    std::optional<spec::Choice> now();
    void refresh();

    const spec::Catalog& m_catalog;
    const ChoiceRows& m_model;
    ChoiceRows& m_optimizer;
    LrField& m_lr;
    std::optional<spec::Choice> m_offered;
    bool m_isUsual = false; // what is offered is the usual one of a model
};

} // namespace trainyard::ui
